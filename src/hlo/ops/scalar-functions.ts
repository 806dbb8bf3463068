// Each elementwise op on one element: a small function per kind of number. The rows are generated from this table. `number`
// functions compute in f64 and are rounded to the element type afterwards; `integer` ones see types of up to 32 bits (wrapped
// afterwards), `big` ones 64 bits (wrapped afterwards), `boolean` ones 0 and 1.
import * as complex from '../../numerics/complex.ts';
import type { BinaryName, UnaryName } from '../attributes.ts';
import type { ElementType } from '../types.ts';
import { numberKind } from '../types.ts';
import { bitWidth } from './element-data.ts';
import { erf } from './erf.ts';

interface Functions<F, I, B, L, C> {
  readonly number?: F;
  readonly integer?: I;
  readonly big?: B;
  readonly boolean?: L;
  /** Computed in f64 and rounded to the type of the parts afterwards, like `number`. */
  readonly complex?: C;
  /** False if the specification accepts only signed integers. */
  readonly unsigned?: false;
  /** Counted as a transcendental, not as a flop. */
  readonly transcendental?: true;
}
type Num1 = (x: number) => number;
type Num2 = (x: number, y: number) => number;
type Complex = complex.Complex;
export type UnaryFunctions = Functions<
  Num1,
  (x: number, type: ElementType) => number,
  (x: bigint, type: ElementType) => bigint,
  Num1,
  (z: Complex) => Complex | number
>;
export type BinaryFunctions = Functions<
  Num2,
  (x: number, y: number, type: ElementType) => number,
  (x: bigint, y: bigint, type: ElementType) => bigint,
  Num2,
  (z: Complex, w: Complex, round: Num1) => Complex
>;

const transcendental = (number: Num1, complex?: (z: Complex) => Complex): UnaryFunctions =>
  complex === undefined ? { number, transcendental: true } : { number, complex, transcendental: true };

export function roundHalfEven(x: number): number {
  if (!Number.isFinite(x)) return x;
  const down = Math.floor(x);
  const rest = x - down;
  const rounded = rest < 0.5 || (rest === 0.5 && down % 2 === 0) ? down : down + 1;
  return rounded === 0 ? (x < 0 || Object.is(x, -0) ? -0 : 0) : rounded;
}
function roundHalfAway(x: number): number {
  const rounded = Math.floor(Math.abs(x));
  const up = Math.abs(x) - rounded >= 0.5 ? rounded + 1 : rounded;
  return x < 0 || Object.is(x, -0) ? -up : up;
}
const logistic = (x: number): number => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)));

const popcount = (x: number): number => {
  let count = 0;
  for (let u = x >>> 0; u !== 0; u &= u - 1) count++;
  return count;
};
const unsigned = (x: bigint): bigint => BigInt.asUintN(64, x);
const bits = (x: bigint): string => (x === 0n ? '' : unsigned(x).toString(2));

export const unaryFunctions: { readonly [N in UnaryName]: UnaryFunctions } = {
  abs: {
    unsigned: false,
    number: Math.abs,
    integer: x => Math.abs(x),
    big: x => (x < 0n ? -x : x),
    complex: complex.abs,
  },
  cbrt: transcendental(Math.cbrt, complex.cbrt),
  ceil: { number: Math.ceil },
  count_leading_zeros: {
    integer: (x, type) => Math.clz32(lowBits(x, type)) - (32 - bitWidth(type)),
    big: x => BigInt(64 - bits(x).length),
  },
  cosine: transcendental(Math.cos, complex.cosine),
  exponential: transcendental(Math.exp, complex.exponential),
  exponential_minus_one: transcendental(Math.expm1, complex.exponentialMinusOne),
  floor: { number: Math.floor },
  log: transcendental(Math.log, complex.log),
  log_plus_one: transcendental(Math.log1p, complex.logPlusOne),
  logistic: transcendental(logistic, complex.logistic),
  negate: { number: x => -x, integer: x => -x, big: x => -x, complex: complex.negate },
  not: { integer: x => ~x, big: x => ~x, boolean: x => 1 - x },
  popcnt: { integer: (x, type) => popcount(lowBits(x, type)), big: x => BigInt(bits(x).replaceAll('0', '').length) },
  round_nearest_afz: { number: roundHalfAway },
  round_nearest_even: { number: roundHalfEven },
  rsqrt: transcendental(x => 1 / Math.sqrt(x), complex.rsqrt),
  sign: {
    unsigned: false,
    number: Math.sign,
    integer: x => Math.sign(x),
    big: x => (x > 0n ? 1n : x < 0n ? -1n : 0n),
    complex: complex.sign,
  },
  sine: transcendental(Math.sin, complex.sine),
  sqrt: transcendental(Math.sqrt, complex.sqrt),
  tan: transcendental(Math.tan, complex.tan),
  tanh: transcendental(Math.tanh, complex.tanh),
  'chlo.erf': transcendental(erf),
};

/** The bits of a small integer, without those of its sign extension. */
function lowBits(x: number, type: ElementType): number {
  const width = bitWidth(type);
  return width === 32 ? x >>> 0 : x & ((1 << width) - 1);
}

// Division by zero is not defined by the specification; these are XLA's choices: -1 (all ones), and the dividend.
const divideInteger = (x: number, y: number, type: ElementType): number =>
  y === 0 ? -1 : Math.trunc(type === 'ui32' ? (x >>> 0) / (y >>> 0) : x / y);
const remainderInteger = (x: number, y: number): number => (y === 0 ? x : x % y);

function powerInteger(x: number, y: number, type: ElementType): number {
  if (y < 0) return x === 1 ? 1 : x === -1 ? (y % 2 === 0 ? 1 : -1) : 0;
  return Number(BigInt.asIntN(32, powerBig(BigInt(x), BigInt(y), type)));
}
function powerBig(x: bigint, y: bigint, _type: ElementType): bigint {
  if (y < 0n) return x === 1n ? 1n : x === -1n ? (y % 2n === 0n ? 1n : -1n) : 0n;
  let result = 1n;
  for (let base = x, rest = y; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = BigInt.asUintN(64, result * base);
    base = BigInt.asUintN(64, base * base);
  }
  return result;
}
// A shift by the width or more (or by a negative amount, read as unsigned) shifts everything out.
const outOfWidth = (y: number, type: ElementType): boolean => y < 0 || y >= bitWidth(type);
const outOf64 = (y: bigint): boolean => y < 0n || y >= 64n;

/** IEEE 754-2019 maximum and minimum: NaN propagates, and -0 is less than +0. Math.max and Math.min behave like this. */
const maximum: Num2 = (x, y) => Math.max(x, y);
const minimum: Num2 = (x, y) => Math.min(x, y);

function bigMaximum(x: bigint, y: bigint): bigint {
  if (x > y) return x;
  return y;
}
function bigMinimum(x: bigint, y: bigint): bigint {
  if (x < y) return x;
  return y;
}

/** C's pow: unlike JavaScript's, 1 to any power and -1 to an infinite one are 1, even to NaN. */
export const power: Num2 = (x, y) => (x === 1 || (x === -1 && (y === Infinity || y === -Infinity)) ? 1 : x ** y);

export const binaryFunctions: { readonly [N in BinaryName]: BinaryFunctions } = {
  add: {
    number: (x, y) => x + y,
    integer: (x, y) => x + y,
    big: (x, y) => x + y,
    boolean: (x, y) => x | y,
    complex: complex.add,
  },
  and: { integer: (x, y) => x & y, big: (x, y) => x & y, boolean: (x, y) => x & y },
  atan2: { number: Math.atan2, complex: complex.atan2, transcendental: true },
  divide: {
    number: (x, y) => x / y,
    integer: divideInteger,
    big: (x, y) => (y === 0n ? -1n : x / y),
    complex: complex.divide,
  },
  maximum: {
    number: maximum,
    integer: maximum,
    big: bigMaximum,
    boolean: (x, y) => x | y,
    complex: complex.maximum,
  },
  minimum: {
    number: minimum,
    integer: minimum,
    big: bigMinimum,
    boolean: (x, y) => x & y,
    complex: complex.minimum,
  },
  multiply: {
    number: (x, y) => x * y,
    integer: (x, y) => Math.imul(x, y),
    big: (x, y) => x * y,
    boolean: (x, y) => x & y,
    complex: complex.multiply,
  },
  or: { integer: (x, y) => x | y, big: (x, y) => x | y, boolean: (x, y) => x | y },
  power: { number: power, integer: powerInteger, big: powerBig, complex: complex.power, transcendental: true },
  remainder: { number: (x, y) => x % y, integer: remainderInteger, big: (x, y) => (y === 0n ? x : x % y) },
  shift_left: {
    integer: (x, y, type) => (outOfWidth(y, type) ? 0 : x << y),
    big: (x, y) => (outOf64(y) ? 0n : x << y),
  },
  shift_right_arithmetic: {
    integer: (x, y, type) => signExtended(x, type) >> (outOfWidth(y, type) ? 31 : y),
    big: (x, y) => BigInt.asIntN(64, x) >> (outOf64(y) ? 63n : y),
  },
  shift_right_logical: {
    integer: (x, y, type) => (outOfWidth(y, type) ? 0 : lowBits(x, type) >>> y),
    big: (x, y) => (outOf64(y) ? 0n : unsigned(x) >> y),
  },
  subtract: {
    number: (x, y) => x - y,
    integer: (x, y) => x - y,
    big: (x, y) => x - y,
    complex: complex.subtract,
  },
  xor: { integer: (x, y) => x ^ y, big: (x, y) => x ^ y, boolean: (x, y) => x ^ y },
};

function signExtended(x: number, type: ElementType): number {
  const shift = 32 - bitWidth(type);
  return (x << shift) >> shift;
}

/** The function of the table for an element type; undefined if the op does not accept that type. */
export function functionFor<N, I, B, L, C>(
  functions: Functions<N, I, B, L, C>,
  type: ElementType,
): N | I | B | L | C | undefined {
  switch (numberKind(type)) {
    case 'boolean':
      return functions.boolean;
    case 'float':
      return functions.number;
    case 'complex':
      return functions.complex;
    default:
      return type === 'i64' || type === 'ui64' ? functions.big : functions.integer;
  }
}
