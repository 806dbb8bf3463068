// Inf2: 1, 6 or 12 Inferentia2, in a ring if there are several. Made for inference; they can also train small models.
import { ethernet, oneChip, ring } from '../fabrics.ts';
import { factsOf } from '../fact.ts';
import { onDemand, quoted } from '../prices.ts';
import { sources } from '../sources.ts';
import { host, karpenter } from './host.ts';
import type { Instance } from './instance.ts';

const page = factsOf(sources.inf2);
const RESERVED = 'AWS Neuron documentation 2.32, inf2_instance_prices.csv: effective hourly rate when reserved';

interface Size {
  readonly chips: number;
  readonly vcpus: number;
  readonly memoryGib: number;
  readonly gbps: number;
  readonly ebsGbps: number;
  readonly onDemand: number;
  readonly reserved: number;
}

function inf2(size: string, s: Size): Instance {
  return {
    name: `inf2.${size}`,
    chip: 'inferentia2',
    hosts: 1,
    chips: page(s.chips),
    ...host(s.vcpus, s.memoryGib, 0, s.ebsGbps),
    acceleratorMemoryGib: page(s.chips * 32, 'GiB'),
    fabric: s.chips === 1 ? oneChip(820, sources.inferentia2) : ring('NeuronLink-v2, ring', s.chips, 192, sources.inf2),
    network: ethernet(karpenter(s.gbps, 'Gbps', { note: 'sustained; no EFA' })),
    prices: [
      onDemand(s.onDemand),
      quoted('reserved-3y', s.reserved, RESERVED, '2024-09', {
        note: 'the page does not state the term',
        uncertain: true,
      }),
    ],
  };
}

export const inf2Instances: readonly Instance[] = [
  inf2('xlarge', { chips: 1, vcpus: 4, memoryGib: 16, gbps: 2.083, ebsGbps: 10, onDemand: 0.7582, reserved: 0.328 }),
  inf2('8xlarge', {
    chips: 1,
    vcpus: 32,
    memoryGib: 128,
    gbps: 16.667,
    ebsGbps: 10,
    onDemand: 1.96786,
    reserved: 0.85,
  }),
  inf2('24xlarge', { chips: 6, vcpus: 96, memoryGib: 384, gbps: 50, ebsGbps: 30, onDemand: 6.49063, reserved: 2.804 }),
  inf2('48xlarge', {
    chips: 12,
    vcpus: 192,
    memoryGib: 768,
    gbps: 100,
    ebsGbps: 60,
    onDemand: 12.98127,
    reserved: 5.608,
  }),
];
