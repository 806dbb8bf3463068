// Applies the scalar functions of the elementwise ops to whole literals, and provides them as combiners of two elements for
// the reductions.
import { TrenioError } from '../../base/errors.ts';
import type { Complex } from '../../numerics/complex.ts';
import type { BinaryName, UnaryName } from '../attributes.ts';
import { rounderOf } from '../element-codec.ts';
import { type Literal, zeros } from '../literal.ts';
import type { ElementType } from '../types.ts';
import { partType } from './complex.ts';
import { type BigData, decodeNumbers, encode, isBig, isComplex } from './element-data.ts';
import {
  type BinaryFunctions,
  binaryFunctions,
  functionFor,
  type UnaryFunctions,
  unaryFunctions,
} from './scalar-functions.ts';

/**
 * Evaluates an elementwise op of one operand.
 * @example
 * hlo.toNumbers(hlo.applyUnary('abs', hlo.literal('f32', [2], [-1, 2]))) // [1, 2]
 */
export function applyUnary(name: UnaryName, x: Literal): Literal {
  const { elementType } = x.type;
  const functions = unaryFunctions[name];
  if (isComplex(elementType)) return applyToComplex(functions.complex!, x);
  if (isBig(elementType)) {
    const f = functions.big!;
    const out = zeros(x.type);
    const [to, from] = [out.data as BigInt64Array, x.data as BigData];
    for (let i = 0; i < to.length; i++) to[i] = f(from[i]!, elementType);
    return out;
  }
  const f = functionFor(functions, elementType) as NonNullable<UnaryFunctions['integer']>;
  const from = decodeNumbers(x);
  const values = new Float64Array(from.length);
  for (let i = 0; i < values.length; i++) values[i] = f(from[i]!, elementType);
  return encode(x.type, values);
}

/** Functions of complex numbers return complex numbers, except the modulus. */
function applyToComplex(f: NonNullable<UnaryFunctions['complex']>, x: Literal): Literal {
  const from = x.data as Float64Array;
  const count = from.length / 2;
  const values = new Float64Array(from.length);
  let real = false;
  for (let i = 0; i < count; i++) {
    const value = f([from[2 * i]!, from[2 * i + 1]!]);
    real = typeof value === 'number';
    if (typeof value === 'number') values[i] = value;
    else [values[2 * i], values[2 * i + 1]] = value;
  }
  if (!real) return encode(x.type, values);
  return encode({ ...x.type, elementType: partType(x.type.elementType) }, values.subarray(0, count));
}

/**
 * Evaluates an elementwise op of two operands.
 * @example
 * const x = hlo.literal('f32', [2], [1, 2]);
 * hlo.toNumbers(hlo.applyBinary('add', x, x)) // [2, 4]
 */
export function applyBinary(name: BinaryName, x: Literal, y: Literal): Literal {
  const { elementType } = x.type;
  if (isBig(elementType)) {
    const f = binaryFunctions[name].big!;
    const out = zeros(x.type);
    const [to, a, b] = [out.data as BigInt64Array, x.data as BigData, y.data as BigData];
    for (let i = 0; i < to.length; i++) to[i] = f(a[i]!, b[i]!, elementType);
    return out;
  }
  const [a, b] = [decodeNumbers(x), decodeNumbers(y)];
  const values = new Float64Array(a.length);
  if (isComplex(elementType)) {
    const f = complexFunctionOf(name);
    const round = rounderOf(elementType);
    for (let i = 0; i < values.length; i += 2)
      [values[i], values[i + 1]] = f([a[i]!, a[i + 1]!], [b[i]!, b[i + 1]!], round);
  } else {
    const f = functionFor(binaryFunctions[name], elementType) as NonNullable<BinaryFunctions['integer']>;
    for (let i = 0; i < values.length; i++) values[i] = f(a[i]!, b[i]!, elementType);
  }
  return encode(x.type, values);
}

/** The specification does not define the remainder of complex numbers. */
function complexFunctionOf(name: BinaryName): NonNullable<BinaryFunctions['complex']> {
  const f = binaryFunctions[name].complex;
  if (f !== undefined) return f;
  const instead = 'take the real and the imaginary part';
  throw new TrenioError('UNSUPPORTED', { what: `${name} of complex numbers`, where: 'the interpreter', instead });
}

/** A binary op on two numbers of a type that is neither complex nor of 64-bit integers; the result is of the type `held`. */
export function combinerOf(
  name: BinaryName,
  elementType: ElementType,
  held: ElementType,
): (x: number, y: number) => number {
  const f = functionFor(binaryFunctions[name], elementType) as NonNullable<BinaryFunctions['integer']>;
  const round = rounderOf(held);
  return (x, y) => round(f(x, y, elementType));
}
/** The same for complex numbers, each result rounded. */
export function complexCombinerOf(name: BinaryName, elementType: ElementType): (z: Complex, w: Complex) => Complex {
  const f = complexFunctionOf(name);
  const round = rounderOf(elementType);
  return (z, w) => {
    const [re, im] = f(z, w, round);
    return [round(re), round(im)];
  };
}
/** The same for 64-bit integers. */
export function bigCombinerOf(name: BinaryName, elementType: ElementType): (x: bigint, y: bigint) => bigint {
  const f = binaryFunctions[name].big!;
  const wrap = elementType === 'ui64' ? BigInt.asUintN : BigInt.asIntN;
  return (x, y) => wrap(64, f(x, y, elementType));
}
