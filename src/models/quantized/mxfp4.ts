// Weights in MXFP4 (OCP Microscaling Formats 1.0), as gpt-oss publishes its experts: blocks of 32 numbers of 4 bits share a power
// of two. A tensor `NAME` [X, columns, rows] is in files as `NAME_blocks` u8 [X, rows, groups, 16], two numbers in a byte, the
// first in its low half, and `NAME_scales` u8 [X, rows, groups]. They are widened to bf16, which holds each of them exactly.
import { TrenioError } from '../../base/errors.ts';
import { bytesOf, type Literal, zeros } from '../../hlo/literal.ts';
import { formatType, type TensorType, tensorType } from '../../hlo/types.ts';
import type { TensorReader } from '../safetensors.ts';

/** The numbers of 4 bits: a sign, two bits of exponent, one of mantissa. */
const magnitudes = [0, 0.5, 1, 1.5, 2, 3, 4, 6];
const numbers = [...magnitudes, ...magnitudes.map(value => -value)];
const bytesOfBlock = 16;
/** The exponent that a scale of 0 stands for, with the opposite sign. */
const bias = 127;

/**
 * A view of a file in which tensors in MXFP4 have their own names and are read as bf16; the reader itself if it has none.
 * @throws {SAFETENSORS_INVALID} if the shapes of blocks and scales disagree
 */
export function withWidenedMxfp4(reader: TensorReader): TensorReader {
  const packed = new Map<string, { readonly blocks: string; readonly scales: string }>();
  const types = new Map(reader.types);
  for (const [blocks, type] of reader.types) {
    const name = blocks.replace(/_blocks$/, '');
    const scales = `${name}_scales`;
    const ofScales = reader.types.get(scales);
    if (name === blocks || ofScales === undefined || type.elementType !== 'ui8') continue;
    types.delete(blocks);
    types.delete(scales);
    types.set(name, widenedType(reader.file, blocks, type, ofScales));
    packed.set(name, { blocks, scales });
  }
  if (packed.size === 0) return reader;
  return {
    ...reader,
    types,
    readInto: undefined,
    async read(name) {
      const parts = packed.get(name);
      if (parts === undefined) return reader.read(name);
      return widened(await reader.read(parts.blocks), await reader.read(parts.scales), types.get(name)!);
    },
  };
}

function widenedType(file: string, tensor: string, blocks: TensorType, scales: TensorType): TensorType {
  const [experts, rows, groups] = blocks.shape as [number, number, number];
  const expected = formatType(tensorType('ui8', [experts ?? 0, rows ?? 0, groups ?? 0]));
  if (blocks.shape.length !== 4 || blocks.shape[3] !== bytesOfBlock || formatType(scales) !== expected) {
    const problem = `blocks ${formatType(blocks)} and scales ${formatType(scales)} are not of MXFP4, [X, rows, groups, 16] and [X, rows, groups]`;
    throw new TrenioError('SAFETENSORS_INVALID', { file, tensor, problem });
  }
  return tensorType('bf16', [experts, 2 * bytesOfBlock * groups, rows]);
}

/** The bf16 bits of every number at every scale: the upper half of those in f32. */
const table: readonly Uint16Array[] = numbers.map(number => {
  const scaled = Float32Array.from({ length: 256 }, (_, scale) => number * 2 ** (scale - bias));
  return Uint16Array.from(new Uint32Array(scaled.buffer), bits => bits >>> 16);
});

function widened(blocks: Literal, scales: Literal, type: TensorType): Literal {
  const [experts, columns, rows] = type.shape as [number, number, number];
  const result = zeros(type);
  const bytes = bytesOf(result);
  const to = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  const [from, powers] = [bytesOf(blocks), bytesOf(scales)];
  for (let row = 0; row < experts * rows; row++) {
    const first = Math.floor(row / rows) * columns * rows + (row % rows);
    for (let i = 0; i < columns / 2; i++) {
      const at = (row * columns) / 2 + i;
      const power = powers[Math.floor(at / bytesOfBlock)]!;
      const pair = from[at]!;
      to[first + 2 * i * rows] = table[pair & 15]![power]!;
      to[first + (2 * i + 1) * rows] = table[pair >> 4]![power]!;
    }
  }
  return result;
}
