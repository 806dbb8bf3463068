// dot_general. Floats go through one function of C for all sizes (`t_multiply` in prelude.ts): panels of the right side's
// columns are packed, then each task multiplies a strip of rows with a group of panels, terms in blocks, sums in registers.
// Operands whose batch, free or summed dims are not one even stride are copied in order first. Other types sum directly.

import { freeDimensions } from '../../../hlo/ops/contraction.ts';
import type { Op, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { registerType, rounded, stored } from '../../c/scalar/c-types.ts';
import { accumulatorType, addProduct, converted } from '../../c/scalar/scalar.ts';
import { nest } from '../kernel.ts';
import { type KnownSizes, linearText } from '../sizes.ts';
import type { Step } from '../step.ts';

/** A side of the product: where it is, and the strides of its three groups of dims. */
interface Side {
  readonly pointer: string;
  readonly strides: readonly (number | string)[];
  readonly block: string | undefined;
}

export function dotGeneral(step: Step, op: Op<'dot_general'>): void {
  const a = op.attributes;
  const [lhs, rhs] = op.operands;
  const [l, r] = [step.known(step.sizes(lhs)), step.known(step.sizes(rhs))];
  const free = freeDimensions(a, l.length, r.length);
  const pick = (from: KnownSizes, dims: readonly number[]): KnownSizes => dims.map(d => from[d]!);
  const agreed = (from: readonly number[], to: readonly number[]): KnownSizes =>
    step.known(from.map((d, i) => step.agreed(l[d], r[to[i]!], d)));
  const batch = agreed(a.lhsBatchingDimensions, a.rhsBatchingDimensions);
  const terms = agreed(a.lhsContractingDimensions, a.rhsContractingDimensions);
  const [rows, columns] = [pick(l, free.lhs), pick(r, free.rhs)];
  const result = op.results[0];
  const { pointer } = step.result(result, [...batch, ...rows, ...columns]);
  const { elementType } = tensorTypeOf(result);
  const sameType = op.operands.every(v => tensorTypeOf(v).elementType === elementType);
  if (!sameType || (elementType !== 'f32' && elementType !== 'f64')) {
    direct(step, op, pointer, batch, rows, columns, terms);
    return;
  }
  const left = side(step, lhs, [a.lhsBatchingDimensions, free.lhs, a.lhsContractingDimensions]);
  const right = side(step, rhs, [a.rhsBatchingDimensions, a.rhsContractingDimensions, free.rhs]);
  const [batches, m, n, k] = [batch, rows, columns, terms].map(sizes => step.count(sizes)) as [
    number | string,
    number | string,
    number | string,
    number | string,
  ];
  const packed = step.allocate(elementType, [batches, step.plus(n, 64), k]);
  const c = elementType === 'f32' ? 'float' : 'double';
  const count = step.count(step.known(step.sizes(result)));
  step.out.line(
    `if (${k} == 0) __builtin_memset(${pointer}, 0, (uint64_t)${step.bytes(elementType, step.sizes(result))});`,
  );
  step.out.line(
    `else if (${count} > 0) t_multiply_${c}(rt, (t_multiply_${c}_args){.a = ${left.pointer}, .b = ${right.pointer}, .c = ${pointer}, .packed = ${packed.pointer}, .batches = ${batches}, .m = ${m}, .n = ${n}, .k = ${k}, .a_batch = ${left.strides[0]}, .a_row = ${left.strides[1]}, .a_term = ${left.strides[2]}, .b_batch = ${right.strides[0]}, .b_term = ${right.strides[1]}, .b_column = ${right.strides[2]}});`,
  );
  for (const block of [packed.block, left.block, right.block]) step.dropBlock(block);
}

/** The operand with three dims, each for a group of dims. */
function side(step: Step, value: Value, groups: readonly (readonly number[])[]): Side {
  const sizes = step.known(step.sizes(value));
  const isEven = groups.every(dims => dims.every((d, i) => i === 0 || d === dims[i - 1]! + 1));
  if (isEven) {
    const strides = groups.map(dims => (dims.length === 0 ? 0 : step.count(sizes.slice(dims.at(-1)! + 1))));
    return { pointer: step.memory(value).pointer, strides, block: undefined };
  }
  const order = groups.flat();
  const ordered = order.map(d => sizes[d]!);
  const { elementType } = tensorTypeOf(value);
  const copy = step.allocate(elementType, ordered);
  step.overIndices(ordered, (k, index) => {
    const from: string[] = new Array(index.length);
    order.forEach((d, i) => {
      from[d] = index[i]!;
    });
    k.out.line(`${copy.pointer}[${linearText(ordered, index)}] = ${stored(elementType, step.at(k, value, from))};`);
  });
  const counts = groups.map(dims => step.count(dims.map(d => sizes[d]!)));
  return {
    pointer: copy.pointer,
    strides: [step.times(counts[1]!, counts[2]!), counts[2]!, 1],
    block: copy.block,
  };
}

function direct(
  step: Step,
  op: Op<'dot_general'>,
  pointer: string,
  batch: KnownSizes,
  rows: KnownSizes,
  columns: KnownSizes,
  terms: KnownSizes,
): void {
  const a = op.attributes;
  const [lhs, rhs] = op.operands;
  const { elementType } = tensorTypeOf(op.results[0]);
  const acc = accumulatorType(elementType);
  const free = freeDimensions(a, step.sizes(lhs).length, step.sizes(rhs).length);
  const sizes = [...batch, ...rows, ...columns];
  const place = (
    rank: number,
    groups: readonly (readonly [dims: readonly number[], index: readonly string[]])[],
  ): string[] => {
    const at: string[] = new Array(rank);
    for (const [dims, index] of groups)
      dims.forEach((d, i) => {
        at[d] = index[i]!;
      });
    return at;
  };
  step.overIndices(
    sizes,
    (k, index) => {
      const [b, m, n] = [
        index.slice(0, batch.length),
        index.slice(batch.length, batch.length + rows.length),
        index.slice(batch.length + rows.length),
      ];
      const sum = k.name('p');
      k.out.line(`${acc} ${sum} = 0;`);
      nest(k, terms, t => {
        const factor = (v: Value, at: readonly string[]): string =>
          k.let(acc, `(${acc})${converted(step.at(k, v, at), tensorTypeOf(v).elementType, elementType)}`);
        const x = factor(
          lhs,
          place(step.sizes(lhs).length, [
            [a.lhsBatchingDimensions, b],
            [free.lhs, m],
            [a.lhsContractingDimensions, t],
          ]),
        );
        const y = factor(
          rhs,
          place(step.sizes(rhs).length, [
            [a.rhsBatchingDimensions, b],
            [free.rhs, n],
            [a.rhsContractingDimensions, t],
          ]),
        );
        k.out.line(`${addProduct(sum, x, y, elementType)};`);
      });
      const text = rounded(
        elementType,
        acc === registerType(elementType) ? sum : `(${registerType(elementType)})${sum}`,
      );
      k.out.line(`${pointer}[${linearText(sizes, index)}] = ${stored(elementType, text)};`);
    },
    false,
  );
}
