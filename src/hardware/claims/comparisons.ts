// Claims that compare: Trn1 with P4d, Trn2 with Trn1 and with P5.
import { toDollars } from '../../base/money.ts';
import { valueUnder } from '../fact.ts';
import type { FactProfile } from '../machine.ts';
import { machineOf } from '../machine-of.ts';
import type { Claim } from './claim.ts';
import { chipsPflops, instance, machineMemoryGib, machinePflops, machineTBs, networkGbps, ratio } from './sums.ts';
import { where } from './where.ts';

const TEBI = 1 / 1024;
const trn1 = 'trn1.32xlarge';
const p4d = 'p4d.24xlarge';

const againstP4d: readonly Omit<Claim, 'section' | 'unit'>[] = [
  {
    what: 'bf16, Trn1 over P4d',
    where: where.trn1,
    printed: '1.4',
    compute: ratio(machinePflops(trn1, 'bf16'), machinePflops(p4d, 'bf16')),
    how: '16 × 190 ÷ (8 × 312) today; 16 × 210 at launch: 1.35',
    contradiction:
      '210 TFLOPS per chip give 1.35 ×, 190 give 1.22 ×. The 2.5 × and 5 × in the same announcement fit 190 better than 210.',
  },
  {
    what: 'tf32, Trn1 over P4d',
    where: where.trn1,
    printed: '2.5',
    compute: ratio(machinePflops(trn1, 'tf32'), machinePflops(p4d, 'tf32')),
    how: '16 × 190 ÷ (8 × 156) today; 16 × 210 at launch: 2.69',
  },
  {
    what: 'f32, Trn1 over P4d',
    where: where.trn1,
    printed: '5',
    compute: ratio(machinePflops(trn1, 'f32'), machinePflops(p4d, 'f32')),
    how: '16 × 47.5 ÷ (8 × 19.5) today; 16 × 52.5 at launch: 5.38',
  },
  {
    what: 'network between instances, Trn1 over P4d',
    where: where.trn1,
    printed: '4',
    compute: ratio(networkGbps(trn1), networkGbps(p4d)),
    how: '800 ÷ 400 Gbps',
    contradiction:
      '4 × holds only for trn1n.32xlarge (1,600 Gbps). The same page gives trn1.32xlarge 800 Gbps, which is 2 ×.',
  },
  {
    what: 'network between instances, trn1.32xlarge over P4d',
    where: where.cluster,
    printed: '2',
    compute: ratio(networkGbps(trn1), networkGbps(p4d)),
    how: '800 ÷ 400 Gbps',
  },
  {
    what: 'network between instances, trn1n.32xlarge over P4d',
    where: where.cluster,
    printed: '4',
    compute: ratio(networkGbps('trn1n.32xlarge'), networkGbps(p4d)),
    how: '1,600 ÷ 400 Gbps: the later 16/4',
  },
];

/** PFLOPS per dollar and hour of a capacity block. */
const pflopsPerBlockDollar = (name: string) => (profile: FactProfile) => {
  const block = machineOf(name, { profile }).prices.find(p => p.kind === 'capacity-block');
  return machinePflops(name, 'f8')(profile) / (block ? toDollars(block.perHour) : Number.NaN);
};

const linkGBs = (profile: FactProfile): number => {
  const { fabric } = instance('trn2.48xlarge');
  // Four links, counting both directions, as the documents do.
  return fabric.kind === 'torus'
    ? valueUnder(fabric.linkGBs, profile).reduce((sum, link) => sum + 2 * 2 * link, 0)
    : Number.NaN;
};

const ultra = 'trn2-ultraserver';
const trn2Claims: readonly Omit<Claim, 'section' | 'where'>[] = [
  {
    what: 'dense f8 of trn2.48xlarge',
    printed: '20.8',
    unit: 'PFLOPS',
    bound: 'up to',
    compute: machinePflops('trn2.48xlarge', 'f8'),
    how: '16 × 1,299 TFLOPS',
  },
  {
    what: 'sparse f8 of trn2.48xlarge',
    printed: '83.2',
    unit: 'PFLOPS',
    bound: 'up to',
    compute: chipsPflops('trn2.48xlarge', 'sparse'),
    how: '16 × 2,563 TFLOPS today, 16 × 5,200 at launch',
    contradiction: '83.2 PFLOPS need the launch figure of 5.2 per chip; with today’s documents it is 41.',
  },
  {
    what: 'bandwidth between chips of trn2.48xlarge',
    printed: '1',
    unit: 'GB/s',
    compute: linkGBs,
    how: '4 links × 2 directions × 128 GB/s = 1,024 GB/s per chip',
    contradiction: '“1 GB/s” should be 1 TB/s: 1,024 GB/s per chip.',
  },
  {
    what: 'instances of an UltraServer',
    printed: '4',
    unit: 'instances',
    compute: () => instance(ultra).hosts,
    how: instance(ultra).chips.source,
  },
  {
    what: 'chips of an UltraServer',
    printed: '64',
    unit: 'chips',
    compute: profile => machineOf(ultra, { profile }).chips,
    how: '4 × 16',
  },
  {
    what: 'NeuronCores of an UltraServer',
    printed: '512',
    unit: 'cores',
    compute: profile => machineOf(ultra, { profile, lnc: 1 }).devices,
    how: '64 × 8',
  },
  {
    what: 'accelerator memory of an UltraServer',
    printed: '6',
    unit: 'TiB',
    compute: profile => machineMemoryGib(ultra)(profile) * TEBI,
    how: '64 × 96 GiB',
  },
  {
    what: 'memory bandwidth of an UltraServer',
    printed: '185',
    unit: 'TB/s',
    compute: machineTBs(ultra),
    how: '64 × 2.9 TB/s = 185.6: cut, not rounded',
  },
  {
    what: 'dense f8 of an UltraServer',
    printed: '83',
    unit: 'PFLOPS',
    bound: 'up to',
    compute: machinePflops(ultra, 'f8'),
    how: '64 × 1,299 TFLOPS',
  },
  {
    what: 'sparse f8 of an UltraServer',
    printed: '332',
    unit: 'PFLOPS',
    bound: 'up to',
    compute: chipsPflops(ultra, 'sparse'),
    how: '64 × 2,563 TFLOPS today, 64 × 5,200 at launch: 332.8',
    contradiction: '332 PFLOPS need the launch figure of 5.2 per chip; with today’s documents it is 164.',
  },
  {
    what: 'speed, Trn2 over Trn1',
    printed: '4',
    unit: '×',
    compute: ratio(machinePflops('trn2.48xlarge', 'bf16'), machinePflops(trn1, 'bf16')),
    how: 'bf16: 667 ÷ 190 today, 667 ÷ 210 at launch; f8: 1,299 ÷ 190 = 6.8',
    contradiction: '4 × matches neither bf16 (3.5 ×) nor f8 (6.8 ×).',
  },
  {
    what: 'memory bandwidth, Trn2 over Trn1',
    printed: '4',
    unit: '×',
    compute: ratio(machineTBs('trn2.48xlarge'), machineTBs(trn1)),
    how: '2,900 ÷ 820 GB/s per chip = 3.54',
    contradiction: 'The value is 3.5 ×; 4 × is rounded up.',
  },
  {
    what: 'memory, Trn2 over Trn1',
    printed: '3',
    unit: '×',
    compute: ratio(machineMemoryGib('trn2.48xlarge'), machineMemoryGib(trn1)),
    how: '96 ÷ 32 GiB per chip',
  },
  {
    what: 'price-performance, Trn2 over P5e',
    printed: '30',
    to: '40',
    unit: '%',
    compute: profile =>
      (ratio(pflopsPerBlockDollar('trn2.48xlarge'), pflopsPerBlockDollar('p5e.48xlarge'))(profile) - 1) * 100,
    how: 'dense f8 peak per dollar of capacity block: 20.8 PFLOPS for $35.76 per hour against 15.8 for $43.26, prices of different years; the claim is based on measured programs, which reach less of the peak',
  },
];

export const comparisonClaims: readonly Claim[] = [
  ...againstP4d.map(claim => ({ section: 'Trn1 against P4d' as const, unit: '×', ...claim })),
  ...trn2Claims.map(claim => ({ section: 'Trn2 and UltraServers' as const, where: where.trn2, ...claim })),
];
