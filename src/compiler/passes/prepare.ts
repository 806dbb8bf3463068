// Rules that bring ops into the forms that have fast kernels: calls are inlined, multiplies of two-byte floats read and
// sum f32, operands of multiplies whose summed dims are not one even stride are transposed first, and collectives exchange
// f32. After these, nothing downstream needs a case of its own for them.
import { freeDimensions } from '../../hlo/ops/contraction.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import type { ElementType } from '../../hlo/types.ts';
import { reducerOf } from '../../hlo/walk.ts';
import { planDot } from '../schedule/dot.ts';
import type { Rewriter, Rule } from './rewriter.ts';

const isNarrow = (type: ElementType): boolean => type === 'bf16' || type === 'f16';

export const inlineRule: Rule = (op, r) => {
  if (op.name !== 'func.call') return undefined;
  const callee = r.module.functions.find(f => f.name === op.attributes.callee);
  return callee && r.inline(callee.body, op.operands);
};

export const dotRule: Rule = (op, r) => {
  if (op.name !== 'dot_general') return undefined;
  const { elementType } = tensorTypeOf(op.results[0]!);
  const types = op.operands.map(v => tensorTypeOf(v).elementType);
  const float = (t: ElementType): boolean => isNarrow(t) || t === 'f32' || t === 'f64';
  if (!float(elementType) || !types.every(float)) return undefined;
  const inner: ElementType = [elementType, ...types].includes('f64') ? 'f64' : 'f32';
  if (elementType !== inner || types.some(t => t !== inner)) {
    const operands = op.operands.map(v => r.emit1('convert', [v], { elementType: inner }));
    const { elementType: _, ...attributes } = op.attributes;
    return r.emit('convert', [r.emit1('dot_general', operands, { ...attributes, elementType: inner })], {
      elementType,
    });
  }
  if (planDot(op, op.results[0]!) !== undefined) return undefined;
  return [regular(op, r)];
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
