// Rounds matrices to the nearest weights of a format, in the layout of weight-formats.ts.
import { functional as F } from '../../nn/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import { interleaved, isInterleaved, nf4Code, type QuantizedWeights, quantizedTypes } from './weight-formats.ts';

export const quantizations = ['int8', 'nf4', 'q8_0', 'q4_0'] as const;
/** The formats that matrices can be rounded to: `int8`, `nf4` of QLoRA, and `q8_0` and `q4_0` of GGUF. */
export type Quantization = (typeof quantizations)[number];

const nf4Block = 64;
const ggufBlock = 32;

/** The scale of weights that are all 0 is irrelevant, but must not be 0. */
const notZero = (scale: Tensor): Tensor => scale.where(scale.ne(0), 1e-30);
const largestOf = (rows: Tensor): Tensor => notZero(rows.abs().amax(1));

/** Whether a matrix has whole blocks: only such ones can be rounded to `q8_0` and `q4_0`. */
export const fitsFormat = (quantization: Quantization, [rows, width]: readonly number[]): boolean =>
  quantization === 'int8' || quantization === 'nf4' || isInterleaved(quantization, rows!, width!);

/** Rounds weights [out, in] to the nearest values of a format. */
export const quantized: Readonly<Record<Quantization, (weight: Tensor) => QuantizedWeights>> = {
  int8(weight) {
    const largest = largestOf(weight);
    return { quantized: weight.div(largest.unsqueeze(1)).mul(127).round().to('int8'), scales: largest.div(127) };
  },
  nf4(weight) {
    const [rows, width] = weight.shape as [number, number];
    const types = quantizedTypes('nf4', rows, width);
    const count = weight.numel();
    const flat = F.pad(weight.reshape(count), [0, (nf4Block - (count % nf4Block)) % nf4Block]);
    const blocks = flat.reshape(-1, nf4Block);
    const scales = largestOf(blocks);
    const scaled = blocks.div(scales.unsqueeze(1));
    let index = scaled.mul(0).to('int32');
    for (let i = 1; i < nf4Code.length; i++)
      index = index.add(scaled.gt((nf4Code[i - 1]! + nf4Code[i]!) / 2).to('int32'));
    const halves = index.reshape(-1, 2, 16);
    const bytes = halves.select(1, 1).mul(16).add(halves.select(1, 0)).to('uint8');
    return { quantized: bytes.reshape(types.quantized.shape), scales: scales.reshape(types.scales.shape) };
  },
  q8_0(weight) {
    const blocks = weight.reshape(-1, ggufBlock);
    const scales = blocks.abs().amax(1).div(127).to('float16');
    return interleaved('q8_0', codes(blocks, scales, -127, 127), scales, weight.shape[0]!);
  },
  q4_0(weight) {
    const blocks = weight.reshape(-1, ggufBlock);
    const [largest, smallest] = [blocks.amax(1), blocks.amin(1)];
    // The number that is farthest from 0 becomes -8.
    const scales = largest.where(largest.gt(smallest.neg()), smallest).div(-8).to('float16');
    return interleaved('q4_0', codes(blocks, scales, -8, 7), scales, weight.shape[0]!);
  },
};

/** The nearest codes of blocks, i32. */
const codes = (blocks: Tensor, scales: Tensor, least: number, most: number): Tensor =>
  blocks
    .div(notZero(scales.to('float32')).unsqueeze(1))
    .round()
    .clamp(least, most)
    .to('int32');
