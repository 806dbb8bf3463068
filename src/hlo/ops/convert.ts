// Conversion of elements: to i1 by `≠ 0`, float to integer by truncation that saturates (NaN to 0, as XLA does), integer
// to integer by wrapping, everything to a float by rounding once, complex to real by dropping the imaginary part.
import { type Literal, zeros } from '../literal.ts';
import { type ElementType, numberKind, tensorType } from '../types.ts';
import { partType } from './complex.ts';
import { bitWidth, decode, encode, isBig, isComplex, type NumberData } from './element-data.ts';

/**
 * A literal converted to another type of elements, as the op `convert` does.
 * @example
 * hlo.convertLiteral(hlo.literal('f32', [2], [1.5, -2.5]), 'i32').data // [1, -2]
 */
export function convertLiteral(x: Literal, to: ElementType): Literal {
  const from = x.type.elementType;
  if (from === to) return x;
  const type = tensorType(to, x.type.shape);
  if (isComplex(from) || isComplex(to)) return convertComplex(x, to);
  const kind = numberKind(to);
  const source = decode(x);
  if (kind === 'boolean') {
    const out = zeros(type);
    for (let i = 0; i < source.length; i++) out.data[i] = Number(source[i]) !== 0 ? 1 : 0;
    return out;
  }
  if (kind === 'float') return isBig(from) ? encodeBig(type.elementType, x) : encode(type, source as NumberData);
  const fromFloat = numberKind(from) === 'float';
  if (isBig(to)) {
    const out = zeros(type);
    const data = out.data as BigInt64Array;
    for (let i = 0; i < data.length; i++) {
      const v = source[i]!;
      data[i] = typeof v === 'bigint' ? v : fromFloat ? saturate64(v, to) : BigInt(v);
    }
    return out;
  }
  const values = new Float64Array(source.length);
  const [low, high] = boundsOf(to);
  for (let i = 0; i < values.length; i++) {
    const v = source[i]!;
    if (typeof v === 'bigint') values[i] = Number(BigInt.asIntN(32, v));
    else values[i] = !fromFloat ? v : Number.isNaN(v) ? 0 : Math.min(Math.max(Math.trunc(v), low), high);
  }
  return encode(type, values);
}

function boundsOf(type: ElementType): readonly [number, number] {
  const width = bitWidth(type);
  return numberKind(type) === 'unsigned' ? [0, 2 ** width - 1] : [-(2 ** (width - 1)), 2 ** (width - 1) - 1];
}
function saturate64(v: number, type: ElementType): bigint {
  if (Number.isNaN(v)) return 0n;
  const [low, high] = type === 'ui64' ? [0n, 2n ** 64n - 1n] : [-(2n ** 63n), 2n ** 63n - 1n];
  if (v <= Number(low)) return low;
  return v >= Number(high) ? high : BigInt(Math.trunc(v));
}

/** 64-bit integers to floats. Number() rounds to f64 first; below f64 the low bits are made sticky to round only once. */
function encodeBig(to: ElementType, x: Literal): Literal {
  const values = new Float64Array(x.data.length);
  for (let i = 0; i < values.length; i++) {
    const v = x.data[i] as bigint;
    const magnitude = v < 0n ? -v : v;
    const sticky =
      to !== 'f64' && magnitude >> 53n !== 0n && (magnitude & 0x7ffn) !== 0n
        ? (magnitude & ~0x7ffn) | 0x800n
        : magnitude;
    values[i] = Number(v < 0n ? -sticky : sticky);
  }
  return encode(tensorType(to, x.type.shape), values);
}

function convertComplex(x: Literal, to: ElementType): Literal {
  const from = x.type.elementType;
  const type = tensorType(to, x.type.shape);
  if (isComplex(from) && isComplex(to)) return encode(type, x.data as Float64Array);
  if (isComplex(to)) {
    const real = convertLiteral(x, partType(to)).data as Float64Array;
    const out = zeros(type);
    for (let i = 0; i < real.length; i++) out.data[2 * i] = real[i]!;
    return out;
  }
  const real = zeros(tensorType(partType(from), x.type.shape));
  for (let i = 0; i < real.data.length; i++) real.data[i] = x.data[2 * i]!;
  return convertLiteral(real, to);
}
