// Partial results of reductions: initialized, extended by an element, combined, and rounded to the type of the result.
import { evaluateOp } from '../../../hlo/interpreter.ts';
import type { Literal } from '../../../hlo/literal.ts';
import { type Op, type Region, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { type ElementType, isInteger } from '../../../hlo/types.ts';
import { type Accumulator, identityOf } from '../../ir/accumulator.ts';
import { mathFunctionOf } from '../../ir/math/index.ts';
import { isScalarOp, scalarOpOf } from '../../ir/scalar-op.ts';
import { keyOfScalarValue, type ScalarValue, scalarValueAt } from '../../ir/scalar-value.ts';
import type { CpuTarget } from '../target/target.ts';
import { targetFunction } from './math.ts';
import { binaryFunction, convertValue, literalOfValue } from './scalar.ts';

export interface AccumulatorFunctions {
  readonly identity: ScalarValue;
  /** An element converted to a partial result. */
  of(element: ScalarValue): ScalarValue;
  combine(a: ScalarValue, b: ScalarValue): ScalarValue;
  /** A partial result combined with the reduction's initial value, converted to an element of its type. */
  finish(init: ScalarValue, partial: ScalarValue): ScalarValue;
}

const logical = {
  add: 'or',
  maximum: 'or',
  or: 'or',
  multiply: 'and',
  minimum: 'and',
  and: 'and',
  xor: 'xor',
} as const;

export function accumulatorFunctions(accumulator: Accumulator): AccumulatorFunctions {
  const { name, type, held } = accumulator;
  const f = binaryFunction(type === 'i1' ? logical[name] : name, held, held);
  // floats and complex numbers are accumulated with at least their own precision; integers wrap
  const of = isInteger(type) && type !== held ? convertValue(type, held) : (x: ScalarValue) => x;
  const back = type === held ? (x: ScalarValue) => x : convertValue(held, type);
  const identity = identityOf(accumulator);
  const combine = (a: ScalarValue, b: ScalarValue): ScalarValue => f([a, b]);
  return {
    identity,
    of,
    combine,
    finish(init, partial) {
      const start = of(init);
      return back(keyOfScalarValue(start) === keyOfScalarValue(identity) ? partial : combine(start, partial));
    },
  };
}

/** The results of a region for scalar arguments, each with its argument's type. */
export function applyRegion(
  region: Region,
  args: readonly ScalarValue[],
  types: readonly ElementType[],
  captured: ReadonlyMap<Value, ScalarValue>,
  target: CpuTarget,
): ScalarValue[] {
  const values = new Map<Value, Literal>();
  region.args.forEach((a, i) => {
    values.set(a, literalOfValue(types[i]!, args[i]!));
  });
  for (const [v, value] of captured) values.set(v, literalOfValue(tensorTypeOf(v).elementType, value));
  for (const op of region.ops) {
    const operands = op.operands.map(v => values.get(v)!);
    const results = [mathResult(op, operands, target) ?? evaluateOp(op, operands, values)].flat();
    op.results.forEach((v, i) => {
      values.set(v, results[i]!);
    });
  }
  return region.results.map(v => scalarValueAt(values.get(v)!, 0));
}

/** The result of an op that is implemented by a math function, bit by bit. */
function mathResult(op: Op, operands: readonly Literal[], target: CpuTarget): Literal | undefined {
  if (!isScalarOp(op)) return undefined;
  const scalar = scalarOpOf(op);
  const { elementType } = tensorTypeOf(op.results[0]);
  if (mathFunctionOf(scalar, elementType) === undefined) return undefined;
  const f = targetFunction(scalar, [elementType], elementType, target, 'region');
  return literalOfValue(elementType, f(operands.map(x => scalarValueAt(x, 0))));
}
