// Rows of the unary and binary elementwise ops, generated from the table of scalar functions.
import { type BinaryName, binaryNames, type UnaryName, unaryNames } from '../attributes.ts';
import { type Literal, zeros } from '../literal.ts';
import { type OpRow, type Rows, tensors } from '../op-row.ts';
import { formatType, type TensorType, type Type } from '../types.ts';
import { countOf, streaming } from './costs.ts';
import { type BigData, decode, encode, isBig, type NumberData, requireComputable, rounderOf } from './element-data.ts';
import {
  type BinaryFunctions,
  binaryFunctions,
  functionFor,
  type UnaryFunctions,
  unaryFunctions,
} from './scalar-functions.ts';
import { type Checker, checkerOf, mergeShapes, shapesAgree, withShape } from './shape-checks.ts';

/** True when the op takes elements of this type. Complex numbers are taken where floats are: the specification agrees. */
function takes(functions: UnaryFunctions | BinaryFunctions, type: TensorType): boolean {
  if (type.elementType.startsWith('complex')) return functions.number !== undefined;
  if (functions.unsigned === false && type.elementType.startsWith('ui')) return false;
  return functionFor(functions as UnaryFunctions, type.elementType) !== undefined;
}
function requireTaken(require: Checker, functions: UnaryFunctions | BinaryFunctions, type: TensorType): void {
  require(takes(functions, type), 'element_type', () => `does not take ${formatType(type)}`);
}

/** The common type of operands that must all have the same one; unknown dims are taken from where they are known. */
export function sameTypes(require: Checker, constraint: number | string, types: readonly TensorType[]): TensorType {
  const first = types[0]!;
  for (const type of types) {
    require(type.elementType === first.elementType && shapesAgree(type.shape, first.shape), constraint, () =>
      `operands must have one type, got ${types.map(formatType).join(' and ')}`);
  }
  return withShape(first, mergeShapes(types.map(t => t.shape)));
}

/** Applies the function of the op to one element after another. Also how reducers combine values. */
export function applyUnary(name: UnaryName, x: Literal): Literal {
  const { elementType } = x.type;
  requireComputable(name, elementType);
  const f = functionFor(unaryFunctions[name], elementType)!;
  if (isBig(elementType)) {
    const out = zeros(x.type);
    const data = out.data as BigInt64Array;
    const from = x.data as BigData;
    for (let i = 0; i < data.length; i++) data[i] = (f as NonNullable<UnaryFunctions['big']>)(from[i]!, elementType);
    return out;
  }
  const from = decode(x) as NumberData;
  const values = new Float64Array(from.length);
  for (let i = 0; i < values.length; i++)
    values[i] = (f as NonNullable<UnaryFunctions['integer']>)(from[i]!, elementType);
  return encode(x.type, values);
}

export function applyBinary(name: BinaryName, x: Literal, y: Literal): Literal {
  const { elementType } = x.type;
  requireComputable(name, elementType);
  const f = functionFor(binaryFunctions[name], elementType)!;
  if (isBig(elementType)) {
    const out = zeros(x.type);
    const data = out.data as BigInt64Array;
    const [a, b] = [x.data as BigData, y.data as BigData];
    for (let i = 0; i < data.length; i++)
      data[i] = (f as NonNullable<BinaryFunctions['big']>)(a[i]!, b[i]!, elementType);
    return out;
  }
  const [a, b] = [decode(x) as NumberData, decode(y) as NumberData];
  const values = new Float64Array(a.length);
  for (let i = 0; i < values.length; i++)
    values[i] = (f as NonNullable<BinaryFunctions['integer']>)(a[i]!, b[i]!, elementType);
  return encode(x.type, values);
}

/**
 * A binary op on two numbers of an element type of at most 32 bits or a float type. `wide` leaves the result of a float
 * op in f64, for accumulations that are rounded once, at the end.
 */
export function combinerOf(
  name: BinaryName,
  elementType: TensorType['elementType'],
  wide: boolean,
): (x: number, y: number) => number {
  requireComputable(name, elementType);
  const f = functionFor(binaryFunctions[name], elementType) as NonNullable<BinaryFunctions['integer']>;
  if (wide && functionFor(binaryFunctions[name], elementType) === binaryFunctions[name].number)
    return f as (x: number, y: number) => number;
  const round = rounderOf(elementType);
  return (x, y) => round(f(x, y, elementType));
}
/** The same for 64-bit integers. */
export function bigCombinerOf(
  name: BinaryName,
  elementType: TensorType['elementType'],
): (x: bigint, y: bigint) => bigint {
  const f = binaryFunctions[name].big!;
  const wrap = elementType === 'ui64' ? BigInt.asUintN : BigInt.asIntN;
  return (x, y) => wrap(64, f(x, y, elementType));
}

function unaryRow<N extends UnaryName>(name: N): OpRow<N> {
  const functions = unaryFunctions[name];
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'elementwise',
    pure: true,
    infer(operands: readonly Type[]) {
      const [x] = tensors(name, operands, 1);
      requireTaken(require, functions, x!);
      return [x!];
    },
    evaluate: (_op, [x]) => [applyUnary(name, x!)],
    cost(op) {
      const count = countOf(op.results[0]!.type);
      return functions.transcendental ? streaming(op, 0, count) : streaming(op, count);
    },
  };
}

function binaryRow<N extends BinaryName>(name: N): OpRow<N> {
  const functions = binaryFunctions[name];
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'elementwise',
    pure: true,
    infer(operands: readonly Type[]) {
      const type = sameTypes(require, 1, tensors(name, operands, 2));
      requireTaken(require, functions, type);
      return [type];
    },
    evaluate: (_op, [x, y]) => [applyBinary(name, x!, y!)],
    cost(op) {
      const count = countOf(op.results[0]!.type);
      return functions.transcendental ? streaming(op, 0, count) : streaming(op, count);
    },
  };
}

export const elementwiseRows = {
  ...Object.fromEntries(unaryNames.map(name => [name, unaryRow(name)])),
  ...Object.fromEntries(binaryNames.map(name => [name, binaryRow(name)])),
} as unknown as Rows<UnaryName | BinaryName>;
