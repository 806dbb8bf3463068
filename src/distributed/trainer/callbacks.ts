// Callbacks of a Trainer: called between the parts of its loop, in the order in which they were given.
import { invalidTraining } from './training-options.ts';

/** One entry of the log: a loss, a learning rate, metrics. */
export interface LogEntry {
  /** The number of completed steps. */
  readonly step: number;
  /** The number of passes over the data, with a fraction. */
  readonly epoch: number;
  readonly [name: string]: number;
}

/** Where the training is. */
export interface TrainerState {
  /** The number of completed steps. */
  readonly globalStep: number;
  /** The number of passes over the data, with a fraction. */
  readonly epoch: number;
  /** The step at which training ends. */
  readonly maxSteps: number;
  /** All logs and evaluations so far. */
  readonly logHistory: readonly LogEntry[];
}

/** Requests of a callback. */
export interface TrainerControl {
  /** Ends the training after this step. */
  readonly shouldTrainingStop?: boolean;
  /** Evaluates after this step. */
  readonly shouldEvaluate?: boolean;
  /** Saves a checkpoint after this step. */
  readonly shouldSave?: boolean;
  /** Logs after this step. */
  readonly shouldLog?: boolean;
}

/** The result of a callback: nothing, or requests. */
// biome-ignore lint/suspicious/noConfusingVoidType: a callback without a return statement
export type CallbackResult = TrainerControl | undefined | void;

/** Functions that a `Trainer` calls. Each rank calls them; requests must be the same on every rank. */
export interface TrainerCallback {
  /** Before the first step, or the first one after a resume. */
  onTrainBegin?(state: TrainerState): CallbackResult | Promise<CallbackResult>;
  /** After the last step. */
  onTrainEnd?(state: TrainerState): CallbackResult | Promise<CallbackResult>;
  /** Before an epoch. */
  onEpochBegin?(state: TrainerState): CallbackResult | Promise<CallbackResult>;
  /** After an epoch. */
  onEpochEnd?(state: TrainerState): CallbackResult | Promise<CallbackResult>;
  /** Before the first micro-batch of a step. */
  onStepBegin?(state: TrainerState): CallbackResult | Promise<CallbackResult>;
  /** After a step of the optimizer. */
  onStepEnd?(state: TrainerState): CallbackResult | Promise<CallbackResult>;
  /** After an evaluation, with its metrics. */
  onEvaluate?(state: TrainerState, metrics: Readonly<Record<string, number>>): CallbackResult | Promise<CallbackResult>;
  /** After a checkpoint was taken; another thread writes it. */
  onSave?(state: TrainerState): CallbackResult | Promise<CallbackResult>;
  /** After a log. */
  onLog?(state: TrainerState, entry: LogEntry): CallbackResult | Promise<CallbackResult>;
}

/** Options of `earlyStopping`. */
export interface EarlyStoppingOptions {
  /** The metric that should improve. Default `eval_loss`. */
  readonly metric?: string;
  /** Whether a larger value is better. Default false. */
  readonly greaterIsBetter?: boolean;
  /** Evaluations in a row without improvement after which training ends. Default 1. */
  readonly patience?: number;
  /** An improvement is larger than this. Default 0. */
  readonly threshold?: number;
}

/**
 * A callback that ends the training when a metric has stopped improving. It derives its state from the log, so that a resumed run
 * stops where one that was not interrupted does.
 * @throws {INVALID_OPTION} in training, for a metric that the evaluation does not have
 * @example
 * typeof earlyStopping({ metric: 'eval_accuracy', greaterIsBetter: true, patience: 2 }).onEvaluate // 'function'
 */
export function earlyStopping(options: EarlyStoppingOptions = {}): TrainerCallback {
  const { metric = 'eval_loss', greaterIsBetter = false, patience = 1, threshold = 0 } = options;
  return {
    onEvaluate({ logHistory }, metrics) {
      if (!Object.hasOwn(metrics, metric))
        throw invalidTraining('earlyStopping metric', metric, `one of ${Object.keys(metrics).join(', ')}`);
      let best: number | undefined;
      let without = 0;
      for (const { [metric]: value } of logHistory) {
        if (value === undefined) continue;
        const gain = best === undefined ? Number.POSITIVE_INFINITY : greaterIsBetter ? value - best : best - value;
        without = gain > threshold ? 0 : without + 1;
        if (gain > 0) best = value;
      }
      return { shouldTrainingStop: without >= patience };
    },
  };
}
