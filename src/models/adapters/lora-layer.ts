// A linear layer with a low-rank update: y = base(x) + scaling · B A x (LoRA, Hu et al. 2021), or with trained norms of the rows
// of the weights (DoRA, Liu et al. 2024). The base layer is frozen. I inputs, O outputs, R rank.
import { TrenioError } from '../../base/errors.ts';
import { Dropout, functional as F, init, Linear, Module, Parameter } from '../../nn/index.ts';
import { cat, type Device, device, noGrad, type Tensor } from '../../tensor/index.ts';
import { QuantizedLinear } from './quantized-linear.ts';

/** The sizes of a linear layer without weights: adapters can be read into it. */
export class LinearOutline extends Module {
  readonly inFeatures: number;
  readonly outFeatures: number;
  readonly device = device('interpreter');
  readonly bias = null;
  constructor(inFeatures: number, outFeatures: number) {
    super();
    this.inFeatures = inFeatures;
    this.outFeatures = outFeatures;
  }
  get weight(): Tensor {
    throw new TypeError('an outline has no weights');
  }
  override forward(): never {
    throw new TypeError('an outline has no weights');
  }
}

/** Layers that can be adapted. */
export type BaseLayer = Linear | QuantizedLinear | LinearOutline;
export const isBaseLayer = (module: Module): module is BaseLayer =>
  module instanceof Linear || module instanceof QuantizedLinear || module instanceof LinearOutline;

const deviceOf = (base: BaseLayer): Device => (base instanceof Linear ? base.weight.device : base.device);

/** Settings of a low-rank update. */
export interface LoraLayerSettings {
  /** The size of the dim between the two matrices. */
  readonly rank: number;
  /** The factor of the update. */
  readonly scaling: number;
  /** The probability of dropout on the input of the update. */
  readonly dropout: number;
  /** Trains the norms of the rows of the weights. */
  readonly useDora: boolean;
  /** See `LoraConfig`. */
  readonly init: boolean | string;
  /** @internal The layers that are one layer in files, and share an update; undefined for a single layer. */
  readonly joined?: JoinedLayers | undefined;
}

/** Layers of which files store the concatenation, such as Phi-3's `qkv_proj`. */
export interface JoinedLayers {
  /** The layers in their order in the file. */
  readonly bases: readonly BaseLayer[];
  /** The groups of rows in the file, each of which has a share of each layer: 1, or the number of heads in BLOOM. */
  readonly groups: number;
  /** The adapted first layer, whose update the others share. */
  readonly first: LoraLinear | undefined;
}

/**
 * A linear layer with a low-rank update; see `addAdapter`.
 * @example
 * const settings = { rank: 2, scaling: 1, dropout: 0, useDora: false, init: true };
 * new LoraLinear(new nn.Linear(4, 6), settings)(randn(3, 4)).shape // [3, 6]
 */
export class LoraLinear extends Module {
  /** The frozen layer. */
  base_layer: BaseLayer;
  /** [R, I] */
  lora_A: Linear;
  /** [O, R]; of joined layers, the rows of all, in the file's order. */
  lora_B: Linear;
  /** DoRA: the norms of the rows of the weights, [O]; of joined layers, those of all, in the file's order. */
  lora_magnitude_vector: Parameter | undefined;
  /** Dropout of the input of the update. */
  lora_dropout: Dropout;
  /** @internal Computes only the base layer. */
  isDisabled = false;
  readonly #scaling: number;
  /** The rows of this layer in each group of the matrices of joined layers. */
  readonly #rows: { readonly groups: number; readonly from: number; readonly count: number } | undefined;
  constructor(base: BaseLayer, settings: LoraLayerSettings) {
    super();
    const { rank, scaling, dropout, useDora, init: initial, joined } = settings;
    const { inFeatures: inputs, outFeatures: outputs } = base;
    const device = deviceOf(base);
    this.base_layer = base;
    this.lora_dropout = new Dropout(dropout);
    this.#scaling = scaling;
    const { bases, groups } = joined ?? { bases: [base], groups: 1 };
    const counts = bases.map(one => one.outFeatures);
    const before = counts.slice(0, bases.indexOf(base)).reduce((sum, n) => sum + n, 0);
    this.#rows = joined && { groups, from: before / groups, count: outputs / groups };
    if (joined?.first !== undefined) {
      this.lora_A = joined.first.lora_A;
      this.lora_B = joined.first.lora_B;
      this.lora_magnitude_vector = joined.first.lora_magnitude_vector;
      return;
    }
    const total = counts.reduce((sum, n) => sum + n, 0);
    this.lora_A = new Linear(inputs, rank, { bias: false }).to(device);
    this.lora_B = new Linear(rank, total, { bias: false }).to(device);
    if (initial === 'gaussian') init.normal_(this.lora_A.weight, 0, 1 / rank);
    if (initial !== false) init.zeros_(this.lora_B.weight);
    const norms = (): Tensor => {
      const parts = bases.map(one => one.weight.to('f32').reshape(groups, -1, inputs));
      const weights = cat(parts, 1).reshape(total, inputs);
      const update = this.lora_B.weight.matmul(this.lora_A.weight).mul(scaling);
      return weights.add(update).square().sum(1).sqrt();
    };
    this.lora_magnitude_vector = useDora ? new Parameter(noGrad(norms), { fresh: true }) : undefined;
  }

  /** The weight of the base layer. */
  get weight(): Tensor {
    return this.base_layer.weight;
  }
  /** The bias of the base layer. */
  get bias(): Tensor | null {
    return this.base_layer.bias;
  }

  /** The rows of this layer in a tensor of joined layers. */
  #own(rows: Tensor): Tensor {
    if (this.#rows === undefined) return rows;
    const { groups, from, count } = this.#rows;
    if (groups === 1) return rows.narrow(0, from, count);
    const [total, ...rest] = rows.shape as [number, ...number[]];
    return rows
      .reshape(groups, total / groups, ...rest)
      .narrow(1, from, count)
      .reshape(groups * count, ...rest);
  }
  /** scaling · B A, [O, I] */
  #update(): Tensor {
    return this.#own(this.lora_B.weight).matmul(this.lora_A.weight).mul(this.#scaling);
  }
  /** @internal The matrices of the update, A [R, I] and B [O, R], which are still to be multiplied by the scaling. */
  factors(): { readonly a: Tensor; readonly b: Tensor; readonly scaling: number } {
    return { a: this.lora_A.weight, b: this.#own(this.lora_B.weight), scaling: this.#scaling };
  }
  /** The norms of the rows of the adapted weights, [O]: constants to the gradient. */
  #norms(): Tensor {
    const adapted = this.base_layer.weight.detach().to('f32').add(this.#update().detach());
    return adapted.square().sum(1).sqrt();
  }

  /** [..., I] → [..., O] */
  override forward(x: Tensor): Tensor {
    const base = this.base_layer.forward(x);
    if (this.isDisabled) return base;
    const input = this.lora_dropout.forward(x.to(this.lora_A.weight.dtype));
    const update = F.linear(this.lora_A.forward(input), this.#own(this.lora_B.weight)).mul(this.#scaling);
    const wide = base.to(update.dtype);
    if (this.lora_magnitude_vector === undefined) return wide.add(update).to(base.dtype);
    const factor = this.#own(this.lora_magnitude_vector).div(this.#norms());
    const isDropped = this.training && this.lora_dropout.p > 0;
    const { bias } = this.base_layer;
    const linear = isDropped
      ? input.matmul(this.base_layer.weight.detach().to(update.dtype).t())
      : bias === null
        ? wide
        : wide.sub(bias);
    return wide
      .add(linear.mul(factor.sub(1)))
      .add(update.mul(factor))
      .to(base.dtype);
  }

  /** Adds the update to the weights of the base layer, and returns the base layer. */
  merge(): BaseLayer {
    if (this.base_layer instanceof QuantizedLinear)
      throw new TrenioError('UNSUPPORTED', {
        what: 'merging an adapter',
        where: 'a model with quantized weights',
        instead: 'save the adapter, and load it into the model without quantization',
      });
    const { weight } = this.base_layer;
    noGrad(() => {
      let adapted = this.base_layer.weight.to('f32').add(this.#update());
      const magnitude = this.lora_magnitude_vector;
      if (magnitude !== undefined) adapted = adapted.mul(this.#own(magnitude).div(this.#norms()).reshape(-1, 1));
      weight.copy_(adapted.to(weight.dtype));
    });
    return this.base_layer;
  }
}
