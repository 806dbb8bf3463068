// Checks of the unary and binary elementwise ops: the element types of each, operands of equal type, valid tolerances, and the
// rules for adding quantized numbers.
import { type BinaryName, binaryNames, type ResultAccuracy, type UnaryName, unaryNames } from '../attributes.ts';
import type { OpOf } from '../program.ts';
import { formatType, type Quantization, type TensorType } from '../types.ts';
import { boundedType, mostSpecificType } from './bounds.ts';
import { anyElement, checkElements, type ElementKind, integers } from './operand-checks.ts';
import { type Checker, checkerOf, compatible, compatibleElements } from './shape-checks.ts';

const real: readonly ElementKind[] = ['float', 'quantized'];
const analytic: readonly ElementKind[] = ['float', 'complex', 'quantized'];
const arithmetic: readonly ElementKind[] = ['signed', 'unsigned', 'float', 'complex', 'quantized'];
const withSign: readonly ElementKind[] = ['signed', 'float', 'complex', 'quantized'];
const bitwise: readonly ElementKind[] = ['boolean', 'signed', 'unsigned'];
const all: readonly ElementKind[] = [...anyElement, 'per-axis quantized'];

/** The element types of ops that are not `analytic`. */
const kinds: { readonly [N in UnaryName | BinaryName]?: readonly ElementKind[] } = {
  abs: withSign,
  ceil: real,
  count_leading_zeros: integers,
  floor: real,
  negate: arithmetic,
  not: bitwise,
  popcnt: integers,
  round_nearest_afz: real,
  round_nearest_even: real,
  sign: withSign,
  'chlo.erf': ['float'],
  add: all,
  and: bitwise,
  divide: arithmetic,
  maximum: anyElement,
  minimum: anyElement,
  multiply: anyElement,
  or: bitwise,
  power: arithmetic,
  remainder: arithmetic,
  shift_left: integers,
  shift_right_arithmetic: integers,
  shift_right_logical: integers,
  subtract: arithmetic,
  xor: bitwise,
};
const kindsOf = new Map<UnaryName | BinaryName, readonly ElementKind[]>(
  [...unaryNames, ...binaryNames].map(name => [name, kinds[name] ?? analytic]),
);

export function checkOperands(require: Checker, name: UnaryName | BinaryName, types: readonly TensorType[]): void {
  for (let i = 0; i < types.length; i++) checkElements(require, i === 0 ? 'i1' : 'i2', [types[i]!], kindsOf.get(name)!);
}

/** The common type of operands that must all have the same one; unknown sizes are taken from operands in which they are known. */
export function sameTypes(require: Checker, constraint: number | string, types: readonly TensorType[]): TensorType {
  const first = types[0]!;
  for (const type of types) {
    require(compatible(type, first), constraint, () =>
      `operands must have one type, got ${types.map(formatType).join(' and ')}`);
  }
  return mostSpecificType(require, constraint, types);
}

export function checkAccuracy(require: Checker, accuracy: ResultAccuracy | undefined): void {
  if (accuracy === undefined) return;
  const { mode, atol, rtol, ulps } = accuracy;
  require(atol >= 0 && rtol >= 0 && ulps >= 0, 'accuracy', () =>
    `tolerances must not be negative, got atol ${atol}, rtol ${rtol}, ulps ${ulps}`);
  require(mode === 'TOLERANCE' || (atol === 0 && rtol === 0 && ulps === 0), 'accuracy', () =>
    `mode ${mode} has no tolerances, got atol ${atol}, rtol ${rtol}, ulps ${ulps}`);
}

const require: Checker = checkerOf('add');

/** The shape and, if known, the elements of a sum: per axis if either operand is per axis. */
export function inferSum(lhs: TensorType, rhs: TensorType): TensorType {
  const quantized = lhs.quantization !== undefined && rhs.quantization !== undefined;
  if (!quantized) return sameTypes(require, 1, [lhs, rhs]);
  const elements = rhs.quantization.axis === undefined ? lhs : rhs;
  checkStored(lhs, rhs);
  return sameTypes(require, 1, [
    boundedType(elements, lhs.shape, lhs.bounds),
    boundedType(elements, rhs.shape, rhs.bounds),
  ]);
}
function checkStored(a: TensorType, b: TensorType): void {
  const what = (): string => `${formatType(a)} and ${formatType(b)}`;
  require(a.elementType === b.elementType, 3, () => `${what()}: storage types differ`);
  require(a.quantization?.expressedType === b.quantization?.expressedType, 4, () =>
    `${what()}: expressed types differ`);
}

/** Checks the declared elements of a sum: quantized like the operands, along the same dim if any. */
export function verifySum({ operands, results }: OpOf<'add'>): void {
  const [lhs, rhs, sum] = [operands[0].type, operands[1].type, results[0].type] as [TensorType, TensorType, TensorType];
  const [p, q, r] = [lhs.quantization, rhs.quantization, sum.quantization];
  if (p === undefined && q === undefined && r === undefined) {
    require(compatibleElements(lhs, sum), 1, () => `the sum of ${formatType(lhs)} is ${formatType(sum)}`);
    return;
  }
  require(p !== undefined && q !== undefined && r !== undefined, 2, () =>
    'operands and result must all be quantized, or none');
  checkStored(lhs, sum);
  require((p.axis ?? q.axis) === undefined ? r.axis === undefined : r.axis !== undefined, 5, () =>
    'the result must be quantized per axis if and only if an operand is');
  const along = (operand: Quantization): boolean => operand.axis === undefined || operand.axis === r.axis;
  require(along(p), 6, () => `the left side is quantized along dim ${p.axis}, the result along ${r.axis}`);
  require(along(q), 7, () => `the right side is quantized along dim ${q.axis}, the result along ${r.axis}`);
}
