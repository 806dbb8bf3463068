// How a view is derived from its base: the ops that move elements without changing any, as data. They can be applied again when
// the base has changed, and reversed when the view has changed:
//
//   apply   base ─ reshape ─ transpose ─ slice ─▶ view
//   write   base, new view ─▶ base with the elements of the view replaced
//
// The steps are derived from the ops that the call recorded, so that views need no separate description.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { dispatch, isIn, type PerOp } from '../../hlo/per-op.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { sameShape } from '../../hlo/types.ts';
import { replaceAlong, sliceAlong } from '../lower/move.ts';
import { formatShape } from '../lower/shapes.ts';
import { movingNumber } from '../step/changing-numbers.ts';

type Shape = readonly number[];
export type Step =
  | { readonly kind: 'reshape'; readonly from: Shape; readonly to: Shape }
  | { readonly kind: 'transpose'; readonly permutation: Shape }
  /** Entries start ≤ i < end of a dim, each step-th. */
  | {
      readonly kind: 'slice';
      readonly from: Shape;
      readonly dim: number;
      readonly start: number;
      readonly end: number;
      readonly step: number;
    }
  /** Element [i…] of the result is that of the operand at the indices of `dims`. */
  | { readonly kind: 'broadcast'; readonly from: Shape; readonly dims: Shape; readonly to: Shape };

/** The steps from `base` to `view`, first to last; undefined where something else than moving was recorded. */
export function stepsBetween(base: Value, view: Value): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let value = view; value !== base; ) {
    const { op } = value;
    if (op === undefined || !isIn(moves, op)) return undefined;
    const step = dispatch(moves, op);
    if (step === undefined) return undefined;
    steps.push(...step);
    value = op.operands[0];
  }
  return steps.reverse();
}

/** The view steps of an op: one or none; undefined if unknown. */
const moves: PerOp<
  'reshape' | 'transpose' | 'slice' | 'dynamic_slice' | 'broadcast_in_dim',
  readonly Step[] | undefined
> = {
  reshape: op => [{ kind: 'reshape', from: shapeOf(op.operands[0]), to: shapeOf(op.results[0]) }],
  transpose: op => [{ kind: 'transpose', permutation: op.attributes.permutation }],
  slice(op) {
    const { startIndices, limitIndices, strides } = op.attributes;
    const from = shapeOf(op.operands[0]);
    const sliced = from.flatMap((d, i) =>
      startIndices[i] === 0 && limitIndices[i] === d && strides[i] === 1 ? [] : [i],
    );
    if (sliced.length > 1) return undefined;
    if (from.length === 0) return [];
    const dim = sliced[0] ?? 0;
    return [{ kind: 'slice', from, dim, start: startIndices[dim]!, end: limitIndices[dim]!, step: strides[dim]! }];
  },
  dynamic_slice(op) {
    const [x, ...starts] = op.operands;
    const dim = starts.findIndex(start => movingNumber(start) !== undefined);
    if (dim < 0) return undefined;
    const start = movingNumber(starts[dim]!)!;
    const end = start + op.attributes.sliceSizes[dim]!;
    return [{ kind: 'slice', from: shapeOf(x), dim, start, end, step: 1 }];
  },
  broadcast_in_dim: op => [
    {
      kind: 'broadcast',
      from: shapeOf(op.operands[0]),
      dims: op.attributes.broadcastDimensions,
      to: op.attributes.shape,
    },
  ],
};

export const applySteps = (b: Builder, base: Value, steps: readonly Step[]): Value =>
  steps.reduce((value, step) => applyStep(b, value, step), base);

function applyStep(b: Builder, value: Value, step: Step): Value {
  switch (step.kind) {
    case 'reshape':
      return b.reshape(value, step.to);
    case 'transpose':
      return b.transpose(value, step.permutation);
    case 'slice':
      return sliceAlong(b, value, step.dim, step.start, step.end, step.step);
    case 'broadcast':
      return b.broadcastInDim(value, step.dims, step.to);
  }
}

/**
 * The base with the elements of the view replaced by `value`.
 * @throws {BAD_ASSIGNMENT} where several elements of the view are one element of the base
 */
export function writeSteps(b: Builder, base: Value, value: Value, steps: readonly Step[]): Value {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  const inner = writeSteps(b, applyStep(b, base, step), value, rest);
  switch (step.kind) {
    case 'reshape':
      return b.reshape(inner, step.from);
    case 'transpose':
      return b.transpose(
        inner,
        step.permutation.map((_, dim) => step.permutation.indexOf(dim)),
      );
    case 'slice':
      return writeSlice(b, base, inner, step);
    case 'broadcast':
      return writeBroadcast(b, inner, step);
  }
}

function writeSlice(
  b: Builder,
  base: Value,
  value: Value,
  { from, dim, start, step }: Extract<Step, { kind: 'slice' }>,
): Value {
  const size = shapeOf(value);
  if (sameShape(size, from)) return value;
  if (size.includes(0)) return base;
  if (step === 1) return replaceAlong(b, base, dim, start, value);
  const along = (there: number, elsewhere: number): number[] => from.map((_, i) => (i === dim ? there : elsewhere));
  const end = from[dim]! - start - ((size[dim]! - 1) * step + 1);
  const spread = (x: Value, zero: Value): Value => b.pad(x, zero, along(start, 0), along(end, 0), along(step - 1, 0));
  const isWritten = spread(b.fill('i1', size, true), b.fill('i1', [], false));
  return b.select(isWritten, spread(value, b.fill(tensorTypeOf(value).elementType, [], 0)), base);
}

function writeBroadcast(b: Builder, value: Value, step: Extract<Step, { kind: 'broadcast' }>): Value {
  const { from, dims, to } = step;
  const kept = dims.map(dim => to[dim]!);
  const count = (shape: Shape): number => shape.reduce((n, d) => n * d, 1);
  if (count(to) !== count(from))
    throw new TrenioError(
      'BAD_ASSIGNMENT',
      {
        problem: `several elements of the expanded tensor ${formatShape(to)} are one element of ${formatShape(from)}: clone() it first`,
      },
      { location: b.location },
    );
  // Dims of size 1 were added, and the others possibly reordered.
  const order = dims.map((_, i) => i).sort((i, j) => dims[i]! - dims[j]!);
  const inOrder = b.reshape(
    value,
    order.map(i => kept[i]!),
  );
  return b.reshape(
    b.transpose(
      inOrder,
      dims.map((_, i) => order.indexOf(i)),
    ),
    from,
  );
}

/** The strides of a tensor that lies row by row. */
export function rowMajor(shape: Shape): readonly number[] {
  const strides: number[] = [];
  let next = 1;
  for (const size of shape.toReversed()) {
    strides.push(next);
    next *= Math.max(size, 1);
  }
  return strides.reverse();
}

/** Where PyTorch would have the elements of a view: strides in elements, and the first element. */
export interface Strided {
  readonly shape: Shape;
  readonly strides: Shape;
  readonly offset: number;
}

/** The layout after a step; undefined where PyTorch's `reshape` would have to copy. */
export function strideStep({ shape, strides, offset }: Strided, step: Step): Strided | undefined {
  switch (step.kind) {
    case 'reshape': {
      const next = reshapeStrides(shape, strides, step.to);
      return next && { shape: step.to, strides: next, offset };
    }
    case 'transpose':
      return {
        shape: step.permutation.map(dim => shape[dim]!),
        strides: step.permutation.map(dim => strides[dim]!),
        offset,
      };
    case 'slice':
      return {
        shape: shape.map((d, i) => (i === step.dim ? Math.ceil((step.end - step.start) / step.step) : d)),
        strides: strides.map((stride, i) => (i === step.dim ? stride * step.step : stride)),
        offset: offset + step.start * strides[step.dim]!,
      };
    case 'broadcast':
      return {
        shape: step.to,
        strides: step.to.map((_, dim) => {
          const i = step.dims.indexOf(dim);
          return i < 0 || (shape[i] === 1 && step.to[dim] !== 1) ? 0 : strides[i]!;
        }),
        offset,
      };
  }
}

/** Strides of the same elements in another shape, as PyTorch works them out; undefined where it would copy. */
function reshapeStrides(shape: Shape, strides: Shape, to: Shape): Shape | undefined {
  if (shape.includes(0)) return rowMajor(to);
  const result = new Array<number>(to.length).fill(1);
  let at = to.length - 1;
  // A chunk of dims that are adjacent in memory.
  let base = strides.at(-1) ?? 1;
  let elements = 1;
  let filled = 1;
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    elements *= shape[dim]!;
    const isLast = dim === 0 || (shape[dim - 1] !== 1 && strides[dim - 1] !== elements * base);
    if (!isLast) continue;
    while (at >= 0 && (filled < elements || to[at] === 1)) {
      result[at] = filled * base;
      filled *= to[at]!;
      at--;
    }
    if (filled !== elements) return undefined;
    if (dim > 0) {
      base = strides[dim - 1]!;
      elements = 1;
      filled = 1;
    }
  }
  for (; at >= 0; at--) result[at] = base;
  return at === -1 ? result : undefined;
}

/** As in PyTorch, dims of size 1 may have any stride. */
export function isRowMajor({ shape, strides }: Strided): boolean {
  if (shape.includes(0)) return true;
  const plain = rowMajor(shape);
  return strides.every((stride, i) => shape[i] === 1 || stride === plain[i]);
}
