// Broadcasting as NumPy does it: shapes are aligned at their last dims, and dims of size 1 (or missing ones) are repeated.
import type { Dims } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { tensorTypeOf, type Value } from '../program.ts';
import { dynamicDim, formatType, sameShape, type TensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { type Checker, inRange, isSorted, isUnique, list } from './shape-checks.ts';

/** For each operand, the dims of the result to which its dims correspond. */
export function positionsOf(types: readonly TensorType[], explicit: Dims | undefined): readonly Dims[] {
  const rank = Math.max(...types.map(t => t.shape.length));
  // Explicit dims are those of the side with fewer dims; they are ignored if both have the same number.
  const [left, right] = types.map(t => t.shape.length) as [number, number];
  const smaller = explicit === undefined || left === right ? -1 : left < right ? 0 : 1;
  return types.map(({ shape }, i) =>
    i === smaller ? explicit! : shape.map((_, d) => (explicit === undefined ? rank - shape.length + d : d)),
  );
}

/** The shape that operands are broadcast to, with the elements of `elements`. `explicit` as in `broadcast_dimensions`. */
export function broadcastType(
  require: Checker,
  types: readonly TensorType[],
  elements: TensorType,
  explicit?: Dims,
): TensorType {
  const what = (): string => types.map(formatType).join(' and ');
  const rank = Math.max(...types.map(t => t.shape.length));
  if (explicit !== undefined) {
    const smaller = Math.min(...types.map(t => t.shape.length));
    const fits =
      smaller === rank ||
      (explicit.length === smaller && inRange(explicit, rank) && isUnique(explicit) && isSorted(explicit));
    require(fits, 'broadcast_dimensions', () =>
      `${what()}: ${list(explicit)} are not ${smaller} dims in ascending order out of ${rank}`);
  }
  const positions = positionsOf(types, explicit);
  const shape: number[] = [];
  const bounds: (number | undefined)[] = [];
  for (let d = 0; d < rank; d++) {
    let size = 1;
    let bound: number | undefined;
    types.forEach((type, i) => {
      const at = positions[i]!.indexOf(d);
      const mine = type.shape[at] ?? 1;
      if (mine === 1) return;
      if (mine === dynamicDim) {
        if (size === 1) size = dynamicDim;
        bound ??= type.bounds?.[at];
        return;
      }
      require(size === 1 || size === dynamicDim || size === mine, 'shapes', () => `${what()} do not broadcast`);
      size = mine;
    });
    shape.push(size);
    bounds.push(size === dynamicDim ? bound : undefined);
  }
  return boundedType(elements, shape, bounds);
}

/** Operands of known shapes, broadcast to `shape`. */
export function broadcastOperands(
  b: BaseBuilder,
  operands: readonly Value[],
  shape: readonly number[],
  explicit?: Dims,
): readonly Value[] {
  const positions = positionsOf(operands.map(tensorTypeOf), explicit);
  return operands.map((x, i) =>
    sameShape(tensorTypeOf(x).shape, shape) ? x : b.broadcastInDim(x, positions[i]!, shape),
  );
}
