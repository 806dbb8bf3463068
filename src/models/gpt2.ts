// GPT-2 (Radford et al., 2019) with Hugging Face's configuration and parameter names, so that its checkpoints load and
// ours load there. Pre-norm decoder, tanh GELU, learned positions, the head shares its weights with the token embedding.
// For training, scoring and generation (generation/). B batch, T time (tokens), H width, V vocabulary.
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { literal } from '../hlo/literal.ts';
import { shapeOf } from '../hlo/program.ts';
import {
  Dropout,
  Embedding,
  functional as F,
  init,
  LayerNorm,
  type Linear,
  Module,
  ModuleList,
  mergeHeads,
  Parameter,
  splitHeads,
} from '../nn/index.ts';
import { record, type Tensor, userLocation, zeros } from '../tensor/index.ts';
import { activationOf } from './activations.ts';
import { type GenerateInputs, generate, generateStream } from './generation/generate.ts';
import type { GenerativeModel } from './generation/generative-model.ts';
import type { CacheStep, LayerCache } from './generation/kv-cache.ts';
import {
  type GenerateOptions,
  type GenerationConfig,
  readGenerationConfig,
  writeGenerationConfig,
} from './generation/options.ts';
import { type Gpt2Config, type Gpt2ConfigInput, gpt2Config, readGpt2Config, writeGpt2Config } from './gpt2-config.ts';
import { normalLinear } from './layers.ts';
import { isUntied, loadDirectory, type PretrainedOptions, saveWeights } from './pretrained.ts';
import { attentionScoresMask, type PackedInputs } from './segments.ts';
import { TaskModel } from './task-model.ts';
import { type NameRule, withAndWithout } from './tensor-names.ts';

/** The inputs of GPT-2 models. */
export interface Gpt2Inputs extends PackedInputs {
  /** Token ids [B, T], integers. */
  readonly inputIds: Tensor;
  /** 1 for tokens, 0 for padding [B, T]; all ones by default. */
  readonly attentionMask?: Tensor | undefined;
}

/**
 * A linear layer whose weight is [in, out], the transpose of `nn.Linear`'s, as in GPT-2's checkpoints.
 * @example
 * new Conv1D(4, 6, 0.02)(randn(2, 4)).shape // [2, 6]
 */
export class Conv1D extends Module {
  /** [in, out] */
  weight: Parameter;
  /** The bias, [out]. */
  bias: Parameter;
  constructor(inFeatures: number, outFeatures: number, std: number) {
    super();
    this.weight = new Parameter(init.normal([inFeatures, outFeatures], 0, std), { fresh: true });
    this.bias = new Parameter(zeros([outFeatures]), { fresh: true });
  }
  override forward(x: Tensor): Tensor {
    return x.matmul(this.weight).add(this.bias);
  }
  protected override extraRepr(): string {
    return this.weight.shape.join(', ');
  }
}

/** Layers that add to the residual stream have smaller initial weights, so that its variance does not grow with depth. */
const residualStd = (config: Gpt2Config): number => config.initializer_range / Math.sqrt(2 * config.n_layer);

const norm = (config: Gpt2Config): LayerNorm => new LayerNorm(config.n_embd, { eps: config.layer_norm_epsilon });

/**
 * Causal attention with its projections.
 * @example
 * const config = gpt2Config({ n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 10, n_positions: 16 });
 * new Gpt2Attention(config)(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class Gpt2Attention extends Module {
  /** The configuration of the model. */
  readonly config: Gpt2Config;
  /** Projects to queries, keys and values. */
  c_attn: Conv1D;
  /** Projects the result. */
  c_proj: Conv1D;
  /** Applied to the result in training. */
  resid_dropout: Dropout;
  readonly #scale: number | undefined;
  /** @param layer the number of the layer, counted from 0 */
  constructor(config: Gpt2Config, layer = 0) {
    super();
    this.config = config;
    const { scale_attn_weights: isScaled, scale_attn_by_inverse_layer_idx: byLayer } = config;
    const usual = isScaled ? (config.n_embd / config.n_head) ** -0.5 : 1;
    this.#scale = isScaled && !byLayer ? undefined : usual / (byLayer ? layer + 1 : 1);
    this.c_attn = new Conv1D(config.n_embd, 3 * config.n_embd, config.initializer_range);
    this.c_proj = new Conv1D(config.n_embd, config.n_embd, residualStd(config));
    this.resid_dropout = new Dropout(config.resid_pdrop);
  }
  override forward(x: Tensor, mask: Tensor | undefined, cache?: LayerCache): Tensor {
    const { n_embd, n_head, attn_pdrop } = this.config;
    const [q, k, v] = this.c_attn
      .forward(x) // [B, T, 3 · H]
      .split(n_embd, 2)
      .map(part => splitHeads(part, n_head)) as [Tensor, Tensor, Tensor];
    const dropout = this.training ? attn_pdrop : 0;
    const scale = this.#scale === undefined ? {} : { scale: this.#scale };
    const mixed =
      cache?.attend(q, k, v, scale) ??
      F.scaledDotProductAttention(q, k, v, { mask, isCausal: true, dropout, ...scale });
    return this.resid_dropout.forward(this.c_proj.forward(mergeHeads(mixed)));
  }
}

/**
 * The feed-forward network of a block.
 * @example
 * const config = gpt2Config({ n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 10, n_positions: 16 });
 * new Gpt2Mlp(config)(randn(2, 5, 8)).shape // [2, 5, 8]
 */
export class Gpt2Mlp extends Module {
  readonly #activation: (x: Tensor) => Tensor;
  /** Projects to the inner size. */
  c_fc: Conv1D;
  /** Projects to the hidden size. */
  c_proj: Conv1D;
  /** Applied to the result in training. */
  dropout: Dropout;
  constructor(config: Gpt2Config) {
    super();
    const inner = config.n_inner ?? 4 * config.n_embd;
    this.#activation = activationOf(config.activation_function);
    this.c_fc = new Conv1D(config.n_embd, inner, config.initializer_range);
    this.c_proj = new Conv1D(inner, config.n_embd, residualStd(config));
    this.dropout = new Dropout(config.resid_pdrop);
  }
  override forward(x: Tensor): Tensor {
    return this.dropout.forward(this.c_proj.forward(this.#activation(this.c_fc.forward(x))));
  }
}

/**
 * One block of GPT-2: norm and attention, norm and feed-forward network, each with a residual connection.
 * @example
 * const config = gpt2Config({ n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 10, n_positions: 16 });
 * new Gpt2Block(config)(randn(2, 5, 8), undefined).shape // [2, 5, 8]
 */
export class Gpt2Block extends Module {
  /** Normalizes the input of the attention. */
  ln_1: LayerNorm;
  /** The causal self-attention. */
  attn: Gpt2Attention;
  /** Normalizes the input of the feed-forward block. */
  ln_2: LayerNorm;
  /** The feed-forward block. */
  mlp: Gpt2Mlp;
  /** @param layer the number of the block, counted from 0 */
  constructor(config: Gpt2Config, layer = 0) {
    super();
    this.ln_1 = norm(config);
    this.attn = new Gpt2Attention(config, layer);
    this.ln_2 = norm(config);
    this.mlp = new Gpt2Mlp(config);
  }
  override forward(x: Tensor, mask: Tensor | undefined, cache?: LayerCache): Tensor {
    const attended = x.add(this.attn.forward(this.ln_1.forward(x), mask, cache));
    return attended.add(this.mlp.forward(this.ln_2.forward(attended)));
  }
}

/**
 * GPT-2 without a head: embeddings, blocks and the last norm.
 * @example
 * const config = gpt2Config({ n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 10, n_positions: 16 });
 * new GPT2Model(config)(randint(0, 10, [2, 5])).shape // [2, 5, 8]
 */
export class GPT2Model extends Module {
  /** The configuration of the model. */
  readonly config: Gpt2Config;
  /** The embeddings of the tokens. */
  wte: Embedding;
  /** The embeddings of the positions. */
  wpe: Embedding;
  /** Applied to the embeddings in training. */
  drop: Dropout;
  /** The blocks in order. */
  h: ModuleList<Gpt2Block>;
  /** Normalizes the output of the last block. */
  ln_f: LayerNorm;
  constructor(config: Gpt2ConfigInput = {}) {
    super();
    this.config = gpt2Config(config);
    const { vocab_size, n_positions, n_embd, n_layer, embd_pdrop, initializer_range: std } = this.config;
    this.wte = new Embedding(vocab_size, n_embd, { std });
    this.wpe = new Embedding(n_positions, n_embd, { std });
    this.drop = new Dropout(embd_pdrop);
    this.h = new ModuleList(Array.from({ length: n_layer }, (_, i) => new Gpt2Block(this.config, i)));
    this.ln_f = norm(this.config);
  }
  /**
   * Token ids [B, T], or inputs by name → hidden states [B, T, H].
   * @throws {SHAPE_MISMATCH}
   * @throws {SEQUENCE_TOO_LONG}
   */
  override forward(inputs: Tensor | Gpt2Inputs): Tensor {
    const given: Gpt2Inputs = 'inputIds' in inputs ? inputs : { inputIds: inputs };
    const { inputIds, attentionMask, positionIds, segmentIds } = given;
    checkInputs(this.config, inputIds, attentionMask, 'attention mask');
    checkInputs(this.config, inputIds, positionIds, 'tensor of positions');
    checkInputs(this.config, inputIds, segmentIds, 'tensor of segments');
    const mask = attentionScoresMask(attentionMask, segmentIds);
    const positions = positionIds
      ? this.wpe.forward(positionIds) // [B, T, H]
      : this.wpe.weight.narrow(0, 0, inputIds.shape[1]!); // [T, H]
    let x = this.drop.forward(this.wte.forward(inputIds).add(positions)); // [B, T, H]
    for (const block of this.h) x = block.forward(x, mask);
    return this.ln_f.forward(x);
  }
  /** A model from a directory, with or without a head; as `GPT2LMHeadModel.fromPretrained`. */
  static async fromPretrained(directory: string, options: Gpt2FromPretrainedOptions = {}): Promise<GPT2Model> {
    const { config: given, ...rest } = options;
    const config = gpt2Config({ ...(await readGpt2Config(join(directory, 'config.json'))), ...given });
    const model = init.skipInit(() => new GPT2Model(config));
    const rules = gpt2TiedNames(config, 'wte.weight');
    await loadDirectory(model, directory, { basePrefix: 'transformer.', rules }, rest);
    return model;
  }
  /** @internal The tokens that follow those in a cache: ids and positions [B, T] → hidden states [B, T, H]. */
  forwardCached(ids: Tensor, positions: Tensor, cache: CacheStep): Tensor {
    let x = this.drop.forward(this.wte.forward(ids).add(this.wpe.forward(positions)));
    for (const [i, block] of [...this.h].entries()) x = block.forward(x, undefined, cache.layer(i));
    return this.ln_f.forward(x);
  }
}

function checkInputs(config: Gpt2Config, ids: Tensor, mask: Tensor | undefined, what: string): void {
  const location = userLocation();
  const mismatch = (left: Tensor, right: string, detail: string): TrenioError =>
    new TrenioError('SHAPE_MISMATCH', { op: 'GPT-2', left: `[${left.shape.join(', ')}]`, right, detail }, { location });
  if (ids.ndim !== 2) throw mismatch(ids, '[B, T]', 'token ids have two dims, batch and time');
  const length = ids.shape[1]!;
  if (length > config.n_positions)
    throw new TrenioError('SEQUENCE_TOO_LONG', { length, positions: config.n_positions }, { location });
  if (mask !== undefined && (mask.ndim !== 2 || mask.shape.some((d, i) => d !== ids.shape[i])))
    throw mismatch(ids, `[${mask.shape.join(', ')}]`, `the ${what} has the shape of the token ids`);
}

/** Options of `fromPretrained` of GPT-2. */
export interface Gpt2FromPretrainedOptions extends PretrainedOptions {
  /** Fields that replace those of config.json, such as `attn_pdrop`. */
  readonly config?: Gpt2ConfigInput;
}

/**
 * GPT-2 with the head that predicts the next token.
 * @example
 * const config = gpt2Config({ n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 10, n_positions: 16 });
 * new GPT2LMHeadModel(config)(randint(0, 10, [2, 5])).shape // [2, 5, 10]
 */
export class GPT2LMHeadModel extends TaskModel<Tensor | Gpt2Inputs> {
  /** The configuration of the model. */
  readonly config: Gpt2Config;
  /** The model without the language-model head. */
  transformer: GPT2Model;
  /** The head; undefined if its weights are the token embeddings. */
  lm_head: Linear | undefined;
  /** Defaults of `generate`, from generation_config.json. */
  generationConfig: GenerationConfig = {};
  constructor(config: Gpt2ConfigInput = {}) {
    super();
    this.config = gpt2Config(config);
    this.transformer = new GPT2Model(this.config);
    const { n_embd, vocab_size, initializer_range: std, tie_word_embeddings: isTied } = this.config;
    this.lm_head = isTied ? undefined : normalLinear(std, n_embd, vocab_size, false);
  }
  /** @internal */
  protected override logitsOf(inputs: Tensor | Gpt2Inputs): Tensor {
    return this.#logits(this.transformer.forward(inputs));
  }
  /** @internal */
  protected override lossOf(logits: Tensor, labels: Tensor): Tensor {
    return nextTokenLoss(logits.to('f32'), labels);
  }
  /** @internal */
  get tiedNames(): Readonly<Record<string, string>> {
    return this.lm_head === undefined ? { 'lm_head.weight': 'transformer.wte.weight' } : {};
  }
  #logits(hidden: Tensor): Tensor {
    return this.lm_head?.forward(hidden) ?? F.linear(hidden, this.transformer.wte.weight);
  }

  /**
   * Returns the prompts followed by the generated tokens, [B, T + …]; the tokens match transformers' `generate`.
   * @throws {INVALID_OPTION}
   * @throws {NO_SUCH_OPTION}
   * @throws {SEQUENCE_TOO_LONG} if a prompt has more tokens than the model has positions
   * @throws {TOKEN_ID_OUT_OF_RANGE}
   */
  generate(inputs: Tensor | GenerateInputs, options: GenerateOptions = {}): Promise<Tensor> {
    return generate(this.#generative(), inputs, options, this.generationConfig);
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
    return generateStream(this.#generative(), inputs, options, this.generationConfig);
  }
  #generative(): GenerativeModel {
    const { vocab_size, n_layer, n_head, n_embd, n_positions } = this.config;
    const { weight } = this.transformer.wte;
    return {
      module: this,
      name: 'gpt2',
      device: weight.device,
      dtype: weight.dtype,
      vocabulary: vocab_size,
      layers: n_layer,
      keyHeads: n_head,
      headDim: n_embd / n_head,
      maxPositions: n_positions,
      rotationsChangeAfter: undefined,
      positionInputs: (data, rows) => [{ data, shape: [rows, data.length / rows] }],
      forward: (ids, [positions], cache) => this.transformer.forwardCached(ids, positions!, cache),
      logits: hidden => this.#logits(hidden),
    };
  }

  /**
   * A model from a directory with config.json and model.safetensors (or its shards), as Hugging Face writes it, with or
   * without the head.
   * @throws {MODEL_CONFIG_INVALID}
   * @throws {SAFETENSORS_INVALID}
   * @throws {WEIGHTS_MISMATCH} (a tensor of another shape)
   * @throws {FILE_UNREADABLE}
   * @throws {WEIGHTS_MISSING} (a tensor is missing)
   */
  static async fromPretrained(directory: string, options: Gpt2FromPretrainedOptions = {}): Promise<GPT2LMHeadModel> {
    const { config: given, ...rest } = options;
    const own = gpt2Config({ ...(await readGpt2Config(join(directory, 'config.json'))), ...given });
    const tokens = 'transformer.wte.weight';
    const untied =
      own.tie_word_embeddings &&
      (await isUntied(directory, rest, withAndWithout('transformer.', tokens), 'lm_head.weight'));
    const config = untied ? { ...own, tie_word_embeddings: false } : own;
    const model = init.skipInit(() => new GPT2LMHeadModel(config));
    const rules = gpt2TiedNames(config, tokens);
    await loadDirectory(model, directory, { basePrefix: 'transformer.', rules }, rest);
    model.generationConfig = await readGenerationConfig(directory, config);
    return model;
  }
  /** Writes config.json and model.safetensors into a directory, each of them atomically. */
  async savePretrained(directory: string): Promise<void> {
    await saveWeights(this, directory);
    await writeGpt2Config(join(directory, 'config.json'), this.config);
    await writeGenerationConfig(directory, this.generationConfig);
  }
}

/** Some files have the token embeddings only under the name of the tied head. */
export const gpt2TiedNames = ({ tie_word_embeddings: isTied }: Gpt2Config, embeddings: string): readonly NameRule[] =>
  isTied ? [{ file: [embeddings, 'lm_head.weight'], model: embeddings }] : [];

/** Labels with this value are ignored. */
const ignored = -100;

/**
 * The mean cross entropy of predicting labels[t + 1] from logits[t]: logits [B, T, V], labels [B, T] (usually the token ids
 * themselves) → a number. Labels of -100 are ignored.
 * @throws {SHAPE_MISMATCH}
 * @example
 * nextTokenLoss(zeros(1, 3, 4), tensor([[0, 1, 2]], { dtype: 'int64' })) // 1.3862…
 */
export function nextTokenLoss(logits: Tensor, labels: Tensor): Tensor {
  const [batch, time, vocabulary] = logits.shape;
  if (logits.ndim !== 3 || labels.ndim !== 2 || labels.shape[0] !== batch || labels.shape[1] !== time) {
    const [left, right] = [logits, labels].map(t => `[${t.shape.join(', ')}]`) as [string, string];
    const detail = 'logits are [B, T, V] and labels [B, T]';
    throw new TrenioError('SHAPE_MISMATCH', { op: 'nextTokenLoss', left, right, detail }, { location: userLocation() });
  }
  // Shifts the labels instead of the logits, which are much larger.
  const next = record('nextToken', [labels], (b, [ids]) => {
    const fill = b.constant(literal(labels.type.elementType, [], [ignored]));
    const shifted = b.pad(b.slice(ids!, [0, 1], shapeOf(ids!)), fill, [0, 0], [0, 1]); // [B, T]
    return b.reshape(shifted, [batch! * time!]);
  });
  return F.crossEntropy(logits.reshape(batch! * time!, vocabulary!), next);
}
