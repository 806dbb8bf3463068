// P4 and P5: eight A100, H100 or H200 behind NVSwitch, and a single H100. Prices fell in June 2025.
import { efa, nvSwitch, oneChip } from '../fabrics.ts';
import { factsOf } from '../fact.ts';
import { onDemandAndManaged, quoted, spot } from '../prices.ts';
import { sources } from '../sources.ts';
import { host, karpenter } from './host.ts';
import type { Instance } from './instance.ts';

const memory = (gib: number, chips: number, source: string) =>
  factsOf(source)(gib * chips, 'GiB', { note: `${chips} × ${gib}, printed as GB` });
const capacityBlock = (dollars: number) =>
  quoted('capacity-block', dollars, 'EC2 Capacity Blocks pricing page, prices until 2025-01-01', '2024-12', {
    note: 'adjusted to supply and demand since',
    uncertain: true,
  });

export const p4AndP5Instances: readonly Instance[] = [
  {
    name: 'p4d.24xlarge',
    chip: 'a100-40gb',
    hosts: 1,
    chips: karpenter(8),
    ...host(96, 1152, 8000, 19),
    acceleratorMemoryGib: memory(40, 8, sources.a100),
    fabric: nvSwitch(3, 600, sources.a100),
    network: efa(karpenter(400, 'Gbps'), karpenter(4)),
    prices: [
      ...onDemandAndManaged(21.957642, 32.7726, 37.69),
      spot('us-east-1', [2.4655, 8.1915, 8.1203, 7.8799]),
      capacityBlock(14.75),
    ],
  },
  {
    name: 'p4de.24xlarge',
    chip: 'a100-80gb',
    hosts: 1,
    chips: karpenter(8),
    ...host(96, 1152, 8000, 19),
    acceleratorMemoryGib: memory(80, 8, sources.a100),
    fabric: nvSwitch(3, 600, sources.a100),
    network: efa(karpenter(400, 'Gbps'), karpenter(4)),
    prices: [...onDemandAndManaged(27.44705, 40.96575), spot('us-east-1', [9.9734, 8.6505])],
  },
  {
    name: 'p5.4xlarge',
    chip: 'h100',
    hosts: 1,
    chips: karpenter(1),
    ...host(16, 256, 3800, 10),
    acceleratorMemoryGib: memory(80, 1, sources.h100),
    fabric: oneChip(3350, sources.h100),
    network: efa(karpenter(100, 'Gbps'), karpenter(1)),
    prices: onDemandAndManaged(6.88),
  },
  {
    name: 'p5.48xlarge',
    chip: 'h100',
    hosts: 1,
    chips: karpenter(8),
    ...host(192, 2048, 30_400, 80),
    acceleratorMemoryGib: memory(80, 8, sources.h100),
    fabric: nvSwitch(4, 900, sources.h100),
    network: efa(karpenter(3200, 'Gbps'), karpenter(32)),
    prices: [
      ...onDemandAndManaged(55.04, 98.32),
      spot('us-east-1', [10.2397, 55.04, 19.2531, 21.1543, 55.04, 25.7522, 17.6289]),
      capacityBlock(39.33),
    ],
  },
  {
    name: 'p5e.48xlarge',
    chip: 'h200',
    hosts: 1,
    chips: karpenter(8),
    ...host(192, 2048, 30_400, 80),
    acceleratorMemoryGib: memory(141, 8, sources.h200),
    fabric: nvSwitch(4, 900, sources.h200),
    network: efa(karpenter(3200, 'Gbps'), karpenter(32)),
    prices: [spot('us-west-2', [19.5387]), capacityBlock(43.26)],
  },
  {
    name: 'p5en.48xlarge',
    chip: 'h200',
    hosts: 1,
    chips: karpenter(8),
    ...host(192, 2048, 30_400, 100),
    acceleratorMemoryGib: memory(141, 8, sources.h200),
    fabric: nvSwitch(4, 900, sources.h200),
    network: efa(karpenter(3200, 'Gbps'), karpenter(16), 'EFAv3'),
    prices: [...onDemandAndManaged(63.296, 84.8), spot('us-east-1', [17.2074, 18.2492, 16.5551])],
  },
];
