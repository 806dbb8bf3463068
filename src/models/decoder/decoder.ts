// Decoder-only language models of all architectures in architectures.ts, with Hugging Face's files, for training, scoring and
// generation (../generation). B batch, T time (tokens), H width, V vocabulary.
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { GgufMetadata, isGgufPath, openGguf } from '../../data/gguf/gguf-file.ts';
import { type SequenceOrder, sequenceOrder } from '../../nn/functional/context-attention.ts';
import {
  Dropout,
  Embedding,
  functional as F,
  init,
  type LayerNorm,
  Linear,
  Module,
  ModuleList,
  type RMSNorm,
} from '../../nn/index.ts';
import { arange, type Tensor, tensor, userLocation } from '../../tensor/index.ts';
import {
  checkQuantization,
  layerQuantizer,
  type Quantization,
  QuantizedLinear,
  quantizedMatrix,
} from '../adapters/quantized-linear.ts';
import { readConfigObject, writeConfigObject } from '../config-file.ts';
import type { Cache } from '../generation/cache.ts';
import { type GenerateInputs, generate, generateStream } from '../generation/generate.ts';
import {
  type GenerateOptions,
  type GenerationConfig,
  generationConfig,
  readGenerationConfig,
  writeGenerationConfig,
} from '../generation/generate-options.ts';
import type { GenerativeModel, PositionInput } from '../generation/generative-model.ts';
import { ggufArchitecture, ggufConfig } from '../gguf/architectures.ts';
import { recommendedSampling } from '../gguf/generation.ts';
import { quantizeLayers } from '../gguf/quantized.ts';
import { ggufWeights } from '../gguf/weights.ts';
import { nextTokenLoss } from '../next-token-loss.ts';
import { isUntied, loadDirectory, type PretrainedOptions, saveWeights } from '../pretrained.ts';
import { PanelEmbedding, panelWeights } from '../quantized/panels.ts';
import { fitsFormat } from '../quantized/quantize.ts';
import { QuantizedEmbedding } from '../quantized/quantized-embedding.ts';
import { attentionScoresMask, type PackedInputs } from '../segments.ts';
import { TaskModel } from '../task-model.ts';
import { inFile, type NameRule, withAndWithout } from '../tensor-names.ts';
import { alibiBias } from './alibi.ts';
import { decoderArchitecture, decoderConfig, decoderLayout, decoderNames, withFields } from './architectures.ts';
import { type BlockInputs, DecoderBlock, linear, norm } from './block.ts';
import { DecoderExperts, routerLoss } from './experts.ts';
import type { DecoderConfig, DecoderConfigInput } from './fields.ts';
import type { DecoderLayout, LearnedPositions } from './layout.ts';
import type { RopeParameters } from './rope-parameters.ts';
import { RotaryEmbedding } from './rotary.ts';

/** The inputs of a decoder. */
export interface DecoderInputs extends PackedInputs {
  /** Token ids [B, T], integers. */
  readonly inputIds: Tensor;
  /** 1 for tokens, 0 for padding [B, T]; all ones by default. */
  readonly attentionMask?: Tensor | undefined;
  /** Receives the router logits of each layer with experts, whose `routerLoss` is then a part of the loss. */
  readonly routerLogits?: Tensor[] | undefined;
}

/**
 * A decoder without a head: token embeddings, blocks and the last norm.
 * @example
 * const tiny = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * new DecoderModel({ model_type: 'llama', ...tiny })(randint(0, 10, [2, 5])).shape // [2, 5, 8]
 */
export class DecoderModel extends Module {
  /** The configuration of the model. */
  readonly config: DecoderConfig;
  readonly #layout: DecoderLayout;
  /** One for each kind of rotation: layers share them. */
  readonly #rotary: ReadonlyMap<RopeParameters, RotaryEmbedding>;
  /** The embeddings of the tokens. */
  embed_tokens: Embedding;
  /** The embeddings of positions; undefined if they are embedded in another way. */
  embed_positions: Embedding | undefined;
  /** Projects token embeddings of another size. */
  project_in: Linear | undefined;
  /** Normalizes the embeddings. */
  embed_norm: LayerNorm | RMSNorm | undefined;
  /** Applied to the embeddings in training. */
  embed_dropout: Dropout;
  /** The blocks in order. */
  layers: ModuleList<DecoderBlock>;
  /** Normalizes the output of the last block. */
  norm: LayerNorm | RMSNorm | undefined;
  /** Projects hidden states to the size of token embeddings. */
  project_out: Linear | undefined;
  constructor(config: DecoderConfigInput) {
    super();
    this.config = decoderConfig(config);
    const layout = decoderLayout(this.config);
    this.#layout = layout;
    const ropes = new Set(layout.layers.flatMap(({ rope }) => rope ?? []));
    this.#rotary = new Map([...ropes].map(rope => [rope, new RotaryEmbedding(rope)]));
    const { positions, embeddingWidth, width, initializerRange: std } = layout;
    const isProjected = embeddingWidth !== width;
    this.embed_tokens = new Embedding(layout.vocabulary, embeddingWidth, { std });
    this.embed_positions = positions && new Embedding(positions.count + positions.offset, width, { std });
    this.project_in = isProjected ? linear(layout, embeddingWidth, width, false) : undefined;
    this.embed_norm = layout.embeddingNorm ? norm(layout) : undefined;
    this.embed_dropout = new Dropout(layout.dropout.embeddings);
    this.layers = new ModuleList(
      layout.layers.map(layer => {
        const { experts } = layer;
        return new DecoderBlock(layout, layer, experts && (() => new DecoderExperts(layout, experts)));
      }),
    );
    this.norm = layout.hasLastNorm ? norm(layout) : undefined;
    this.project_out = isProjected ? linear(layout, width, embeddingWidth, false) : undefined;
  }
  /**
   * Token ids [B, T], or inputs by name → hidden states [B, T, H].
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG}
   */
  override forward(inputs: Tensor | DecoderInputs): Tensor {
    const given: DecoderInputs = 'inputIds' in inputs ? inputs : { inputIds: inputs };
    const { inputIds, attentionMask, positionIds, segmentIds, routerLogits } = given;
    const check = (of: Tensor | undefined, what: string): void =>
      checkInputs(this.#layout, this.config.model_type, inputIds, of, what);
    check(attentionMask, 'attention mask');
    check(positionIds, 'tensor of positions');
    check(segmentIds, 'tensor of segments');
    const length = inputIds.shape[1]!;
    const { heads, positions } = this.#layout;
    const mask = attentionScoresMask(attentionMask, segmentIds);
    const alibi =
      this.#layout.alibi && tensor(alibiBias(this.#layout.alibi, heads, length), { shape: [1, heads, 1, length] });
    const learned =
      positions && (positionIds ?? defaultPositions(positions, inputIds, attentionMask)).add(positions.offset);
    // The loss of a router weighs its logits with the mask, in the order of the sequence.
    const isWeighed = routerLogits !== undefined && attentionMask !== undefined;
    const order = isWeighed ? undefined : sequenceOrder(inputIds.device, length);
    const inputsOf = (rope: RopeParameters | undefined): BlockInputs => {
      const rotations = rope && this.#rotary.get(rope)!.tableAt(positionIds, length);
      const isOrdered = order === undefined || rotations === undefined;
      return {
        mask,
        rotations: isOrdered ? rotations : { cos: order.rows(rotations.cos), sin: order.rows(rotations.sin) },
        alibi,
        routerLogits,
        order: order && 'headtail',
      };
    };
    return this.#run(inputIds, learned, inputsOf, order);
  }
  /** A model from a directory, with or without a head, or from a GGUF file; as `DecoderForCausalLM.fromPretrained`. */
  static async fromPretrained(directory: string, options: DecoderFromPretrainedOptions = {}): Promise<DecoderModel> {
    if (isGgufPath(directory)) return (await DecoderForCausalLM.fromPretrained(directory, options)).model;
    const { config, quantize, rest } = await readDecoder(directory, options);
    const model = init.skipInit(() => new DecoderModel(config));
    const rules = [...tiedNames(config, 'embed_tokens.weight'), ...decoderNames(config)];
    const { basePrefix = 'model.' } = decoderArchitecture(config.model_type, directory);
    await loadDirectory(model, directory, { basePrefix, rules, onModule: quantizer(model, quantize) }, rest);
    return model;
  }

  /** @internal The tokens that follow those in a cache: ids [B, T] → hidden states [B, T, H]. */
  forwardCached(ids: Tensor, inputs: readonly Tensor[], cache: Cache): Tensor {
    const { positions, alibi: hasAlibi } = this.#layout;
    const left = [...inputs];
    const learned = positions && left.shift();
    const alibi = hasAlibi && left.shift();
    const ropes = [...this.#rotary.keys()];
    return this.#run(ids, learned, (rope, layer) => {
      const at = 2 * (rope === undefined ? 0 : ropes.indexOf(rope));
      const own = rope && { cos: left[at]!, sin: left[at + 1]! };
      return { mask: undefined, rotations: own, alibi, cache: cache.layer(layer) };
    });
  }
  /**
   * @internal The inputs that depend on positions: the rows of learned embeddings [B, T], the bias of each key [1, heads, 1, S],
   * and the cosines and sines of each kind of rotation, [B, 1, T, dims / 2].
   */
  positionInputs(at: Int32Array, rows: number, longest: number, keys: number): readonly PositionInput[] {
    const { positions, heads } = this.#layout;
    const time = at.length / rows;
    const learned = positions && { data: at.map(position => position + positions.offset), shape: [rows, time] };
    const alibi = this.#layout.alibi && {
      data: alibiBias(this.#layout.alibi, heads, keys),
      shape: [1, heads, 1, keys],
    };
    const rotations = [...this.#rotary.values()].flatMap(rotary =>
      rotary.rows(at, longest).map(data => ({ data, shape: [rows, 1, time, data.length / at.length] })),
    );
    return [...(learned === undefined ? [] : [learned]), ...(alibi === undefined ? [] : [alibi]), ...rotations];
  }

  /** @param learned the rows of learned position embeddings [B, T] */
  #run(
    ids: Tensor,
    learned: Tensor | undefined,
    inputsOf: (rope: RopeParameters | undefined, layer: number) => BlockInputs,
    order?: SequenceOrder,
  ): Tensor {
    const { embeddingScale: scale } = this.#layout;
    const tokens = this.embed_tokens.forward(ids); // [B, T, H], or of the size of embeddings
    const projected = this.project_in === undefined ? tokens : this.project_in.forward(tokens);
    const scaled = scale === 1 ? projected : projected.mul(scale);
    const placed = learned === undefined ? scaled : scaled.add(this.embed_positions!.forward(learned));
    const embedded = this.embed_dropout.forward(
      this.embed_norm === undefined ? placed : this.embed_norm.forward(placed),
    );
    let x = order === undefined ? embedded : order.balanced(embedded);
    for (const [i, { rope }] of this.#layout.layers.entries()) x = this.layers[i]!.forward(x, inputsOf(rope, i));
    if (this.norm !== undefined) x = this.norm.forward(x);
    if (order !== undefined) x = order.natural(x);
    return this.project_out === undefined ? x : this.project_out.forward(x);
  }
}

/** The positions of tokens [B, T]: their places in the sequence, or among those that are not padding. */
function defaultPositions({ isCounted = false }: LearnedPositions, ids: Tensor, mask: Tensor | undefined): Tensor {
  if (isCounted && mask !== undefined) {
    const own = mask.to('i32');
    return own.cumsum(1).to('i32').mul(own).sub(1);
  }
  return arange(0, ids.shape[1]!, 1, { dtype: 'i32' }).expand(ids.shape);
}

function checkInputs(layout: DecoderLayout, name: string, ids: Tensor, mask: Tensor | undefined, what: string): void {
  const location = userLocation();
  const mismatch = (left: Tensor, right: string, detail: string): TrenioError =>
    new TrenioError('SHAPE_MISMATCH', { op: name, left: `[${left.shape.join(', ')}]`, right, detail }, { location });
  if (ids.ndim !== 2) throw mismatch(ids, '[B, T]', 'token ids have two dims, batch and time');
  const length = ids.shape[1]!;
  if (length > layout.maxPositions && layout.layers.every(layer => layer.rope?.kind !== 'dynamic'))
    throw new TrenioError('SEQUENCE_TOO_LONG', { length, positions: layout.maxPositions }, { location });
  if (mask !== undefined && (mask.ndim !== 2 || mask.shape.some((d, i) => d !== ids.shape[i])))
    throw mismatch(ids, `[${mask.shape.join(', ')}]`, `the ${what} has the shape of the token ids`);
}

/** Options of `fromPretrained` of decoders. */
export interface DecoderFromPretrainedOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `attention_dropout`. */
  readonly config?: Partial<DecoderConfigInput>;
  /** Quantizes each linear layer when it is loaded, as `quantizeWeights` does later: memory never has all weights unquantized. */
  readonly quantize?: Quantization;
}

/**
 * A decoder with the head that predicts the next token: Llama, Mistral, Mixtral, Qwen, Gemma, Phi, OLMo, GPT-NeoX, OPT,
 * BLOOM, Falcon and others by their `model_type`.
 * @example
 * const tiny = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * new DecoderForCausalLM({ model_type: 'qwen2', num_key_value_heads: 1, ...tiny })(randint(0, 10, [2, 5])).shape // [2, 5, 10]
 */
export class DecoderForCausalLM extends TaskModel<Tensor | DecoderInputs> {
  /** The configuration of the model. */
  readonly config: DecoderConfig;
  readonly #layout: DecoderLayout;
  /** The model without the head. */
  model: DecoderModel;
  /** The head; undefined if its weights are the token embeddings. */
  lm_head: Linear | undefined;
  /** Defaults of `generate`, from generation_config.json. */
  generationConfig: GenerationConfig = {};
  constructor(config: DecoderConfigInput) {
    super();
    this.config = decoderConfig(config);
    const layout = decoderLayout(this.config);
    this.#layout = layout;
    this.model = new DecoderModel(this.config);
    this.lm_head = layout.tied ? undefined : linear(layout, layout.embeddingWidth, layout.vocabulary, layout.bias.head);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | DecoderInputs): Tensor {
    return this.#logits(this.model.forward(inputs));
  }
  /** @internal */
  protected override lossOf(logits: Tensor, labels: Tensor, inputs: Tensor | DecoderInputs): Tensor {
    const loss = nextTokenLoss(logits.to('f32'), labels);
    if (!('inputIds' in inputs) || inputs.routerLogits === undefined) return loss;
    const { num_experts_per_tok: perToken = 1, router_aux_loss_coef: factor = 0 } = this.config;
    return loss.add(routerLoss(inputs.routerLogits, perToken, inputs.attentionMask).mul(factor));
  }
  /** @internal */
  get tiedNames(): Readonly<Record<string, string>> {
    return this.lm_head === undefined ? { 'lm_head.weight': 'model.embed_tokens.weight' } : {};
  }
  #logits(hidden: Tensor): Tensor {
    const logits = this.lm_head === undefined ? this.#tiedLogits(hidden) : this.lm_head.forward(hidden);
    const { logitSoftCap: cap, logitScale: scale } = this.#layout;
    const scaled = scale === 1 ? logits : logits.mul(scale);
    return cap === undefined ? scaled : scaled.div(cap).tanh().mul(cap);
  }

  #tiedLogits(hidden: Tensor): Tensor {
    const embeddings: Module = this.model.embed_tokens;
    if (embeddings instanceof PanelEmbedding) return embeddings.project(hidden);
    return F.linear(hidden, this.model.embed_tokens.weight);
  }

  /**
   * Returns the prompts followed by the generated tokens, [B, T + …]; the tokens match transformers' `generate`.
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   * @throws {SEQUENCE_TOO_LONG} if a prompt has more tokens than the model has positions
   * @throws {TOKEN_ID_OUT_OF_RANGE}
   */
  generate(inputs: Tensor | GenerateInputs, options: GenerateOptions = {}): Promise<Tensor> {
    return generate(this.generative(), inputs, options, this.generationConfig);
  }
  /**
   * Yields the tokens that follow one prompt, each as soon as it is chosen:
   * `for await (const token of model.generateStream(ids))`.
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   * @throws {SEQUENCE_TOO_LONG} if the prompt has more tokens than the model has positions
   * @throws {TOKEN_ID_OUT_OF_RANGE}
   */
  generateStream(
    inputs: Tensor | GenerateInputs,
    options: GenerateOptions = {},
  ): AsyncGenerator<number, void, undefined> {
    return generateStream(this.generative(), inputs, options, this.generationConfig);
  }
  /**
   * @internal Puts weights into panels, for inference: see `panelWeights`; with `quantization`, the weights of the head are
   * quantized, too. Returns what is in another form: its rows have other bits for another number of rows.
   */
  panelWeights(quantization?: Quantization): readonly string[] {
    if (quantization !== undefined) this.#quantizeHead();
    panelWeights(this, this.lm_head === undefined ? 'model.embed_tokens' : undefined);
    const rest: Readonly<Record<string, (module: Module) => boolean>> = {
      'weights that are quantized in another form than 16 interleaved rows': module =>
        (module instanceof QuantizedLinear || module instanceof QuantizedEmbedding) && !module.isInterleaved,
      experts: module => module instanceof DecoderExperts,
      'linear layers of another type than f32 and bf16': module => module instanceof Linear,
    };
    const modules = [...this.modules()];
    return Object.keys(rest).filter(what => modules.some(rest[what]!));
  }
  /** The head is more sensitive than other layers: it has 8 bits. */
  #quantizeHead(): void {
    const { lm_head: head, model } = this;
    const embeddings: Module = model.embed_tokens;
    const { weight } = head ?? model.embed_tokens;
    if (!fitsFormat('q8_0', weight.shape)) return;
    if (head instanceof Linear) this.setSubmodule('lm_head', new QuantizedLinear(head, 'q8_0'));
    else if (head === undefined && embeddings instanceof Embedding) {
      const [count, width] = weight.shape as [number, number];
      const table = new QuantizedEmbedding(count, width, 'q8_0', quantizedMatrix(weight, 'q8_0'));
      this.setSubmodule('model.embed_tokens', table);
    }
  }
  /** @internal What generates. */
  generative(): GenerativeModel {
    const { vocabulary, layers, keyHeads, headDim, maxPositions } = this.#layout;
    // Quantized weights have another type than what is computed with them.
    const { device, dtype } = this.model.norm?.weight ?? this.model.embed_tokens.weight;
    return {
      module: this,
      name: this.config.model_type,
      device,
      dtype,
      vocabulary,
      layers: layers.length,
      keyHeads,
      headDim,
      // Dynamic rotations stretch for longer sequences.
      maxPositions: layers.some(({ rope }) => rope?.kind === 'dynamic') ? Number.POSITIVE_INFINITY : maxPositions,
      rotationsChangeAfter: layers.find(({ rope }) => rope?.kind === 'longrope')?.rope?.originalPositions,
      positionInputs: (positions, rows, longest, keys) => this.model.positionInputs(positions, rows, longest, keys),
      forward: (ids, positions, cache) => this.model.forwardCached(ids, positions, cache),
      logits: hidden => this.#logits(hidden),
    };
  }

  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it, with or
   * without the head; or from a GGUF file, as llama.cpp writes it. Weights of Q8_0 and Q4_0 stay quantized in memory unless
   * `dtype` names the type to widen them to.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {MODEL_ARCHITECTURE_UNKNOWN}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {FILE_UNREADABLE}
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   * @throws {GGUF_INVALID}
   */
  static fromPretrained(directory: string, options: DecoderFromPretrainedOptions = {}): Promise<DecoderForCausalLM> {
    return loadCausalLM(config => new DecoderForCausalLM(config), directory, options);
  }
  /** @internal The names in files that differ from the model's. */
  get tensorNames(): readonly NameRule[] {
    return decoderNames(this.config);
  }
  /** Writes config.json and model.safetensors into a directory, each atomically. Every rank of a divided model must call it. */
  async savePretrained(directory: string): Promise<void> {
    const { className } = decoderArchitecture(this.config.model_type, directory);
    await saveWeights(this, directory, this.tensorNames);
    await writeConfigObject(join(directory, 'config.json'), className, this.config);
    await writeGenerationConfig(directory, this.generationConfig);
  }
}

/** A model of a directory or a GGUF file, of the class that `make` makes. */
export async function loadCausalLM<M extends DecoderForCausalLM>(
  make: (config: DecoderConfig) => M,
  directory: string,
  options: DecoderFromPretrainedOptions,
): Promise<M> {
  if (isGgufPath(directory)) return loadGguf(make, directory, options);
  const { config: own, quantize, rest } = await readDecoder(directory, options);
  const { basePrefix = 'model.' } = decoderArchitecture(own.model_type, directory);
  const config = await withHeadOf(directory, own, basePrefix, rest);
  const model = init.skipInit(() => make(config));
  const rules = [...tiedNames(config, 'model.embed_tokens.weight'), ...model.tensorNames];
  await loadDirectory(model, directory, { basePrefix, rules, onModule: quantizer(model, quantize) }, rest);
  model.generationConfig = await readGenerationConfig(directory, config);
  return model;
}

async function loadGguf<M extends DecoderForCausalLM>(
  make: (config: DecoderConfig) => M,
  path: string,
  { config: given, quantize, ...rest }: DecoderFromPretrainedOptions,
): Promise<M> {
  await using file = await openGguf(path);
  const config = decoderConfig({ ...(await ggufConfig(file)), ...given }, path);
  const model = init.skipInit(() => make(config));
  const names = model.tensorNames;
  const { heads, keyHeads } = decoderLayout(config);
  const weights = ggufWeights(file, ggufArchitecture(file).row, { heads, keyHeads }, rest.dtype !== undefined);
  quantizeLayers(model, weights.formats, names, 'model.');
  const onModule = quantizer(model, quantize);
  await loadDirectory(model, path, { basePrefix: 'model.', rules: names, onModule }, { weights, ...rest });
  const sampling = recommendedSampling(new GgufMetadata(file));
  model.generationConfig = generationConfig({ ...(await readGenerationConfig(path, config)), ...sampling }, path);
  return model;
}

/** The configuration of a directory, and the other options. */
export async function readDecoder(
  directory: string,
  { config: given = {}, quantize, ...rest }: DecoderFromPretrainedOptions,
) {
  const file = join(directory, 'config.json');
  const fields = (await readConfigObject(file)) as DecoderConfigInput;
  const config = decoderConfig(withFields(fields, given, file), file);
  return { config, quantize, rest };
}

/** The configuration, not tied if the weights are not. */
async function withHeadOf(
  directory: string,
  config: DecoderConfig,
  basePrefix: string,
  options: PretrainedOptions,
): Promise<DecoderConfig> {
  if (!config.tie_word_embeddings) return config;
  const [tokens, head] = ['model.embed_tokens.weight', 'lm_head.weight'].map(
    name => inFile(name, decoderNames(config)).names,
  );
  const spellings = tokens!.flatMap(name => withAndWithout(basePrefix, name));
  return (await isUntied(directory, options, spellings, head![0])) ? { ...config, tie_word_embeddings: false } : config;
}

/** Quantizes a model's layers by their names; undefined if `quantize` is. @throws {INVALID_OPTION} */
export function quantizer(model: Module, quantize: Quantization | undefined): ((name: string) => void) | undefined {
  if (quantize === undefined) return undefined;
  checkQuantization('fromPretrained', 'quantize', quantize);
  return layerQuantizer(model, quantize);
}

/** Some files have the token embeddings only under the name of the tied head. */
export const tiedNames = (config: DecoderConfig, embeddings: string): readonly NameRule[] =>
  config.tie_word_embeddings ? [{ file: [embeddings, 'lm_head.weight'], model: embeddings }] : [];
