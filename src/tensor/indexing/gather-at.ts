// Reading and writing at index tensors, one for each of several dims: NumPy's advanced indexing.
//
//   x [4, 5, 6], dims 0 and 1 with indices [2, 3] each  →  [2, 3, 6]: x[i0, i1, :]
//   x [4, 5, 6], dims 0 and 2                           →  [2, 3, 5]: apart, the dims of the indices come first
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { broadcastShapes, broadcastTo } from '../lower/shapes.ts';
import { checkIndices } from '../step/index-checks.ts';
import type { Trace } from '../step/trace.ts';

export interface Picked {
  readonly dim: number;
  readonly index: Value;
}

/** The context in which a call is recorded. */
export interface Recording {
  readonly b: Builder;
  readonly trace: Trace;
}

/** The position of the index results among the dims that are not indexed. */
interface Positions {
  readonly dims: readonly number[];
  /** The indices concatenated, [...batch, dims], with negative ones normalized. */
  readonly indices: Value;
  readonly batch: readonly number[];
  /** Dims of the result that do not come from the indices. */
  readonly offsetDims: readonly number[];
  readonly shape: readonly number[];
}

function positionsOf({ b, trace }: Recording, op: string, x: Value, picked: readonly Picked[]): Positions {
  const shape = shapeOf(x);
  const dims = picked.map(({ dim }) => dim);
  const batch = picked.map(({ index }) => shapeOf(index)).reduce((s, t) => broadcastShapes(b, op, s, t));
  const components = picked.map(({ dim, index }) => {
    const wide = b.convert(index, 'i64');
    const fromStart = b.select(b.compare('LT', wide, b.like(wide, 0)), b.add(wide, b.like(wide, shape[dim]!)), wide);
    checkIndices(b, trace, { op, index: fromStart, dim, size: shape[dim]! }, fromStart);
    return b.reshape(broadcastTo(b, fromStart, batch), [...batch, 1]);
  });
  const indices = components.length === 1 ? components[0]! : b.concatenate(components, batch.length);
  const isTogether = dims.every((dim, i) => i === 0 || dim === dims[i - 1]! + 1);
  const first = isTogether ? dims[0]! : 0;
  const rest = shape.flatMap((d, i) => (dims.includes(i) ? [] : [d]));
  const result = [...rest.slice(0, first), ...batch, ...rest.slice(first)];
  const offsetDims = result.map((_, i) => i).filter(i => i < first || i >= first + batch.length);
  return { dims, indices, batch, offsetDims, shape: result };
}

/** The elements at the indices. */
export function gatherAt(recording: Recording, op: string, x: Value, picked: readonly Picked[]): Value {
  const { b } = recording;
  const { dims, indices, batch, offsetDims, shape } = positionsOf(recording, op, x, picked);
  if (dims.some(dim => shapeOf(x)[dim] === 0)) return b.fill(tensorTypeOf(x).elementType, shape, 0);
  return b.gather(
    x,
    indices,
    {
      offsetDims,
      collapsedSliceDims: dims,
      operandBatchingDims: [],
      startIndicesBatchingDims: [],
      startIndexMap: dims,
      indexVectorDim: batch.length,
    },
    shapeOf(x).map((d, i) => (dims.includes(i) ? 1 : d)),
  );
}

/**
 * `x` with `updates` (broadcast) at the indices, replacing the elements or added to them. If an element has several updates, the
 * last one wins.
 */
export function scatterAt(
  recording: Recording,
  op: string,
  x: Value,
  picked: readonly Picked[],
  updates: Value,
  accumulate: boolean,
): Value {
  const { b } = recording;
  const { dims, indices, batch, offsetDims, shape } = positionsOf(recording, op, x, picked);
  const { elementType } = tensorTypeOf(x);
  const wide = broadcastTo(b, b.convert(updates, elementType), shape);
  if (shape.includes(0)) return b.reshape(x, shapeOf(x));
  const scalar = tensorType(elementType);
  const region = accumulate ? b.combiner('add', elementType) : b.region([scalar, scalar], (_, [, update]) => [update!]);
  return b.emit1(
    'scatter',
    [x, indices, wide],
    {
      dimensionNumbers: {
        updateWindowDims: offsetDims,
        insertedWindowDims: dims,
        inputBatchingDims: [],
        scatterIndicesBatchingDims: [],
        scatterDimsToOperandDims: dims,
        indexVectorDim: batch.length,
      },
      indicesAreSorted: false,
      uniqueIndices: false,
    },
    [region],
  );
}
