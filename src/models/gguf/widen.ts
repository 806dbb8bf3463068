// Blocks of quantized elements in GGUF files as f32. The layouts follow ggml-quants.c in
// https://github.com/ggml-org/ggml; results equal its own to the bit, since each has one rounding.
import { assertNever } from '../../base/errors.ts';
import { blockSizes, type GgufType } from '../../data/gguf/tensor-types.ts';
import { bytesOf, type Literal, zeros } from '../../hlo/literal.ts';
import { type ElementType, tensorType } from '../../hlo/types.ts';

/** The element type in which a tensor is read: its own, or f32 for quantized ones. */
export function elementTypeOf(type: GgufType): ElementType {
  switch (type) {
    case 'F16':
      return 'f16';
    case 'BF16':
      return 'bf16';
    case 'F32':
    case 'Q8_0':
    case 'Q4_0':
    case 'Q4_K':
    case 'Q6_K':
      return 'f32';
    default:
      return assertNever(type);
  }
}

/** Widens one block: its bytes begin at `at`, its elements at `to`. */
type Widen = (bytes: Uint8Array, view: DataView, at: number, out: Float32Array, to: number) => void;

/** The elements of a tensor from its data in the file. */
export function widened(type: GgufType, shape: readonly number[], data: Uint8Array<ArrayBuffer>): Literal {
  const literal = zeros(tensorType(elementTypeOf(type), shape));
  if (type === 'F32' || type === 'F16' || type === 'BF16') {
    bytesOf(literal).set(data);
    return literal;
  }
  const { elements, bytes } = blockSizes[type];
  const widen = blocks[type];
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const out = literal.data as Float32Array;
  for (let at = 0, to = 0; at < data.byteLength; at += bytes, to += elements) widen(data, view, at, out, to);
  return literal;
}

/** Elements are `scale × q`. */
const q8_0: Widen = (_, view, at, out, to) => {
  const scale = view.getFloat16(at, true);
  for (let i = 0; i < 32; i++) out[to + i] = scale * view.getInt8(at + 2 + i);
};

/** Elements are `scale × (q − 8)`; each byte has one of the first half and one of the second. */
const q4_0: Widen = (bytes, view, at, out, to) => {
  const scale = view.getFloat16(at, true);
  for (let i = 0; i < 16; i++) {
    const pair = bytes[at + 2 + i]!;
    out[to + i] = scale * ((pair & 15) - 8);
    out[to + 16 + i] = scale * ((pair >> 4) - 8);
  }
};

/** Eight groups of 32, each with a scale and an offset of 6 bits: `scale × q − offset`. */
const q4_k: Widen = (bytes, view, at, out, to) => {
  const [scale, offset] = [view.getFloat16(at, true), view.getFloat16(at + 2, true)];
  const packed = (i: number): number => bytes[at + 4 + i]!;
  for (let group = 0; group < 8; group++) {
    const isLow = group < 4;
    const six = isLow ? packed(group) & 63 : (packed(group + 4) & 15) | ((packed(group - 4) >> 6) << 4);
    const minus = isLow ? packed(group + 4) & 63 : (packed(group + 4) >> 4) | ((packed(group) >> 6) << 4);
    const [factor, less] = [scale * six, offset * minus];
    const start = at + 16 + 32 * (group >> 1);
    const shift = 4 * (group & 1);
    for (let i = 0; i < 32; i++) out[to + 32 * group + i] = factor * ((bytes[start + i]! >> shift) & 15) - less;
  }
};

/**
 * Sixteen groups of 16, each with a scale of 8 bits: `scale × (q − 32)`; the low four bits of q and the high two are stored
 * separately.
 */
const q6_k: Widen = (bytes, view, at, out, to) => {
  const scale = view.getFloat16(at + 208, true);
  for (let i = 0; i < 256; i++) {
    const [half, quarter, j] = [i >> 7, (i >> 5) & 3, i & 31];
    const low = bytes[at + 64 * half + 32 * (quarter & 1) + j]! >> (4 * (quarter >> 1));
    const high = bytes[at + 128 + 32 * half + j]! >> (2 * quarter);
    const factor = scale * view.getInt8(at + 192 + (i >> 4));
    out[to + i] = factor * (((low & 15) | ((high & 3) << 4)) - 32);
  }
};

const blocks: Readonly<Record<Exclude<GgufType, 'F32' | 'F16' | 'BF16'>, Widen>> = {
  Q8_0: q8_0,
  Q4_0: q4_0,
  Q4_K: q4_k,
  Q6_K: q6_k,
};
