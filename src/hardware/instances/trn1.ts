// Trn1 and Trn1n: 1 or 16 Trainium1, the latter in a 4 × 4 torus.
import { usd } from '../../base/money.ts';
import { efa, ethernet, oneChip, torus2d } from '../fabrics.ts';
import { atLaunch, factsOf } from '../fact.ts';
import { managedAsPublished, onDemand, onDemandAndManaged, quoted, spot } from '../prices.ts';
import { sources } from '../sources.ts';
import { host, karpenter } from './host.ts';
import type { Instance } from './instance.ts';

const page = factsOf(sources.trn1);
const regions = factsOf(sources.skyPilot)('us-east-1, us-east-2, us-west-2', undefined, {
  note: 'ap-south-1, ap-southeast-2 and ap-southeast-4 are listed without a price',
});
const RESERVED = 'AWS Neuron documentation 2.32, trn1_instance_prices.csv: effective hourly rate when reserved';
const reserved = (dollars: number) =>
  quoted('reserved-3y', dollars, RESERVED, '2024-09', { note: 'the page does not state the term', uncertain: true });

// The same for both large sizes.
const sixteenChips = {
  chip: 'trainium1',
  hosts: 1,
  chips: page(16),
  acceleratorMemoryGib: page(512, 'GiB', { note: 'written as 512 GB elsewhere' }),
  acceleratorMemoryGBs: page(13_120, 'GB/s'),
  peakPflops: {
    bf16: page(3.04, 'PFLOPS', {
      alternatives: [atLaunch(3.36, `${sources.trn1Launch}: 3.4 PFLOPS of tf32, f16 and bf16; 16 × 210`)],
    }),
    f32: page(0.76, 'PFLOPS'),
    int8: page(6.08, 'POPS'),
  },
} as const satisfies Partial<Instance>;

export const trn1Instances: readonly Instance[] = [
  {
    name: 'trn1.2xlarge',
    chip: 'trainium1',
    hosts: 1,
    chips: page(1),
    ...host(8, 32, 474, 20),
    acceleratorMemoryGib: page(32, 'GiB', { note: 'written as 32 GB elsewhere' }),
    fabric: oneChip(820, sources.trainium1),
    network: ethernet(
      karpenter(3.125, 'Gbps', {
        note: 'sustained; no EFA on this size',
        alternatives: [atLaunch(12.5, `${sources.trn1Launch}: up to`), { value: 25, note: `${sources.trn1}: up to` }],
        uncertain: true,
      }),
    ),
    regions,
    prices: [...onDemandAndManaged(1.34375), spot('us-east-1', [0.2198, 0.2482]), reserved(0.512)],
  },
  {
    name: 'trn1.32xlarge',
    ...sixteenChips,
    ...host(128, 512, 7600, 80),
    fabric: torus2d('NeuronLink-v2, 4 × 4 torus', 384, sources.trn1),
    network: efa(page(800, 'Gbps'), karpenter(8)),
    regions,
    prices: [
      onDemand(21.5),
      managedAsPublished(24.725),
      spot('us-east-1', [6.1428, 4.1506, 2.4334]),
      reserved(8.197),
      quoted('capacity-block', 9.532, 'a third party’s quotation of the EC2 Capacity Blocks page', '2026-05', {
        uncertain: true,
        alternatives: [{ value: usd(15.49), note: 'EC2 Capacity Blocks pricing page, until 2025-01-01, Melbourne' }],
      }),
    ],
  },
  {
    name: 'trn1n.32xlarge',
    ...sixteenChips,
    ...host(128, 512, 7600, 80),
    fabric: torus2d('NeuronLink-v2, 4 × 4 torus', 768, sources.trn1),
    network: efa(page(1600, 'Gbps'), karpenter(16)),
    prices: [...onDemandAndManaged(24.78), spot('us-east-1', [2.7033])],
  },
];
