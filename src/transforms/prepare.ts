// Rules that prepare most programs, for any target: calls are inlined, derived ops decomposed
// into simpler ones, and low-precision floats multiplied, summed and all-reduced as wider ones.

import { zip } from '../base/zip.ts';
import { reductionOperands } from '../hlo/operand-groups.ts';
import { isComplex } from '../hlo/ops/element-data.ts';
import type { Op, Value } from '../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../hlo/program.ts';
import { dynamicDim, type ElementType, isFloat } from '../hlo/types.ts';
import { reducerOf } from '../hlo/walk.ts';
import { elementTypeOf, isLowPrecision } from './low-precision.ts';
import type { Rule } from './rewriter.ts';

export const inlineRule: Rule = (op, r) => {
  if (op.name !== 'func.call') return undefined;
  const callee = r.functionOf(op.attributes.callee);
  // One that is only declared has no body to put here.
  if (callee === undefined || callee.declaredResults !== undefined) return undefined;
  return r.inline(callee.body, op.operands, 'another');
};

/** Decomposes derived ops: those for which `isDerived` is true, which depends on the target. */
export const decomposeRule =
  (isDerived: (op: Op) => boolean): Rule =>
  (op, r) =>
    isDerived(op) ? r.decompose(op) : undefined;

/** Reductions whose regions work in a wider type than the operands have: the operands are converted first. */
export const promoteRule: Rule = (op, r) => {
  switch (op.name) {
    case 'reduce':
    case 'reduce_window':
    case 'all_reduce':
    case 'reduce_scatter':
    case 'scatter': {
      const { args } = op.regions.at(-1)!;
      const n = args.length / 2;
      const argument = (i: number): Value | undefined => {
        // The indices of a scatter are not operands of the region.
        if (op.name === 'scatter') return i === n ? undefined : args[i < n ? i : i - n - 1];
        return args[op.name === 'all_reduce' ? 0 : i % n];
      };
      const fits = (v: Value, i: number): boolean => {
        const to = argument(i);
        return to === undefined || elementTypeOf(v) === elementTypeOf(to);
      };
      if (op.operands.every(fits)) return undefined;
      const operands = op.operands.map((v, i) =>
        fits(v, i) ? v : r.emit1('convert', [v], { elementType: elementTypeOf(argument(i)!) }),
      );
      return r.emit(op.name, operands, op.attributes, op.regions);
    }
    default:
      return undefined;
  }
};

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

/** A reduction of nothing is its initial value: kernels may then count on a first element. */
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
  // Together, as they were: one region serves tensors of one type.
  const sums =
    types.size === 1
      ? r.emit(op.name, wide, op.attributes, [r.combiner(name, [...types][0]!)])
      : wide.map(v => r.emit(op.name, [v], op.attributes, [r.combiner(name, tensorTypeOf(v).elementType)])[0]!);
  return zip<Value, Value>(sums, op.operands).map(([sum, v]) =>
    r.emit1('convert', [sum], { elementType: tensorTypeOf(v).elementType }),
  );
};
