// Floating-point numbers from their bits.
import { bf16ToNumber } from '../element-codec.ts';
import type { ElementType } from '../types.ts';

const view = new DataView(new ArrayBuffer(8));

/** The number that these bits represent in a type of 16, 32 or 64 bits; undefined for the other types. */
export function floatOfBits(type: ElementType, bits: bigint): number | undefined {
  switch (type) {
    case 'f64':
      view.setBigUint64(0, BigInt.asUintN(64, bits));
      return view.getFloat64(0);
    case 'f32':
      view.setUint32(0, Number(BigInt.asUintN(32, bits)));
      return view.getFloat32(0);
    case 'f16':
      view.setUint16(0, Number(BigInt.asUintN(16, bits)));
      return view.getFloat16(0);
    case 'bf16':
      return bf16ToNumber(Number(BigInt.asUintN(16, bits)));
    default:
      return undefined;
  }
}
export const doubleOfBits = (bits: bigint): number => floatOfBits('f64', bits)!;
