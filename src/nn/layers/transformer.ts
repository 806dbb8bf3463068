// Transformers (Vaswani et al., 2017) with PyTorch's signatures and names of parameters.

import { checkCount, full, type Tensor } from '../../tensor/index.ts';
import { checkWord, requiredFirst, type Settings, settle } from '../../tensor/settings.ts';
import * as init from '../init.ts';
import { Module } from '../module/module.ts';
import { ModuleList } from './containers.ts';
import { Dropout } from './dropout-layers.ts';
import { Linear } from './layers.ts';
import { MultiheadAttention } from './multihead-attention.ts';
import { LayerNorm } from './normalization-layers.ts';

/** The activation of the feed-forward network. */
export type TransformerActivation = 'relu' | 'gelu' | ((x: Tensor) => Tensor);
/** Settings of encoder and decoder layers. N is the batch, L the length, E the width. */
export interface TransformerLayerSettings {
  /** The inner size of the feed-forward block. Default: 2048. */
  readonly dimFeedforward?: number;
  /** The dropout probability. Default: 0.1. */
  readonly dropout?: number;
  /** The activation of the feed-forward block. Default: `relu`. */
  readonly activation?: TransformerActivation;
  /** Added to the variance in layer norms. Default: 1e-5. */
  readonly layerNormEps?: number;
  /** [N, L, E] in place of [L, N, E]. */
  readonly batchFirst?: boolean;
  /** Normalizes before each part instead of after it. */
  readonly normFirst?: boolean;
  /** Whether there is a bias. */
  readonly bias?: boolean;
}
const layerOrder = [
  'dimFeedforward',
  'dropout',
  'activation',
  'layerNormEps',
  'batchFirst',
  'normFirst',
  'bias',
] as const;
/** The arguments of transformer layers after width and heads: in PyTorch's order, or by name. */
export type LayerArguments = Settings<TransformerLayerSettings, typeof layerOrder>;

function activationOf(call: string, activation: TransformerActivation): (x: Tensor) => Tensor {
  if (typeof activation === 'function') return activation;
  return checkWord(call, 'activation', activation, ['relu', 'gelu']) === 'relu' ? x => x.relu() : x => x.gelu();
}

/** Options of a call of `TransformerEncoder` and its layers. */
export interface EncoderOptions {
  /** [L, L] or [N · heads, L, L]: true where attention is not allowed, or numbers that are added to scores. */
  readonly mask?: Tensor | undefined;
  /** The same as `mask`: PyTorch's name in calls of a layer. */
  readonly srcMask?: Tensor | undefined;
  /** `[N, L]`, true where a position is padding. */
  readonly srcKeyPaddingMask?: Tensor | undefined;
  /** Whether each position only attends to itself and earlier ones. */
  readonly isCausal?: boolean;
}
const encoderNames = ['mask', 'srcKeyPaddingMask', 'isCausal'] as const;
/** The arguments of an encoder after its input: in PyTorch's order, or by name. */
export type EncoderArguments = Settings<EncoderOptions, typeof encoderNames>;
/**
 * Self-attention and two linear layers, each with dropout, a residual and a norm: [L, N, E] → [L, N, E].
 *
 *     const layer = new TransformerEncoderLayer(64, 8, { dimFeedforward: 256, batchFirst: true });
 *     const y = layer(x, { srcKeyPaddingMask: isPadding });
 *
 * @throws {INVALID_OPTION} where the heads do not divide the width
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = new nn.TransformerEncoderLayer(16, 4, { dimFeedforward: 32, batchFirst: true });
 * layer(randn(2, 5, 16)).shape // [2, 5, 16]
 */
export class TransformerEncoderLayer extends Module {
  /** The self-attention. */
  self_attn: MultiheadAttention;
  /** The first layer of the feed-forward block. */
  linear1: Linear;
  /** Applied inside the feed-forward block in training. */
  dropout: Dropout;
  /** The second layer of the feed-forward block. */
  linear2: Linear;
  /** The layer norm of the first block. */
  norm1: LayerNorm;
  /** The layer norm of the second block. */
  norm2: LayerNorm;
  /** Applied to the result of the first block in training. */
  dropout1: Dropout;
  /** Applied to the result of the second block in training. */
  dropout2: Dropout;
  /** Whether blocks normalize their input instead of their output. */
  readonly normFirst: boolean;
  readonly #activation: (x: Tensor) => Tensor;
  readonly #again: () => TransformerEncoderLayer;
  constructor(options: Readonly<Record<'dModel' | 'nhead', number>> & TransformerLayerSettings);
  constructor(dModel: number, nhead: number, ...rest: LayerArguments);
  constructor(...args: readonly unknown[]) {
    super();
    const call = 'TransformerEncoderLayer';
    const [dModel, nhead, ...rest] = requiredFirst(['dModel', 'nhead'], args) as [number, number, ...unknown[]];
    const given = settle<TransformerLayerSettings>(call, layerOrder, rest);
    const { dimFeedforward = 2048, dropout = 0.1, layerNormEps: eps = 1e-5, batchFirst = false, bias = true } = given;
    this.self_attn = new MultiheadAttention(dModel, nhead, { dropout, bias, batchFirst });
    this.linear1 = new Linear(dModel, dimFeedforward, { bias });
    this.dropout = new Dropout(dropout);
    this.linear2 = new Linear(dimFeedforward, dModel, { bias });
    this.norm1 = new LayerNorm(dModel, { eps, bias });
    this.norm2 = new LayerNorm(dModel, { eps, bias });
    this.dropout1 = new Dropout(dropout);
    this.dropout2 = new Dropout(dropout);
    this.normFirst = given.normFirst ?? false;
    this.#activation = activationOf(call, given.activation ?? 'relu');
    this.#again = () => new TransformerEncoderLayer(dModel, nhead, given);
  }
  /** @internal A separate layer with the same settings and values. */
  copy(): TransformerEncoderLayer {
    return copied(this, this.#again);
  }
  override forward(src: Tensor, ...rest: EncoderArguments): Tensor {
    const {
      srcMask,
      mask = srcMask,
      srcKeyPaddingMask,
      isCausal,
    } = settle<EncoderOptions>('TransformerEncoderLayer', encoderNames, rest, ['srcMask']);
    const attend = (x: Tensor): Tensor =>
      this.dropout1(
        this.self_attn(x, x, x, {
          attnMask: mask,
          keyPaddingMask: srcKeyPaddingMask,
          needWeights: false,
          isCausal: isCausal ?? false,
        })[0],
      );
    const feed = (x: Tensor): Tensor => this.dropout2(this.linear2(this.dropout(this.#activation(this.linear1(x)))));
    if (this.normFirst) {
      const x = src.add(attend(this.norm1(src)));
      return x.add(feed(this.norm2(x)));
    }
    const x = this.norm1(src.add(attend(src)));
    return this.norm2(x.add(feed(x)));
  }
}
function copied<M extends Module>(layer: M, again: () => M): M {
  const copy = init.skipInit(again);
  copy.loadStateDict(layer.stateDict());
  return copy;
}

/** The arguments of `TransformerEncoder` and `TransformerDecoder` by name. */
export interface StackOptions {
  /** The number of copies of the layer. */
  readonly numLayers: number;
  /** Normalizes the output of the last layer. */
  readonly norm?: LayerNorm | null | undefined;
  /** Accepted by `TransformerEncoder`, as in PyTorch: all tensors are dense. */
  readonly enableNestedTensor?: boolean;
}
function stackOf<L extends Module>(
  call: string,
  name: string,
  args: readonly unknown[],
): { readonly layer: L; readonly numLayers: number; readonly norm: LayerNorm | undefined } {
  const [layer, numLayers, ...rest] = requiredFirst([name, 'numLayers'], args) as [L, number, ...unknown[]];
  checkCount(call, 'numLayers', numLayers);
  const optional = [
    'norm',
    ...(name === 'encoderLayer' ? (['enableNestedTensor', 'maskCheck'] as const) : []),
  ] as const;
  const { norm } = settle<Record<string, unknown>>(call, optional, rest);
  return { layer, numLayers, norm: norm as LayerNorm | undefined };
}

/**
 * A stack of `numLayers` copies of a layer, followed by a norm if one is given.
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const layer = new nn.TransformerEncoderLayer(16, 4, { dimFeedforward: 32, batchFirst: true });
 * const encoder = new nn.TransformerEncoder(layer, 2);
 * encoder(randn(2, 5, 16)).shape // [2, 5, 16]
 */
export class TransformerEncoder extends Module {
  /** The layers in order. */
  layers: ModuleList<TransformerEncoderLayer>;
  /** Normalizes the output of the last layer; undefined for none. */
  norm: LayerNorm | undefined;
  constructor(options: StackOptions & { readonly encoderLayer: TransformerEncoderLayer });
  constructor(layer: TransformerEncoderLayer, options: StackOptions);
  constructor(layer: TransformerEncoderLayer, numLayers: number, norm?: LayerNorm | null, enableNestedTensor?: boolean);
  constructor(...args: readonly unknown[]) {
    super();
    const { layer, numLayers, norm } = stackOf<TransformerEncoderLayer>('TransformerEncoder', 'encoderLayer', args);
    this.layers = new ModuleList(Array.from({ length: numLayers }, () => layer.copy()));
    this.norm = norm;
  }
  override forward(src: Tensor, ...rest: EncoderArguments): Tensor {
    let x = src;
    for (const layer of this.layers) x = layer(x, ...rest);
    return this.norm === undefined ? x : this.norm(x);
  }
}

/** Options of a call of `TransformerDecoder` and its layers: masks of the target and of the memory. */
export interface DecoderOptions {
  /** Which positions of the target may attend to which: false or −∞ where not. */
  readonly tgtMask?: Tensor | undefined;
  /** Which positions of the memory the target may attend to. */
  readonly memoryMask?: Tensor | undefined;
  /** Marks the padding in the target, [batch, time]. */
  readonly tgtKeyPaddingMask?: Tensor | undefined;
  /** Marks the padding in the memory, [batch, time]. */
  readonly memoryKeyPaddingMask?: Tensor | undefined;
  /** Whether each target position only attends to itself and earlier ones. */
  readonly tgtIsCausal?: boolean;
  /** Whether each target position only attends to memory positions up to its own. */
  readonly memoryIsCausal?: boolean;
}
const decoderNames = [
  'tgtMask',
  'memoryMask',
  'tgtKeyPaddingMask',
  'memoryKeyPaddingMask',
  'tgtIsCausal',
  'memoryIsCausal',
] as const;
/** The arguments of a decoder after target and memory: in PyTorch's order, or by name. */
export type DecoderArguments = Settings<DecoderOptions, typeof decoderNames>;
/**
 * Self-attention, attention to the encoder's result, and two linear layers. Errors as `TransformerEncoderLayer`.
 * @example
 * const layer = new nn.TransformerDecoderLayer(16, 4, { dimFeedforward: 32, batchFirst: true });
 * layer(randn(2, 5, 16), randn(2, 7, 16)).shape // [2, 5, 16]
 */
export class TransformerDecoderLayer extends Module {
  /** The self-attention. */
  self_attn: MultiheadAttention;
  /** The attention to the memory. */
  multihead_attn: MultiheadAttention;
  /** The first layer of the feed-forward block. */
  linear1: Linear;
  /** Applied inside the feed-forward block in training. */
  dropout: Dropout;
  /** The second layer of the feed-forward block. */
  linear2: Linear;
  /** The layer norm of the first block. */
  norm1: LayerNorm;
  /** The layer norm of the second block. */
  norm2: LayerNorm;
  /** The layer norm of the third block. */
  norm3: LayerNorm;
  /** Applied to the result of the first block in training. */
  dropout1: Dropout;
  /** Applied to the result of the second block in training. */
  dropout2: Dropout;
  /** Applied to the result of the third block in training. */
  dropout3: Dropout;
  /** Whether blocks normalize their input instead of their output. */
  readonly normFirst: boolean;
  readonly #activation: (x: Tensor) => Tensor;
  readonly #again: () => TransformerDecoderLayer;
  constructor(options: Readonly<Record<'dModel' | 'nhead', number>> & TransformerLayerSettings);
  constructor(dModel: number, nhead: number, ...rest: LayerArguments);
  constructor(...args: readonly unknown[]) {
    super();
    const call = 'TransformerDecoderLayer';
    const [dModel, nhead, ...rest] = requiredFirst(['dModel', 'nhead'], args) as [number, number, ...unknown[]];
    const given = settle<TransformerLayerSettings>(call, layerOrder, rest);
    const { dimFeedforward = 2048, dropout = 0.1, layerNormEps: eps = 1e-5, batchFirst = false, bias = true } = given;
    this.self_attn = new MultiheadAttention(dModel, nhead, { dropout, bias, batchFirst });
    this.multihead_attn = new MultiheadAttention(dModel, nhead, { dropout, bias, batchFirst });
    this.linear1 = new Linear(dModel, dimFeedforward, { bias });
    this.dropout = new Dropout(dropout);
    this.linear2 = new Linear(dimFeedforward, dModel, { bias });
    this.norm1 = new LayerNorm(dModel, { eps, bias });
    this.norm2 = new LayerNorm(dModel, { eps, bias });
    this.norm3 = new LayerNorm(dModel, { eps, bias });
    this.dropout1 = new Dropout(dropout);
    this.dropout2 = new Dropout(dropout);
    this.dropout3 = new Dropout(dropout);
    this.normFirst = given.normFirst ?? false;
    this.#activation = activationOf(call, given.activation ?? 'relu');
    this.#again = () => new TransformerDecoderLayer(dModel, nhead, given);
  }
  /** @internal A separate layer with the same settings and values. */
  copy(): TransformerDecoderLayer {
    return copied(this, this.#again);
  }
  override forward(tgt: Tensor, memory: Tensor, ...rest: DecoderArguments): Tensor {
    const given = settle<DecoderOptions>('TransformerDecoderLayer', decoderNames, rest);
    const own = {
      attnMask: given.tgtMask,
      keyPaddingMask: given.tgtKeyPaddingMask,
      isCausal: given.tgtIsCausal ?? false,
    };
    const other = {
      attnMask: given.memoryMask,
      keyPaddingMask: given.memoryKeyPaddingMask,
      isCausal: given.memoryIsCausal ?? false,
    };
    const attend = (x: Tensor): Tensor => this.dropout1(this.self_attn(x, x, x, { ...own, needWeights: false })[0]);
    const look = (x: Tensor): Tensor =>
      this.dropout2(this.multihead_attn(x, memory, memory, { ...other, needWeights: false })[0]);
    const feed = (x: Tensor): Tensor => this.dropout3(this.linear2(this.dropout(this.#activation(this.linear1(x)))));
    if (this.normFirst) {
      const x = tgt.add(attend(this.norm1(tgt)));
      const y = x.add(look(this.norm2(x)));
      return y.add(feed(this.norm3(y)));
    }
    const x = this.norm1(tgt.add(attend(tgt)));
    const y = this.norm2(x.add(look(x)));
    return this.norm3(y.add(feed(y)));
  }
}
/**
 * A stack of `numLayers` copies of a layer, followed by a norm if one is given.
 * @example
 * const layer = new nn.TransformerDecoderLayer(16, 4, { dimFeedforward: 32, batchFirst: true });
 * new nn.TransformerDecoder(layer, 2)(randn(2, 5, 16), randn(2, 7, 16)).shape // [2, 5, 16]
 */
export class TransformerDecoder extends Module {
  /** The layers in order. */
  layers: ModuleList<TransformerDecoderLayer>;
  /** Normalizes the output of the last layer; undefined for none. */
  norm: LayerNorm | undefined;
  constructor(options: StackOptions & { readonly decoderLayer: TransformerDecoderLayer });
  constructor(layer: TransformerDecoderLayer, options: StackOptions);
  constructor(layer: TransformerDecoderLayer, numLayers: number, norm?: LayerNorm | null);
  constructor(...args: readonly unknown[]) {
    super();
    const { layer, numLayers, norm } = stackOf<TransformerDecoderLayer>('TransformerDecoder', 'decoderLayer', args);
    this.layers = new ModuleList(Array.from({ length: numLayers }, () => layer.copy()));
    this.norm = norm;
  }
  override forward(tgt: Tensor, memory: Tensor, ...rest: DecoderArguments): Tensor {
    let x = tgt;
    for (const layer of this.layers) x = layer(x, memory, ...rest);
    return this.norm === undefined ? x : this.norm(x);
  }
}

/** Settings of `Transformer`. */
export interface TransformerSettings extends TransformerLayerSettings {
  /** The number of features. Default: 512. */
  readonly dModel?: number;
  /** The number of attention heads. Default: 8. */
  readonly nhead?: number;
  /** The number of encoder layers. Default: 6. */
  readonly numEncoderLayers?: number;
  /** The number of decoder layers. Default: 6. */
  readonly numDecoderLayers?: number;
}
/** Options of a call of `Transformer`: masks of source, target and memory. */
export interface TransformerOptions extends DecoderOptions {
  /** Which positions of the source may attend to which. */
  readonly srcMask?: Tensor | undefined;
  /** Marks the padding in the source, [batch, time]. */
  readonly srcKeyPaddingMask?: Tensor | undefined;
  /** Whether each source position only attends to itself and earlier ones. */
  readonly srcIsCausal?: boolean;
}
const transformerNames = [
  'srcMask',
  'tgtMask',
  'memoryMask',
  'srcKeyPaddingMask',
  'tgtKeyPaddingMask',
  'memoryKeyPaddingMask',
  'srcIsCausal',
  'tgtIsCausal',
  'memoryIsCausal',
] as const;
const transformerOrder = ['dModel', 'nhead', 'numEncoderLayers', 'numDecoderLayers', ...layerOrder] as const;
/**
 * An encoder and a decoder: src [S, N, E], tgt [T, N, E] → [T, N, E].
 *
 *     const model = new Transformer({ dModel: 64, nhead: 4, numEncoderLayers: 2, numDecoderLayers: 2 });
 *     const y = model(src, tgt, { tgtMask: Transformer.generateSquareSubsequentMask(tgt.size(0)) });
 *
 * @throws {INVALID_OPTION} @throws {UNKNOWN_ARGUMENT}
 * @example
 * const model = new nn.Transformer({ dModel: 16, nhead: 4, numEncoderLayers: 1, numDecoderLayers: 1, batchFirst: true });
 * model(randn(2, 7, 16), randn(2, 5, 16)).shape // [2, 5, 16]
 */
export class Transformer extends Module {
  /** The encoder. */
  encoder: TransformerEncoder;
  /** The decoder. */
  decoder: TransformerDecoder;
  constructor(...rest: Settings<TransformerSettings, typeof transformerOrder>) {
    super();
    const given = settle<TransformerSettings>('Transformer', transformerOrder, rest);
    const { dModel = 512, nhead = 8, numEncoderLayers = 6, numDecoderLayers = 6, ...layer } = given;
    const norm = (): LayerNorm => new LayerNorm(dModel, { eps: layer.layerNormEps ?? 1e-5, bias: layer.bias ?? true });
    this.encoder = new TransformerEncoder(new TransformerEncoderLayer(dModel, nhead, layer), numEncoderLayers, norm());
    this.decoder = new TransformerDecoder(new TransformerDecoderLayer(dModel, nhead, layer), numDecoderLayers, norm());
    for (const parameter of this.parameters()) if (parameter.ndim > 1) init.xavierUniform_(parameter);
  }
  override forward(src: Tensor, tgt: Tensor, ...rest: Settings<TransformerOptions, typeof transformerNames>): Tensor {
    const given = settle<TransformerOptions>('Transformer', transformerNames, rest);
    const { srcMask, srcKeyPaddingMask, srcIsCausal = false, ...others } = given;
    const memory = this.encoder(src, { mask: srcMask, srcKeyPaddingMask, isCausal: srcIsCausal });
    return this.decoder(tgt, memory, others);
  }
  /** `[size, size]`, 0 up to the position, minus infinity after it. */
  static generateSquareSubsequentMask(size: number): Tensor {
    return full([size, size], -Infinity).where(full([size, size], 1).triu(1).bool(), 0);
  }
}
