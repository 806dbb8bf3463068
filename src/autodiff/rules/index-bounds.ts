// StableHLO's handling of out-of-bounds indices, as ops: gather and dynamic_slice clamp them, scatter drops
// the element. Each is the gradient of the other, so each rule applies the bounds of its forward op.
import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, numberKind } from '../../hlo/types.ts';

/** The largest number of an integer type. */
function largestOf(type: ElementType): number {
  const bits = Number(type.replace(/^u?i/, ''));
  return 2 ** (numberKind(type) === 'signed' ? bits - 1 : bits) - 1;
}

/** One number per component, shaped as the indices are. */
export function perComponent(b: Builder, indices: Value, indexVectorDim: number, numbers: readonly number[]): Value {
  const { elementType, shape } = tensorTypeOf(indices);
  if (numbers.every(n => n === numbers[0])) return b.fill(elementType, shape, numbers[0] ?? 0);
  return b.broadcastInDim(b.constant(literal(elementType, [numbers.length], numbers)), [indexVectorDim], shape);
}

/** Indices moved into [0, high], component by component; bounds beyond the index type are skipped. */
export function clampIndices(b: Builder, indices: Value, indexVectorDim: number, high: readonly number[]): Value {
  const { elementType } = tensorTypeOf(indices);
  const most = largestOf(elementType);
  const from = high.map(() => 0);
  const to = high.map(n => Math.min(n, most));
  return b.emit1(
    'clamp',
    [perComponent(b, indices, indexVectorDim, from), indices, perComponent(b, indices, indexVectorDim, to)],
    {},
  );
}

/** i1, one per index: true where every component lies in [0, high]. The index vector dim is removed. */
export function inBounds(b: Builder, indices: Value, indexVectorDim: number, high: readonly number[]): Value {
  const { elementType, shape } = tensorTypeOf(indices);
  const most = largestOf(elementType);
  const below = b.compare(
    'LE',
    indices,
    perComponent(
      b,
      indices,
      indexVectorDim,
      high.map(n => Math.min(n, most)),
    ),
  );
  const inside =
    numberKind(elementType) === 'signed'
      ? b.binary('and', below, b.compare('GE', indices, b.fill(elementType, shape, 0)))
      : below;
  return indexVectorDim < shape.length ? b.reduce('and', inside, b.fill('i1', [], true), [indexVectorDim]) : inside;
}
