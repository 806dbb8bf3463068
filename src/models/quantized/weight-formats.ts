// Weights in 8 or 4 bits: their layout in memory, and their values as ops of the program. The compiler recognizes these ops as
// an operand of a multiply, which then reads the weights as they are (compiler/lowering/quantized-operand.ts).
//
//   int8   a scale per row, f32                   weight = code · scale
//   nf4    a scale per 64 weights, f32            weight = table[code] · scale
//   q8_0   a scale per 32 weights, f16            weight = code · scale           GGUF's, as are the codes of q4_0
//   q4_0   a scale per 32 weights, f16            weight = code · scale
//
// Codes of 4 bits: 16 bytes hold 32 weights, the first 16 in their low halves. GGUF stores those of q4_0 with 8 added; here
// they are in two's complement. Matrices of q8_0 and q4_0 whose number of rows is a multiple of 16 are interleaved: 16 rows take
// turns, each with a word of four bytes, so that a vector holds a column of them.
//
//   codes [rows / 16, words, 16, 4]      4 bits: low halves hold the first four weights of eight
//   scales [rows / 16, blocks, 16]

import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, type TensorType, tensorType } from '../../hlo/types.ts';
import { checkIndices, record, type Tensor } from '../../tensor/index.ts';

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
  /** Groups of rows are interleaved if there are no others. */
  readonly mayInterleave?: boolean;
}
const layouts = {
  int8: { bits: 8, block: 'row', scaleType: 'f32' },
  nf4: { bits: 4, block: 64, scaleType: 'f32', table: nf4Code },
  q8_0: { bits: 8, block: 32, scaleType: 'f16', mayInterleave: true },
  q4_0: { bits: 4, block: 32, scaleType: 'f16', mayInterleave: true },
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

/** Rows that are interleaved, and the bytes of each in turn. */
const interleavedRows = 16;
const wordBytes = 4;

/** Whether the rows of a matrix are interleaved in memory. */
export function isInterleaved(format: WeightFormat, rows: number, width: number): boolean {
  const { block, mayInterleave } = layoutOf(format);
  return mayInterleave === true && rows % interleavedRows === 0 && width % (block as number) === 0;
}

/**
 * The types of codes and scales of a matrix [rows, width]: interleaved, or by rows if each has whole blocks, else of all weights
 * one after another, the last block padded.
 */
export function quantizedTypes(
  format: WeightFormat,
  rows: number,
  width: number,
): { readonly quantized: TensorType; readonly scales: TensorType } {
  const { bits, block, scaleType } = layoutOf(format);
  const codeType = bits === 8 ? 'i8' : 'ui8';
  if (isInterleaved(format, rows, width)) {
    const groups = rows / interleavedRows;
    return {
      quantized: tensorType(codeType, [groups, (width * bits) / 8 / wordBytes, interleavedRows, wordBytes]),
      scales: tensorType(scaleType, [groups, width / (block as number), interleavedRows]),
    };
  }
  if (bits === 8) {
    const perRow = block === 'row' ? 1 : width / block;
    return {
      quantized: tensorType(codeType, [rows, width]),
      scales: tensorType(scaleType, perRow === 1 ? [rows] : [rows, perRow]),
    };
  }
  const size = block as number;
  if (width % size === 0)
    return {
      quantized: tensorType(codeType, [rows, width / 2]),
      scales: tensorType(scaleType, [rows, width / size]),
    };
  const blocks = Math.ceil((rows * width) / size);
  return { quantized: tensorType(codeType, [(blocks * size) / 2]), scales: tensorType(scaleType, [blocks]) };
}

/** Codes of rows, i32 [rows · width] in any shape, and scales of blocks in the layout of interleaved matrices. */
export function interleaved(format: WeightFormat, codes: Tensor, scales: Tensor, rows: number): QuantizedWeights {
  const groups = rows / interleavedRows;
  const inTurn = scales.reshape(groups, interleavedRows, -1).transpose(1, 2);
  if (layoutOf(format).bits === 8) {
    const words = codes.to('int8').reshape(groups, interleavedRows, -1, wordBytes);
    return { quantized: words.transpose(1, 2).contiguous(), scales: inTurn.contiguous() };
  }
  const halves = codes.bitwiseAnd(15).reshape(groups, interleavedRows, -1, 2, wordBytes);
  const words = halves.select(3, 1).mul(16).add(halves.select(3, 0)).to('uint8');
  return { quantized: words.transpose(1, 2).contiguous(), scales: inTurn.contiguous() };
}

/** The weights in f32 [rows, width]. */
export function widenedWeights(format: WeightFormat, weights: QuantizedWeights, rows: number, width: number): Tensor {
  if (!isInterleaved(format, rows, width)) return widenedInOrder(format, weights, rows, width);
  const { quantized, scales } = weights;
  const size = blockSize(format, width);
  const blocks = (rows * width) / size;
  return record('widenedWeights', [quantized, scales], (b, [codes, factors]) => {
    const values = valuesOfWords(b, format, b.transpose(codes!, [0, 2, 1, 3]));
    const ofRows = b.transpose(factors!, [0, 2, 1]);
    return scaled(b, b.reshape(values, [blocks, size]), b.reshape(ofRows, [blocks]), rows, width);
  });
}

/** The weights of rows that are not interleaved, whatever their number is. */
function widenedInOrder(
  format: WeightFormat,
  { quantized, scales }: QuantizedWeights,
  rows: number,
  width: number,
): Tensor {
  const size = blockSize(format, width);
  const blocks = Math.ceil((rows * width) / size);
  return record('widenedWeights', [quantized, scales], (b, [codes, factors]) =>
    scaled(b, valuesOfGroups(b, format, codes!, blocks, size), factors!, rows, width),
  );
}

/** The rows `index` [count] of a matrix [rows, width] in f32 [count, width]. Its rows are whole blocks. */
export function widenedRows(
  format: WeightFormat,
  { quantized, scales }: QuantizedWeights,
  index: Tensor,
  rows: number,
  width: number,
): Tensor {
  if (!isInterleaved(format, rows, width)) {
    const chosen = { quantized: quantized.indexSelect(0, index), scales: scales.indexSelect(0, index) };
    return widenedInOrder(format, chosen, index.numel(), width);
  }
  const count = index.numel();
  const size = blockSize(format, width);
  return record('widenedRows', [quantized, scales, index], (b, [codes, factors, given], trace) => {
    const row = b.reshape(b.convert(given!, 'i32'), [count, 1]);
    const perGroup = b.like(row, interleavedRows);
    const places = b.concatenate([b.divide(row, perGroup), b.binary('remainder', row, perGroup)], 1); // [count, 2]
    const rowsOf = (x: Value, inner: readonly number[]): Value =>
      b.gather(
        x,
        places,
        {
          offsetDims: inner.map((_, i) => i + 1),
          collapsedSliceDims: [0, 2],
          operandBatchingDims: [],
          startIndicesBatchingDims: [],
          startIndexMap: [0, 2],
          indexVectorDim: 1,
        },
        [1, inner[0]!, 1, ...inner.slice(1)],
      );
    const words = quantized.shape[1]!;
    const values = valuesOfWords(b, format, rowsOf(codes!, [words, wordBytes]));
    const blocks = (count * width) / size;
    const factor = b.reshape(rowsOf(factors!, [width / size]), [blocks]);
    const result = scaled(b, b.reshape(values, [blocks, size]), factor, count, width);
    checkIndices(b, trace, { op: 'embedding', index: given!, dim: 0, size: rows }, result);
    return result;
  });
}

const blockSize = (format: WeightFormat, width: number): number => {
  const { block } = layoutOf(format);
  return block === 'row' ? width : block;
};

/** The codes of words of interleaved rows, [.., words, 4] bytes, in their order. */
function valuesOfWords(b: Builder, format: WeightFormat, words: Value): Value {
  if (layoutOf(format).bits === 8) return words;
  const { shape } = tensorTypeOf(words);
  const halves = b.emit1('bitcast_convert', [words], { type: tensorType('i4', [...shape, 2]) }); // [.., words, byte, half]
  const outer = shape.length - 1;
  return b.transpose(halves, [...Array(outer).keys(), outer + 1, outer]);
}

/** The codes of rows that are not interleaved, or their values in the format's table, [blocks, size]. */
function valuesOfGroups(b: Builder, format: WeightFormat, codes: Value, blocks: number, size: number): Value {
  const { bits, table } = layoutOf(format);
  let values = codes;
  if (bits === 4) {
    const groups = (blocks * size) / groupCodes;
    const bytes = b.reshape(values, [groups, groupBytes]);
    const type = tensorType(table === undefined ? 'i4' : 'ui4', [groups, groupBytes, 2]);
    values = b.transpose(b.emit1('bitcast_convert', [bytes], { type }), [0, 2, 1]); // [groups, half, byte]
  }
  values = b.reshape(values, [blocks, size]);
  if (table === undefined) return values;
  const entries = b.constant(literal('f32', [table.length], [...table]));
  const dimensions = {
    offsetDims: [],
    collapsedSliceDims: [0],
    operandBatchingDims: [],
    startIndicesBatchingDims: [],
    startIndexMap: [0],
    indexVectorDim: 2,
  };
  return b.gather(entries, b.convert(values, 'i32'), dimensions, [1]);
}

/** Values [blocks, size] times the factors of blocks, as [rows, width] in f32; padding at the end is dropped. */
function scaled(b: Builder, values: Value, factors: Value, rows: number, width: number): Value {
  const [blocks, size] = tensorTypeOf(values).shape as readonly [number, number];
  const scale = b.convert(b.reshape(factors, [blocks]), 'f32');
  const product = b.binary('multiply', b.convert(values, 'f32'), b.broadcastInDim(scale, [0], [blocks, size]));
  const count = blocks * size;
  if (count === rows * width) return b.reshape(product, [rows, width]);
  const slice = { startIndices: [0], limitIndices: [rows * width], strides: [1] };
  return b.reshape(b.emit1('slice', [b.reshape(product, [count])], slice), [rows, width]);
}
