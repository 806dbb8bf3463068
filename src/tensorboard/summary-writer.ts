// `SummaryWriter`: writes the logs of a training loop as event files that TensorBoard reads. The names and meanings follow
// torch.utils.tensorboard.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { refuseUnknownOptions } from '../base/known-options.ts';
import type { Module } from '../nn/module/module.ts';
import { userLocation } from '../tensor/location.ts';
import { Tensor } from '../tensor/tensor.ts';
import { EventFile } from './event-file.ts';
import { graphOf } from './graph.ts';
import { type HistogramBins, histogramOf, precisionRecall } from './histogram.ts';
import { type Hyperparameter, hparamsSummaries } from './hparams.ts';
import { encodeImage, type HostElements } from './images.ts';
import { type LoggedEvent, Message, type SummaryValue } from './messages.ts';

/** Where and how often a `SummaryWriter` writes. */
export interface SummaryWriterOptions {
  /** The folder of the event file; by default `runs/` with the time and the name of this host. Use one folder per run. */
  readonly logDir?: string;
  /** Added to the name of the default folder. */
  readonly comment?: string;
  /** The step at which the run is resumed: records of this step and later ones are hidden. */
  readonly purgeStep?: number;
  /** The number of events collected before they are written; 10 by default. */
  readonly maxQueue?: number;
  /** The number of seconds after which adding an event writes all pending ones; 120 by default. */
  readonly flushSecs?: number;
  /** Added to the name of the event file. */
  readonly filenameSuffix?: string;
}
const writerOptions = ['logDir', 'comment', 'purgeStep', 'maxQueue', 'flushSecs', 'filenameSuffix'] as const;

/** A number, or a tensor with one element. */
export type ScalarValue = number | Tensor;
/** Numbers: a tensor, an array or a typed array. */
export type LoggedValues = Tensor | readonly number[] | ArrayLike<number>;
/** An image: a tensor, or elements with their shape. */
export type LoggedImage =
  | Tensor
  | {
      /** The pixels. */
      readonly data: ArrayLike<number>;
      /** The sizes of the dims. */
      readonly shape: readonly number[];
    };
/** Options of one histogram. */
export interface HistogramOptions {
  /** The buckets; those of TensorBoard by default. */
  readonly bins?: HistogramBins;
  /** The approximate maximum number of buckets; adjacent buckets are merged. */
  readonly maxBins?: number;
  /** Seconds since 1970; now by default. */
  readonly walltime?: number;
}
/** Options of one image. */
export interface ImageOptions {
  /** The dims in their order: `CHW` by default for one image, `NCHW` for several. */
  readonly dataformats?: string;
  /** Seconds since 1970; now by default. */
  readonly walltime?: number;
}
/** Options of one precision-recall curve. */
export interface PrCurveOptions {
  /** The number of thresholds; 127 by default, which is the maximum. */
  readonly numThresholds?: number;
  /** A weight for each prediction. */
  readonly weights?: LoggedValues;
  /** Seconds since 1970; now by default. */
  readonly walltime?: number;
}
/**
 * Charts of TensorBoard's custom scalars: by category and title, their kind and tags; `Margin` has three (value, lower, upper).
 */
export type ScalarLayout = Readonly<
  Record<string, Readonly<Record<string, readonly ['Multiline' | 'Margin', readonly string[]]>>>
>;

const maxThresholds = 127;

/**
 * Writes the logs of a training loop for TensorBoard (`tensorboard --logdir runs`), on another thread.
 *
 * Log tensors after `optimizer.step()`, whose program then computes them: reading a tensor waits for it.
 *
 * ```ts
 * using writer = new SummaryWriter('runs/mnist');
 * for (let step = 0; step < 100; step++) {
 *   const loss = trainStep();
 *   writer.addScalar('loss/train', loss, step);
 * }
 * ```
 * @example
 * ```ts no-run
 * using writer = new SummaryWriter('runs/mnist');
 * for (let step = 0; step < 100; step++) writer.addScalar('loss/train', 1 / (1 + step), step);
 * ```
 */
export class SummaryWriter implements Disposable {
  readonly #options: SummaryWriterOptions;
  readonly #file: EventFile;
  /** For `addScalars`: one run per curve. */
  readonly #others = new Map<string, EventFile>();

  /**
   * @throws {EVENT_FILE_UNWRITABLE}
   * @throws {NO_SUCH_OPTION}
   */
  constructor(logDir?: string | SummaryWriterOptions, options: SummaryWriterOptions = {}) {
    this.#options = typeof logDir === 'string' ? { ...options, logDir } : { ...options, ...logDir };
    refuseUnknownOptions('SummaryWriter', this.#options, writerOptions);
    const { comment = '', purgeStep } = this.#options;
    this.#file = this.#open(this.#options.logDir ?? join('runs', `${startTime(new Date())}_${hostname()}${comment}`));
    if (purgeStep !== undefined) {
      this.#file.add({
        wallTime: now(),
        step: purgeStep,
        what: { kind: 'file version', version: 'brain.Event:2', writer: 'trenio' },
      });
      this.#file.add({ wallTime: now(), step: purgeStep, what: { kind: 'session start' } });
    }
  }
  #open(folder: string): EventFile {
    const { maxQueue, flushSecs, filenameSuffix } = this.#options;
    return new EventFile(folder, {
      ...(maxQueue === undefined ? {} : { maxQueue }),
      ...(flushSecs === undefined ? {} : { flushSecs }),
      ...(filenameSuffix === undefined ? {} : { suffix: filenameSuffix }),
    });
  }
  /** The folder of the event file. */
  get logDir(): string {
    return this.#file.folder;
  }
  #add(
    file: EventFile,
    value: SummaryValue | readonly SummaryValue[],
    step: number | undefined,
    wallTime = now(),
  ): void {
    const values = Array.isArray(value) ? value : [value as SummaryValue];
    const event: LoggedEvent = { wallTime, step, what: { kind: 'summary', values } };
    file.add(event);
  }

  /**
   * Adds a point to a curve.
   *
   * ```ts
   * writer.addScalar('loss/train', loss, step);
   * ```
   * @throws {INVALID_OPTION} if the value is neither a number nor a tensor with one element
   */
  addScalar(tag: string, value: ScalarValue, globalStep?: number, walltime?: number): void {
    this.#add(
      this.#file,
      { tag, content: { kind: 'scalar', value: scalarOf('addScalar', value) } },
      globalStep,
      walltime,
    );
  }
  /**
   * Adds a point to several curves in one chart: each curve is a separate run, in a subfolder.
   *
   * ```ts
   * writer.addScalars('loss', { train: 0.3, validation: 0.4 }, step);
   * ```
   */
  addScalars(
    mainTag: string,
    values: Readonly<Record<string, ScalarValue>>,
    globalStep?: number,
    walltime?: number,
  ): void {
    for (const [name, value] of Object.entries(values)) {
      const folder = join(this.logDir, `${mainTag.replaceAll('/', '_')}_${name}`);
      const file = this.#others.get(folder) ?? this.#open(folder);
      this.#others.set(folder, file);
      this.#add(
        file,
        { tag: mainTag, content: { kind: 'scalar', value: scalarOf('addScalars', value) } },
        globalStep,
        walltime,
      );
    }
  }
  /**
   * Adds a histogram of values.
   *
   * ```ts
   * for (const [name, p] of model.namedParameters()) writer.addHistogram(name, p, step);
   * ```
   * @throws {INVALID_OPTION} if there are no values, or one is not finite
   */
  addHistogram(tag: string, values: LoggedValues, globalStep?: number, options: HistogramOptions = {}): void {
    refuseUnknownOptions('addHistogram', options, ['bins', 'maxBins', 'walltime']);
    const histogram = histogramOf(numbersOf(values), options.bins ?? 'tensorflow', options.maxBins);
    this.#add(this.#file, { tag, content: { kind: 'histogram', histogram } }, globalStep, options.walltime);
  }
  /**
   * Adds an image of shape [channels, height, width], with elements from 0 to 1, or from 0 to 255 if they are uint8.
   *
   * ```ts
   * writer.addImage('digit', image, step, { dataformats: 'HW' });
   * ```
   * @throws {INVALID_OPTION}
   */
  addImage(tag: string, image: LoggedImage, globalStep?: number, options: ImageOptions = {}): void {
    this.#addImage('addImage', 'CHW', tag, image, globalStep, options);
  }
  /**
   * Adds images of shape [images, channels, height, width], in one grid.
   *
   * ```ts
   * writer.addImages('reconstructions', images, step);
   * ```
   * @throws {INVALID_OPTION}
   */
  addImages(tag: string, images: LoggedImage, globalStep?: number, options: ImageOptions = {}): void {
    this.#addImage('addImages', 'NCHW', tag, images, globalStep, options);
  }
  #addImage(
    call: string,
    format: string,
    tag: string,
    image: LoggedImage,
    step: number | undefined,
    options: ImageOptions,
  ): void {
    refuseUnknownOptions(call, options, ['dataformats', 'walltime']);
    const encoded = encodeImage(elementsOf(image), options.dataformats ?? format, call);
    this.#add(this.#file, { tag, content: { kind: 'image', ...encoded } }, step, options.walltime);
  }
  /**
   * Adds text in Markdown.
   *
   * ```ts
   * writer.addText('sample', 'To be, or **not** to be', step);
   * ```
   */
  addText(tag: string, text: string, globalStep?: number, walltime?: number): void {
    const content = { kind: 'strings', shape: [1], values: [text] } as const;
    const plugin = { name: 'text', content: new Uint8Array() };
    this.#add(this.#file, { tag: `${tag}/text_summary`, content, plugin }, globalStep, walltime);
  }
  /**
   * Adds the hyperparameters of a run with its results, for the HParams tab. Written as a separate run, below this one.
   *
   * ```ts
   * writer.addHparams({ lr: 0.1, optimizer: 'adamw' }, { 'hparam/accuracy': 0.93 });
   * ```
   * @throws {INVALID_OPTION}
   */
  addHparams(
    hparams: Readonly<Record<string, Hyperparameter>>,
    metrics: Readonly<Record<string, ScalarValue>>,
    options: {
      /** All possible values of a hyperparameter. */
      readonly hparamDomainDiscrete?: Readonly<Record<string, readonly Hyperparameter[]>>;
      /** The name of the run; the time by default. */
      readonly runName?: string;
      readonly globalStep?: number;
    } = {},
  ): void {
    refuseUnknownOptions('addHparams', options, ['hparamDomainDiscrete', 'runName', 'globalStep']);
    const { hparamDomainDiscrete = {}, runName = `${now()}`, globalStep } = options;
    const summaries = hparamsSummaries(hparams, Object.keys(metrics), hparamDomainDiscrete);
    const file = this.#open(join(this.logDir, runName));
    for (const summary of summaries) this.#add(file, summary, globalStep);
    for (const [tag, value] of Object.entries(metrics))
      this.#add(file, { tag, content: { kind: 'scalar', value: scalarOf('addHparams', value) } }, globalStep);
    file.close();
  }
  /**
   * Adds the model's program, recorded for this input, as a graph: a box for each module, a node for each op.
   *
   * ```ts
   * writer.addGraph(model, zeros([1, 784]));
   * ```
   */
  addGraph(model: Module, inputToModel: unknown): void {
    const args = Array.isArray(inputToModel) ? inputToModel : [inputToModel];
    this.#file.add({ wallTime: now(), step: undefined, what: { kind: 'graph', graph: graphOf(model, args) } });
  }
  /**
   * Adds a precision-recall curve of binary labels and predictions from 0 to 1.
   *
   * ```ts
   * writer.addPrCurve('spam', labels, probabilities, step);
   * ```
   * @throws {INVALID_OPTION} if the numbers of labels and predictions differ
   */
  addPrCurve(
    tag: string,
    labels: LoggedValues,
    predictions: LoggedValues,
    globalStep?: number,
    options: PrCurveOptions = {},
  ): void {
    refuseUnknownOptions('addPrCurve', options, ['numThresholds', 'weights', 'walltime']);
    const thresholds = Math.min(options.numThresholds ?? maxThresholds, maxThresholds);
    const [truth, scores] = [numbersOf(labels), numbersOf(predictions)];
    const weights = options.weights && numbersOf(options.weights);
    if (truth.length !== scores.length || (weights !== undefined && weights.length !== scores.length))
      throw invalid('addPrCurve', 'labels', `${truth.length} labels`, `as many as predictions (${scores.length})`);
    const rows = precisionRecall(truth, scores, thresholds, weights);
    const content = { kind: 'floats', shape: [rows.length, thresholds], values: rows.flat() } as const;
    const plugin = { name: 'pr_curves', content: new Message().int(2, thresholds).finish() };
    this.#add(this.#file, { tag, content, plugin }, globalStep, options.walltime);
  }
  /**
   * Defines the scalars that are shown together in the Custom Scalars tab. Call it once.
   *
   * ```ts
   * writer.addCustomScalars({ loss: { both: ['Multiline', ['loss/train', 'loss/validation']] } });
   * ```
   * @throws {INVALID_OPTION} if a margin chart does not have three tags
   */
  addCustomScalars(layout: ScalarLayout): void {
    const message = new Message();
    for (const [category, charts] of Object.entries(layout)) {
      const list = new Message().string(1, category);
      for (const [title, [kind, tags]] of Object.entries(charts)) list.message(2, chartMessage(title, kind, tags));
      message.message(2, list);
    }
    const content = { kind: 'strings', shape: [], values: [message.finish()] } as const;
    const plugin = { name: 'custom_scalars', content: new Uint8Array() };
    this.#add(this.#file, { tag: 'custom_scalars__config__', content, plugin }, undefined);
  }

  /** Waits until everything is in the files. @throws {EVENT_FILE_UNWRITABLE} if it is not, for example on a full disk */
  flush(): void {
    for (const file of [this.#file, ...this.#others.values()]) file.flush();
  }
  /** Writes pending records and closes the files. Adding to a closed writer throws. */
  close(): void {
    for (const file of [this.#file, ...this.#others.values()]) file.close();
  }
  /** Calls `close()`, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}

const now = (): number => Date.now() / 1000;
const invalid = (what: string, option: string, got: string, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what, option, got, expected }, { location: userLocation() });

/** Formatted like `Nov22_20-15-00`. */
function startTime(date: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const month = date.toLocaleString('en-US', { month: 'short' });
  return `${month}${two(date.getDate())}_${two(date.getHours())}-${two(date.getMinutes())}-${two(date.getSeconds())}`;
}

function scalarOf(call: string, value: ScalarValue): number {
  if (typeof value === 'number') return value;
  if (value instanceof Tensor && value.numel() === 1) return Number(value.item());
  const got = value instanceof Tensor ? `a tensor of shape [${value.shape}]` : typeof value;
  throw invalid(call, 'value', got, 'a number or a tensor with one element');
}
function numbersOf(values: LoggedValues): readonly number[] {
  if (!(values instanceof Tensor)) return Array.from(values, Number);
  const elements = values.toArray();
  return (Array.isArray(elements) ? elements.flat(Number.POSITIVE_INFINITY) : [elements]).map(Number);
}
function elementsOf(image: LoggedImage): HostElements {
  if (image instanceof Tensor)
    return { shape: image.shape, values: numbersOf(image), isBytes: image.dtype === 'uint8' };
  return { shape: image.shape, values: image.data, isBytes: image.data instanceof Uint8Array };
}

function chartMessage(title: string, kind: 'Multiline' | 'Margin', tags: readonly string[]): Message {
  if (kind === 'Multiline') {
    const lines = new Message();
    for (const tag of tags) lines.string(1, tag, true);
    return new Message().string(1, title).message(2, lines);
  }
  if (tags.length !== 3)
    throw invalid('addCustomScalars', title, `${tags.length} tags`, 'three: the value, its lower and its upper bound');
  const series = new Message().string(1, tags[0]!).string(2, tags[1]!).string(3, tags[2]!);
  return new Message().string(1, title).message(3, new Message().message(1, series));
}
