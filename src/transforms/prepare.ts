// Rules that prepare most programs, for any target: inline calls, decompose derived ops into simpler ones, and multiply, sum and
// all-reduce low-precision floats in wider types.

import { zip } from '../base/zip.ts';
import { reductionOperands } from '../hlo/operand-groups.ts';
import { isComplex } from '../hlo/ops/element-data.ts';
import type { Op, Value } from '../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../hlo/program.ts';
import { dynamicDim, type ElementType, isFloat } from '../hlo/types.ts';
import { reducerOf } from '../hlo/walk.ts';
import { elementTypeOf, isLowPrecision } from './low-precision.ts';
import { type Rewriter, type Rule, ruleFor } from './rewriter.ts';

export const inlineRule: Rule = (op, r) => {
  if (op.name !== 'func.call') return undefined;
  const callee = r.functionOf(op.attributes.callee);
  // A function that is only declared has no body to inline.
  if (callee === undefined || callee.declaredResults !== undefined) return undefined;
  return r.inline(callee.body, op.operands, 'another');
};

/** Decomposes derived ops: those for which `isDerived` is true, which depends on the target. */
export const decomposeRule =
  (isDerived: (op: Op) => boolean): Rule =>
  (op, r) =>
    isDerived(op) ? r.decompose(op) : undefined;

type Reducing = Op<'reduce' | 'reduce_window' | 'all_reduce' | 'reduce_scatter' | 'scatter'>;

/** The operands of a reduction, converted to the types of the region's arguments. */
function promoted<O extends Reducing>(
  op: O,
  r: Rewriter,
  argumentOf: (args: readonly Value[], operand: number, n: number) => Value | undefined,
): readonly Value[] | undefined {
  const { args } = op.regions[0];
  const typeOf = (v: Value, i: number): ElementType => {
    const to = argumentOf(args, i, args.length / 2);
    return elementTypeOf(to ?? v);
  };
  if (op.operands.every((v, i) => elementTypeOf(v) === typeOf(v, i))) return undefined;
  const operands = op.operands.map((v, i) => {
    const elementType = typeOf(v, i);
    return elementTypeOf(v) === elementType ? v : r.emit1('convert', [v], { elementType });
  });
  return r.emit(op.name, operands, op.attributes, op.regions);
}
const ofInput = (args: readonly Value[], operand: number, n: number): Value | undefined => args[operand % n];
const ofAll = (args: readonly Value[]): Value | undefined => args[0];

/** Converts the operands of a reduction whose region computes in a wider type. */
export const promoteRule: Rule = ruleFor({
  reduce: (op, r) => promoted(op, r, ofInput),
  reduce_window: (op, r) => promoted(op, r, ofInput),
  reduce_scatter: (op, r) => promoted(op, r, ofInput),
  all_reduce: (op, r) => promoted(op, r, ofAll),
  // the region has no arguments for the indices
  scatter: (op, r) => promoted(op, r, (args, i, n) => (i === n ? undefined : args[i < n ? i : i - n - 1])),
});

/** Products of low-precision floats are computed in f32, those of mixed types in the wider type. */
export const wideDotRule: Rule = (op, r) => {
  if (op.name !== 'dot_general') return undefined;
  const { elementType } = tensorTypeOf(op.results[0]);
  const types = op.operands.map(v => tensorTypeOf(v).elementType);
  if (!isFloat(elementType) || types.some(isComplex)) return undefined;
  const inner: ElementType = [elementType, ...types].includes('f64') ? 'f64' : 'f32';
  if (elementType === inner && types.every(t => t === inner)) return undefined;
  const operands = op.operands.map(v => r.emit1('convert', [v], { elementType: inner }));
  const { elementType: _, ...attributes } = op.attributes;
  return r.emit('convert', [r.emit1('dot_general', operands, { ...attributes, elementType: inner })], {
    elementType,
  });
};

/** A reduction of zero elements is its initial value, so kernels can rely on a first element. */
export const emptyReduceRule: Rule = (op, r) => {
  if (op.name !== 'reduce' || !shapeOf(op.operands[0]).includes(0)) return undefined;
  if (shapeOf(op.results[0]).includes(dynamicDim)) return undefined;
  return reductionOperands(op.operands).map(({ init }, i) => {
    const { elementType, shape } = tensorTypeOf(op.results[i]!);
    const one = tensorTypeOf(init).elementType === elementType ? init : r.emit1('convert', [init], { elementType });
    return r.emit1('broadcast_in_dim', [one], { broadcastDimensions: [], shape });
  });
};

/** Two-byte floats are all-reduced as f32, and rounded once after the sum. */
export const collectiveRule: Rule = (op, r) => {
  if (op.name !== 'all_reduce' && op.name !== 'reduce_scatter') return undefined;
  if (!op.operands.some(v => isLowPrecision(tensorTypeOf(v).elementType))) return undefined;
  const name = reducerOf(op.regions[0]);
  if (name === undefined) return undefined;
  const wideOf = (v: Value): ElementType => {
    const { elementType } = tensorTypeOf(v);
    return isLowPrecision(elementType) ? 'f32' : elementType;
  };
  const wide = op.operands.map(v => r.emit1('convert', [v], { elementType: wideOf(v) }));
  const types = new Set(wide.map(v => tensorTypeOf(v).elementType));
  // All operands keep one type, because they share one region.
  const sums =
    types.size === 1
      ? r.emit(op.name, wide, op.attributes, [r.combiner(name, [...types][0]!)])
      : wide.map(v => r.emit(op.name, [v], op.attributes, [r.combiner(name, tensorTypeOf(v).elementType)])[0]!);
  return zip<Value, Value>(sums, op.operands).map(([sum, v]) =>
    r.emit1('convert', [sum], { elementType: tensorTypeOf(v).elementType }),
  );
};
