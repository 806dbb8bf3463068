// Ops that move elements: their results are stored completely, because they are written in several pieces.

import type { Op, Value } from '../../../../hlo/program.ts';
import { tensorTypeOf } from '../../../../hlo/program.ts';
import { dynamicDim } from '../../../../hlo/types.ts';
import { add, divMod, type Index, scale } from '../../../ir/index-expr.ts';
import type { Guard, Node } from '../../../ir/node.ts';
import type { ElementKernel, Elements } from '../element-kernel.ts';
import { clampedStarts, moved, shapeOperand } from '../elements.ts';
import type { KnownSizes, Size, Sizes } from '../sizes.ts';
import type { Step } from '../step.ts';

/** Computes every element of a value into memory. */
export function storeElements(step: Step, value: Value, { sizes, lazy }: Elements): void {
  const { pointer } = step.result(value, sizes);
  const known = step.known(step.sizes(value));
  step.fuse(known, step.storage.reducedIn(value), [{ value, pointer, sizes: known, at: lazy.at }]);
}

/** Copies an operand's elements into a part of the result, which has the elements of `over` before. */
function insert(
  step: Step,
  operand: Value,
  result: { readonly value: Value; readonly pointer: string; readonly sizes: KnownSizes; readonly over?: Value },
  starts: readonly (number | string)[],
): void {
  const at = (k: ElementKernel, index: readonly Index[]): Node => k.at(operand, index);
  step.fuse(step.known(step.sizes(operand)), [], [{ ...result, at, place: (k, index) => moved(k, index, starts) }]);
}

export function concatenate(step: Step, op: Op<'concatenate'>): void {
  const { dimension } = op.attributes;
  const parts = op.operands.map(v => step.sizes(v));
  const others = step.agreedSizes(parts.map(sizes => sizes.map((s, d) => (d === dimension ? 1 : s))));
  const starts: (number | string)[] = [];
  let total: number | string = 0;
  for (const sizes of parts) {
    starts.push(total);
    total = step.plus(total, step.known([sizes[dimension]])[0]!);
  }
  const { pointer } = step.result(
    op.results[0],
    others.map((s, d): Size => (d === dimension ? total : s)),
  );
  const known = step.known(step.sizes(op.results[0]));
  op.operands.forEach((v, i) => {
    const at = known.map((_, d) => (d === dimension ? starts[i]! : 0));
    insert(step, v, { value: op.results[0], pointer, sizes: known }, at);
  });
}

export function pad(step: Step, op: Op<'pad'>): void {
  const { edgePaddingLow: low, edgePaddingHigh: high, interiorPadding: interior } = op.attributes;
  padBy(step, op, { low, high, interior });
}
export function dynamicPad(step: Step, op: Op<'dynamic_pad'>): void {
  const [x, , low, high, interior] = op.operands;
  const amounts = (list: Value): KnownSizes => step.sizes(x).map((_, d) => step.integerOf(list, d));
  padBy(step, op, { low: amounts(low), high: amounts(high), interior: amounts(interior) });
}

/** Padding at both ends of each dim, and between its elements. */
interface Padding {
  readonly low: KnownSizes;
  readonly high: KnownSizes;
  readonly interior: KnownSizes;
}
function padBy(step: Step, op: Op<'pad' | 'dynamic_pad'>, { low, high, interior }: Padding): void {
  const [x, value] = op.operands;
  const from = step.known(step.sizes(x));
  const sizes = from.map((size, d): number | string => {
    const holes = interior[d]!;
    if (typeof holes === 'string') step.check(`${holes} >= 0`, 'range', d, holes, 0);
    const gaps =
      typeof size === 'number'
        ? Math.max(size - 1, 0)
        : step.integer(`${size} > 0 ? ${size} - 1 : 0`, run => Math.max(step.numberIn(run, size) - 1, 0));
    const total = step.plus(step.plus(step.plus(size, low[d]!), high[d]!), step.times(gaps, holes));
    if (typeof total === 'string') step.check(`${total} >= 0`, 'range', d, total, 0);
    return total;
  });
  const periods = interior.map(n => step.plus(n, 1));
  // the position after the last element, were there no padding
  const ends = from.map((size, d) => step.plus(step.times(step.plus(size, -1), periods[d]!), 1));
  const at = (k: ElementKernel, index: readonly Index[]): Node => {
    const shifted = index.map((i, d) => add(i, scale(k.integer(low[d]!), -1)));
    const guards = shifted.map((i, d): Guard => {
      const modulus = k.extent(periods[d]!);
      const range = { index: i, low: 0, high: k.extent(ends[d]!) };
      return modulus === 1 ? range : { ...range, modulus, remainder: 0 };
    });
    const inner = shifted.map((i, d) => divMod(i, k.extent(periods[d]!))[0]);
    return k.graph.guarded(
      guards,
      k.within(guards, () => k.at(x, inner)),
      k.at(value, []),
    );
  };
  storeElements(step, op.results[0], { sizes, lazy: { at } });
}

/** In place if the operand is not needed afterwards. */
export function dynamicUpdateSlice(step: Step, op: Op<'dynamic_update_slice'>): void {
  const [x, update, ...starts] = op.operands;
  const sizes = step.known(step.asStated(op.results[0], step.sizes(x)));
  const at = clampedStarts(step, starts, sizes, step.sizes(update));
  const pointer = writable(step, op.results[0], x, [update], sizes);
  insert(step, update, { value: op.results[0], pointer, sizes, over: x }, at);
}

/**
 * Memory for a result that starts as a copy of an operand: the operand's own if this is its last use, nothing else
 * uses its block, and no operand that is still to be read is stored there.
 */
export function writable(step: Step, result: Value, x: Value, others: readonly Value[], sizes: Sizes): string {
  const { pointer, block } = step.memory(x);
  const { elementType } = tensorTypeOf(result);
  const { storage } = step;
  const reused = block !== undefined && step.dies(x) && !others.some(v => storage.rootsOf(v).includes(x));
  if (!reused) {
    const memory = step.result(result, sizes);
    step.copy(memory.pointer, pointer, elementType, sizes);
    return memory.pointer;
  }
  const memory = step.reuse(x, elementType, sizes);
  step.hold(result, { type: elementType, sizes, memory });
  return memory.pointer;
}

/** A reshape: the same elements in the same memory. */
export function reshape(step: Step, op: Op<'reshape' | 'dynamic_reshape'>): void {
  const [x, shape] = op.operands;
  const count = step.count(step.known(step.sizes(x)));
  const result = op.results[0];
  const wanted: Sizes =
    shape === undefined
      ? (op as Op<'reshape'>).attributes.shape.map((d): Size => (d === dynamicDim ? undefined : d))
      : shapeOperand(step, shape, op);
  const open = wanted.flatMap((s, d) => (s === undefined ? [d] : []));
  if (open.length > 1) throw step.unsupported('two sizes that nothing decides', 'use dynamic_reshape');
  let sizes = wanted;
  if (open.length === 1) {
    const rest = step.count(step.known(wanted.map(s => s ?? 1)));
    const missing = step.bind('int64_t', rest === 1 ? String(count) : `${rest} == 0 ? 0 : ${count} / ${rest}`);
    sizes = wanted.map((s): Size => s ?? missing);
  }
  const found = step.count(step.known(sizes));
  if (found !== count) step.check(`${found} == ${count}`, 'elements', 0, count, found);
  step.share(result, x, sizes);
}
