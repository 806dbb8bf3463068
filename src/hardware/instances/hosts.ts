// The CPUs, memory and GPUs of the instance types of EC2, for clusters: far more types than the catalog has as machines, whose
// accelerators and prices are known. One row for each family: GiB of memory per CPU, then its sizes. The CPUs of a size follow
// from its name (4 for xlarge) unless they are given, with GiB of memory: `9xlarge=36/96`; `*4` is a number of GPUs.
import { sources } from '../sources.ts';

/** The host of an instance type. */
export interface InstanceHost {
  readonly vcpus: number;
  readonly memoryGib: number;
  readonly gpus: number;
  /** CPUs of one core: 2 with simultaneous multithreading. */
  readonly threadsPerCore: 1 | 2;
  readonly architecture: 'arm64' | 'x86_64';
  /** The pages that the values come from. */
  readonly source: string;
}

const families = `
a1 2 medium large xlarge 2xlarge metal=16/32 4xlarge
c1 0.849609 medium=2/1.69922 xlarge=8/7
c3 1.875 large xlarge 2xlarge 4xlarge 8xlarge
c4 1.875 large xlarge 2xlarge 4xlarge 8xlarge=36/60
c5 2 large xlarge 2xlarge 4xlarge 9xlarge 12xlarge 18xlarge metal=96/192 24xlarge
c5a 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge
c5ad 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge
c5d 2 large xlarge 2xlarge 4xlarge 9xlarge 12xlarge 18xlarge metal=96/192 24xlarge
c5n 2.625 large xlarge 2xlarge 4xlarge 9xlarge=36/96 metal=72/192 18xlarge=72/192
c6a 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge metal=192/384 48xlarge
c6g 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/128 16xlarge
c6gd 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/128 16xlarge
c6gn 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge
c6i 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/256 32xlarge
c6id 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/256 32xlarge
c6in 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/256 32xlarge
c7a 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl
c7g 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/128 16xlarge
c7gd 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/128 16xlarge
c7gn 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/128 16xlarge
c7i 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
c7i-flex 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge
c8a 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
c8g 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
c8gb 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
c8gd 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
c8gn 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
c8i 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
c8i-flex 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge
c8ib 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
c8id 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
c8in 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
c8ine 2 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge
c9g 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge metal-48xl
c9gd 2 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge metal-48xl
d2 7.625 xlarge 2xlarge 4xlarge 8xlarge=36/244
d3 8 xlarge 2xlarge 4xlarge 8xlarge
d3en 4 xlarge 2xlarge 4xlarge 6xlarge 8xlarge 12xlarge
dl2q 8 24xlarge
f2 10.6667 6xlarge=24/256 12xlarge=48/512 48xlarge=192/2048
g4ad 4 xlarge*1 2xlarge*1 4xlarge*1 8xlarge*2 16xlarge*4
g4dn 4 xlarge*1 2xlarge*1 4xlarge*1 8xlarge*1 12xlarge*4 16xlarge*1 metal=96/384*8
g5 4 xlarge*1 2xlarge*1 4xlarge*1 8xlarge*1 12xlarge*4 16xlarge*1 24xlarge*4 48xlarge*8
g5g 2 xlarge*1 2xlarge*1 4xlarge*1 8xlarge*1 metal=64/128*2 16xlarge*2
g6 4 xlarge*1 2xlarge*1 4xlarge*1 8xlarge*1 12xlarge*4 16xlarge*1 24xlarge*4 48xlarge*8
g6e 8 xlarge*1 2xlarge*1 4xlarge*1 8xlarge*1 12xlarge*4 16xlarge*1 24xlarge*4 48xlarge*8
g6f 4 large xlarge 2xlarge 4xlarge
g7 4 2xlarge*1 4xlarge*1 8xlarge*1 12xlarge*2 24xlarge*4 48xlarge*8
g7e 8 2xlarge*1 4xlarge*1 8xlarge*1 12xlarge=48/512*2 24xlarge=96/1024*4 48xlarge=192/2048*8
gr6 8 4xlarge*1 8xlarge*1
gr6f 8 4xlarge
h1 4 2xlarge 4xlarge 8xlarge 16xlarge
hpc6a 4 48xlarge=96/384
hpc6id 16 32xlarge=64/1024
hpc7a 32 12xlarge=24/768 24xlarge=48/768 48xlarge=96/768 96xlarge=192/768
hpc7g 8 4xlarge 8xlarge=32/128 16xlarge=64/128
hpc8a 4 96xlarge=192/768
i2 7.625 xlarge 2xlarge 4xlarge 8xlarge
i3 7.625 large xlarge 2xlarge 4xlarge 8xlarge 16xlarge
i3en 8 large xlarge 2xlarge 3xlarge 6xlarge 12xlarge metal=96/768 24xlarge
i4g 8 large xlarge 2xlarge 4xlarge 8xlarge 16xlarge
i4i 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/1024 32xlarge
i7i 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
i7ie 8 large xlarge 2xlarge 3xlarge 6xlarge 12xlarge 18xlarge 24xlarge metal-24xl 48xlarge metal-48xl
i8g 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
i8ge 8 large xlarge 2xlarge 3xlarge 6xlarge 12xlarge 18xlarge 24xlarge metal-24xl 48xlarge metal-48xl
im4gn 4 large xlarge 2xlarge 4xlarge 8xlarge 16xlarge
inf1 2 xlarge 2xlarge 6xlarge 24xlarge
inf2 4 xlarge 8xlarge 24xlarge 48xlarge
is4gen 6 medium large xlarge 2xlarge 4xlarge 8xlarge
m1 3.75 small=1/1.69922 medium=1/3.69922 large xlarge
m2 8.5498 xlarge=2/17.0996 2xlarge=4/34.1992 4xlarge=8/68.3994
m3 3.75 medium large xlarge 2xlarge
m4 4 large xlarge 2xlarge 4xlarge 10xlarge 16xlarge
m5 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal=96/384 24xlarge
m5a 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge
m5ad 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge
m5d 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal=96/384 24xlarge
m5dn 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal=96/384 24xlarge
m5n 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal=96/384 24xlarge
m5zn 4 large xlarge 2xlarge 3xlarge 6xlarge metal=48/192 12xlarge
m6a 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge metal=192/768 48xlarge
m6g 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/256 16xlarge
m6gd 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/256 16xlarge
m6i 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/512 32xlarge
m6id 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/512 32xlarge
m6idn 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/512 32xlarge
m6in 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/512 32xlarge
m7a 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl
m7g 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/256 16xlarge
m7gd 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/256 16xlarge
m7i 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
m7i-flex 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge
m8a 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
m8azn 4 medium large xlarge 3xlarge 6xlarge 12xlarge metal-12xl 24xlarge metal-24xl
m8g 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
m8gb 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
m8gd 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
m8gn 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
m8i 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
m8i-flex 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge
m8ib 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
m8id 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
m8idb 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
m8idn 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
m8in 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
m8ine 4 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge
m9g 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge metal-48xl
m9gd 4 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge metal-48xl
p3dn 8 24xlarge*8
p4d 12 24xlarge*8
p4de 12 24xlarge*8
p5 16 4xlarge*1 48xlarge=192/2048*8
p5e 10.6667 48xlarge=192/2048*8
p5en 10.6667 48xlarge=192/2048*8
p6-b200 10.6667 48xlarge=192/2048*8
p6-b300 21.3333 48xlarge=192/4096*8
r3 7.625 large=2/15 xlarge 2xlarge 4xlarge 8xlarge
r4 7.625 large xlarge 2xlarge 4xlarge 8xlarge 16xlarge
r5 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal=96/768 24xlarge
r5a 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge
r5ad 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge
r5b 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal=96/768 24xlarge
r5d 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal=96/768 24xlarge
r5dn 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal=96/768 24xlarge
r5n 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal=96/768 24xlarge
r6a 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge metal=192/1536 48xlarge
r6g 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/512 16xlarge
r6gd 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/512 16xlarge
r6i 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/1024 32xlarge
r6id 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/1024 32xlarge
r6idn 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/1024 32xlarge
r6in 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal=128/1024 32xlarge
r7a 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl
r7g 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/512 16xlarge
r7gd 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/512 16xlarge
r7i 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
r7iz 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal-16xl 32xlarge metal-32xl
r8a 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
r8g 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
r8gb 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
r8gd 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
r8gn 8 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
r8i 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
r8i-flex 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge
r8ib 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
r8id 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
r8idb 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
r8idn 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
r8in 8 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 96xlarge metal-96xl
t1 0.612305 micro=1/0.612305
t2 4 nano=1/0.5 micro=1/1 small=1/2 medium=2/4 large xlarge 2xlarge
t3 4 nano=2/0.5 micro=2/1 small=2/2 medium=2/4 large xlarge 2xlarge
t3a 4 nano=2/0.5 micro=2/1 small=2/2 medium=2/4 large xlarge 2xlarge
t4g 4 nano=2/0.5 micro=2/1 small=2/2 medium=2/4 large xlarge 2xlarge
trn1 4 2xlarge 32xlarge
trn1n 4 32xlarge
trn2 10.6667 48xlarge=192/2048
u7i-12tb 13.7143 224xlarge=896/12288
u7i-6tb 13.7143 112xlarge=448/6144
u7i-8tb 18.2857 112xlarge=448/8192
u7in-16tb 18.2857 224xlarge=896/16384
u7in-24tb 27.4286 224xlarge=896/24576
u7in-32tb 36.5714 224xlarge=896/32768
u-3tb1 13.7143 56xlarge=224/3072
u-6tb1 27.4286 56xlarge=224/6144 112xlarge=448/6144
vt1 2 3xlarge 6xlarge 24xlarge
x1 15.25 16xlarge 32xlarge
x1e 30.5 xlarge 2xlarge 4xlarge 8xlarge 16xlarge 32xlarge
x2gd 16 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge metal=64/1024 16xlarge
x2idn 16 16xlarge 24xlarge metal=128/2048 32xlarge
x2iedn 32 xlarge 2xlarge 4xlarge 8xlarge 16xlarge 24xlarge metal=128/4096 32xlarge
x2iezn 32 2xlarge 4xlarge 6xlarge 8xlarge metal=48/1536 12xlarge
x8aedz 32 large xlarge 3xlarge 6xlarge 12xlarge metal-12xl 24xlarge metal-24xl
x8g 16 medium large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge metal-24xl 48xlarge metal-48xl
x8i 16 large xlarge 2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 32xlarge 48xlarge metal-48xl 64xlarge 96xlarge metal-96xl
z1d 8 large xlarge 2xlarge 3xlarge 6xlarge metal=48/384 12xlarge
`;

const namedSizes: Readonly<Record<string, number>> = { nano: 2, micro: 2, small: 2, medium: 1, large: 2, xlarge: 4 };

function cpusOfSize(size: string): number {
  const times = /^(?:metal-)?(\d+)xl(?:arge)?$/.exec(size)?.[1];
  return namedSizes[size] ?? 4 * Number(times);
}

/** Processors of AWS itself have a `g` after the generation; a1 was the first. */
const ARM = /^(a1|[a-z]+\d+[a-z]*g[a-z]*|.*-gb\d+)$/;
/** A CPU is a core: ARM, the AMD processors of generations 7 and 8, most hpc types, and old types. */
const ONE_THREAD = /^([cmrx][78]a[a-z]*|hpc\d.*|t[12]|[cm]1|m2)$/;

export const architectureOf = (instanceType: string): InstanceHost['architecture'] =>
  ARM.test(instanceType.split('.')[0]!) ? 'arm64' : 'x86_64';

function rowOf(family: string): readonly string[] | undefined {
  const row = families.split('\n').find(line => line.startsWith(`${family} `));
  return row?.split(' ').slice(1);
}

/** The host of an instance type; undefined if the table does not have it. */
export function hostOf(instanceType: string): InstanceHost | undefined {
  const [family = '', size = ''] = instanceType.split('.');
  const [perCpu, ...sizes] = rowOf(family) ?? [];
  const found = sizes.find(one => one.split(/[=*]/)[0] === size);
  if (found === undefined) return undefined;
  const [, vcpus, gib] = /=(\d+)\/([\d.]+)/.exec(found) ?? [];
  const cpus = vcpus === undefined ? cpusOfSize(size) : Number(vcpus);
  const architecture = architectureOf(instanceType);
  return {
    vcpus: cpus,
    memoryGib: gib === undefined ? cpus * Number(perCpu) : Number(gib),
    gpus: Number(/\*(\d+)$/.exec(found)?.[1] ?? 0),
    threadsPerCore: architecture === 'arm64' || ONE_THREAD.test(family) ? 1 : 2,
    architecture,
    source: `${sources.karpenter}; threads per core: ${sources.cpuOptions}`,
  };
}

/** Every instance type of the table. */
export const hostNames = (): readonly string[] =>
  families
    .trim()
    .split('\n')
    .flatMap(line => {
      const [family, , ...sizes] = line.split(' ');
      return sizes.map(size => `${family}.${size.split(/[=*]/)[0]}`);
    });
