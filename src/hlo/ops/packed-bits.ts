// Elements as a sequence of bits, each with the width of its type, for bitcast_convert. The first element
// has the lowest bits; elements smaller than a byte, which literals store in a byte each, are packed.
import { storageOf } from '../element-codec.ts';
import { bytesOf, type Literal, literalOfBytes, zeros } from '../literal.ts';
import type { TensorType } from '../types.ts';
import { bitWidth } from './element-data.ts';

/** The bits of a literal, eight per byte, as a copy. */
export function packedBits(lit: Literal): Uint8Array {
  const width = bitWidth(lit.type.elementType);
  const stored = bytesOf(lit);
  if (width >= 8) return stored.slice();
  const packed = new Uint8Array(Math.ceil((stored.length * width) / 8));
  const mask = (1 << width) - 1;
  stored.forEach((element, i) => {
    packed[(i * width) >> 3]! |= (element & mask) << ((i * width) & 7);
    // An element of six bits may reach into the next byte.
    if (((i * width) & 7) + width > 8) packed[((i * width) >> 3) + 1]! |= (element & mask) >> (8 - ((i * width) & 7));
  });
  return packed;
}

/** The literal of `type` that has these bits. */
export function literalOfBits(type: TensorType, packed: Uint8Array): Literal {
  const width = bitWidth(type.elementType);
  if (width >= 8) return literalOfBytes(type, packed);
  const out = zeros(type);
  // Small integers are held sign-extended, small floats as their codes.
  const store = type.elementType.startsWith('f') ? undefined : storageOf(type.elementType);
  for (let i = 0; i < out.data.length; i++) {
    const at = i * width;
    const two = packed[at >> 3]! | ((packed[(at >> 3) + 1] ?? 0) << 8);
    const bits = (two >> (at & 7)) & ((1 << width) - 1);
    out.data[i] = store === undefined ? bits : store(bits);
  }
  return out;
}
