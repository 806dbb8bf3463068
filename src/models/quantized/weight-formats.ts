// Weights in 8 or 4 bits: their layout in memory, and their values as ops of the program. The compiler recognizes these ops in
// front of a multiply of few rows, and widens the weights inside it (compiler/lowering/quantized-operand.ts).
//
//   int8   a scale per row, f32                   weight = code · scale
//   nf4    a scale per 64 weights, f32            weight = table[code] · scale
//   q8_0   a scale per 32 weights, f16            weight = code · scale           GGUF's, as are the codes of q4_0
//   q4_0   a scale per 32 weights, f16            weight = code · scale
//
// Codes of 4 bits: 16 bytes hold 32 weights, the first 16 in their low halves. GGUF stores those of q4_0 with 8 added; here
// they are in two's complement.
import { literal } from '../../hlo/literal.ts';
import type { ElementType } from '../../hlo/types.ts';
import { type TensorType, tensorType } from '../../hlo/types.ts';
import { record, type Tensor } from '../../tensor/index.ts';

/** NormalFloat: the quantiles of a normal distribution between -1 and 1, from QLoRA's code. */
export const nf4Code: readonly number[] = [
  -1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
  -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
  0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1,
];

interface Layout {
  readonly bits: 8 | 4;
  /** The consecutive weights that share a scale. */
  readonly block: 'row' | number;
  readonly scaleType: ElementType;
  /** The values of codes; by default they are signed integers. */
  readonly table?: readonly number[];
}
const layouts = {
  int8: { bits: 8, block: 'row', scaleType: 'f32' },
  nf4: { bits: 4, block: 64, scaleType: 'f32', table: nf4Code },
  q8_0: { bits: 8, block: 32, scaleType: 'f16' },
  q4_0: { bits: 4, block: 32, scaleType: 'f16' },
} as const satisfies Readonly<Record<string, Layout>>;
/** The name of a format. */
export type WeightFormat = keyof typeof layouts;
const layoutOf = (format: WeightFormat): Layout => layouts[format];

/** Quantized weights in memory. */
export interface QuantizedWeights {
  /** Codes: i8, or bytes of two. */
  readonly quantized: Tensor;
  /** The factors of codes. */
  readonly scales: Tensor;
}

/** 4 bits: 16 bytes of two codes each. */
const groupBytes = 16;
const groupCodes = 2 * groupBytes;

/**
 * The types of codes and scales of a matrix [rows, width]: by rows if each has whole blocks, else of all weights one after
 * another, the last block padded.
 */
export function quantizedTypes(
  format: WeightFormat,
  rows: number,
  width: number,
): { readonly quantized: TensorType; readonly scales: TensorType } {
  const { bits, block, scaleType } = layoutOf(format);
  if (bits === 8) {
    const perRow = block === 'row' ? 1 : width / block;
    return {
      quantized: tensorType('i8', [rows, width]),
      scales: tensorType(scaleType, perRow === 1 ? [rows] : [rows, perRow]),
    };
  }
  const size = block as number;
  if (width % size === 0)
    return {
      quantized: tensorType('ui8', [rows, width / 2]),
      scales: tensorType(scaleType, [rows, width / size]),
    };
  const blocks = Math.ceil((rows * width) / size);
  return { quantized: tensorType('ui8', [(blocks * size) / 2]), scales: tensorType(scaleType, [blocks]) };
}

/** The weights in f32 [rows, width]. */
export function widenedWeights(
  format: WeightFormat,
  { quantized, scales }: QuantizedWeights,
  rows: number,
  width: number,
): Tensor {
  const { bits, block, table } = layoutOf(format);
  return record('widenedWeights', [quantized, scales], (b, [codes, factors]) => {
    const size = block === 'row' ? width : block;
    const blocks = Math.ceil((rows * width) / size);
    const count = blocks * size;
    let values = codes!;
    if (bits === 4) {
      const groups = count / groupCodes;
      const bytes = b.reshape(values, [groups, groupBytes]);
      const type = tensorType(table === undefined ? 'i4' : 'ui4', [groups, groupBytes, 2]);
      values = b.transpose(b.emit1('bitcast_convert', [bytes], { type }), [0, 2, 1]); // [groups, half, byte]
    }
    values = b.reshape(values, [blocks, size]);
    if (table === undefined) values = b.convert(values, 'f32');
    else {
      const entries = b.constant(literal('f32', [table.length], [...table]));
      const dimensions = {
        offsetDims: [],
        collapsedSliceDims: [0],
        operandBatchingDims: [],
        startIndicesBatchingDims: [],
        startIndexMap: [0],
        indexVectorDim: 2,
      };
      values = b.gather(entries, b.convert(values, 'i32'), dimensions, [1]);
    }
    const scale = b.convert(b.reshape(factors!, [blocks]), 'f32');
    const scaled = b.binary('multiply', values, b.broadcastInDim(scale, [0], [blocks, size]));
    if (count === rows * width) return b.reshape(scaled, [rows, width]);
    const flat = b.reshape(scaled, [count]);
    const slice = { startIndices: [0], limitIndices: [rows * width], strides: [1] };
    return b.reshape(b.emit1('slice', [flat], slice), [rows, width]);
  });
}
