// Encoder–decoders of all architectures in architectures.ts, with Hugging Face's files, for training, scoring and generation
// (../generation). B batch, S source, T target, H width, V vocabulary.
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import {
  Dropout,
  Embedding,
  functional as F,
  init,
  type LayerNorm,
  type Linear,
  Module,
  ModuleList,
  type RMSNorm,
  StateBuffer,
} from '../../nn/index.ts';
import { cat, full, rand, type Tensor, tensor, userLocation, where, zeros } from '../../tensor/index.ts';
import { readConfigObject, writeConfigObject } from '../config-file.ts';
import { DistanceTable, distanceBucket } from '../encoder/distances.ts';
import type { Cache, EncodedSource } from '../generation/cache.ts';
import { type GenerateInputs, generate, generateStream } from '../generation/generate.ts';
import {
  type GenerationConfig,
  invalid,
  readGenerationConfig,
  writeGenerationConfig,
} from '../generation/generate-options.ts';
import type { GenerativeModel, PositionInput, SourceInputs } from '../generation/generative-model.ts';
import { normalLinear } from '../layers.ts';
import { isUntied, loadDirectory, type PretrainedOptions, saveWeights } from '../pretrained.ts';
import { TaskModel } from '../task-model.ts';
import { inFile, type NameRule, withAndWithout } from '../tensor-names.ts';
import { type Seq2SeqConfig, type Seq2SeqConfigInput, seq2SeqArchitecture, seq2SeqConfig } from './architectures.ts';
import { AudioFeatures, audioPositions, sinusoids } from './audio-features.ts';
import { Seq2SeqBlock, seq2SeqNorm } from './block.ts';
import {
  decoderPrompts,
  hostRows,
  type Seq2SeqGenerateInputs,
  type Seq2SeqGenerateOptions,
  sourceInputs,
} from './generation-inputs.ts';
import type { Seq2SeqLayout } from './layout.ts';
import { type SpeechOptions, whisperPrompt } from './whisper-prompt.ts';

/** The inputs of encoder–decoders. */
export interface Seq2SeqInputs {
  /** Token ids of the source [B, S], integers. */
  readonly inputIds?: Tensor | undefined;
  /** In place of token ids: the logarithm of the energy in each frequency band [B, bands, frames] (Whisper). */
  readonly inputFeatures?: Tensor | undefined;
  /** 1 for tokens of the source, 0 for padding [B, S]; all ones by default. */
  readonly attentionMask?: Tensor | undefined;
  /** Token ids that the decoder continues [B, T]; by default, `labels` shifted right. */
  readonly decoderInputIds?: Tensor | undefined;
  /** 1 for tokens of the target, 0 for padding [B, T]; all ones by default. */
  readonly decoderAttentionMask?: Tensor | undefined;
  /** The tokens to predict [B, T]; -100 does not count. */
  readonly labels?: Tensor | undefined;
}

/**
 * The parts and sizes of an encoder–decoder of this configuration.
 * @example
 * seq2SeqLayout(seq2SeqConfig({ model_type: 't5' })).residual // 'pre'
 */
export const seq2SeqLayout = (config: Seq2SeqConfig): Seq2SeqLayout =>
  seq2SeqArchitecture(config.model_type, 'the configuration').layout(config);

/**
 * Tokens moved one position later, after the start token; -100 becomes padding: labels [B, T] → inputs of the decoder [B, T].
 * @example
 * shiftRight(tensor([[5, 6, -100]], { dtype: 'i32' }), { startToken: 2, paddingToken: 1 }) // [[2, 5, 6]]
 */
export function shiftRight(
  labels: Tensor,
  { startToken, paddingToken }: { readonly startToken: number; readonly paddingToken: number },
): Tensor {
  const [batch, length] = labels.shape as readonly [number, number];
  const start = full([batch, 1], startToken, { dtype: labels.dtype });
  const shifted = cat([start, labels.narrow(1, 0, length - 1)], 1);
  return shifted.maskedFill(shifted.eq(-100), paddingToken);
}

/**
 * The encoder or the decoder: positions, blocks and norms. The model owns the token embeddings.
 * @example
 * const layout = seq2SeqLayout(seq2SeqConfig({ model_type: 't5', d_model: 32, num_layers: 1 }));
 * new Seq2SeqStack(layout, 'encoder')(randn(2, 5, 32), undefined).shape // [2, 5, 32]
 */
export class Seq2SeqStack extends Module {
  readonly #layout: Seq2SeqLayout;
  readonly #buckets: DistanceTable | undefined;
  readonly #layerDrop: number;
  /** The embeddings of the positions. */
  embed_positions: Embedding | undefined;
  /** The scores of each head, by buckets of distances: those of all blocks, or of each block. */
  relative_attention_bias: ModuleList<Embedding> | undefined;
  /** The blocks in order. */
  layers: ModuleList<Seq2SeqBlock>;
  /** Normalizes the embeddings. */
  layernorm_embedding: LayerNorm | RMSNorm | undefined;
  /** Normalizes the result. */
  layer_norm: LayerNorm | RMSNorm | undefined;
  /** Applied to embeddings in training. */
  dropout: Dropout;
  /** Applied to the result in training. */
  last_dropout: Dropout;
  constructor(layout: Seq2SeqLayout, kind: 'encoder' | 'decoder') {
    super();
    this.#layout = layout;
    this.#layerDrop = layout.dropout[`${kind}Layer`];
    const { positionOffset: offset, audio, width, distances, initializerRange: std } = layout;
    const maxPositions = kind === 'encoder' && audio !== undefined ? audio.positions : (layout.maxPositions ?? 0);
    const { heads, layers } = layout[kind];
    if (layout.sinusoids !== undefined)
      this.embed_positions = sinusoids(maxPositions + (offset ?? 0), width, layout.sinusoids);
    else if (offset !== undefined) this.embed_positions = new Embedding(maxPositions + offset, width, { std });
    this.layers = new ModuleList(Array.from({ length: layers }, () => new Seq2SeqBlock(layout, kind)));
    if (distances !== undefined) {
      const { buckets, maxDistance, inEachBlock } = distances;
      const tables = { length: inEachBlock ? layers : 1 };
      this.relative_attention_bias = new ModuleList(Array.from(tables, () => new Embedding(buckets, heads, { std })));
      this.#buckets = new DistanceTable((query, key) =>
        distanceBucket(key - query, buckets, maxDistance, kind === 'encoder'),
      );
    }
    this.layernorm_embedding = layout.embeddingNorm ? seq2SeqNorm(layout) : undefined;
    this.layer_norm = layout.finalNorm ? seq2SeqNorm(layout) : undefined;
    this.dropout = new Dropout(layout.dropout.hidden);
    this.last_dropout = new Dropout(layout.dropout.last);
  }
  /**
   * Token embeddings [B, T, H] → hidden states [B, T, H]. Masks [B, T] are 1 for tokens, 0 for padding.
   * @param states receives the input of the first block and the result of each, the last one normalized
   */
  override forward(
    embedded: Tensor,
    attentionMask: Tensor | undefined,
    source?: Tensor,
    sourceMask?: Tensor,
    states?: Tensor[],
  ): Tensor {
    const length = embedded.shape[1]!;
    const { positionOffset = 0 } = this.#layout;
    const { embed_positions: positions, layernorm_embedding: norm } = this;
    const placed =
      positions === undefined ? embedded : embedded.add(positions.weight.narrow(0, positionOffset, length));
    let x = this.dropout.forward(norm === undefined ? placed : norm.forward(placed));
    const padding = attentionMask && F.additiveMask(attentionMask); // [B, 1, 1, T]
    const scores = this.#distanceScores(() => this.#buckets!.of(length));
    const seen = sourceMask && F.additiveMask(sourceMask); // [B, 1, 1, S]
    const own = scores.length === 0 ? [padding] : scores.map(one => (padding === undefined ? one : one.add(padding)));
    for (const [i, layer] of [...this.layers].entries()) {
      states?.push(x);
      const next = layer.forward(x, { self: own[i % own.length], source: seen }, source);
      const isSkipped = this.training && this.#layerDrop > 0;
      x = isSkipped ? where(rand([1]).lt(this.#layerDrop), x, next) : next;
    }
    const last = this.last_dropout.forward(this.layer_norm === undefined ? x : this.layer_norm.forward(x));
    states?.push(last);
    return last;
  }

  /**
   * @internal The decoder's tokens [B, T, H] that follow those in a cache. `positions` are rows of the table of positions [B, T],
   * or buckets of distances [T, keys].
   */
  forwardCached(embedded: Tensor, positions: Tensor, cache: Cache): Tensor {
    const { embed_positions: table, layernorm_embedding: norm } = this;
    const placed = table === undefined ? embedded : embedded.add(table.forward(positions));
    let x = norm === undefined ? placed : norm.forward(placed);
    const scores = this.#distanceScores(() => positions);
    for (const [i, layer] of [...this.layers].entries())
      x = layer.forwardCached(x, cache.layer(i), scores[i % scores.length]);
    return this.layer_norm === undefined ? x : this.layer_norm.forward(x);
  }
  /** The scores of distances [1, heads, T, keys] from buckets [T, keys]: one of all blocks, one of each, or none. */
  #distanceScores(buckets: () => Tensor): readonly Tensor[] {
    return [...(this.relative_attention_bias ?? [])].map(table =>
      table.forward(buckets()).permute(2, 0, 1).unsqueeze(0),
    );
  }
  /** @internal See GenerativeModel. */
  positionInputs(positions: Int32Array, rows: number, keys: number): PositionInput {
    const time = positions.length / rows;
    const { positionOffset: offset, distances } = this.#layout;
    if (distances === undefined) return { data: positions.map(one => one + (offset ?? 0)), shape: [rows, time] };
    const { buckets, maxDistance } = distances;
    const data = Int32Array.from({ length: time * keys }, (_, i) =>
      distanceBucket((i % keys) - positions[Math.trunc(i / keys)]!, buckets, maxDistance, false),
    );
    return { data, shape: [time, keys] };
  }
}

/**
 * An encoder–decoder without a head.
 * @example
 * const tiny = { vocab_size: 10, d_model: 8, d_kv: 4, d_ff: 16, num_heads: 2, num_layers: 1 };
 * const model = new Seq2SeqModel({ model_type: 't5', ...tiny });
 * const ids = randint(0, 10, [2, 5]);
 * model({ inputIds: ids, decoderInputIds: ids }).shape // [2, 5, 8]
 */
export class Seq2SeqModel extends Module {
  /** The configuration of the model. */
  readonly config: Seq2SeqConfig;
  readonly #layout: Seq2SeqLayout;
  /** The token embeddings of both. */
  shared: Embedding;
  /** Embeds audio (Whisper). */
  features: Module | undefined;
  readonly #features: AudioFeatures | undefined;
  /** The encoder. */
  encoder: Seq2SeqStack;
  /** The decoder. */
  decoder: Seq2SeqStack;
  constructor(config: Seq2SeqConfigInput) {
    super();
    this.config = seq2SeqConfig(config);
    const layout = seq2SeqLayout(this.config);
    this.#layout = layout;
    const { vocabulary, width, paddingIndex, initializerRange: std } = layout;
    this.shared = new Embedding(vocabulary, width, { std, paddingIndex });
    this.#features = layout.audio && new AudioFeatures(layout, layout.audio.bands);
    this.features = this.#features;
    this.encoder = new Seq2SeqStack(layout, 'encoder');
    if (layout.audio !== undefined) this.encoder.embed_positions = audioPositions(layout.audio.positions, width);
    this.decoder = new Seq2SeqStack(layout, 'decoder');
  }
  /**
   * Inputs by name → hidden states of the decoder [B, T, H].
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG}
   */
  override forward({ decoderInputIds: target, labels, ...inputs }: Seq2SeqInputs): Tensor {
    const ids = target ?? (labels && this.#decoderInputs(labels));
    if (ids === undefined) throw this.#mismatch('no target', 'give decoderInputIds [B, T], or labels [B, T]');
    const isAudio = this.#layout.audio !== undefined;
    const source = isAudio ? inputs.inputFeatures : inputs.inputIds;
    if (source === undefined)
      throw this.#mismatch('no source', `give ${isAudio ? 'inputFeatures [B, bands, frames]' : 'inputIds [B, S]'}`);
    return this.decode(ids, this.encode(source, inputs.attentionMask), inputs);
  }
  #decoderInputs(labels: Tensor): Tensor {
    if (!this.#layout.startsWithLast) return shiftRight(labels, this.#layout);
    const { paddingToken } = this.#layout;
    const ids = labels.maskedFill(labels.eq(-100), paddingToken); // [B, T]
    const last = ids.ne(paddingToken).to('i32').sum(1, true).sub(1).to('i32');
    return cat([ids.gather(1, last), ids.narrow(1, 0, ids.shape[1]! - 1)], 1);
  }
  /** Token ids [B, S], or features [B, bands, frames] → the encoder's hidden states [B, S, H], for any number of decodings. */
  encode(ids: Tensor, attentionMask?: Tensor): Tensor {
    // As in the reference, all frames are used: silence pads them.
    if (this.#features !== undefined) return this.encoder.forward(this.#features.forward(ids), undefined);
    this.#check(ids, attentionMask);
    return this.encoder.forward(this.#embed(ids), attentionMask);
  }
  /** Token ids [B, T] and the encoder's hidden states → the decoder's hidden states [B, T, H]. */
  decode(
    ids: Tensor,
    source: Tensor,
    masks: Pick<Seq2SeqInputs, 'attentionMask' | 'decoderAttentionMask'> = {},
  ): Tensor {
    this.#check(ids, masks.decoderAttentionMask);
    const sourceMask = this.#features === undefined ? masks.attentionMask : undefined;
    return this.decoder.forward(this.#embed(ids), masks.decoderAttentionMask, source, sourceMask);
  }
  /** @internal The keys and values that each block of the decoder computes from a source. */
  encodeForCache([source, mask]: readonly Tensor[]): EncodedSource {
    const hidden = this.encode(this.#features === undefined ? source! : source!.to(this.shared.weight.dtype), mask);
    const heads = [...this.decoder.layers].map(layer => layer.encoder_attn!.headsOf(hidden));
    return {
      keys: heads.map(({ key }) => key),
      values: heads.map(({ value }) => value),
      mask: mask ?? full([hidden.shape[0]!, hidden.shape[1]!], 1, { dtype: 'i32' }),
    };
  }
  /** @internal The tokens that follow those in a cache: ids [B, T] → hidden states [B, T, H]. */
  forwardCached(ids: Tensor, positions: Tensor, cache: Cache): Tensor {
    return this.decoder.forwardCached(this.#embed(ids), positions, cache);
  }
  #embed(ids: Tensor): Tensor {
    const { embeddingScale: scale } = this.#layout;
    const embedded = this.shared.forward(ids);
    return scale === 1 ? embedded : embedded.mul(scale);
  }
  #check(ids: Tensor, mask: Tensor | undefined): void {
    checkTokens(this.config.model_type, this.#layout, ids, mask);
  }
  #mismatch(left: string, detail: string): TrenioError {
    return mismatch(this.config.model_type, left, detail);
  }
}

function mismatch(op: string, left: string, detail: string): TrenioError {
  return new TrenioError('SHAPE_MISMATCH', { op, left, right: '[B, S]', detail }, { location: userLocation() });
}

/** @throws {SHAPE_MISMATCH} @throws {SEQUENCE_TOO_LONG} */
export function checkTokens(
  op: string,
  { maxPositions: positions = Number.POSITIVE_INFINITY }: Seq2SeqLayout,
  ids: Tensor,
  mask: Tensor | undefined,
): void {
  const shape = `[${ids.shape.join(', ')}]`;
  if (ids.ndim !== 2) throw mismatch(op, shape, 'token ids have two dims, batch and sequence');
  const length = ids.shape[1]!;
  if (length > positions)
    throw new TrenioError('SEQUENCE_TOO_LONG', { length, positions }, { location: userLocation() });
  if (mask !== undefined && (mask.ndim !== 2 || mask.shape.some((d, i) => d !== ids.shape[i])))
    throw mismatch(op, `[${mask.shape.join(', ')}]`, `the attention mask has the shape of the token ids, ${shape}`);
}

/** Options of `fromPretrained` of encoder–decoders. */
export interface Seq2SeqFromPretrainedOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `dropout`. */
  readonly config?: Partial<Seq2SeqConfigInput>;
}

/**
 * An encoder–decoder with the head that predicts the next token: T5, BART and Whisper by their `model_type`.
 * @example
 * const tiny = { vocab_size: 10, d_model: 8, d_kv: 4, d_ff: 16, num_heads: 2, num_layers: 1 };
 * const model = new Seq2SeqForConditionalGeneration({ model_type: 't5', ...tiny });
 * const ids = randint(0, 10, [2, 5]);
 * model({ inputIds: ids, labels: ids }).logits.shape // [2, 5, 10]
 */
export class Seq2SeqForConditionalGeneration extends TaskModel<Seq2SeqInputs> {
  /** The configuration of the model. */
  readonly config: Seq2SeqConfig;
  readonly #layout: Seq2SeqLayout;
  /** The model without the head. */
  model: Seq2SeqModel;
  /** Added to the logits, [1, V]; it is not trained. */
  final_logits_bias: StateBuffer | undefined;
  /** The head; undefined if its weights are the token embeddings. */
  lm_head: Linear | undefined;
  /** Defaults of `generate`, from generation_config.json. */
  generationConfig: GenerationConfig = {};
  constructor(config: Seq2SeqConfigInput) {
    super();
    this.config = seq2SeqConfig(config);
    const layout = seq2SeqLayout(this.config);
    this.#layout = layout;
    const { vocabulary, width, initializerRange } = layout;
    this.model = new Seq2SeqModel(this.config);
    this.final_logits_bias = layout.logitBias ? new StateBuffer(zeros([1, vocabulary])) : undefined;
    this.lm_head = layout.tied ? undefined : normalLinear(initializerRange, width, vocabulary, false);
  }
  /** @internal */
  protected override logitsOf(inputs: Seq2SeqInputs): Tensor {
    return this.head(this.model.forward(inputs));
  }
  /** The decoder's hidden states [B, T, H] → logits [B, T, V]. */
  head(hidden: Tensor): Tensor {
    const { outputScale: scale } = this.#layout;
    const { weight } = this.lm_head ?? this.model.shared;
    const logits = F.linear(scale === 1 ? hidden : hidden.mul(scale), weight);
    return this.final_logits_bias === undefined ? logits : logits.add(this.final_logits_bias);
  }

  /**
   * Returns the tokens of the decoder [B, T], the start token included; they match transformers' `generate`. Token ids [B, S]
   * may be given alone. With Whisper, `language` and `task` choose the first tokens; timestamps are not generated.
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG} if the source, or the first tokens of the decoder, are longer than the model's positions
   * @throws {TOKEN_ID_OUT_OF_RANGE}
   */
  async generate(inputs: Tensor | Seq2SeqGenerateInputs, options: Seq2SeqGenerateOptions = {}): Promise<Tensor> {
    const { language, task, ...rest } = options;
    const prompts = await this.#prompts(inputs, { language, task });
    return generate(this.#generative(), prompts, rest, this.#generationDefaults());
  }
  /**
   * Yields the tokens that are generated from one source, each as soon as it is chosen.
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG} if the source, or the first tokens of the decoder, are longer than the model's positions
   * @throws {TOKEN_ID_OUT_OF_RANGE}
   */
  async *generateStream(
    inputs: Tensor | Seq2SeqGenerateInputs,
    options: Seq2SeqGenerateOptions = {},
  ): AsyncGenerator<number, void, undefined> {
    const { language, task, ...rest } = options;
    const prompts = await this.#prompts(inputs, { language, task });
    yield* generateStream(this.#generative(), prompts, rest, this.#generationDefaults());
  }
  #generationDefaults(): GenerationConfig {
    return { pad_token_id: this.#layout.paddingToken, ...this.generationConfig };
  }
  async #prompts(inputs: Tensor | Seq2SeqGenerateInputs, speech: SpeechOptions): Promise<GenerateInputs> {
    const isAudio = this.#layout.audio !== undefined;
    const alone = (only: Tensor): Seq2SeqGenerateInputs => (isAudio ? { inputFeatures: only } : { inputIds: only });
    const given = 'shape' in inputs ? alone(inputs) : inputs;
    const { model_type: name } = this.config;
    const source = await sourceInputs(name, this.#layout, given, this.model.shared.weight.device);
    const rows = source.inputs[0]!.shape[0]!;
    const { decoder_start_token_id: own } = this.generationConfig as { readonly decoder_start_token_id?: number };
    const start = own ?? this.#layout.startToken;
    if (given.decoderInputIds !== undefined)
      return withSource(await decoderPrompts(name, given.decoderInputIds, start), source);
    if (!isAudio) {
      const option = speech.language === undefined ? 'task' : 'language';
      if (speech[option] !== undefined) throw invalid(option, speech[option], 'not set: this model reads text');
      return withSource(new Array<readonly number[]>(rows).fill([start]), source);
    }
    const { tokens, languages } = whisperPrompt(start, this.generationConfig, speech);
    const detected = languages && (await this.#detect(start, languages, source));
    return withSource(
      Array.from({ length: rows }, (_, row) => [start, ...(detected ? [detected[row]!] : []), ...tokens.slice(1)]),
      source,
    );
  }
  /** The most probable of these tokens after the start token, for each source. */
  async #detect(start: number, among: readonly number[], source: SourceInputs): Promise<readonly number[]> {
    const others = Array.from({ length: this.#layout.vocabulary }, (_, i) => i).filter(i => !among.includes(i));
    const rows = new Array<readonly number[]>(source.inputs[0]!.shape[0]!).fill([start]);
    const options = { maxNewTokens: 1, suppressTokens: others };
    const found = await generate(this.#generative(), withSource(rows, source), options, {});
    return (await hostRows(found)).map(row => row[1]!);
  }
  #generative(): GenerativeModel {
    const { vocabulary, decoder, headDim, maxPositions = Number.POSITIVE_INFINITY } = this.#layout;
    const { weight } = this.model.shared;
    return {
      module: this,
      name: this.config.model_type,
      device: weight.device,
      dtype: weight.dtype,
      vocabulary,
      layers: decoder.layers,
      keyHeads: decoder.heads,
      headDim,
      maxPositions,
      rotationsChangeAfter: undefined,
      positionInputs: (positions, rows, _, keys) => [this.model.decoder.positionInputs(positions, rows, keys)],
      forward: (ids, [positions], cache) => this.model.forwardCached(ids, positions!, cache),
      logits: hidden => this.head(hidden),
      encode: inputs => this.model.encodeForCache(inputs),
    };
  }

  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {FILE_UNREADABLE}
   */
  static async fromPretrained(
    directory: string,
    options: Seq2SeqFromPretrainedOptions = {},
  ): Promise<Seq2SeqForConditionalGeneration> {
    const file = join(directory, 'config.json');
    const { config: given, ...rest } = options;
    const own = seq2SeqConfig({ ...((await readConfigObject(file)) as Seq2SeqConfigInput), ...given }, file);
    const { names } = seq2SeqArchitecture(own.model_type, file);
    const [tokens, head] = ['model.shared.weight', 'lm_head.weight'].map(name => inFile(name, names(own)).names);
    const spellings = tokens!.flatMap(name => withAndWithout('model.', name));
    // The scale of the result stays that of a tied head.
    const config =
      own.tie_word_embeddings && (await isUntied(directory, rest, spellings, head![0]))
        ? {
            ...own,
            tie_word_embeddings: false,
            ...(seq2SeqLayout(own).outputScale !== 1 && { scale_decoder_outputs: true }),
          }
        : own;
    const model = init.skipInit(() => new Seq2SeqForConditionalGeneration(config));
    const { sinusoids } = seq2SeqLayout(config);
    const isOptional = (name: string): boolean =>
      name === 'final_logits_bias' || (sinusoids !== undefined && name.endsWith('.embed_positions.weight'));
    await loadDirectory(model, directory, { basePrefix: 'model.', rules: names(config), isOptional }, rest);
    model.generationConfig = await readGenerationConfig(directory, config);
    return model;
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return seq2SeqArchitecture(this.config.model_type, 'the configuration').names(this.config);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    const { className } = seq2SeqArchitecture(this.config.model_type, directory);
    const { inFiles = true } = this.#layout.sinusoids ?? {};
    const isLeftOut = (name: string): boolean => !inFiles && name.endsWith('.embed_positions.weight');
    await saveWeights(this, directory, this.tensorNames, isLeftOut);
    await writeConfigObject(join(directory, 'config.json'), className, this.config);
    await writeGenerationConfig(directory, this.generationConfig);
  }
}

/** First tokens of the decoder, all of the same length, with their sources. */
const withSource = (rows: readonly (readonly number[])[], source: SourceInputs): GenerateInputs => {
  const shape = [rows.length, rows[0]!.length];
  const inputIds = tensor(Int32Array.from(rows.flat()), { shape });
  const attentionMask = tensor(new Int32Array(inputIds.numel()).fill(1), { shape });
  return { inputIds, attentionMask, source };
};
