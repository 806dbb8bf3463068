// Linear layers with frozen quantized weights, as QLoRA uses them (Dettmers et al. 2023): the weights are dequantized on each
// use, and again in the backward pass, so that only one layer's weights are in f32 at a time; products of few rows widen them
// inside the multiply. Not for weights that are trained. Their formats: ../quantized/weight-formats.ts.
import { TrenioError } from '../../base/errors.ts';
import { byteSize } from '../../hlo/types.ts';
import { functional as F, Linear, Module, StateBuffer } from '../../nn/index.ts';
import { collectGarbage } from '../../runtime/execution/garbage.ts';
import { checkpoint, type Device, noGrad, type Tensor } from '../../tensor/index.ts';
import { fitsFormat, type Quantization, quantizations, quantized } from '../quantized/quantize.ts';
import {
  isInterleaved,
  type QuantizedWeights,
  type WeightFormat,
  widenedWeights,
} from '../quantized/weight-formats.ts';

export type { Quantization } from '../quantized/quantize.ts';

/**
 * A linear layer with frozen weights in 8 or 4 bits; see `quantizeWeights`.
 * @example
 * new QuantizedLinear(new nn.Linear(64, 8), 'nf4')(randn(3, 64)).shape // [3, 8]
 */
export class QuantizedLinear extends Module {
  /** The size of the last dim of the input. */
  readonly inFeatures: number;
  /** The size of the last dim of the output. */
  readonly outFeatures: number;
  /** The format of the weights. */
  readonly quantization: WeightFormat;
  /** The quantized weights, in the layout of `quantizedTypes`: int8, or bytes of two of 4 bits. */
  quantized: StateBuffer;
  /** The scale of each row or block of weights. */
  scales: StateBuffer;
  /** The bias, [out]; frozen. */
  bias: Linear['bias'];
  constructor(layer: Linear, quantization: Quantization);
  /** @internal */
  constructor(layer: Linear, quantization: WeightFormat, weights: QuantizedWeights);
  constructor(layer: Linear, quantization: WeightFormat, weights?: QuantizedWeights) {
    super();
    const [outputs, inputs] = layer.weight.shape as [number, number];
    this.inFeatures = inputs;
    this.outFeatures = outputs;
    this.quantization = quantization;
    const own = weights ?? quantizedMatrix(layer.weight, quantization as Quantization);
    this.quantized = new StateBuffer(own.quantized, { fresh: true });
    this.scales = new StateBuffer(own.scales, { fresh: true });
    this.bias = layer.bias;
    this.bias?.requiresGrad_(false);
  }
  /** @internal Whether 16 rows take turns in memory: their products have the same bits for any number of rows. */
  get isInterleaved(): boolean {
    return isInterleaved(this.quantization, this.outFeatures, this.inFeatures);
  }
  /** The device of the weights. */
  get device(): Device {
    return this.quantized.device;
  }
  /** The widened weights, f32 [out, in]. */
  get weight(): Tensor {
    return widenedWeights(this.quantization, this, this.outFeatures, this.inFeatures);
  }
  override forward(x: Tensor): Tensor {
    return checkpoint(() => F.linear(x, this.weight.to(x.dtype), this.bias?.to(x.dtype)), { tensors: [x] });
  }
  protected override extraRepr(): string {
    return `in_features=${this.inFeatures}, out_features=${this.outFeatures}, ${this.quantization}`;
  }
}

/** A matrix [out, in], rounded to a format. */
export const quantizedMatrix = (weight: Tensor, quantization: Quantization): QuantizedWeights =>
  noGrad(() => quantized[quantization](weight.to('f32')));

/** Options of `quantizeWeights`. */
export interface QuantizeOptions {
  /** Name suffixes of layers that are not quantized. Default: `lm_head`. */
  readonly skip?: readonly string[];
}

/**
 * Replaces the linear layers of a model by layers with frozen weights in 8 or 4 bits, for training an adapter (QLoRA) or for
 * inference. Embeddings, norms and the head keep their types; with `q8_0` and `q4_0` also layers whose sizes are not multiples of
 * 16 outputs and 32 inputs. Those two are the fastest, and their rows have the same bits for any number of rows.
 * @throws {INVALID_OPTION}
 * @throws {UNSUPPORTED} for a model that has an adapter
 * @example
 * const model = new nn.Sequential(new nn.Linear(64, 64), new nn.ReLU());
 * quantizeWeights(model, 'int8');
 * model(randn(2, 64)).shape // [2, 64]
 */
export function quantizeWeights<M extends Module>(
  model: M,
  quantization: Quantization,
  { skip = ['lm_head'] }: QuantizeOptions = {},
): M {
  checkQuantization('quantizeWeights', 'quantization', quantization);
  // Only the names: a layer that has been replaced is garbage.
  const names = [...model.namedModules()].map(([name]) => name);
  if (names.some(name => name.endsWith('.base_layer')))
    throw new TrenioError('UNSUPPORTED', {
      what: 'quantizeWeights',
      where: 'a model with an adapter',
      instead: 'quantize the weights first, then add the adapter',
    });
  const quantizeLayer = layerQuantizer(model, quantization, skip);
  for (const name of names) quantizeLayer(name);
  return model;
}

/** @throws {INVALID_OPTION} for another format */
export function checkQuantization(what: string, option: string, got: Quantization): void {
  if (!quantizations.includes(got))
    throw new TrenioError('INVALID_OPTION', { what, option, got: String(got), expected: quantizations.join(', ') });
}

/** The bytes of replaced weights after which garbage is collected: V8 would first let them double what is in use. */
const collectAfterBytes = 1 << 28;

/** A function that replaces the layer of this name, if it is a linear one that is not skipped. */
export function layerQuantizer(
  model: Module,
  quantization: Quantization,
  skip: readonly string[] = ['lm_head'],
): (name: string) => void {
  let replaced = 0;
  return name => {
    if (name === '' || skip.some(one => name === one || name.endsWith(`.${one}`))) return;
    const layer = model.getSubmodule(name);
    if (!(layer instanceof Linear && fitsFormat(quantization, layer.weight.shape))) return;
    model.setSubmodule(name, new QuantizedLinear(layer, quantization));
    replaced += byteSize(layer.weight.type);
    if (replaced < collectAfterBytes) return;
    replaced = 0;
    layer.weight.device.synchronize(); // queued work keeps its arguments
    collectGarbage();
  };
}
