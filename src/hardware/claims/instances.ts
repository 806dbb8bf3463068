// Claims about instances: the tables of the announcements, row by row.

import { machineOf } from '../machine-of.ts';
import type { Claim } from './claim.ts';
import { figure, instance, machineMemoryGib, machinePflops, machineTBs, networkGbps } from './sums.ts';
import { where } from './where.ts';

const section = 'Instances';
const TEBI = 1 / 1024;

interface Printed {
  readonly vcpus: string;
  readonly chips: string;
  readonly acceleratorGb: string;
  readonly hostGb: string;
  readonly gbps: string;
  readonly storage: { readonly printed: string; readonly contradiction: string };
}

function trn1(name: string, document: string, printed: Printed): readonly Claim[] {
  const facts = instance(name);
  const row = (what: string, printed: string, unit: string, compute: Claim['compute'], how: string): Claim => ({
    section,
    what: `${what} of ${name}`,
    where: document,
    printed,
    unit,
    compute,
    how,
  });
  const gib = { computedUnit: 'GiB' };
  const network = row('network', printed.gbps, 'Gbps', networkGbps(name), facts.network!.gbps.source);
  const { storage } = printed;
  return [
    row('vCPUs', printed.vcpus, 'vCPUs', figure(facts.vcpus), facts.vcpus.source),
    row('chips', printed.chips, 'chips', figure(facts.chips), facts.chips.source),
    {
      ...row(
        'accelerator memory',
        printed.acceleratorGb,
        'GB',
        machineMemoryGib(name),
        `${facts.chips.value} × 32 GiB`,
      ),
      ...gib,
    },
    { ...row('host memory', printed.hostGb, 'GB', figure(facts.hostMemoryGib), facts.hostMemoryGib.source), ...gib },
    facts.network!.interfaces
      ? network
      : {
          ...network,
          bound: 'up to',
          how: '3.125 Gbps is the baseline; 12.5 is for bursts, and today’s documents say up to 25',
        },
    {
      ...row('local storage', storage.printed, 'GB', figure(facts.localStorageGb), facts.localStorageGb!.source),
      where: name === 'trn1n.32xlarge' ? where.trn1Page : document,
      contradiction: storage.contradiction,
    },
  ];
}

const fourDisks = {
  printed: '8000',
  contradiction: '4 × 2 TB is 7.6 TB: four disks of 1.9 TB.',
};

const trn2 = instance('trn2.48xlarge');

export const instanceClaims: readonly Claim[] = [
  ...trn1('trn1.2xlarge', where.trn1, {
    vcpus: '8',
    chips: '1',
    acceleratorGb: '32',
    hostGb: '32',
    gbps: '12.5',
    storage: { printed: '500', contradiction: '1 × 500 GB is 474 GB.' },
  }),
  ...trn1('trn1.32xlarge', where.trn1, {
    vcpus: '128',
    chips: '16',
    acceleratorGb: '512',
    hostGb: '512',
    gbps: '800',
    storage: fourDisks,
  }),
  ...trn1('trn1n.32xlarge', where.sageMaker, {
    vcpus: '128',
    chips: '16',
    acceleratorGb: '512',
    hostGb: '512',
    gbps: '1600',
    storage: fourDisks,
  }),
  {
    section,
    what: 'processes with one core each on trn1.32xlarge',
    where: where.trn1,
    printed: '32',
    unit: 'cores',
    compute: profile => machineOf('trn1.32xlarge', { profile }).devices,
    how: '16 × 2: --nproc_per_node=32',
  },
  {
    section,
    what: 'tf32, f16 and bf16 of trn1.32xlarge',
    where: where.trn1,
    printed: '3.4',
    unit: 'PFLOPS',
    bound: 'up to',
    compute: machinePflops('trn1.32xlarge', 'bf16'),
    how: '16 × 190 TFLOPS today, 16 × 210 at launch',
    contradiction: '3.4 PFLOPS need 210 TFLOPS per chip, which was lowered to 190 in April 2023: 3.04 PFLOPS.',
  },
  {
    section,
    what: 'vCPUs of trn2.48xlarge',
    where: where.trn2,
    printed: '192',
    unit: 'vCPUs',
    compute: figure(trn2.vcpus),
    how: trn2.vcpus.source,
  },
  {
    section,
    what: 'chips of trn2.48xlarge',
    where: where.trn2,
    printed: '16',
    unit: 'chips',
    compute: figure(trn2.chips),
    how: trn2.chips.source,
  },
  {
    section,
    what: 'NeuronCores of trn2.48xlarge',
    where: where.trn2,
    printed: '128',
    unit: 'cores',
    compute: profile => machineOf('trn2.48xlarge', { profile, lnc: 1 }).devices,
    how: '16 × 8; 64 logical cores of two',
  },
  {
    section,
    what: 'accelerator memory of trn2.48xlarge',
    where: where.trn2,
    printed: '1.5',
    unit: 'TiB',
    compute: profile => machineMemoryGib('trn2.48xlarge')(profile) * TEBI,
    how: '16 × 96 GiB',
  },
  {
    section,
    what: 'memory bandwidth of trn2.48xlarge',
    where: where.trn2,
    printed: '46',
    unit: 'TB/s',
    compute: machineTBs('trn2.48xlarge'),
    how: '16 × 2.9 TB/s',
  },
  {
    section,
    what: 'host memory of trn2.48xlarge',
    where: where.trn2,
    printed: '2',
    unit: 'TiB',
    compute: figure(trn2.hostMemoryGib, TEBI),
    how: trn2.hostMemoryGib.source,
  },
  {
    section,
    what: 'network of trn2.48xlarge',
    where: where.trn2,
    printed: '3.2',
    unit: 'Tbps',
    compute: profile => networkGbps('trn2.48xlarge')(profile) / 1000,
    how: trn2.network!.gbps.source,
  },
];
