// Linear layers with frozen quantized weights, as QLoRA uses them (Dettmers et al. 2023): the weights are dequantized on each
// use, and again in the backward pass, so that only one layer's weights are in f32 at a time. Not for weights that are trained.
//
//   int8   one scale per row:          weight = q · scale / 127
//   nf4    one scale per 64 weights:   weight = code[q] · scale, two 4-bit indices in a byte, the first one in the high bits
import { TrenioError } from '../../base/errors.ts';
import { functional as F, Linear, Module, StateBuffer } from '../../nn/index.ts';
import { checkpoint, type Device, noGrad, stack, type Tensor, tensor } from '../../tensor/index.ts';
import { Conv1D } from '../gpt2.ts';

export const quantizations = ['int8', 'nf4'] as const;
/** The formats of frozen weights. */
export type Quantization = (typeof quantizations)[number];

const blockSize = 64;
/** NormalFloat: the quantiles of a normal distribution between -1 and 1, from QLoRA's code. */
export const nf4Code: readonly number[] = [
  -1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
  -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
  0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1,
];

interface Quantized {
  readonly quantized: Tensor;
  readonly scales: Tensor;
}

/** The scale of weights that are all 0 is irrelevant, but must not be 0. */
const scalesOf = (rows: Tensor): Tensor => rows.abs().amax(1).clampMin(1e-30);

const formats: Readonly<
  Record<
    Quantization,
    {
      quantize(weight: Tensor): Quantized;
      dequantize(stored: Quantized, shape: readonly [number, number]): Tensor;
    }
  >
> = {
  int8: {
    quantize(weight) {
      const scales = scalesOf(weight);
      return { quantized: weight.div(scales.unsqueeze(1)).mul(127).round().to('int8'), scales };
    },
    dequantize: ({ quantized, scales }) => quantized.to('f32').mul(scales.div(127).unsqueeze(1)),
  },
  nf4: {
    quantize(weight) {
      const count = weight.numel();
      const flat = F.pad(weight.reshape(count), [0, (blockSize - (count % blockSize)) % blockSize]);
      const blocks = flat.reshape(-1, blockSize);
      const scales = scalesOf(blocks);
      const scaled = blocks.div(scales.unsqueeze(1));
      let index = scaled.mul(0).to('int32');
      for (let i = 1; i < nf4Code.length; i++)
        index = index.add(scaled.gt((nf4Code[i - 1]! + nf4Code[i]!) / 2).to('int32'));
      const pairs = index.reshape(-1, 2);
      return { quantized: pairs.select(1, 0).mul(16).add(pairs.select(1, 1)).to('uint8'), scales };
    },
    dequantize({ quantized, scales }, [outputs, inputs]) {
      const bytes = quantized.to('int32');
      const index = stack([bytes.bitwiseRightShift(4), bytes.bitwiseAnd(15)], 1).reshape(-1);
      const code = tensor(nf4Code, { device: quantized.device });
      const blocks = code.indexSelect(0, index).reshape(-1, blockSize).mul(scales.unsqueeze(1));
      return blocks
        .reshape(-1)
        .narrow(0, 0, outputs * inputs)
        .reshape(outputs, inputs);
    },
  },
};

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
  readonly quantization: Quantization;
  /** The quantized weights: int8 [out, in], or bytes with two of 4 bits each. */
  quantized: StateBuffer;
  /** The largest absolute value of each row or block of weights. */
  scales: StateBuffer;
  /** The bias, [out]; frozen. */
  bias: Linear['bias'];
  constructor(layer: Linear | Conv1D, quantization: Quantization) {
    super();
    const weight = layer instanceof Conv1D ? layer.weight.t() : layer.weight;
    const [outputs, inputs] = weight.shape as [number, number];
    this.inFeatures = inputs;
    this.outFeatures = outputs;
    this.quantization = quantization;
    const { quantized, scales } = noGrad(() => formats[quantization].quantize(weight.to('f32')));
    this.quantized = new StateBuffer(quantized, { fresh: true });
    this.scales = new StateBuffer(scales, { fresh: true });
    this.bias = layer.bias;
    this.bias?.requiresGrad_(false);
  }
  /** The device of the weights. */
  get device(): Device {
    return this.quantized.device;
  }
  /** The dequantized weights, f32 [out, in]. */
  get weight(): Tensor {
    const { quantized, scales } = this;
    return formats[this.quantization].dequantize({ quantized, scales: scales.to('f32') }, [
      this.outFeatures,
      this.inFeatures,
    ]);
  }
  override forward(x: Tensor): Tensor {
    return checkpoint(() => F.linear(x, this.weight.to(x.dtype), this.bias?.to(x.dtype)), { tensors: [x] });
  }
  protected override extraRepr(): string {
    return `in_features=${this.inFeatures}, out_features=${this.outFeatures}, ${this.quantization}`;
  }
}

/** Options of `quantizeWeights`. */
export interface QuantizeOptions {
  /** Name suffixes of layers that are not quantized. Default: `lm_head`. */
  readonly skip?: readonly string[];
}

/**
 * Replaces the linear layers of a model by layers with frozen weights in 8 or 4 bits, for training an adapter (QLoRA) or for
 * inference. Embeddings, norms and the head keep their types.
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
  if (!quantizations.includes(quantization)) {
    const data = {
      what: 'quantizeWeights',
      option: 'quantization',
      got: String(quantization),
      expected: 'int8 or nf4',
    };
    throw new TrenioError('INVALID_OPTION', data);
  }
  const named = [...model.namedModules()];
  if (named.some(([name]) => name.endsWith('.base_layer')))
    throw new TrenioError('UNSUPPORTED', {
      what: 'quantizeWeights',
      where: 'a model with an adapter',
      instead: 'quantize the weights first, then add the adapter',
    });
  for (const [name, layer] of named) {
    if (!(layer instanceof Linear || layer instanceof Conv1D)) continue;
    if (name === '' || skip.some(one => name === one || name.endsWith(`.${one}`))) continue;
    model.setSubmodule(name, new QuantizedLinear(layer, quantization));
  }
  return model;
}
