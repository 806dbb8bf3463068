// A text encoder, or a decoder with a pooling beside it, as a model whose answers to texts are their embeddings.
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { AutoTokenizer, type PretrainedTokenizer } from '../../data/index.ts';
import { AutoModel } from '../../models/auto/index.ts';
import { readConfigObject } from '../../models/config-file.ts';
import { DecoderModel } from '../../models/decoder/decoder.ts';
import { encoderArchitectures } from '../../models/encoder/architectures.ts';
import { EncoderModel } from '../../models/encoder/encoder.ts';
import { hasPooling, type Pooling, pooled, readPooling, type TextPooling } from '../../models/pooling.ts';
import { type Device, device as defaultDevice } from '../../tensor/index.ts';
import { MicroBatcher } from './micro-batcher.ts';
import { PaddedRows } from './padded-rows.ts';

export interface TextEmbedder {
  readonly tokenizer: PretrainedTokenizer;
  /** The maximum number of tokens of a text. */
  readonly positions: number;
  readonly vocabulary: number;
  /** The numbers of an embedding. */
  readonly width: number;
  /** Texts that wait. */
  readonly waiting: number;
  /** An embedding for each text of 1 to `positions` ids. */
  embed(texts: readonly (readonly number[])[], signal?: AbortSignal): Promise<readonly Float32Array[]>;
  whenIdle(): Promise<void>;
}

export interface EmbedderOptions {
  /** Replaces the pooling of the folder; by default the mean of an encoder, the last token of a decoder. */
  readonly pooling?: Pooling | undefined;
  /** The maximum number of tokens of a text. */
  readonly positions?: number | undefined;
  /** The maximum number of texts in one batch. */
  readonly maxBatch?: number | undefined;
  readonly device?: Device | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

const defaultBatch = 8;
const defaultPositions = 512;

/** Whether texts of a model are embedded rather than continued: it is an encoder, or its folder has a pooling. */
export async function isEmbedder(folder: string): Promise<boolean> {
  if (/\.gguf$/i.test(folder)) return false;
  if (await hasPooling(folder)) return true;
  const { model_type } = (await readConfigObject(join(folder, 'config.json'))) as { readonly model_type?: unknown };
  return typeof model_type === 'string' && Object.hasOwn(encoderArchitectures, model_type);
}

/**
 * Loads a folder with a model that `AutoModel` reads and its tokenizer, and compiles it.
 * @throws {UNSUPPORTED} for a model that is neither an encoder nor a decoder
 * @throws {SEQUENCE_TOO_LONG} for `positions` beyond those of the model
 * @throws the errors of reading its files
 */
export async function loadEmbedder(folder: string, options: EmbedderOptions = {}): Promise<TextEmbedder> {
  const { onWarning, device = defaultDevice(), maxBatch = defaultBatch } = options;
  const model = await AutoModel.fromPretrained(folder, onWarning === undefined ? {} : { onWarning });
  if (!(model instanceof EncoderModel || model instanceof DecoderModel))
    throw new TrenioError('UNSUPPORTED', { what: 'embeddings', where: folder, instead: 'a text encoder or a decoder' });
  const tokenizer = await AutoTokenizer.fromPretrained(folder);
  const isEncoder = model instanceof EncoderModel;
  const own: TextPooling = (await hasPooling(folder))
    ? await readPooling(folder)
    : { pooling: isEncoder ? 'mean' : 'lasttoken', normalize: true };
  const pooling = { ...own, ...(options.pooling && { pooling: options.pooling }) };
  const { vocab_size: vocabulary, hidden_size: width, max_position_embeddings } = model.config;
  const most = Math.min(max_position_embeddings, tokenizer.modelMaxLength);
  const positions = options.positions ?? Math.min(most, defaultPositions);
  if (positions > most) throw new TrenioError('SEQUENCE_TOO_LONG', { length: positions, positions: most });
  model.eval().to(device);
  const rows = new PaddedRows({
    forward(inputIds, attentionMask) {
      const output = model.forward({ inputIds, attentionMask });
      const states = 'lastHiddenState' in output ? output.lastHiddenState : output;
      return pooled(states.to('float32'), attentionMask, pooling);
    },
    ...{ device, maxLength: positions, maxBatch },
    padTokenId: tokenizer.padTokenId ?? 0,
    empty: [0],
  });
  await rows.warmUp();
  const batcher = new MicroBatcher<readonly number[], Float32Array>({
    maxBatch,
    batchMs: rows.batchMs,
    run: texts => rows.run(texts),
  });
  return {
    tokenizer,
    positions,
    vocabulary,
    width,
    get waiting() {
      return batcher.waiting;
    },
    embed: (texts, signal) => batcher.submit(texts, signal),
    whenIdle: () => batcher.whenIdle(),
  };
}
