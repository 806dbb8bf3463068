// A search under a budget and a deadline against brute force: every layout, number of nodes and way to buy, with the public
// `predict` and the rules of the ways to buy written once more. Random questions over machines with and without on-demand prices.
import { describe, expect, test } from 'vitest';
import type { MicroUsd } from '../../base/money.ts';
import { type Machine, machineOf, type Price } from '../../hardware/index.ts';
import { modelOf } from '../models/presets.ts';
import { predict } from '../predict.ts';
import type { Workload } from '../workload.ts';
import { layoutsOf } from './layouts.ts';
import { type SearchQuestion, searchLayouts } from './search.ts';
import { expectedSpotTime } from './spot.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

interface Bought {
  readonly seconds: number;
  /** Dollars. */
  readonly cost: number;
  readonly kind: string;
}

/** All ways to buy this training, derived only from the published prices. */
function waysToBuy({ device, prices }: Machine, nodes: number, steps: number): readonly Bought[] {
  const startUp = device.kind === 'neuron-core' ? 1200 : 420;
  const plain = steps + startUp;
  const newest = (kind: Price['kind']): number | undefined => {
    const own = prices.filter(price => price.kind === kind && price.service === 'ec2');
    return own.length === 0 ? undefined : own.toSorted((a, b) => (a.date < b.date ? 1 : -1))[0]!.perHour / 1e6;
  };
  const paid = (kind: Price['kind'], seconds: number, paidSeconds: number): Bought | undefined => {
    const price = newest(kind);
    return price === undefined ? undefined : { kind, seconds, cost: (price * nodes * paidSeconds) / HOUR };
  };
  const spot = expectedSpotTime(steps, nodes, {
    interruptionsPerInstanceHour: 0.02,
    restartSeconds: 600,
    checkpointEverySeconds: undefined,
    checkpointSeconds: 60,
  }).seconds;
  const days = Math.max(1, Math.ceil((plain + 1800) / DAY));
  const block = days <= 14 ? days : 7 * Math.ceil(days / 7);
  return [
    paid('on-demand', plain, plain),
    spot < 10 * (steps + 60) ? paid('spot', spot + startUp, spot + startUp) : undefined,
    paid('reserved-1y', plain, 8760 * HOUR * Math.ceil(plain / (8760 * HOUR))),
    paid('reserved-3y', plain, 3 * 8760 * HOUR * Math.ceil(plain / (3 * 8760 * HOUR))),
    nodes <= 64 && block <= 182 ? paid('capacity-block', plain, block * DAY) : undefined,
  ].filter(way => way !== undefined);
}

interface Everything extends Bought {
  readonly machine: string;
}
function everything({ workload, machines, nodes, space, amount }: SearchQuestion): readonly Everything[] {
  if (amount?.kind !== 'tokens') throw new Error('a question in tokens');
  return machines.flatMap(machine =>
    nodes.flatMap(count =>
      [...layoutsOf(workload, machine.devices * count, space)].flatMap(layout => {
        const step = predict({ workload, machine, nodes: count, layout });
        if (!step.memory.fits) return [];
        const steps = Math.ceil(amount.tokens / step.tokensPerStep!) * step.stepSeconds;
        return waysToBuy(machine, count, steps).map(way => ({ ...way, machine: machine.name }));
      }),
    ),
  );
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const names = [
  'trn1.32xlarge',
  'trn2.48xlarge',
  'p5.48xlarge',
  'p5e.48xlarge',
  'p4d.24xlarge',
  'inf2.48xlarge',
  'trn2u.48xlarge',
];

function questionOf(seed: number): SearchQuestion {
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const machines = names.filter(() => random() < 0.5).map(name => machineOf(name));
  const workload: Workload = {
    model: modelOf(pick(['gpt3-1.3b', 'gpt3-6.7b', 'llama3-8b'])),
    run: { kind: 'training', sequence: 2048, optimizer: 'adamw' },
    precision: 'bf16-mixed',
    attention: 'blocked',
  };
  const question: SearchQuestion = {
    workload,
    machines: machines.length === 0 ? [machineOf('trn2.48xlarge')] : machines,
    nodes: pick([[1], [1, 2], [2, 8], [4], [96]]),
    space: { globalBatch: pick([192, 256]), microBatch: pick([1, 2]), sequenceParallel: undefined },
    amount: { kind: 'tokens', tokens: 10 ** (9 + 3 * random()) },
    objective: pick(['time', 'cost']),
    constraints: {},
  };
  // Limits that some of what there is keeps.
  const all = everything(question);
  if (all.length === 0) return question;
  const budget = Math.round(pick(all).cost * 1e6 * (0.5 + random())) as MicroUsd;
  const deadlineSeconds = pick(all).seconds * (0.5 + random());
  const limits = pick([{}, { budget }, { deadlineSeconds }, { budget, deadlineSeconds }, { budget, deadlineSeconds }]);
  return { ...question, constraints: limits };
}

describe('a search by money and time matches brute force', () => {
  const answers: string[] = [];
  test.each(Array.from({ length: 18 }, (_, seed) => seed))('question %d', seed => {
    const question = questionOf(seed);
    const { budget, deadlineSeconds } = question.constraints;
    const kept = everything(question).filter(
      way =>
        (deadlineSeconds === undefined || way.seconds <= deadlineSeconds) &&
        (budget === undefined || way.cost * 1e6 <= budget + 0.5),
    );
    const { best } = searchLayouts(question, predict);
    const unpriced = best !== undefined && best.totals!.cost === undefined;
    answers.push(best === undefined ? 'none' : unpriced ? 'unpriced' : best.totals!.quote.offer.purchase);
    // By time and without a budget a machine without any price may win: money is not asked about.
    if (unpriced) {
      expect([question.objective, budget]).toEqual(['time', undefined]);
      for (const way of kept) expect(best.measure!).toBeLessThanOrEqual(way.seconds * (1 + 1e-9));
      return;
    }
    expect(best === undefined).toBe(kept.length === 0);
    if (best === undefined) return;
    const measures = kept.map(way => (question.objective === 'time' ? way.seconds : way.cost * 1e6));
    // Money is counted in whole milliseconds of each instance.
    expect(best.measure! / Math.min(...measures)).toBeCloseTo(1, 6);
  });

  test('with several ways, some of them impossible', () => {
    expect(new Set(answers).size).toBeGreaterThanOrEqual(4);
  });
});
