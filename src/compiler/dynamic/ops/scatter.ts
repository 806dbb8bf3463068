// scatter: the updates one after another, in row-major order; what falls outside is skipped.

import { scatterOperands } from '../../../hlo/operand-groups.ts';
import { otherDims } from '../../../hlo/ops/shape-checks.ts';
import type { Op, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { loaded, registerType, stored } from '../../c/scalar/c-types.ts';
import { printRegion } from '../../c/scalar/combiners.ts';
import { converted } from '../../c/scalar/scalar.ts';
import { Kernel, nest } from '../kernel.ts';
import { type KnownSizes, linearText, sumText } from '../sizes.ts';
import type { Step } from '../step.ts';
import { writable } from './movement.ts';

export function scatter(step: Step, op: Op<'scatter'>): void {
  const { indices, pairs } = scatterOperands(op.operands);
  const inputs = pairs.map(pair => pair.input);
  const updates = pairs.map(pair => pair.updates);
  const region = op.regions[0];
  const d = op.attributes.dimensionNumbers;
  const sizes = step.known(step.agreedSizes(inputs.map(v => step.sizes(v))));
  const updateSizes = step.known(step.agreedSizes(updates.map(v => step.sizes(v))));
  const indexSizes = step.known(step.sizes(indices));
  const batchDims = otherDims(updateSizes.length, d.updateWindowDims);
  const batchSizes = indexSizes.filter((_, i) => i !== d.indexVectorDim);
  batchDims.forEach((at, i) => {
    step.agreed(updateSizes[at], batchSizes[i], at);
  });
  if (d.indexVectorDim < indexSizes.length)
    step.agreed(d.scatterDimsToOperandDims.length, indexSizes[d.indexVectorDim], d.indexVectorDim);
  d.inputBatchingDims.forEach((at, i) => {
    step.agreed(sizes[at], indexSizes[d.scatterIndicesBatchingDims[i]!], at);
  });
  otherDims(sizes.length, d.insertedWindowDims, d.inputBatchingDims).forEach((to, i) => {
    const [size, window] = [sizes[to]!, updateSizes[d.updateWindowDims[i]!]!];
    if (size !== window) step.check(`${window} <= ${size}`, 'sizes', to, window, size);
  });
  const outer = (v: Value): string => step.atom(v);
  const types = op.results.map(v => tensorTypeOf(v).elementType);
  const pointers = op.results.map((result, i) =>
    target(
      step,
      result,
      inputs[i]!,
      op.operands.filter((_, k) => k !== i),
      sizes,
    ),
  );

  const k = new Kernel();
  nest(k, updateSizes, index => {
    const batch = batchDims.map(i => index[i]!);
    const at: string[] = sizes.map(() => '0');
    otherDims(sizes.length, d.insertedWindowDims, d.inputBatchingDims).forEach((to, i) => {
      at[to] = index[d.updateWindowDims[i]!]!;
    });
    d.inputBatchingDims.forEach((to, i) => {
      const from = d.scatterIndicesBatchingDims[i]!;
      at[to] = batch[from < d.indexVectorDim ? from : from - 1]!;
    });
    const conditions: string[] = [];
    d.scatterDimsToOperandDims.forEach((to, c) => {
      const where = [...batch];
      if (d.indexVectorDim < indexSizes.length) where.splice(d.indexVectorDim, 0, String(c));
      const start = step.at(k, indices, where);
      // far outside stays outside: the sum cannot overflow
      const bounded = k.let(
        'int64_t',
        `(int64_t)${start} > ${sizes[to]} || (int64_t)${start} < -(INT64_C(1) << 48) ? ${sizes[to]} : (int64_t)${start}`,
      );
      at[to] = k.let('int64_t', sumText(at[to]!, bounded));
    });
    sizes.forEach((size, i) => {
      if (at[i] !== '0') conditions.push(`${at[i]} >= 0 && ${at[i]} < ${size}`);
      else if (typeof size === 'string') conditions.push(`${size} > 0`);
    });
    k.block(`if (${conditions.length === 0 ? '1' : conditions.join(' && ')})`, () => {
      const place = k.let('int64_t', linearText(sizes, at));
      const old = pointers.map((p, i) => k.let(registerType(types[i]!), loaded(types[i]!, `${p}[${place}]`)));
      const given = updates.map((v, i) =>
        k.let(registerType(types[i]!), converted(step.at(k, v, index), tensorTypeOf(v).elementType, types[i]!)),
      );
      const after = printRegion(k.out, region, [...old, ...given], k.name('r'), outer);
      after.forEach((text, i) => {
        k.out.line(`${pointers[i]}[${place}] = ${stored(types[i]!, text)};`);
      });
    });
  });
  step.launch(k, step.bind('int64_t', `${step.count(updateSizes)} > 0`));
}

/** Initial results, copied from the inputs; a region may accumulate in another type. */
function target(step: Step, result: Value, input: Value, others: readonly Value[], sizes: KnownSizes): string {
  const [from, to] = [input, result].map(v => tensorTypeOf(v).elementType) as [ElementType, ElementType];
  if (from === to) return writable(step, result, input, others, sizes);
  const { pointer } = step.result(result, sizes);
  step.overFlat(step.count(sizes), (k, i) => {
    k.out.line(`${pointer}[${i}] = ${stored(to, k.let(registerType(to), converted(step.at(k, input, i), from, to)))};`);
  });
  return pointer;
}
