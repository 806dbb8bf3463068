// The best layouts of a job over machines and numbers of them, and why the others are not the best. Every layout that has a
// chance is priced: left out is only what cannot be better than one that is priced.
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import type { MicroUsd } from '../../base/money.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { Job } from '../job.ts';
import type { Layout } from '../layout.ts';
import type { Prediction } from '../prediction.ts';
import type { Amount } from './amount.ts';
import { whyNoLayout } from './given-layout.ts';
import { type LayoutSpace, layoutsOf } from './layouts.ts';
import type { Predict } from './predict-type.ts';
import { publishedPrice, serviceOf } from './price.ts';
import { defaultStartUp, type StartUp } from './start-up.ts';
import { type Terms, type Totals, totalsOf } from './training.ts';
import { comparedLoss, type Loss, memoryLoss } from './why-lost.ts';

export type Objective = 'time' | 'cost';

export interface SearchConstraints {
  /** Seconds, start-up included; asks for an amount. */
  readonly deadlineSeconds?: number | undefined;
  /** Asks for an amount. */
  readonly budget?: MicroUsd | undefined;
  /** Bytes of one device, where less than all of it may be used. */
  readonly memoryBytes?: number | undefined;
}

export interface SearchQuestion {
  readonly job: Job;
  readonly machines: readonly Machine[];
  readonly nodes: readonly number[];
  readonly space: LayoutSpace;
  /** Undefined: layouts are compared by a sample's time or cost. */
  readonly amount: Amount | undefined;
  readonly objective: Objective;
  readonly constraints: SearchConstraints;
  readonly startUp?: StartUp | undefined;
  /** How many of the best are kept, and how many that would be better but break a constraint (5). */
  readonly top?: number;
}

export interface Candidate {
  readonly prediction: Prediction;
  /** Undefined: no amount was given. */
  readonly totals: Totals | undefined;
  /** What layouts are ranked by: seconds or micro-dollars, of the training or of a sample; undefined: no public price. */
  readonly measure: number | undefined;
}
export interface LostCandidate extends Candidate {
  readonly loss: Loss;
}

export interface SearchResult {
  /** How many layouts were priced, and how many of them keep every constraint. */
  readonly priced: number;
  readonly feasible: number;
  /** Undefined: none keeps every constraint. */
  readonly best: Candidate | undefined;
  /** The next best, each the best of its machine, nodes, data, tensor and pipeline sizes. */
  readonly runnersUp: readonly LostCandidate[];
  /** Those that would be better than the best, best first, and what they break; where none is feasible, the nearest. */
  readonly rejected: readonly LostCandidate[];
  /** Why layouts could not be priced at all, the most frequent first. */
  readonly impossible: readonly { readonly reason: string; readonly count: number }[];
}

/** @throws INVALID_OPTION for constraints without an amount, and for an amount in steps with a free global batch. */
export function searchLayouts(question: SearchQuestion, predict: Predict): SearchResult {
  check(question);
  const impossible = new Map<string, number>();
  const priced = priceAll(question, predict, impossible);
  const ranked = priced.toSorted((a, b) => a.rank - b.rank);
  const feasible = ranked.filter(one => one.loss === undefined);
  const [best] = feasible;
  const top = question.top ?? 5;
  const whole = (one: Priced): Candidate => candidateOf(one, question, predict);
  const bestCandidate = best === undefined ? undefined : whole(best);
  return {
    priced: priced.length,
    feasible: feasible.length,
    best: bestCandidate,
    runnersUp:
      bestCandidate === undefined
        ? []
        : firstOfEachShape(feasible, top)
            .slice(1)
            .map(one => withLoss(whole(one), bestCandidate, question.objective)),
    rejected: rejectedOf(ranked, best, top).map(one => ({ ...whole(one), loss: one.loss! })),
    impossible: [...impossible].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count),
  };
}

/** What is kept of each layout: predictions of a hundred thousand of them would fill memory, those shown are made again. */
interface Priced {
  readonly machine: Machine;
  readonly nodes: number;
  readonly layout: Layout;
  readonly terms: Terms;
  /** The measure, rounded: layouts whose times differ by rounding alone are equal, and the simpler one comes first. */
  readonly rank: number;
  /** The constraint that it breaks. */
  readonly loss: Loss | undefined;
}

function priceAll(
  { job, machines, nodes, space, amount, objective, startUp, constraints }: SearchQuestion,
  predict: Predict,
  impossible: Map<string, number>,
): readonly Priced[] {
  const priced: Priced[] = [];
  const refuse = (reason: string): void => {
    impossible.set(reason, (impossible.get(reason) ?? 0) + 1);
  };
  /** Whether it fits. */
  const price = (machine: Machine, count: number, layout: Layout, terms: Terms): boolean => {
    try {
      const prediction = predict(job, machine, count, layout);
      const totals = amount === undefined ? undefined : totalsOf(prediction, amount, terms);
      const measure = measureOf(objective, prediction, totals, terms);
      const rank = measure === undefined ? Number.POSITIVE_INFINITY : Number(measure.toPrecision(9));
      const loss = brokenConstraint(prediction, totals, measure, constraints);
      priced.push({ machine, nodes: count, layout, terms, rank, loss });
      return loss?.kind !== 'memory' && loss?.kind !== 'memory-limit';
    } catch (error) {
      if (!isTrenioError(error)) throw error;
      refuse(error.message.split('\n')[0]!);
      return false;
    }
  };
  for (const machine of machines) {
    const terms = {
      startUp: startUp ?? defaultStartUp(machine),
      service: serviceOf(machine),
      price: publishedPrice(machine),
    };
    for (const count of nodes) {
      let any = false;
      let fits = false;
      for (const layout of layoutsOf(job, machine.devices * count, space)) {
        any = true;
        // Of layouts that differ in recomputation alone, the mildest comes first: once it fits, more of it only takes longer.
        if (fits && layout.recompute !== 'none' && space.recompute === undefined) continue;
        fits = price(machine, count, layout, terms);
      }
      if (!any) refuse(`this layout cannot be: ${whyNoLayout(job, machine, count, space).problem}`);
    }
  }
  return priced;
}

function candidateOf({ machine, nodes, layout, terms }: Priced, question: SearchQuestion, predict: Predict): Candidate {
  const { job, amount, objective } = question;
  const prediction = predict(job, machine, nodes, layout);
  const totals = amount === undefined ? undefined : totalsOf(prediction, amount, terms);
  return { prediction, totals, measure: measureOf(objective, prediction, totals, terms) };
}

function measureOf(
  objective: Objective,
  { stepSeconds, samplesPerStep, nodes }: Prediction,
  totals: Totals | undefined,
  terms: Terms,
): number | undefined {
  if (objective === 'time') return totals?.seconds ?? stepSeconds / samplesPerStep;
  if (terms.price === undefined) return undefined;
  return totals?.cost ?? (terms.price.perHour * nodes * stepSeconds) / samplesPerStep;
}

function brokenConstraint(
  prediction: Prediction,
  totals: Totals | undefined,
  measure: number | undefined,
  { memoryBytes, deadlineSeconds, budget }: SearchConstraints,
): Loss | undefined {
  const { memory } = prediction;
  if (!memory.fits) return memoryLoss(prediction);
  if (memoryBytes !== undefined && memory.total > memoryBytes)
    return { kind: 'memory-limit', over: memory.total - memoryBytes };
  if (deadlineSeconds !== undefined && totals !== undefined && totals.seconds > deadlineSeconds)
    return { kind: 'deadline', over: totals.seconds - deadlineSeconds };
  if (budget !== undefined && totals !== undefined) {
    if (totals.cost === undefined) return { kind: 'no price' };
    if (totals.cost > budget) return { kind: 'budget', over: (totals.cost - budget) as MicroUsd };
  }
  // Only a search by cost has layouts without a measure.
  return measure === undefined ? { kind: 'no price' } : undefined;
}

function withLoss(candidate: Candidate, best: Candidate, objective: Objective): LostCandidate {
  const { totals } = best;
  // What is billed and not steps is start-up.
  const all = objective === 'time' ? totals?.seconds : totals?.billedSeconds;
  const loss = comparedLoss(candidate.prediction, best.prediction, {
    kind: objective === 'time' ? 'slower' : 'dearer',
    weight: ({ machine, nodes }) => (objective === 'time' ? 1 : nodes * publishedPrice(machine)!.perHour),
    ratio: candidate.measure! / best.measure!,
    stepsShare: totals === undefined || all === undefined ? 1 : totals.stepsSeconds / all,
  });
  return { ...candidate, loss };
}

/** Better than the best but for a constraint; where nothing keeps every constraint, what is nearest to keeping them. */
function rejectedOf(ranked: readonly Priced[], best: Priced | undefined, count: number): readonly Priced[] {
  const broken = ranked.filter(one => one.loss !== undefined);
  return best === undefined
    ? firstOfEachShape(
        broken.toSorted((a, b) => overrun(a.loss!) - overrun(b.loss!)),
        count,
      )
    : firstOfEachShape(
        broken.filter(one => one.rank < best.rank),
        count,
      );
}

function firstOfEachShape(ranked: readonly Priced[], count: number): readonly Priced[] {
  const first = new Map<string, Priced>();
  for (const one of ranked) {
    const { machine, nodes, layout } = one;
    const shape = `${machine.name} ${nodes} ${layout.data} ${layout.tensor} ${layout.pipeline}`;
    if (!first.has(shape)) first.set(shape, one);
    if (first.size === count) break;
  }
  return [...first.values()];
}

/** For ordering what is not feasible: by how much, in units of the same kind; kinds in a fixed order. */
function overrun(loss: Loss): number {
  const kinds: readonly Loss['kind'][] = ['deadline', 'budget', 'no price', 'memory-limit', 'memory'];
  return kinds.indexOf(loss.kind) * 1e18 + ('over' in loss ? loss.over : 0);
}

function check({ space, amount, constraints, machines, nodes }: SearchQuestion): void {
  const wrong = (option: string, got: string, expected: string): TrenioError =>
    new TrenioError('INVALID_OPTION', { what: 'a search', option, got, expected });
  if (machines.length === 0) throw wrong('machines', 'none', 'one machine or more');
  for (const count of nodes) {
    if (!Number.isSafeInteger(count) || count < 1) throw wrong('nodes', `${count}`, 'a whole number, 1 or more');
  }
  if (amount?.kind === 'steps' && space.globalBatch === undefined)
    throw wrong(
      'globalBatch',
      'free, and the amount in steps',
      'a number: steps of different batches are not the same training',
    );
  if (amount !== undefined) return;
  if (constraints.deadlineSeconds !== undefined)
    throw wrong('amount', 'nothing', 'one, to be held against the deadline');
  if (constraints.budget !== undefined) throw wrong('amount', 'nothing', 'one, to be held against the budget');
}
