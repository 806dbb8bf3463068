// A checkpoint as a text classifier. Every shape requires a compilation, so texts are padded to a few lengths and batches to
// a few sizes; all shapes are compiled before the first request. A batch is divided by length and then into sizes, so that its
// cost is close to that of its texts.
//
//   lengths up to 512:   ≤ 32 │ ≤ 128 │ ≤ 512 tokens        rows: 1 │ 2 │ 4 │ … │ maxBatch
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { fileExists } from '../../base/read-file.ts';
import { AutoTokenizer, type PretrainedTokenizer } from '../../data/index.ts';
import { listCheckpoints } from '../../distributed/checkpoints/folder.ts';
import { isCheckpoint, openTensors, withoutPrefix } from '../../distributed/checkpoints/tensor-files.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { AutoModelForSequenceClassification, type SequenceClassifier } from '../../models/auto/index.ts';
import type { TensorReader } from '../../models/safetensors.ts';
import { compile, type Device, device as defaultDevice, noGrad, type Tensor, tensor } from '../../tensor/index.ts';
import type { Prediction, TextClassifier } from './text-classifier.ts';

/** Options of `loadClassifier`. */
export interface ClassifierOptions {
  /** The largest number of texts in one batch. */
  readonly maxBatch?: number | undefined;
  /** Texts are truncated to this many tokens, including special ones. Default and maximum: the positions of the model. */
  readonly maxLength?: number | undefined;
  /** The device that runs the model. Default: the default device. */
  readonly device?: Device | undefined;
  /** Called with messages, such as a warning about a randomly initialized classifier. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const DEFAULT_MAX_BATCH = 8;
const SHORTEST_BUCKET = 32;
const BUCKET_RATIO = 4;

/**
 * Loads a folder with a model that `AutoModelForSequenceClassification` reads and its tokenizer, and compiles it; or a
 * checkpoint of a Checkpointer that keeps their files, or the last one in a folder of checkpoints.
 * @throws {MODEL_CONFIG_INVALID} if the vocabulary is larger than the model's
 * @throws {SEQUENCE_TOO_LONG} for a maxLength beyond its positions
 * @throws the errors of reading its files
 * @example
 * ```ts no-run
 * const classifier = await loadClassifier('runs/polarity/final');
 * console.log(await classifier.classify(['A good book.']));
 * ```
 */
export async function loadClassifier(path: string, options: ClassifierOptions = {}): Promise<TextClassifier> {
  const folder = await deployableIn(path);
  await using weights = await checkpointWeights(folder);
  const { onWarning } = options;
  const model = await AutoModelForSequenceClassification.fromPretrained(folder, {
    weights,
    ...(onWarning === undefined ? {} : { onWarning }),
  });
  const tokenizer = await AutoTokenizer.fromPretrained(folder);
  const { vocab_size: known, max_position_embeddings } = model.config;
  if (tokenizer.vocabularySize > known) {
    const problem = `is ${known}, but the vocabulary next to it has ${tokenizer.vocabularySize} tokens`;
    throw new TrenioError('MODEL_CONFIG_INVALID', { file: join(folder, 'config.json'), field: 'vocab_size', problem });
  }
  // The positions of RoBERTa include two that texts do not have.
  const positions = Math.min(max_position_embeddings, tokenizer.modelMaxLength);
  const maxLength = options.maxLength ?? positions;
  if (maxLength > positions) throw new TrenioError('SEQUENCE_TOO_LONG', { length: maxLength, positions });
  const device = options.device ?? defaultDevice();
  model.eval().to(device);
  const classifier = new PaddedClassifier(model, tokenizer, device, maxLength, options.maxBatch ?? DEFAULT_MAX_BATCH);
  await classifier.warmUp();
  return classifier;
}

/** The folder itself, or the last checkpoint in it. */
export async function deployableIn(folder: string): Promise<string> {
  if (await fileExists(join(folder, 'config.json'))) return folder;
  return (await listCheckpoints(folder)).at(-1)?.directory ?? folder;
}
/** The tensors of a checkpoint's model; undefined if the folder is not a checkpoint. */
export async function checkpointWeights(folder: string): Promise<TensorReader | undefined> {
  if (!(await isCheckpoint(folder))) return undefined;
  return withoutPrefix(await openTensors(folder, 'trenio'), 'model.');
}

/** The lengths that texts are padded to, ascending; the last is `maxLength`. */
export function lengthBuckets(maxLength: number): readonly number[] {
  const buckets: number[] = [];
  for (let length = SHORTEST_BUCKET; length < maxLength; length *= BUCKET_RATIO) buckets.push(length);
  return [...buckets, maxLength];
}

/** The numbers of rows that batches are padded to, ascending; the last is `maxBatch`. */
export function batchSizes(maxBatch: number): readonly number[] {
  const sizes: number[] = [];
  for (let size = 1; size < maxBatch; size *= 2) sizes.push(size);
  return [...sizes, maxBatch];
}

/** The sizes that rows are run in. At most a quarter of the rows of each is padding, which costs less than another run. */
export function divideBatch(rows: number, sizes: readonly number[]): readonly number[] {
  const parts: number[] = [];
  for (let left = rows; left > 0; ) {
    const enough = sizes.find(size => size >= left);
    const size = enough !== undefined && left * 4 >= enough * 3 ? enough : sizes.findLast(one => one <= left)!;
    parts.push(size);
    left -= size;
  }
  return parts;
}

class PaddedClassifier implements TextClassifier {
  /** The largest number of texts in one batch. */
  readonly maxBatch: number;
  readonly labels: readonly string[];
  batchMs = 0;
  /** Padding that fills the rows of a shape. */
  readonly #empty: readonly number[];
  readonly #tokenizer: PretrainedTokenizer;
  readonly #device: Device;
  readonly #buckets: readonly number[];
  readonly #sizes: readonly number[];
  /** Token ids and mask [B, S] → probabilities [B, labels]. */
  readonly #probabilities: (inputIds: Tensor, attentionMask: Tensor) => Tensor;

  constructor(
    model: SequenceClassifier,
    tokenizer: PretrainedTokenizer,
    device: Device,
    maxLength: number,
    maxBatch: number,
  ) {
    this.maxBatch = maxBatch;
    const { num_labels: count = 2, id2label = {} } = model.config;
    this.labels = Array.from({ length: count }, (_, i) => id2label[i] ?? `LABEL_${i}`);
    this.#tokenizer = tokenizer;
    this.#device = device;
    this.#buckets = lengthBuckets(maxLength);
    this.#sizes = batchSizes(maxBatch);
    this.#empty = this.#encode('');
    this.#probabilities = compile((inputIds: Tensor, attentionMask: Tensor) =>
      model.forward({ inputIds, attentionMask }).softmax(1),
    );
  }

  /** Runs each shape once, and the smallest full batch again to measure its time. */
  async warmUp(): Promise<void> {
    for (const rows of this.#sizes)
      for (const length of this.#buckets) await this.#run(new Array(rows).fill(this.#empty), length);
    const start = performance.now();
    await this.#run(new Array(this.maxBatch).fill(this.#empty), this.#buckets[0]!);
    this.batchMs = performance.now() - start;
  }

  async classify(texts: readonly string[]): Promise<readonly Prediction[]> {
    if (texts.length === 0) return [];
    const encoded = texts.map(text => this.#encode(text));
    const predictions: Prediction[] = [];
    // The last bucket is the length that texts are truncated to.
    const byLength = Map.groupBy(texts.keys(), row => this.#buckets.find(bucket => bucket >= encoded[row]!.length)!);
    for (const [length, rows] of byLength) {
      let first = 0;
      for (const size of divideBatch(rows.length, this.#sizes)) {
        const part = rows.slice(first, first + size);
        first += size;
        const padding = new Array<readonly number[]>(size - part.length).fill(this.#empty);
        const probabilities = await this.#run([...part.map(row => encoded[row]!), ...padding], length);
        const { length: count } = this.labels;
        for (const [i, row] of part.entries())
          predictions[row] = this.#prediction(probabilities.slice(i * count, (i + 1) * count));
      }
    }
    return predictions;
  }

  #encode(text: string): readonly number[] {
    return this.#tokenizer.encode(text, { truncation: true, maxLength: this.#buckets.at(-1)! });
  }

  async #run(rows: readonly (readonly number[])[], length: number): Promise<readonly number[]> {
    const ids = new Int32Array(rows.length * length).fill(this.#tokenizer.padTokenId ?? 0);
    const mask = new Int32Array(rows.length * length);
    for (const [i, row] of rows.entries()) {
      ids.set(row, i * length);
      mask.fill(1, i * length, i * length + row.length);
    }
    const upload = (data: Int32Array): Tensor => tensor(data, { shape: [rows.length, length], device: this.#device });
    const result = noGrad(() => this.#probabilities(upload(ids), upload(mask)));
    await result.ready();
    return toNumbers(result.literal());
  }

  #prediction(probabilities: readonly number[]): Prediction {
    const score = Math.max(...probabilities);
    return {
      label: this.labels[probabilities.indexOf(score)]!,
      score,
      probabilities: Object.fromEntries(this.labels.map((label, i) => [label, probabilities[i]!])),
    };
  }
}
