// dot_general. Floats go through one function of C for all sizes (multiply.ts).
// Other types are planned and printed as for known sizes.
import { elementAt } from '../../../../base/element-at.ts';
import { invariant } from '../../../../base/errors.ts';
import { freeDimensions } from '../../../../hlo/ops/contraction.ts';
import type { Op, Value } from '../../../../hlo/program.ts';
import { tensorTypeOf } from '../../../../hlo/program.ts';
import { planDot } from '../../kernels/sized-op-plan.ts';
import { hasFunction, isEven } from '../even-dots.ts';
import type { KnownSizes } from '../sizes.ts';
import type { Step } from '../step.ts';

/** A side of the product: where it is, and the strides of its three groups of dims. */
interface Side {
  readonly pointer: string;
  readonly strides: readonly (number | string)[];
}

export function dotGeneral(step: Step, op: Op<'dot_general'>): void {
  const a = op.attributes;
  const [lhs, rhs] = op.operands;
  const [l, r] = [step.known(step.sizes(lhs)), step.known(step.sizes(rhs))];
  const free = freeDimensions(a, l.length, r.length);
  const pick = (from: KnownSizes, dims: readonly number[]): KnownSizes => dims.map(d => elementAt(from, d));
  const agreed = (from: readonly number[], to: readonly number[]): KnownSizes =>
    step.known(from.map((d, i) => step.agreed(l[d], r[elementAt(to, i)], d)));
  const batch = agreed(a.lhsBatchingDimensions, a.rhsBatchingDimensions);
  const terms = agreed(a.lhsContractingDimensions, a.rhsContractingDimensions);
  const [rows, columns] = [pick(l, free.lhs), pick(r, free.rhs)];
  const result = op.results[0];
  const { pointer } = step.result(result, [...batch, ...rows, ...columns]);
  const { elementType } = tensorTypeOf(result);
  if (!hasFunction(op)) {
    step.runOp(op, (slots, sizes) => planDot(op, slots, sizes));
    return;
  }
  const left = side(step, lhs, [a.lhsBatchingDimensions, free.lhs, a.lhsContractingDimensions]);
  const right = side(step, rhs, [a.rhsBatchingDimensions, a.rhsContractingDimensions, free.rhs]);
  const [batches, m, n, k] = [step.count(batch), step.count(rows), step.count(columns), step.count(terms)];
  const c = elementType === 'f32' ? 'float' : 'double';
  const count = step.count(step.known(step.sizes(result)));
  step.out.line(
    `if (${k} == 0) __builtin_memset(${pointer}, 0, (uint64_t)${step.bytes(elementType, step.sizes(result))});`,
  );
  step.out.line(
    `else if (${count} > 0) t_multiply_${c}(rt, (t_multiply_${c}_args){.call = {.a = ${left.pointer}, .b = ${right.pointer}, .c = ${pointer}}, .batches = ${batches}, .m = ${m}, .n = ${n}, .k = ${k}, .a_batch = ${left.strides[0]}, .a_row = ${left.strides[1]}, .a_term = ${left.strides[2]}, .b_batch = ${right.strides[0]}, .b_term = ${right.strides[1]}, .b_column = ${right.strides[2]}});`,
  );
}

/** The operand with three dims, each for a group of dims. */
function side(step: Step, value: Value, groups: readonly (readonly number[])[]): Side {
  invariant(isEven(groups), 'a product over dims that do not follow one another');
  const sizes = step.known(step.sizes(value));
  const strides = groups.map(dims => {
    const last = dims.at(-1);
    return last === undefined ? 0 : step.count(sizes.slice(last + 1));
  });
  return { pointer: step.memory(value).pointer, strides };
}
