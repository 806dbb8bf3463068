// Claims about many instances: UltraClusters, reservations, and a training run on sixteen nodes.
import { chipOf } from '../chips/index.ts';
import { type Fact, valueUnder } from '../fact.ts';
import type { FactProfile } from '../machine.ts';
import { capacityBlocks, ultraCluster } from '../ultracluster.ts';
import type { Claim } from './claim.ts';
import { figure, instance, networkGbps } from './sums.ts';
import { where } from './where.ts';

/** The chip count at launch; today's documents state more. */
const CHIPS = valueUnder<number>(ultraCluster.chips, 'launch');
/** Total network bandwidth of the instances of an UltraCluster at launch. */
const petabitsPerSecond = (profile: FactProfile): number => {
  const nodes = CHIPS / valueUnder(instance(ultraCluster.instance).chips, profile);
  return (nodes * networkGbps(ultraCluster.instance)(profile)) / 1e6;
};
const DAYS_PER_MONTH = 365.25 / 12;

const clusterClaims: readonly Omit<Claim, 'section'>[] = [
  {
    what: 'chips of an UltraCluster',
    where: where.cluster,
    printed: '30,000',
    unit: 'chips',
    bound: 'up to',
    compute: figure(ultraCluster.chips as Fact<number>),
    how: 'later pages say up to 100,000',
  },
  {
    what: 'chips of an UltraCluster on one network, “tens of thousands”',
    where: where.trn2,
    printed: '20,000',
    unit: 'chips',
    bound: 'at least',
    compute: figure(ultraCluster.chips as Fact<number>),
    how: '“tens of thousands” means at least 20,000; 30,000 at the launch of Trn1, up to 100,000 on later pages',
  },
  {
    what: 'network of 20,000 chips of Trn2, petabit-scale',
    where: where.trn2,
    printed: '1',
    unit: 'Pbit/s',
    bound: 'at least',
    compute: profile => {
      const nodes = 20_000 / valueUnder(instance('trn2.48xlarge').chips, profile);
      return (nodes * networkGbps('trn2.48xlarge')(profile)) / 1e6;
    },
    how: 'total of 1,250 instances: 1,250 × 3.2 Tbps',
  },
  {
    what: 'bf16 of 30,000 chips',
    where: where.cluster,
    printed: '6',
    unit: 'EFLOPS',
    compute: profile => (CHIPS * valueUnder(chipOf(ultraCluster.chip).peakTflops.bf16!, profile)) / 1e6,
    how: '30,000 × 0.21 PFLOPS = 6.3 at launch; × 0.19 = 5.7 today',
  },
  {
    what: 'network of an UltraCluster, petabit-scale',
    where: where.trn1,
    printed: '1',
    unit: 'Pbit/s',
    bound: 'at least',
    compute: petabitsPerSecond,
    how: 'total of 1,875 instances: 1,875 × 800 Gbps',
  },
  {
    what: 'network of an UltraCluster, petabyte-scale',
    where: where.cluster,
    printed: '1',
    unit: 'Pbyte/s',
    bound: 'at least',
    compute: profile => petabitsPerSecond(profile) / 8,
    how: '1,875 × 800 Gbps ÷ 8',
    contradiction: 'One article says petabit, this one petabyte. It must be petabits: 1.5 Pbit/s, 0.19 Pbyte/s.',
  },
  {
    what: 'instances of a capacity block',
    where: where.trn2,
    printed: '64',
    unit: 'instances',
    bound: 'up to',
    compute: figure(capacityBlocks.instances),
    how: 'from the user guide',
  },
  {
    what: 'length of a capacity block',
    where: where.trn2,
    printed: '6',
    unit: 'months',
    bound: 'up to',
    compute: () => capacityBlocks.days.value / DAYS_PER_MONTH,
    how: '182 days; 28 when capacity blocks were introduced',
  },
  {
    what: 'how early a capacity block can be booked',
    where: where.trn2,
    printed: '8',
    unit: 'weeks',
    bound: 'up to',
    compute: figure(capacityBlocks.weeksAhead),
    how: 'from the user guide',
  },
];

// BERT-large in two phases on 16 nodes, as the Neuron documentation publishes it: steps, global batch, sequences per second
// with this batch. Larger batches have higher rates (42,484 with 262,144 sequences), but that is a different training with
// fewer steps.
const phases = [
  { steps: 28_125, batch: 16_384, sequencesPerSecond: 24_518 },
  { steps: 1563, batch: 32_768, sequencesPerSecond: 6802 },
] as const;

const trainingClaims: readonly Claim[] = [
  {
    section: 'Training on a cluster',
    what: 'BERT-large, pre-training on 16 × trn1.32xlarge',
    where: where.cluster,
    printed: '8',
    unit: 'h',
    bound: 'less than',
    compute: () => phases.reduce((sum, p) => sum + (p.steps * p.batch) / p.sequencesPerSecond, 0) / 3600,
    how: 'rates published for the same batch sizes: 28,125 steps of 16,384 at 24,518 sequences/s (the lowest, autocast), then 1,563 of 32,768 at 6,802; without start-up and checkpoints',
  },
];

export const clusterAndBuyingClaims: readonly Claim[] = [
  ...clusterClaims.map(claim => ({ section: 'UltraClusters and buying' as const, ...claim })),
  ...trainingClaims,
];
