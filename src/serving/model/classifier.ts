// A checkpoint as a text classifier.
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { fileExists } from '../../base/read-file.ts';
import { AutoTokenizer, type PretrainedTokenizer } from '../../data/index.ts';
import { listCheckpoints } from '../../distributed/checkpoints/folder.ts';
import { isCheckpoint, openTensors, withoutPrefix } from '../../distributed/checkpoints/tensor-files.ts';
import { AutoModelForSequenceClassification, type SequenceClassifier } from '../../models/auto/index.ts';
import type { TensorReader } from '../../models/safetensors.ts';
import { type Device, device as defaultDevice } from '../../tensor/index.ts';
import { PaddedRows, type PaddedRowsOptions } from './padded-rows.ts';
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
  const { device = defaultDevice(), maxBatch = DEFAULT_MAX_BATCH } = options;
  model.eval().to(device);
  const classifier = new PaddedClassifier(model, tokenizer, { device, maxLength, maxBatch });
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

class PaddedClassifier implements TextClassifier {
  readonly labels: readonly string[];
  readonly maxBatch: number;
  readonly #tokenizer: PretrainedTokenizer;
  readonly #maxLength: number;
  readonly #rows: PaddedRows;

  constructor(
    model: SequenceClassifier,
    tokenizer: PretrainedTokenizer,
    { device, maxLength, maxBatch }: Pick<PaddedRowsOptions, 'device' | 'maxLength' | 'maxBatch'>,
  ) {
    const { num_labels: count = 2, id2label = {} } = model.config;
    this.labels = Array.from({ length: count }, (_, i) => id2label[i] ?? `LABEL_${i}`);
    this.maxBatch = maxBatch;
    this.#tokenizer = tokenizer;
    this.#maxLength = maxLength;
    this.#rows = new PaddedRows({
      forward: (inputIds, attentionMask) => model.forward({ inputIds, attentionMask }).softmax(1),
      ...{ device, maxLength, maxBatch },
      padTokenId: tokenizer.padTokenId ?? 0,
      empty: this.#encode(''),
    });
  }

  get batchMs(): number {
    return this.#rows.batchMs;
  }
  warmUp(): Promise<void> {
    return this.#rows.warmUp();
  }

  async classify(texts: readonly string[]): Promise<readonly Prediction[]> {
    const rows = await this.#rows.run(texts.map(text => this.#encode(text)));
    return rows.map(probabilities => this.#prediction(probabilities));
  }

  #encode(text: string): readonly number[] {
    return this.#tokenizer.encode(text, { truncation: true, maxLength: this.#maxLength });
  }

  #prediction(probabilities: Float32Array): Prediction {
    const score = Math.max(...probabilities);
    return {
      label: this.labels[probabilities.indexOf(score)]!,
      score,
      probabilities: Object.fromEntries(this.labels.map((label, i) => [label, probabilities[i]!])),
    };
  }
}
