// The best layouts of a workload over machines and numbers of them, each bought in the best way, and why the others are not the
// best. Only layouts that cannot be better than one already priced are skipped.
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import type { MicroUsd } from '../../base/money.ts';
import type { Machine } from '../../hardware/machine.ts';
import type { Prediction } from '../prediction.ts';
import type { SimulatedSoftware, StepQuestion } from '../question.ts';
import type { Amount } from './amount.ts';
import { whyNoLayout } from './given-layout.ts';
import { type LayoutQuestion, withLayout } from './layout-question.ts';
import type { LayoutSpace } from './layouts.ts';
import type { Predict } from './predict-type.ts';
import { keeps, type Limits, type Objective, overrun, type Terms, type TermsOptions, termsOf } from './quote.ts';
import { allows, type Recipe } from './recipes.ts';
import { dollarsPerSample, type Totals, totalsOf } from './training.ts';
import { type LayoutRules, tryLayouts } from './try-layouts.ts';
import { comparedLoss, describeLoss, type Loss, memoryLoss } from './why-lost.ts';

/** The constraints on a layout. */
export interface SearchConstraints extends Limits {
  /** Seconds, including start-up; needs an amount. */
  readonly deadlineSeconds?: number | undefined;
  /** Asks for an amount. */
  readonly budget?: MicroUsd | undefined;
  /** Usable bytes of one device, if not all of them. */
  readonly memoryBytes?: number | undefined;
}

/** The question for `searchLayouts`. */
export interface SearchQuestion extends SimulatedSoftware {
  /** The machines. */
  readonly machines: readonly Machine[];
  /** The numbers of instances. */
  readonly nodes: readonly number[];
  /** The layouts that are tried. */
  readonly space: LayoutSpace;
  /** Only layouts that this recipe has run; undefined: all. */
  readonly recipe?: Recipe | undefined;
  /** Undefined: layouts are compared by a sample's time or cost. */
  readonly amount: Amount | undefined;
  /** The quantity to minimize. */
  readonly objective: Objective;
  /** The limits that a plan must keep. */
  readonly constraints: SearchConstraints;
  /** How the machines are bought; by default in the best way. */
  readonly terms?: TermsOptions | undefined;
  /** Called from time to time with the progress of the search. */
  readonly onProgress?: ((progress: SearchProgress) => void) | undefined;
  /** How many of the best are kept, and how many that would be better but violate a constraint. Default: 5. */
  readonly top?: number;
}

/** The progress of a search. */
export interface SearchProgress {
  /** The number of layouts predicted so far. */
  readonly priced: number;
  /** The number of completed pairs of a machine and a number of instances. */
  readonly done: number;
  /** The number of all pairs. */
  readonly total: number;
  /** The name of the machine. */
  readonly machine: string;
  /** The number of instances. */
  readonly nodes: number;
}

/** A layout that was priced. */
export interface Candidate {
  /** The training step that was simulated. */
  readonly question: StepQuestion;
  /** The predicted step. */
  readonly prediction: Prediction;
  /** Undefined: no amount was given. */
  readonly totals: Totals | undefined;
  /**
   * The quantity by which layouts are ranked: seconds or micro-dollars, of the training run or of a sample; undefined: no
   * public price.
   */
  readonly measure: number | undefined;
}
/** A layout that is not the best, and why. */
export interface LostCandidate extends Candidate {
  /** Why it is not the best one. */
  readonly loss: Loss;
}

/** The best layout, the next best ones, and the excluded ones. */
export interface SearchResult {
  /** The number of priced layouts, and the number of those that satisfy every constraint. */
  readonly priced: number;
  /** The number of layouts that keep all constraints. */
  readonly feasible: number;
  /** Undefined: none keeps every constraint. */
  readonly best: Candidate | undefined;
  /**
   * The next best, each the best of its machine, nodes, data, tensor and pipeline sizes; and after them the best of each machine
   * that is not among them.
   */
  readonly runnersUp: readonly LostCandidate[];
  /**
   * Layouts that would be better than the best but violate constraints, best first; if none is feasible, the nearest. Layouts
   * that lack more than half of a device's memory are not among the former.
   */
  readonly rejected: readonly LostCandidate[];
  /** Machines without a layout that satisfies every constraint, and the constraints that the nearest layout of each violates. */
  readonly withoutAny: readonly MachineWithoutAny[];
  /** Why layouts could not be priced at all, the most frequent first. */
  readonly impossible: readonly {
    /** Why these layouts were rejected. */
    readonly reason: string;
    /** The number of layouts that were rejected for this reason. */
    readonly count: number;
  }[];
}
/** A machine on which no layout keeps all constraints. */
export interface MachineWithoutAny {
  /** The machine. */
  readonly machine: Machine;
  /** Undefined: no layout could be priced. */
  readonly nearest: LostCandidate | undefined;
  /** Why there is no plan for it. */
  readonly why: string;
}

/**
 * Searches all layouts on all numbers of all machines for the fastest or cheapest, with the reasons why others lost.
 * @throws {INVALID_OPTION} for constraints without an amount, and for an amount in steps with a free global batch
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const space = { workload, machines: [machine], nodes: [1], space: { globalBatch: 64 } };
 * const { best } = simulator.searchLayouts(
 *   { ...space, amount: undefined, objective: 'time', constraints: {} },
 *   simulator.predict,
 * );
 * best!.prediction.memory.fits // true
 */
export function searchLayouts(question: SearchQuestion, predict: Predict): SearchResult {
  check(question);
  const impossible = new Map<string, Impossible>();
  const priced = priceAll(question, predict, impossible);
  const ranked = priced.toSorted((a, b) => a.rank - b.rank);
  const feasible = ranked.filter(one => one.loss === undefined);
  const [best] = feasible;
  const top = question.top ?? 5;
  const whole = (one: Priced): Candidate => candidateOf(one, question, predict);
  const lost = (one: Priced): LostCandidate => ({ ...whole(one), loss: one.loss! });
  const bestCandidate = best === undefined ? undefined : whole(best);
  return {
    priced: priced.length,
    feasible: feasible.length,
    best: bestCandidate,
    runnersUp:
      bestCandidate === undefined
        ? []
        : withEachMachine(firstOfEachShape(feasible, top), feasible)
            .slice(1)
            .map(one => withLoss(whole(one), bestCandidate, question.objective)),
    rejected: rejectedOf(ranked, best, top).map(lost),
    withoutAny: machinesWithout(question, ranked, lost, impossible),
    impossible: [...impossible].map(([reason, { count }]) => ({ reason, count })).toSorted((a, b) => b.count - a.count),
  };
}

/** The data kept for each layout: predictions of a hundred thousand layouts would fill memory; those shown are recomputed. */
interface Priced {
  /** The training step that was simulated. */
  readonly question: StepQuestion;
  readonly terms: Terms;
  /** The measure, rounded: layouts whose times differ only by rounding are equal, and the simpler one comes first. */
  readonly rank: number;
  /** The constraint that it violates, and its distance from satisfying all of them. */
  readonly loss: Loss | undefined;
  readonly distance: number;
}
interface Impossible {
  /** The machines. */
  readonly machines: Set<string>;
  /** The number of layouts. */
  count: number;
}

/** In layouts: a few tenths of a second. */
const PROGRESS_EVERY = 4096;

function priceAll(question: SearchQuestion, predict: Predict, impossible: Map<string, Impossible>): readonly Priced[] {
  const { machines, nodes, space, recipe, onProgress } = question;
  const priced: Priced[] = [];
  const refuse = (machine: Machine, reason: string): void => {
    const known = impossible.get(reason) ?? { machines: new Set(), count: 0 };
    known.machines.add(machine.name);
    known.count++;
    impossible.set(reason, known);
  };
  /** Whether it fits. */
  const price = (step: StepQuestion, terms: Terms): boolean => {
    try {
      const prediction = predict(step);
      const { totals, measure } = judged(prediction, terms, question);
      const rank = measure === undefined ? Number.POSITIVE_INFINITY : Number(measure.toPrecision(9));
      const loss = brokenConstraint(prediction, totals, measure, question.constraints);
      const distance = loss === undefined ? 0 : distanceOf(prediction, totals, loss, question.constraints);
      priced.push({ question: step, terms, rank, loss, distance });
      return loss?.kind !== 'memory' && loss?.kind !== 'memory-limit';
    } catch (error) {
      if (!isTrenioError(error)) throw error;
      refuse(step.machine, error.message.split('\n')[0]!);
      return false;
    }
  };
  const total = machines.length * nodes.length;
  for (const [place, machine] of machines.entries()) {
    const terms = termsOf(machine, question.terms);
    if (recipe !== undefined && recipe.device !== machine.device.kind) {
      refuse(machine, `the recipe ${recipe.name} (${recipe.software}) does not run on ${machine.name}`);
      continue;
    }
    for (const [at, count] of nodes.entries()) {
      const own: LayoutQuestion = { ...question, machine, nodes: count };
      const rules: LayoutRules = {
        includes: layout => recipe === undefined || allows(recipe, layout, space),
        leavesOutLargerBatches: false,
      };
      const tried = tryLayouts(own, rules, layout => {
        const fits = price(withLayout(own, layout), terms);
        if (priced.length % PROGRESS_EVERY === 0)
          onProgress?.({
            priced: priced.length,
            done: place * nodes.length + at,
            total,
            machine: machine.name,
            nodes: count,
          });
        return fits;
      });
      if (tried === 0) refuse(machine, `invalid layout: ${whyNoLayout(own).problem}`);
    }
  }
  return priced;
}

function candidateOf({ question: step, terms }: Priced, question: SearchQuestion, predict: Predict): Candidate {
  const prediction = predict(step);
  return { question: step, prediction, ...judged(prediction, terms, question) };
}

/** With the best purchase option for the objective among those that satisfy the constraints. */
function judged(
  prediction: Prediction,
  terms: Terms,
  { amount, objective, constraints }: SearchQuestion,
): Pick<Candidate, 'totals' | 'measure'> {
  if (amount !== undefined) {
    const totals = totalsOf(prediction, amount, terms, objective, constraints);
    return { totals, measure: objective === 'time' ? totals.seconds : totals.cost };
  }
  const { stepSeconds, samplesPerStep } = prediction;
  const dollars = objective === 'time' ? undefined : dollarsPerSample(prediction, terms);
  const measure =
    objective === 'time' ? stepSeconds / samplesPerStep : dollars === undefined ? undefined : dollars * 1e6;
  return { totals: undefined, measure };
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
  const quote = totals?.quote;
  if (quote?.kind === 'refused') return { kind: 'not sold', purchase: quote.offer.purchase, reason: quote.reason };
  if (quote !== undefined && !keeps(quote, { deadlineSeconds, budget })) {
    const late = deadlineSeconds === undefined ? 0 : quote.seconds - deadlineSeconds;
    if (budget !== undefined && quote.kind !== 'priced') return { kind: 'no price', purchase: quote.offer.purchase };
    const dear = budget === undefined || quote.kind !== 'priced' ? 0 : quote.toPay - budget;
    if (late > 0 && dear > 0) return { kind: 'deadline and budget', seconds: late, dollars: dear as MicroUsd };
    return late > 0 ? { kind: 'deadline', over: late } : { kind: 'budget', over: dear as MicroUsd };
  }
  // Only a search by cost has layouts without a measure.
  return measure === undefined ? { kind: 'no price', purchase: totals?.quote.offer.purchase } : undefined;
}

/**
 * How far a layout is from satisfying every constraint: first those that time or money would fix, then missing prices, then
 * memory.
 */
function distanceOf(
  { memory }: Prediction,
  totals: Totals | undefined,
  loss: Loss,
  { deadlineSeconds, budget }: SearchConstraints,
): number {
  switch (loss.kind) {
    case 'memory':
      return 3e9 + memory.total / memory.capacity;
    case 'memory-limit':
      return 2e9 + memory.total / memory.capacity;
    case 'no price':
    case 'not sold':
      return 1e9;
    default:
      return totals === undefined ? 0 : Math.min(1e8, overrun(totals.quote, { deadlineSeconds, budget }));
  }
}

function withLoss(candidate: Candidate, best: Candidate, objective: Objective): LostCandidate {
  const rateOf = ({ prediction, totals, measure }: Candidate): number => {
    if (objective === 'time') return 1;
    // Without an amount, a step's share of the measure is all of it.
    if (totals === undefined) return (measure! * prediction.samplesPerStep) / prediction.stepSeconds;
    return totals.quote.kind === 'priced' ? (totals.quote.price.perHour * prediction.nodes) / 3600 : 0;
  };
  const { totals } = best;
  const loss = comparedLoss(candidate.prediction, best.prediction, {
    kind: objective === 'time' ? 'slower' : 'dearer',
    rates: { lost: rateOf(candidate), best: rateOf(best) },
    ratio: candidate.measure! / best.measure!,
    stepsShare: totals === undefined ? 1 : (totals.stepsSeconds * rateOf(best)) / best.measure!,
  });
  return { ...candidate, loss };
}

/** Layouts that need more than this multiple of a device's memory are not near misses. */
const NEAR_MISS = 1.5;
const isNearMiss = ({ loss, distance }: Priced): boolean => loss?.kind !== 'memory' || distance - 3e9 <= NEAR_MISS;

/** Better than the best except for a constraint; if nothing satisfies every constraint, the nearest. */
function rejectedOf(ranked: readonly Priced[], best: Priced | undefined, count: number): readonly Priced[] {
  const broken = ranked.filter(one => one.loss !== undefined);
  return best === undefined
    ? firstOfEachShape(
        broken.toSorted((a, b) => a.distance - b.distance),
        count,
      )
    : firstOfEachShape(
        broken.filter(one => one.rank < best.rank && isNearMiss(one)),
        count,
      );
}

function firstOfEachShape(ranked: readonly Priced[], count: number): readonly Priced[] {
  const first = new Map<string, Priced>();
  for (const one of ranked) {
    const { machine, nodes, layout } = one.question;
    const shape = `${machine.name} ${nodes} ${layout.data} ${layout.tensor} ${layout.pipeline}`;
    if (!first.has(shape)) first.set(shape, one);
    if (first.size === count) break;
  }
  return [...first.values()];
}

/** Plus the best of each machine that is not among them. */
function withEachMachine(shown: readonly Priced[], feasible: readonly Priced[]): readonly Priced[] {
  const first = new Map<string, Priced>();
  for (const one of feasible) if (!first.has(one.question.machine.name)) first.set(one.question.machine.name, one);
  for (const { question } of shown) first.delete(question.machine.name);
  return [...shown, ...first.values()];
}

function machinesWithout(
  { machines }: SearchQuestion,
  ranked: readonly Priced[],
  lost: (one: Priced) => LostCandidate,
  impossible: ReadonlyMap<string, Impossible>,
): readonly MachineWithoutAny[] {
  return machines.flatMap((machine): readonly MachineWithoutAny[] => {
    const own = ranked.filter(one => one.question.machine === machine);
    if (own.some(one => one.loss === undefined)) return [];
    const [first, ...rest] = own;
    if (first === undefined) {
      const reasons = [...impossible].filter(([, { machines: names }]) => names.has(machine.name));
      const [reason] = reasons.toSorted(([, a], [, b]) => b.count - a.count)[0] ?? ['no layout divides evenly'];
      return [{ machine, nearest: undefined, why: reason }];
    }
    const nearest = lost(rest.reduce((near, one) => (one.distance < near.distance ? one : near), first));
    return [{ machine, nearest, why: describeLoss(nearest.loss) }];
  });
}

function check({ space, amount, constraints, machines, nodes }: SearchQuestion): void {
  const wrong = (option: string, got: string, expected: string): TrenioError =>
    new TrenioError('INVALID_OPTION', { what: 'a search', option, got, expected });
  if (machines.length === 0) throw wrong('machines', 'none', 'one machine or more');
  for (const count of nodes) {
    if (!Number.isSafeInteger(count) || count < 1) throw wrong('nodes', `${count}`, 'an integer, 1 or more');
  }
  if (amount?.kind === 'steps' && space.globalBatch === undefined)
    throw wrong(
      'globalBatch',
      'free, and the amount in steps',
      'a number: steps of different batches are not the same training',
    );
  if (amount !== undefined) return;
  if (constraints.deadlineSeconds !== undefined) throw wrong('amount', 'nothing', 'one, to compare with the deadline');
  if (constraints.budget !== undefined) throw wrong('amount', 'nothing', 'one, to compare with the budget');
}
