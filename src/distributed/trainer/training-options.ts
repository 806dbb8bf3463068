// The options of a Trainer, with the names and defaults of transformers' TrainingArguments, in camel case.
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';

const schedulerTypes: readonly SchedulerType[] = ['linear', 'cosine', 'constant', 'constant_with_warmup'];
/** The schedules of learning rates that `Trainer` makes. */
export type SchedulerType = 'linear' | 'cosine' | 'constant' | 'constant_with_warmup';
const strategies = ['no', 'steps', 'epoch'] as const;
/** When `Trainer` evaluates, or writes checkpoints. */
export type Strategy = (typeof strategies)[number];

/** Options of a `Trainer`, in the names of transformers' TrainingArguments. */
export interface TrainingArguments {
  /** Checkpoints go to `checkpoints` in this directory. By default, nothing is saved. */
  readonly outputDir?: string | undefined;
  /** The number of passes over the training data. Default 3. */
  readonly numTrainEpochs?: number | undefined;
  /** The number of steps, in place of `numTrainEpochs`; required for streams of unknown length. */
  readonly maxSteps?: number | undefined;
  /** Items in a micro-batch of a rank. Default 8. */
  readonly perDeviceTrainBatchSize?: number | undefined;
  /** Items in a batch of evaluation. Default 8. */
  readonly perDeviceEvalBatchSize?: number | undefined;
  /** Micro-batches in a step. Default 1. */
  readonly gradientAccumulationSteps?: number | undefined;
  /** The highest learning rate. Default 5e-5. */
  readonly learningRate?: number | undefined;
  /** The weight decay of AdamW; biases and norms have none. Default 0. */
  readonly weightDecay?: number | undefined;
  /** AdamW's first beta. Default 0.9. */
  readonly adamBeta1?: number | undefined;
  /** AdamW's second beta. Default 0.999. */
  readonly adamBeta2?: number | undefined;
  /** AdamW's epsilon. Default 1e-8. */
  readonly adamEpsilon?: number | undefined;
  /** Gradients are scaled to at most this norm; 0: not at all. Default 1. */
  readonly maxGradNorm?: number | undefined;
  /** How the learning rate falls. Default `linear`. */
  readonly lrSchedulerType?: SchedulerType | undefined;
  /** Steps in which the learning rate rises; below 1: this share of all steps. Default 0. */
  readonly warmupSteps?: number | undefined;
  /** In place of `warmupSteps`: the share of all steps in which the learning rate rises. Default 0. */
  readonly warmupRatio?: number | undefined;
  /** The number of steps between logs. Default 500. */
  readonly loggingSteps?: number | undefined;
  /** The number of steps between evaluations, or after each epoch. By default, training does not evaluate. */
  readonly evalSteps?: number | 'epoch' | undefined;
  /** The number of steps between checkpoints, or after each epoch. Default 500. */
  readonly saveSteps?: number | 'epoch' | undefined;
  /** When training evaluates: after each epoch, after `evalSteps` steps (by default, `loggingSteps`), or never. */
  readonly evalStrategy?: Strategy | undefined;
  /** When checkpoints are written: after each epoch, after `saveSteps` steps, or only when a signal stops the run. */
  readonly saveStrategy?: Strategy | undefined;
  /** Accepted for compatibility, without effect: callbacks get the logs. */
  readonly reportTo?: 'none' | undefined;
  /** How many checkpoints are kept. Default 3. */
  readonly saveTotalLimit?: number | undefined;
  /** Whether each epoch has a new order. Default true. */
  readonly shuffle?: boolean | undefined;
  /** Threads that assemble batches. Default 0: the loop's thread. */
  readonly dataloaderNumWorkers?: number | undefined;
  /** The seed of the order and of random numbers. Default 42. */
  readonly seed?: number | undefined;
}

/**
 * The options of a `Trainer`, checked. An object with the same members does as well.
 * @throws {INVALID_OPTION}
 * @throws {NO_SUCH_OPTION}
 * @example
 * const args = new TrainingArguments({ maxSteps: 6, learningRate: 0.01 });
 * args.maxSteps // 6
 */
export const TrainingArguments = class {
  constructor(given: TrainingArguments) {
    trainingSettings(given);
    Object.assign(this, given);
  }
} as TrainingArgumentsConstructor;
/** The constructor of `TrainingArguments`. */
export interface TrainingArgumentsConstructor {
  new (given: TrainingArguments): TrainingArguments;
}

/** All options, with their defaults. */
export type TrainingSettings = { readonly [K in keyof typeof defaults]: (typeof defaults)[K] } & {
  readonly outputDir: string | undefined;
  readonly maxSteps: number | undefined;
  readonly evalSteps: number | 'epoch' | undefined;
  readonly saveSteps: number | 'epoch' | undefined;
};

const defaults = {
  numTrainEpochs: 3 as number,
  perDeviceTrainBatchSize: 8 as number,
  perDeviceEvalBatchSize: 8 as number,
  gradientAccumulationSteps: 1 as number,
  learningRate: 5e-5 as number,
  weightDecay: 0 as number,
  adamBeta1: 0.9 as number,
  adamBeta2: 0.999 as number,
  adamEpsilon: 1e-8 as number,
  maxGradNorm: 1 as number,
  lrSchedulerType: 'linear' as SchedulerType,
  warmupSteps: 0 as number,
  warmupRatio: 0 as number,
  loggingSteps: 500 as number,
  saveTotalLimit: 3 as number,
  shuffle: true as boolean,
  dataloaderNumWorkers: 0 as number,
  seed: 42 as number,
};

export const invalidTraining = (option: string, got: unknown, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'Trainer', option, got: String(got), expected });

/** The steps that a strategy means; undefined for never. @throws {INVALID_OPTION} */
function stepsOf(
  option: string,
  strategy: Strategy | undefined,
  steps: number | 'epoch' | undefined,
  byDefault: number,
): number | 'epoch' | undefined {
  if (strategy === undefined) return steps;
  if (!strategies.includes(strategy)) throw invalidTraining(option, strategy, `one of ${strategies.join(', ')}`);
  if (strategy === 'steps') return steps ?? byDefault;
  return strategy === 'epoch' ? 'epoch' : undefined;
}

/** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
export function trainingSettings(given: TrainingArguments): TrainingSettings {
  const more = ['outputDir', 'maxSteps', 'evalSteps', 'saveSteps', 'evalStrategy', 'saveStrategy', 'reportTo'];
  refuseUnknownOptions('Trainer', given, [...Object.keys(defaults), ...more]);
  const { evalStrategy, saveStrategy, reportTo, ...steps } = given;
  if (reportTo !== undefined && reportTo !== 'none')
    throw invalidTraining('reportTo', reportTo, 'none: a callback gets each log');
  const set = Object.fromEntries(Object.entries(steps).filter(([, value]) => value !== undefined));
  const settings: TrainingSettings = {
    outputDir: undefined,
    maxSteps: undefined,
    ...defaults,
    ...(set as Partial<TrainingSettings>),
    evalSteps: stepsOf('evalStrategy', evalStrategy, given.evalSteps, given.loggingSteps ?? defaults.loggingSteps),
    saveSteps: stepsOf('saveStrategy', saveStrategy, given.saveSteps ?? 500, 500),
  };
  const { maxSteps, evalSteps, saveSteps, lrSchedulerType, numTrainEpochs, learningRate, warmupSteps, warmupRatio } =
    settings;
  const count = (option: keyof TrainingSettings, value: unknown): void => {
    if (!Number.isSafeInteger(value) || (value as number) < 1)
      throw invalidTraining(option, value, 'an integer, 1 or more');
  };
  for (const option of [
    'perDeviceTrainBatchSize',
    'perDeviceEvalBatchSize',
    'gradientAccumulationSteps',
    'loggingSteps',
  ] as const)
    count(option, settings[option]);
  count('saveTotalLimit', settings.saveTotalLimit);
  if (maxSteps !== undefined) count('maxSteps', maxSteps);
  for (const [option, value] of [
    ['evalSteps', evalSteps],
    ['saveSteps', saveSteps],
  ] as const)
    if (value !== undefined && value !== 'epoch') count(option, value);
  const above = (option: string, value: number): void => {
    if (!(value > 0)) throw invalidTraining(option, value, 'a number above 0');
  };
  above('numTrainEpochs', numTrainEpochs);
  above('learningRate', learningRate);
  for (const option of ['maxGradNorm', 'weightDecay', 'warmupSteps'] as const)
    if (!(settings[option] >= 0)) throw invalidTraining(option, settings[option], 'a number, 0 or more');
  if (warmupSteps >= 1 && !Number.isSafeInteger(warmupSteps))
    throw invalidTraining('warmupSteps', warmupSteps, 'a whole number of steps, or a share below 1');
  if (!(warmupRatio >= 0 && warmupRatio <= 1)) throw invalidTraining('warmupRatio', warmupRatio, 'a share from 0 to 1');
  if (warmupRatio > 0 && warmupSteps > 0)
    throw invalidTraining('warmupRatio', warmupRatio, `0, because warmupSteps is ${warmupSteps}`);
  if (!schedulerTypes.includes(lrSchedulerType))
    throw invalidTraining('lrSchedulerType', lrSchedulerType, `one of ${schedulerTypes.join(', ')}`);
  return settings;
}
