// Numbers from -1 to 1 as 8-bit codes: the dynamic tree code of Dettmers ("8-Bit Approximations for Parallelism in Deep
// Learning", 2015), in blocks that are divided by their largest magnitude first ("8-bit Optimizers via Block-wise
// Quantization", 2022).
//
//   decade 0      (1e-7, 1e-6)  1 code    (2 without a sign)
//   decade 1      (1e-6, 1e-5)  2 codes   (4)
//   …
//   decade 6      (0.1, 1)     64 codes (128)         evenly spaced in each decade, and one code each for 0 and 1
//
// Codes in ascending order, as in bitsandbytes: signed, 127 is 0 and 255 is 1; unsigned, 0 is 0 and 255 is 1. Everything
// is elementwise arithmetic without tables: encoding and decoding are fused into the kernels that use them.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { plus, times } from './arithmetic.ts';

/** Elements that share a scale. */
export const blockSize = 256;

interface Decade {
  readonly codes: number;
  readonly first: number;
  readonly step: number;
}
const decadesOf = (isSigned: boolean): readonly Decade[] =>
  Array.from({ length: 7 }, (_, d) => {
    const codes = 2 ** (isSigned ? d : d + 1);
    const scale = 10 ** (d - 6);
    const step = (0.9 * scale) / codes;
    return { codes, first: 0.1 * scale + step / 2, step };
  });
/** The code of 0, and the number of codes above it. */
export const zeroCode = (isSigned: boolean): number => (isSigned ? 127 : 0);
const topOf = (isSigned: boolean): number => (isSigned ? 128 : 255);

/** The entry of `values` for the decade of x: `from` has the start of each decade but the first. */
function pick(b: Builder, x: Value, from: readonly number[], values: readonly number[]): Value {
  return values
    .slice(1)
    .reduce(
      (rest: Value, value, i) => b.select(b.compare('GE', x, b.like(x, from[i]!)), b.like(x, value), rest),
      b.like(x, values[0]!),
    );
}

/** Codes [blocks, 256] and the largest magnitude of each block [blocks], from numbers [blocks, 256]. */
export function encode(b: Builder, x: Value, isSigned: boolean): readonly [codes: Value, absmax: Value] {
  const decades = decadesOf(isSigned);
  const { elementType } = tensorTypeOf(x);
  const size = b.unary('abs', x);
  const absmax = b.reduce('maximum', size, b.fill(elementType, [], 0), [1]);
  const divisor = b.broadcastInDim(b.maximum(absmax, b.like(absmax, 1e-38)), [0], shapeOf(x));
  const y = b.divide(size, divisor);
  // Half-way between the last code of a decade and the first of the next.
  const last = ({ first, step, codes }: Decade): number => first + step * (codes - 1);
  const starts = decades.slice(1).map((decade, i) => (last(decades[i]!) + decade.first) / 2);
  const low = pick(
    b,
    y,
    starts,
    decades.map(({ first, step }) => first - step / 2),
  );
  const perStep = pick(
    b,
    y,
    starts,
    decades.map(({ step }) => 1 / step),
  );
  const codes = pick(
    b,
    y,
    starts,
    decades.map(decade => decade.codes),
  );
  const within = b.unary('floor', b.multiply(b.subtract(y, low), perStep));
  const position = b.minimum(b.maximum(within, b.like(y, 0)), plus(b, codes, -1));
  const offset = decades[0]!.codes - 1;
  const magnitude = plus(b, b.add(codes, position), -offset);
  const isZero = b.compare('LT', y, b.like(y, decades[0]!.first / 2));
  const isOne = b.compare('GT', y, b.like(y, (last(decades.at(-1)!) + 1) / 2));
  const top = topOf(isSigned);
  const found = b.select(isZero, b.like(y, 0), b.select(isOne, b.like(y, top), magnitude));
  if (!isSigned) return [b.convert(found, 'ui8'), absmax];
  // There is no code for -1.
  const isNegative = b.compare('LT', x, b.like(x, 0));
  const signed = b.select(isNegative, b.negate(b.minimum(found, b.like(y, top - 1))), found);
  return [b.convert(plus(b, signed, zeroCode(true)), 'ui8'), absmax];
}

/** Numbers [blocks, 256] from codes and the largest magnitudes of the blocks, in the type of the latter. */
export function decode(b: Builder, codes: Value, absmax: Value, isSigned: boolean): Value {
  const decades = decadesOf(isSigned);
  const signed = plus(b, b.convert(codes, tensorTypeOf(absmax).elementType), -zeroCode(isSigned));
  const magnitude = isSigned ? b.unary('abs', signed) : signed;
  const offset = decades[0]!.codes - 1;
  const shifted = plus(b, magnitude, offset);
  const starts = decades.slice(1).map(decade => decade.codes);
  const chosen = (values: readonly number[]): Value => pick(b, shifted, starts, values);
  const position = b.subtract(shifted, chosen(decades.map(decade => decade.codes)));
  const value = b.add(
    chosen(decades.map(({ first }) => first)),
    b.multiply(position, chosen(decades.map(({ step }) => step))),
  );
  const isZero = b.compare('EQ', magnitude, b.like(magnitude, 0));
  const isOne = b.compare('EQ', magnitude, b.like(magnitude, topOf(isSigned)));
  const size = b.select(isZero, b.like(value, 0), b.select(isOne, b.like(value, 1), value));
  const scaled = b.multiply(size, b.broadcastInDim(absmax, [0], shapeOf(codes)));
  return isSigned ? b.select(b.compare('LT', signed, b.like(signed, 0)), times(b, scaled, -1), scaled) : scaled;
}
