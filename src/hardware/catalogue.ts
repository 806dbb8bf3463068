// Machines that can be rented, with what one pays for them: facts, each with its source. Not a model of how fast they are:
// chips and fabrics join this folder as the simulator needs them.
//
// GB is 10⁹ bytes, GiB is 2³⁰. Prices are US dollars an hour, on demand, us-east-1, in micro-dollars.
import { type MicroUsd, usd } from '../base/money.ts';
import type { Fact } from './fact.ts';

export const acceleratorNames = [
  'trainium1',
  'trainium2',
  'inferentia2',
  'a100-40gb',
  'a100-80gb',
  'h100',
  'h200',
  'a10g',
] as const;
export type AcceleratorName = (typeof acceleratorNames)[number];

export interface InstanceType {
  readonly name: string;
  readonly vcpus: Fact<number>;
  readonly memoryGib: Fact<number>;
  readonly accelerator: AcceleratorName;
  readonly accelerators: number;
  /** All accelerators together. */
  readonly acceleratorMemoryGib: Fact<number>;
  /** Of the bare machine (EC2). Undefined: no public on-demand price. */
  readonly usdPerHour: Fact<MicroUsd> | undefined;
  /** Of the same machine in the managed training service, where a price is known. */
  readonly managedUsdPerHour: Fact<MicroUsd> | undefined;
}

const karpenter = 'Karpenter documentation, instance types (2026-07)';
const prices = 'Karpenter pricing table, us-east-1 (2026-07-20)';
const trn1Docs = 'AWS Neuron documentation 2.32, trn1 architecture';
const trn2Docs = 'AWS Neuron documentation 2.32, trn2 architecture';
const inf2Docs = 'AWS Neuron documentation 2.32, inf2 architecture';
const benchmark =
  "AWS Machine Learning Blog, 'Maximize performance and reduce your deep learning training cost with AWS Trainium and Amazon SageMaker'";

interface Numbers {
  readonly vcpus: number;
  readonly memoryGib: number;
  readonly accelerators: number;
  readonly acceleratorMemoryGib: number;
  readonly usdPerHour?: number | Fact<MicroUsd>;
  readonly managedUsdPerHour?: Fact<MicroUsd>;
}

function instance(name: string, accelerator: AcceleratorName, memorySource: string, n: Numbers): InstanceType {
  const price = n.usdPerHour;
  return {
    name,
    accelerator,
    accelerators: n.accelerators,
    vcpus: { value: n.vcpus, source: karpenter },
    memoryGib: { value: n.memoryGib, source: karpenter },
    acceleratorMemoryGib: { value: n.acceleratorMemoryGib, source: memorySource },
    usdPerHour: typeof price === 'number' ? { value: usd(price), source: prices } : price,
    managedUsdPerHour: n.managedUsdPerHour,
  };
}

/** A price that was cut in June 2025; documents from before use the old one. */
const cut = (now: number, before: number): Fact<MicroUsd> => ({
  value: usd(now),
  source: prices,
  alternatives: [{ value: usd(before), note: 'before the price cut of June 2025' }],
});

export const instanceTypes: readonly InstanceType[] = [
  instance('trn1.2xlarge', 'trainium1', trn1Docs, {
    vcpus: 8,
    memoryGib: 32,
    accelerators: 1,
    acceleratorMemoryGib: 32,
    usdPerHour: 1.34375,
  }),
  instance('trn1.32xlarge', 'trainium1', trn1Docs, {
    vcpus: 128,
    memoryGib: 512,
    accelerators: 16,
    acceleratorMemoryGib: 512,
    usdPerHour: 21.5,
    managedUsdPerHour: { value: usd(24.725), source: `${benchmark}; 1.15 × the EC2 price` },
  }),
  instance('trn1n.32xlarge', 'trainium1', trn1Docs, {
    vcpus: 128,
    memoryGib: 512,
    accelerators: 16,
    acceleratorMemoryGib: 512,
    usdPerHour: 24.78,
  }),
  instance('trn2.48xlarge', 'trainium2', trn2Docs, {
    vcpus: 192,
    memoryGib: 2048,
    accelerators: 16,
    acceleratorMemoryGib: 1536,
  }),
  instance('inf2.xlarge', 'inferentia2', inf2Docs, {
    vcpus: 4,
    memoryGib: 16,
    accelerators: 1,
    acceleratorMemoryGib: 32,
    usdPerHour: 0.7582,
  }),
  instance('inf2.8xlarge', 'inferentia2', inf2Docs, {
    vcpus: 32,
    memoryGib: 128,
    accelerators: 1,
    acceleratorMemoryGib: 32,
    usdPerHour: 1.96786,
  }),
  instance('inf2.24xlarge', 'inferentia2', inf2Docs, {
    vcpus: 96,
    memoryGib: 384,
    accelerators: 6,
    acceleratorMemoryGib: 192,
    usdPerHour: 6.49063,
  }),
  instance('inf2.48xlarge', 'inferentia2', inf2Docs, {
    vcpus: 192,
    memoryGib: 768,
    accelerators: 12,
    acceleratorMemoryGib: 384,
    usdPerHour: 12.98127,
  }),
  instance('p4d.24xlarge', 'a100-40gb', '8 × 40 GB, NVIDIA A100 data sheet', {
    vcpus: 96,
    memoryGib: 1152,
    accelerators: 8,
    acceleratorMemoryGib: 320,
    usdPerHour: cut(21.957642, 32.7726),
    managedUsdPerHour: { value: usd(37.69), source: `${benchmark}; 1.15 × the EC2 price before June 2025` },
  }),
  instance('p4de.24xlarge', 'a100-80gb', '8 × 80 GB, NVIDIA A100 data sheet', {
    vcpus: 96,
    memoryGib: 1152,
    accelerators: 8,
    acceleratorMemoryGib: 640,
    usdPerHour: cut(27.44705, 40.96575),
  }),
  instance('p5.4xlarge', 'h100', 'NVIDIA H100 data sheet', {
    vcpus: 16,
    memoryGib: 256,
    accelerators: 1,
    acceleratorMemoryGib: 80,
    usdPerHour: 6.88,
  }),
  instance('p5.48xlarge', 'h100', '8 × 80 GB, NVIDIA H100 data sheet', {
    vcpus: 192,
    memoryGib: 2048,
    accelerators: 8,
    acceleratorMemoryGib: 640,
    usdPerHour: cut(55.04, 98.32),
  }),
  instance('p5e.48xlarge', 'h200', '8 × 141 GB, NVIDIA H200 data sheet', {
    vcpus: 192,
    memoryGib: 2048,
    accelerators: 8,
    acceleratorMemoryGib: 1128,
  }),
  instance('p5en.48xlarge', 'h200', '8 × 141 GB, NVIDIA H200 data sheet', {
    vcpus: 192,
    memoryGib: 2048,
    accelerators: 8,
    acceleratorMemoryGib: 1128,
    usdPerHour: cut(63.296, 84.8),
  }),
  instance('g5.xlarge', 'a10g', '24 GB per A10G', {
    vcpus: 4,
    memoryGib: 16,
    accelerators: 1,
    acceleratorMemoryGib: 24,
    usdPerHour: 1.006,
  }),
  instance('g5.48xlarge', 'a10g', '24 GB per A10G', {
    vcpus: 192,
    memoryGib: 768,
    accelerators: 8,
    acceleratorMemoryGib: 192,
    usdPerHour: 16.288,
  }),
];

const MANAGED_PREFIX = 'ml.';

/** A machine by name; `ml.` before it means the managed service's price. Undefined if the catalogue has no such machine. */
export function findInstance(name: string): InstanceType | undefined {
  const bare = name.startsWith(MANAGED_PREFIX) ? name.slice(MANAGED_PREFIX.length) : name;
  return instanceTypes.find(instance => instance.name === bare);
}

/** What an hour of the machine costs; undefined where no public price is known (never a guess). */
export function priceOf(name: string): Fact<MicroUsd> | undefined {
  const found = findInstance(name);
  return name.startsWith(MANAGED_PREFIX) ? found?.managedUsdPerHour : found?.usdPerHour;
}

/** All names that `priceOf` has a price for. */
export function pricedNames(): readonly string[] {
  return instanceTypes.flatMap(i => [
    ...(i.usdPerHour ? [i.name] : []),
    ...(i.managedUsdPerHour ? [MANAGED_PREFIX + i.name] : []),
  ]);
}
