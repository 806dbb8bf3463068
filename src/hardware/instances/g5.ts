// G5: 1, 4 or 8 A10G without direct links.
//
// The managed service sells them too, but not at the factor of the large training instances (`../prices.ts`), and no published
// page states the factor, so they have no managed price here.
import { efa, ethernet, oneChip, pcie4 } from '../fabrics.ts';
import { factsOf } from '../fact.ts';
import { onDemand } from '../prices.ts';
import { sources } from '../sources.ts';
import { host, karpenter } from './host.ts';
import type { Instance } from './instance.ts';

interface Size {
  readonly chips: number;
  readonly vcpus: number;
  readonly memoryGib: number;
  readonly gbps: number;
  readonly ebsGbps: number;
  readonly localStorageGb: number;
  readonly efa: boolean;
  readonly onDemand: number;
}

function g5(size: string, s: Size): Instance {
  const gbps = karpenter(s.gbps, 'Gbps', { note: 'sustained; small sizes burst to more' });
  return {
    name: `g5.${size}`,
    chip: 'a10g',
    hosts: 1,
    chips: karpenter(s.chips),
    ...host(s.vcpus, s.memoryGib, s.localStorageGb, s.ebsGbps),
    acceleratorMemoryGib: factsOf(sources.a10g)(s.chips * 24, 'GiB', {
      note: '22,888 MiB of each are shown to programs',
    }),
    fabric: s.chips === 1 ? oneChip(600, sources.a10g) : pcie4,
    network: s.efa ? efa(gbps, karpenter(1)) : ethernet(gbps),
    prices: [onDemand(s.onDemand)],
  };
}

const one = { chips: 1, efa: false } as const;

export const g5Instances: readonly Instance[] = [
  g5('xlarge', { ...one, vcpus: 4, memoryGib: 16, gbps: 2.5, ebsGbps: 3.5, localStorageGb: 250, onDemand: 1.006 }),
  g5('2xlarge', { ...one, vcpus: 8, memoryGib: 32, gbps: 5, ebsGbps: 3.5, localStorageGb: 450, onDemand: 1.212 }),
  g5('4xlarge', { ...one, vcpus: 16, memoryGib: 64, gbps: 10, ebsGbps: 4.75, localStorageGb: 600, onDemand: 1.624 }),
  g5('8xlarge', {
    chips: 1,
    efa: true,
    vcpus: 32,
    memoryGib: 128,
    gbps: 25,
    ebsGbps: 16,
    localStorageGb: 900,
    onDemand: 2.448,
  }),
  g5('12xlarge', {
    chips: 4,
    efa: true,
    vcpus: 48,
    memoryGib: 192,
    gbps: 40,
    ebsGbps: 16,
    localStorageGb: 3800,
    onDemand: 5.672,
  }),
  g5('16xlarge', {
    chips: 1,
    efa: true,
    vcpus: 64,
    memoryGib: 256,
    gbps: 25,
    ebsGbps: 16,
    localStorageGb: 1900,
    onDemand: 4.096,
  }),
  g5('24xlarge', {
    chips: 4,
    efa: true,
    vcpus: 96,
    memoryGib: 384,
    gbps: 50,
    ebsGbps: 19,
    localStorageGb: 3800,
    onDemand: 8.144,
  }),
  g5('48xlarge', {
    chips: 8,
    efa: true,
    vcpus: 192,
    memoryGib: 768,
    gbps: 100,
    ebsGbps: 19,
    localStorageGb: 7600,
    onDemand: 16.288,
  }),
];
