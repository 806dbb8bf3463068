// How far a measured step can be from its prediction: an interval that holds 80 % of runs like this one, from the errors of
// published runs, and the published run that is most like it.
//
// The half-width is the 80 % quantile of the errors |ln(measured ÷ predicted)| of published runs, each weighted by how much it is
// like the question, and one more run of unknown error (weighted conformal prediction, Tibshirani et al. 2019).
import type { Machine } from '../../hardware/machine.ts';
import { parametersOf } from '../models/parameters.ts';
import { constantsOf, type StepQuestion } from '../question.ts';
import { familyOf, type PublishedStep, publishedSteps } from './evidence.ts';

/** A published run next to its prediction, in seconds per step. */
export type NearestRun = Pick<PublishedStep, 'what' | 'source' | 'published' | 'predicted'>;

/** The uncertainty of a predicted time. */
export interface Uncertainty {
  /** The share of runs that lie in the interval. */
  readonly level: number;
  /** The interval is from the predicted time ÷ factor to the predicted time × factor. */
  readonly factor: number;
  /** The number of published runs on such a device. */
  readonly runs: number;
  /** Why the interval is as wide as it is. */
  readonly reason: string;
  /** Undefined if nothing has been published for this kind of device. */
  readonly nearest: NearestRun | undefined;
}

const level = 0.8;
/** The weight of runs on another family of devices, and of those with another software. */
const unlike = 0.5;
/** A run on this many times as many devices, or as few, has half of the weight. */
const halving = 64;
/**
 * Where no run has been published. When no run on H100 had been used yet, 80 % of 26 published ones were within this factor of
 * what the model of A100 predicted for them.
 */
const unseen = 1.56;
/** On this machine, whose rates are measured: all runs of `bench/plan-local.ts` in docs/performance.md are closer. */
const local = 1.2;

type Likeness = Pick<PublishedStep, 'family' | 'software' | 'devices'>;
const weightOf = (run: PublishedStep, of: Likeness): number =>
  (run.family === of.family ? 1 : unlike) *
  (run.software === of.software ? 1 : unlike) *
  0.5 ** (Math.abs(Math.log2(run.devices / of.devices)) / Math.log2(halving));

/** NeuronCores and GPUs have models of their own: their errors say nothing about each other. */
const isLike = (run: PublishedStep, software: PublishedStep['software']): boolean =>
  (run.software === 'neuron') === (software === 'neuron');

/** The share of runs that lie in the intervals that the runs of all other models give. */
export function coverageOf(runs: readonly PublishedStep[], all: readonly PublishedStep[] = runs): number {
  const held = runs.filter(run => {
    const others = all.filter(({ model }) => model !== run.model);
    return Math.abs(Math.log(run.published / run.predicted)) <= Math.log(factorOf(run, others) ?? unseen);
  });
  return held.length / runs.length;
}

/** The factor of the interval for runs like `of`; undefined if there are too few of them. */
export function factorOf(of: Likeness, runs: readonly PublishedStep[]): number | undefined {
  const errors = runs
    .filter(run => isLike(run, of.software))
    .map(run => ({ weight: weightOf(run, of), error: Math.abs(Math.log(run.published / run.predicted)) }))
    .sort((a, b) => a.error - b.error);
  const whole = errors.reduce((sum, { weight }) => sum + weight, 1);
  let sum = 0;
  for (const { weight, error } of errors) {
    sum += weight;
    if (sum >= level * whole) return Math.exp(error);
  }
  return undefined;
}

/**
 * The interval of a prediction for this question.
 * @example
 * const model = simulator.modelOf('llama3-8b');
 * const run = { kind: 'training', sequence: 8192, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const { prediction } = simulator.chooseLayout({ workload, machine, nodes: 4, space: { globalBatch: 256 } }, simulator.predict);
 * simulator.uncertaintyOf({ workload, machine, nodes: 4, layout: prediction.layout }).level // 0.8
 */
export function uncertaintyOf(question: StepQuestion): Uncertainty {
  const { machine, nodes, workload } = question;
  if (machine.device.kind === 'cpu')
    return {
      level,
      factor: local,
      runs: 0,
      reason: 'rates measured on this machine; other work on it is not included',
      nearest: undefined,
    };
  const software: PublishedStep['software'] = machine.device.kind === 'gpu' ? constantsOf(question).gpu.runs : 'neuron';
  const family = familyOf(machine);
  const wide = (reason: string): Uncertainty => ({
    level,
    factor: unseen,
    runs: 0,
    reason: `wide: ${reason}, and predictions for H100 were as far off before any run there was known`,
    nearest: nearestOf(question, software),
  });
  if (family === undefined) return wide(`no training run on ${machine.device.name} has been published`);
  if (workload.model.kind === 'program') return wide('no published run is of a recorded program');
  const like = { family, software, devices: machine.devices * nodes };
  const factor = factorOf(like, publishedSteps());
  if (factor === undefined) return wide('too few runs like this one have been published');
  const runs = publishedSteps().filter(run => run.family === family);
  const same = runs.filter(run => run.software === software).length;
  const others = publishedSteps().filter(run => isLike(run, software)).length - runs.length;
  return {
    level,
    factor,
    runs: runs.length,
    reason:
      `from the errors of ${runs.length} published runs on such devices` +
      (same === runs.length ? '' : `, ${same} of them with this software`) +
      (others === 0 ? '' : `, and of ${others} on others, which count for less`),
    nearest: nearestOf(question, software),
  };
}

/** The same kind of device, software, size of the model and number of devices, in this order of importance. */
function nearestOf(
  { machine, nodes, workload: { model, run } }: StepQuestion,
  software: PublishedStep['software'],
): NearestRun | undefined {
  const family = familyOf(machine);
  const parameters = model.kind === 'program' ? model.parameters : parametersOf(model).total;
  const apart = (a: number, b: number): number => Math.abs(Math.log2(a / b));
  const distance = (of: PublishedStep): number =>
    (of.family === family ? 0 : 4) +
    (of.software === software ? 0 : 3) +
    (of.model === model.name ? 0 : 1 + apart(of.parameters, Math.max(1, parameters))) +
    apart(of.devices, machine.devices * nodes) / 2 +
    (model.kind === 'program' ? 0 : apart(of.sequence, run.sequence) / 2);
  let nearest: PublishedStep | undefined;
  let least = Infinity;
  for (const of of publishedSteps()) {
    if (!isLike(of, software)) continue;
    const own = distance(of);
    // Later releases of the same configuration come later.
    if (own <= least) [nearest, least] = [of, own];
  }
  return (
    nearest && {
      what: nearest.what,
      source: nearest.source,
      published: nearest.published,
      predicted: nearest.predicted,
    }
  );
}

/** Two predictions, each with its interval. */
interface Uncertain {
  readonly machine: Machine;
  readonly uncertainty: Uncertainty;
}
/**
 * Whether two times (or costs) are closer than their intervals. Errors on two machines are independent; those on one machine
 * have much in common.
 * @example
 * const machine = hardware.machineOf('p5.48xlarge');
 * const uncertainty = { level: 0.8, factor: 1.1, runs: 30, reason: 'an example', nearest: undefined };
 * simulator.isTie(100, 104, { machine, uncertainty }, { machine, uncertainty }) // true
 */
export function isTie(first: number, second: number, a: Uncertain, b: Uncertain): boolean {
  const [one, other] = [Math.log(a.uncertainty.factor), Math.log(b.uncertainty.factor)];
  const within = a.machine.device.name === b.machine.device.name ? Math.max(one, other) : Math.hypot(one, other);
  return Math.abs(Math.log(first / second)) <= within;
}
