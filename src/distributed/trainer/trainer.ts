// Trainer: a training loop with logs, evaluations, checkpoints and callbacks. Options have the names of transformers'
// TrainingArguments. For anything that it does not offer, write the loop with optimizerStep.
import { join } from 'node:path';
import {
  arrayDataset,
  type Collated,
  DataLoader,
  type DataLoaderOptions,
  type DataSource,
  type Dataset,
} from '../../data/index.ts';
import { adapterOf } from '../../models/adapters/adapter.ts';
import { saveWeights } from '../../models/pretrained.ts';
import type { Module } from '../../nn/index.ts';
import {
  AdamW,
  getCosineScheduleWithWarmup,
  getLinearScheduleWithWarmup,
  LambdaLR,
  type LRScheduler,
  type Optimizer,
  type Scheduled,
} from '../../optim/index.ts';
import { type Device, isTensor, manualSeed, type Tensor } from '../../tensor/index.ts';
import { Checkpointer } from '../checkpoints/index.ts';
import { DeviceLoader, type OnDevice } from '../device-loader.ts';
import { optimizerStep } from '../optimizer-step.ts';
import { allReduceSum, isMain, worldSize } from '../process-group.ts';
import type { CallbackResult, LogEntry, TrainerCallback, TrainerControl, TrainerState } from './callbacks.ts';
import { evaluateModel } from './evaluate.ts';
import {
  invalidTraining,
  type TrainingArguments,
  type TrainingSettings,
  trainingSettings,
} from './training-options.ts';

/** The parts of a training run. */
export interface TrainerSetup<M extends Module, T, B = Collated<T>> {
  /** The model, on the device that trains it. With adapters, only their parameters are trained. */
  readonly model: M;
  /** The mean loss of a batch. Default: the `loss` that the model returns for it, as those of Hugging Face do for `labels`. */
  readonly computeLoss?: ((model: M, batch: OnDevice<B>) => Tensor) | undefined;
  /** Examples to train on: a dataset, an array, or a stream. */
  readonly trainDataset: DataSource<T>;
  /** Examples to evaluate on. */
  readonly evalDataset?: Dataset<T> | readonly T[] | undefined;
  /** Makes a batch of examples. Default: `defaultCollate`, which stacks them. */
  readonly collateFn?: DataLoaderOptions<T, B>['collateFn'];
  /** The settings of the loop. */
  readonly args?: TrainingArguments | undefined;
  /** Called between the parts of the loop, in this order. */
  readonly callbacks?: readonly TrainerCallback[] | undefined;
  /** In evaluation: values of a batch by name, such as predictions and labels, which are collected for `computeMetrics`. */
  readonly predict?: ((model: M, batch: OnDevice<B>) => Readonly<Record<string, Tensor>>) | undefined;
  /** Metrics of the collected values. */
  readonly computeMetrics?:
    | ((values: Readonly<Record<string, readonly number[]>>) => Readonly<Record<string, number>>)
    | undefined;
  /** In place of AdamW. */
  readonly optimizer?: Optimizer | undefined;
  /** In place of `lrSchedulerType`; it steps after each step of the optimizer. */
  readonly scheduler?: LRScheduler | undefined;
  /** Gets a line of text for each log, on rank 0. Default: the standard output. */
  readonly print?: ((line: string) => void) | undefined;
}

/** The result of `train`. */
export interface TrainResult {
  /** The number of completed steps. */
  readonly globalStep: number;
  /** The mean loss of the steps of this call. */
  readonly trainingLoss: number;
}

/** Parameters without weight decay, by transformers' patterns. */
const withoutDecay = /bias|layernorm|rmsnorm|(^|\.)norm($|\.)|_norm($|\.)/i;

/**
 * Trains a model: epochs, gradient accumulation, clipping, learning rates, logs, evaluation, checkpoints, resuming with the same
 * bits, and several ranks under `trenio run`.
 * @example
 * const data = new TensorDataset(randn([32, 4]), randint(0, 2, [32]));
 * const trainer = new Trainer({
 *   model: new nn.Linear(4, 2),
 *   trainDataset: data,
 *   evalDataset: data,
 *   computeLoss: (model, [x, y]) => nn.functional.crossEntropy(model(x), y),
 *   args: { maxSteps: 6, learningRate: 0.01, evalSteps: 3, loggingSteps: 3 },
 *   print: () => {},
 * });
 * const { globalStep } = await trainer.train();
 * globalStep // 6
 * trainer.state.logHistory.map(({ step }) => step) // [3, 3, 6, 6]
 */
export class Trainer<M extends Module, T, B = Collated<T>> {
  /** The optimizer. */
  readonly optimizer: Optimizer;
  /** The schedule of the learning rate. */
  readonly scheduler: LRScheduler;
  /** The batches of training. */
  readonly loader: DataLoader<T, B>;
  readonly #given: TrainerSetup<M, T, B>;
  readonly #settings: TrainingSettings;
  readonly #device: Device;
  readonly #maxSteps: number;
  readonly #stepsPerEpoch: number | undefined;
  /** A part of checkpoints. */
  readonly #progress: { step: number; epoch: number; stepsInEpoch: number; logHistory: LogEntry[] } = {
    step: 0,
    epoch: 0,
    stepsInEpoch: 0,
    logHistory: [],
  };
  #wanted: TrainerControl = {};

  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} @throws {DATASET_TOO_SMALL} */
  constructor(options: TrainerSetup<M, T, B>) {
    const { model, args = {}, trainDataset, evalDataset, collateFn } = options;
    const settings = trainingSettings(args);
    const trained = [...model.namedParameters()].filter(([, { requiresGrad }]) => requiresGrad);
    if (trained.length === 0) throw invalidTraining('model', 'without trainable parameters', 'a model with some');
    this.#given = options;
    this.#settings = settings;
    this.#device = trained[0]![1].device;
    if (settings.evalSteps !== undefined && evalDataset === undefined)
      throw invalidTraining('evalSteps', settings.evalSteps, 'not set, or an evalDataset');
    const { gradientAccumulationSteps, perDeviceTrainBatchSize: batchSize, seed, shuffle } = settings;
    this.loader = new DataLoader<T, B>(trainDataset, {
      batchSize,
      collateFn,
      gradientAccumulationSteps,
      seed,
      dropLast: true,
      mesh: this.#device.mesh,
      numWorkers: settings.dataloaderNumWorkers,
      ...(isDataset(trainDataset) && { shuffle }),
    });
    const { knownLength } = this.loader;
    this.#stepsPerEpoch = knownLength === undefined ? undefined : knownLength / gradientAccumulationSteps;
    if (settings.maxSteps === undefined && this.#stepsPerEpoch === undefined)
      throw invalidTraining('maxSteps', undefined, 'the number of steps, for a stream of unknown length');
    this.#maxSteps = settings.maxSteps ?? Math.ceil(settings.numTrainEpochs * this.#stepsPerEpoch!);
    this.optimizer = options.optimizer ?? makeOptimizer(trained, settings);
    this.scheduler =
      options.scheduler ?? makeScheduler(this.optimizer as unknown as Scheduled, settings, this.#maxSteps);
  }

  /** Where the training is. */
  get state(): TrainerState {
    const { step, epoch, stepsInEpoch, logHistory } = this.#progress;
    const part = this.#stepsPerEpoch === undefined ? 0 : stepsInEpoch / this.#stepsPerEpoch;
    return { globalStep: step, epoch: epoch + part, maxSteps: this.#maxSteps, logHistory };
  }

  /**
   * Trains until the last step. `resumeFromCheckpoint`: continues from the last checkpoint in `outputDir`, if there is one, with
   * the same bits as without the interruption.
   * @throws {CHECKPOINTS_PRESENT} if `outputDir` has checkpoints and `resumeFromCheckpoint` is not set
   * @throws {CHECKPOINT_DAMAGED} where all are damaged
   */
  async train({
    resumeFromCheckpoint = false,
  }: {
    readonly resumeFromCheckpoint?: boolean;
  } = {}): Promise<TrainResult> {
    const { model, computeLoss = lossOf } = this.#given;
    const { gradientAccumulationSteps, maxGradNorm, outputDir, saveTotalLimit, seed } = this.#settings;
    const { optimizer, scheduler, loader } = this;
    const progress = this.#progress;
    const device = this.#device;
    manualSeed(seed);
    const parts = { model, optimizer, scheduler, loader, progress };
    await using checkpointer =
      outputDir === undefined
        ? undefined
        : new Checkpointer({ directory: join(outputDir, 'checkpoints'), keep: saveTotalLimit }, parts);
    if (resumeFromCheckpoint) await checkpointer?.resume();
    const accumulationBefore = device.gradientAccumulationSteps;
    device.gradientAccumulationSteps = gradientAccumulationSteps;
    model.train();
    const first = progress.step;
    const losses = new LossMeter();
    try {
      await this.#call('onTrainBegin');
      while (progress.step < this.#maxSteps && !this.#wanted.shouldTrainingStop) {
        if (progress.stepsInEpoch === 0) await this.#call('onEpochBegin');
        const before = progress.stepsInEpoch;
        let microBatches = 0;
        for await (const batch of new DeviceLoader(loader, device)) {
          if (microBatches === 0) await this.#call('onStepBegin');
          const loss = computeLoss(model, batch as OnDevice<B>);
          loss.backward();
          losses.add(loss.detach());
          if (++microBatches < gradientAccumulationSteps) {
            device.markStep();
            continue;
          }
          microBatches = 0;
          optimizerStep(optimizer, maxGradNorm === 0 ? {} : { maxGradNorm });
          const rate = scheduler.getLastLr()[0]!;
          scheduler.step();
          progress.step++;
          progress.stepsInEpoch++;
          await this.#call('onStepEnd');
          await this.#afterStep(losses, rate, checkpointer);
          // At the end of an epoch, the loader ends by itself: it is then at the next epoch.
          const isEnd = progress.stepsInEpoch === this.#stepsPerEpoch;
          if (!isEnd && (progress.step >= this.#maxSteps || this.#wanted.shouldTrainingStop)) break;
        }
        const isWhole = this.#stepsPerEpoch === undefined || progress.stepsInEpoch >= this.#stepsPerEpoch;
        if (progress.stepsInEpoch === 0 && before === 0) throw invalidTraining('trainDataset', 'empty', 'examples');
        if (!isWhole) break;
        progress.epoch++;
        progress.stepsInEpoch = 0;
        await this.#call('onEpochEnd');
        if (this.#settings.evalSteps === 'epoch') await this.evaluate();
        if (this.#settings.saveSteps === 'epoch') await this.#save(checkpointer);
      }
      if (progress.step > first && this.#settings.saveSteps !== undefined) await this.#save(checkpointer);
    } finally {
      device.gradientAccumulationSteps = accumulationBefore;
    }
    await this.#call('onTrainEnd');
    this.#wanted = {};
    return { globalStep: progress.step, trainingLoss: losses.overall() };
  }

  /** The mean loss and the metrics of `evalDataset`, each with `eval_` before its name; also added to the log. */
  async evaluate(): Promise<Readonly<Record<string, number>>> {
    const { model, evalDataset, collateFn, computeLoss = lossOf, predict, computeMetrics } = this.#given;
    if (evalDataset === undefined) throw invalidTraining('evalDataset', undefined, 'examples, to evaluate');
    const metrics = await evaluateModel<M, T, B>({
      model,
      dataset: 'get' in evalDataset ? evalDataset : arrayDataset(evalDataset),
      batchSize: this.#settings.perDeviceEvalBatchSize,
      collateFn,
      device: this.#device,
      computeLoss,
      predict,
      computeMetrics,
    });
    this.#record(metrics);
    await this.#call('onEvaluate', metrics);
    return metrics;
  }

  /**
   * Writes the model, as its `savePretrained` does, into a directory: by default `outputDir`. Of a model with an adapter, writes
   * the adapter; of one without `savePretrained`, its state as `model.safetensors`. Rank 0 writes.
   * @throws {INVALID_OPTION} without a directory
   */
  async saveModel(directory: string | undefined = this.#settings.outputDir): Promise<void> {
    if (directory === undefined) throw invalidTraining('outputDir', undefined, 'a directory, or saveModel(directory)');
    if (!isMain()) return;
    const model: Module & { savePretrained?(to: string): Promise<void> } = this.#given.model;
    const adapter = adapterOf(model);
    if (adapter !== undefined) await adapter.savePretrained(directory);
    else if (model.savePretrained !== undefined) await model.savePretrained(directory);
    else await saveWeights(model, directory);
  }

  async #afterStep(losses: LossMeter, rate: number, checkpointer: Checkpointer | undefined): Promise<void> {
    const { loggingSteps, evalSteps, saveSteps } = this.#settings;
    const { step } = this.#progress;
    const { shouldLog, shouldEvaluate, shouldSave } = this.#wanted;
    const isDue = (every: number | 'epoch' | undefined): boolean => typeof every === 'number' && step % every === 0;
    if (shouldLog || isDue(loggingSteps)) {
      const entry = this.#record({ loss: losses.sinceLast(), learning_rate: rate });
      await this.#call('onLog', entry);
    }
    if (shouldEvaluate || isDue(evalSteps)) await this.evaluate();
    if (shouldSave || isDue(saveSteps)) await this.#save(checkpointer);
    // A signal also requests a checkpoint.
    await checkpointer?.step(step);
    this.#wanted = this.#wanted.shouldTrainingStop ? { shouldTrainingStop: true } : {};
  }
  async #save(checkpointer: Checkpointer | undefined): Promise<void> {
    if (checkpointer === undefined || checkpointer.lastSaved?.step === this.#progress.step) return;
    await checkpointer.save(this.#progress.step);
    await this.#call('onSave');
  }
  #record(values: Readonly<Record<string, number>>): LogEntry {
    const { epoch, globalStep: step, maxSteps } = this.state;
    const entry: LogEntry = { ...values, step, epoch };
    this.#progress.logHistory.push(entry);
    const shown = Object.entries(values).map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`);
    const { print = line => void process.stdout.write(`${line}\n`) } = this.#given;
    if (isMain()) print(`step ${step}/${maxSteps}, epoch ${epoch.toFixed(2)}: ${shown.join(', ')}`);
    return entry;
  }
  async #call(name: keyof TrainerCallback, data?: unknown): Promise<void> {
    for (const callback of this.#given.callbacks ?? []) {
      const called = callback[name] as ((state: TrainerState, data: unknown) => Promise<CallbackResult>) | undefined;
      this.#wanted = { ...this.#wanted, ...(await called?.call(callback, this.state, data)) };
    }
  }
}

/** Means of losses over micro-batches and ranks; reading them waits for their steps. */
class LossMeter {
  #pending: Tensor[] = [];
  #sum = 0;
  #count = 0;
  add(loss: Tensor): void {
    this.#pending.push(loss);
    // The losses of finished steps become numbers now and then, so that few tensors are kept.
    if (this.#pending.length >= 1024) this.#total();
  }
  #last = { sum: 0, count: 0 };
  #total(): void {
    for (const loss of this.#pending) this.#sum += loss.item();
    this.#count += this.#pending.length;
    this.#pending = [];
  }
  sinceLast(): number {
    this.#total();
    const { sum, count } = this.#last;
    this.#last = { sum: this.#sum, count: this.#count };
    return mean(this.#sum - sum, this.#count - count);
  }
  overall(): number {
    this.#total();
    return mean(this.#sum, this.#count);
  }
}
const mean = (sum: number, count: number): number => allReduceSum([sum])[0]! / Math.max(1, count * worldSize());

const isDataset = (source: object): boolean => Array.isArray(source) || ('length' in source && 'get' in source);

/** The loss that a model returns for a batch with targets. */
function lossOf(model: Module, batch: unknown): Tensor {
  const isNamed = typeof batch === 'object' && batch !== null && !Array.isArray(batch) && !isTensor(batch);
  // As in transformers, where data sets have `label`.
  const { label, ...rest } = (isNamed ? batch : {}) as Readonly<Record<string, unknown>>;
  const result: unknown = isNamed ? model(label === undefined ? rest : { labels: label, ...rest }) : undefined;
  const { loss } = (result ?? {}) as { readonly loss?: unknown };
  if (isTensor(loss)) return loss;
  const expected = 'a function, where the model returns no loss: it does for examples with inputs by name and labels';
  throw invalidTraining('computeLoss', undefined, expected);
}

function makeOptimizer(trained: readonly (readonly [string, Tensor])[], settings: TrainingSettings): Optimizer {
  const { learningRate: lr, adamBeta1, adamBeta2, adamEpsilon: eps, weightDecay } = settings;
  const groups = [
    { params: trained.filter(([name]) => !withoutDecay.test(name)).map(([, one]) => one), weightDecay },
    { params: trained.filter(([name]) => withoutDecay.test(name)).map(([, one]) => one), weightDecay: 0 },
  ];
  const used = groups.filter(({ params }) => params.length > 0);
  return new AdamW(used as ConstructorParameters<typeof AdamW>[0], { lr, betas: [adamBeta1, adamBeta2], eps });
}

function makeScheduler(
  optimizer: Scheduled,
  { lrSchedulerType, warmupSteps, warmupRatio }: TrainingSettings,
  numTrainingSteps: number,
): LRScheduler {
  // One of them is 0.
  const numWarmupSteps = warmupSteps >= 1 ? warmupSteps : Math.ceil((warmupSteps + warmupRatio) * numTrainingSteps);
  switch (lrSchedulerType) {
    case 'linear':
      return getLinearScheduleWithWarmup(optimizer, { numWarmupSteps, numTrainingSteps });
    case 'cosine':
      return getCosineScheduleWithWarmup(optimizer, { numWarmupSteps, numTrainingSteps });
    case 'constant':
      return new LambdaLR(optimizer, () => 1);
    case 'constant_with_warmup':
      return new LambdaLR(optimizer, step => Math.min(1, step / Math.max(1, numWarmupSteps)));
  }
}
