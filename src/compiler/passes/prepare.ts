// Rules that bring ops into the forms that have fast kernels: calls are inlined, multiplies of two-byte floats read and
// sum f32, operands of multiplies whose summed dims are not one even stride are transposed first, and collectives exchange
// f32. After these, nothing downstream needs a case of its own for them.
import { freeDimensions } from '../../hlo/ops/contraction.ts';
import { isComplex } from '../../hlo/ops/element-data.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { dynamicDim, type ElementType, isFloat } from '../../hlo/types.ts';
import { reducerOf } from '../../hlo/walk.ts';
import { isFloatRegister } from '../emit/c-types.ts';
import { treatmentOf } from '../schedule/classify.ts';
import { multiplyTypes, planDot } from '../schedule/dot.ts';
import type { Rewriter, Rule } from './rewriter.ts';

/** Floats that are multiplied and summed as f32. */
const isNarrow = (type: ElementType): boolean => isFloatRegister(type) && type !== 'f32';

export const inlineRule: Rule = (op, r) => {
  if (op.name !== 'func.call') return undefined;
  const callee = r.functionOf(op.attributes.callee);
  // One that is only declared has no body to put here.
  if (callee === undefined || callee.declaredResults !== undefined) return undefined;
  return r.inline(callee.body, op.operands, 'another');
};

/** A kernel that reads a concatenation asks of an index which operand it is in, one after the other. */
const mostParts = 64;
/** Concatenations of very many values become a tree of them, so that kernels ask few questions, and do not nest deeply. */
export const concatenateRule: Rule = (op, r) => {
  if (op.name !== 'concatenate' || op.operands.length <= mostParts) return undefined;
  const size = Math.max(mostParts, Math.ceil(op.operands.length / mostParts));
  const parts: Value[] = [];
  for (let at = 0; at < op.operands.length; at += size)
    parts.push(r.emit1('concatenate', op.operands.slice(at, at + size), op.attributes));
  return [r.emit1('concatenate', parts, op.attributes)];
};

/** Derived ops are said in simpler ones; a map, too, if its region is no more than those. */
export const decomposeRule: Rule = (op, r) =>
  treatmentOf(op) === 'derived' || op.name === 'map' ? r.decompose(op) : undefined;

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
        // a scatter's indices are no operands of the region
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
const elementTypeOf = (v: Value): ElementType => tensorTypeOf(v).elementType;

/** Products of narrow floats read and sum f32, those of mixed types the wider one. */
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
  if (op.name !== 'reduce' || !shapeOf(op.operands[0]!).includes(0)) return undefined;
  if (shapeOf(op.results[0]!).includes(dynamicDim)) return undefined;
  return op.results.map((result, i) => {
    const { elementType, shape } = tensorTypeOf(result);
    const init = op.operands[op.results.length + i]!;
    const one = tensorTypeOf(init).elementType === elementType ? init : r.emit1('convert', [init], { elementType });
    return r.emit1('broadcast_in_dim', [one], { broadcastDimensions: [], shape });
  });
};

export const dotRule: Rule = (op, r) => {
  if (op.name !== 'dot_general') return undefined;
  const wide = multiplyTypes(op) === undefined ? wideDotRule(op, r) : undefined;
  if (wide !== undefined) return wide;
  const types = [...op.operands, op.results[0]].map(v => tensorTypeOf(v).elementType);
  if (!types.every(t => isFloat(t) && !isComplex(t))) return undefined;
  return planDot(op, op.results[0]) === undefined ? [regular(op, r)] : undefined;
};

/** The same product with operands in the order [batch, rows, terms] and [batch, terms, columns]. */
function regular(op: Op<'dot_general'>, r: Rewriter): Value {
  const a = op.attributes;
  const [lhs, rhs] = op.operands as readonly [Value, Value];
  const free = freeDimensions(a, shapeOf(lhs).length, shapeOf(rhs).length);
  const left = r.emit1('transpose', [lhs], {
    permutation: [...a.lhsBatchingDimensions, ...free.lhs, ...a.lhsContractingDimensions],
  });
  const right = r.emit1('transpose', [rhs], {
    permutation: [...a.rhsBatchingDimensions, ...a.rhsContractingDimensions, ...free.rhs],
  });
  const batches = a.lhsBatchingDimensions.map((_, i) => i);
  const terms = a.lhsContractingDimensions.map((_, i) => i);
  const rank = batches.length + free.lhs.length;
  return r.emit1('dot_general', [left, right], {
    ...a,
    lhsBatchingDimensions: batches,
    rhsBatchingDimensions: batches,
    lhsContractingDimensions: terms.map(t => rank + t),
    rhsContractingDimensions: terms.map(t => batches.length + t),
  });
}

/** Two-byte floats are exchanged as f32, and rounded once after the sum. */
export const collectiveRule: Rule = (op, r) => {
  if (op.name !== 'all_reduce' && op.name !== 'reduce_scatter') return undefined;
  if (!op.operands.some(v => isNarrow(tensorTypeOf(v).elementType))) return undefined;
  const name = reducerOf(op.regions[0]!);
  if (name === undefined) return undefined;
  return op.operands.map(v => {
    const { elementType } = tensorTypeOf(v);
    const wide: ElementType = isNarrow(elementType) ? 'f32' : elementType;
    const operand = r.emit1('convert', [v], { elementType: wide });
    const region = r.combiner(name, wide);
    const sum =
      op.name === 'all_reduce'
        ? r.emit1('all_reduce', [operand], op.attributes, [region])
        : r.emit1('reduce_scatter', [operand], op.attributes, [region]);
    return r.emit1('convert', [sum], { elementType });
  });
};
