// Random cases of the ops that move elements: by a fixed map, and to or from positions in an index tensor.
import type { GatherDimensionNumbers, ScatterDimensionNumbers } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import type { Literal } from '../../hlo/literal.ts';
import { literal } from '../../hlo/literal.ts';
import type { Region, Value } from '../../hlo/program.ts';
import { elementCount, tensorType } from '../../hlo/types.ts';
import type { Random } from '../random.testing.ts';
import type { MakeCase } from './elementwise.testing.ts';

const reshape: MakeCase = r => {
  const shape = r.shape();
  const ways = [
    [elementCount(shape)],
    [...shape].reverse(),
    [1, ...shape],
    [...shape.slice(0, 1), 1, ...shape.slice(1)],
  ];
  const to = r.pick(ways);
  return { args: [r.tensor(shape)], build: (b, [x]) => [b.reshape(x!, to)] };
};

const broadcast: MakeCase = r => {
  const shape = r.shape(0, 4, 3);
  const dims = r.shuffle(
    r.subset(
      shape.map((_, d) => d),
      0.6,
    ),
  );
  const from = dims.map(d => (r.chance(0.3) ? 1 : shape[d]!));
  return { args: [r.tensor(from)], build: (b, [x]) => [b.broadcastInDim(x!, dims, shape)] };
};

const slice: MakeCase = r => {
  const shape = r.shape(1, 3, 5);
  const start = shape.map(size => r.int(0, size));
  const limit = shape.map((size, d) => r.int(start[d]!, size));
  const strides = shape.map(() => r.int(1, 3));
  return { args: [r.tensor(shape)], build: (b, [x]) => [b.slice(x!, start, limit, strides)] };
};

const concatenate: MakeCase = r => {
  const shape = r.shape(1, 3, 3);
  const dim = r.int(0, shape.length - 1);
  const parts = r.times(r.int(1, 3), () => r.tensor(shape.with(dim, r.int(0, 3))));
  return { args: parts, build: (b, xs) => [b.concatenate(xs, dim)] };
};

const pad: MakeCase = r => {
  const shape = r.shape(0, 3, 4);
  const interior = shape.map(() => r.int(0, 2));
  const whole = shape.map((size, d) => size + (size - 1) * interior[d]!);
  const low = whole.map(size => r.int(-Math.min(size, 2), 2));
  const high = whole.map((size, d) => r.int(-Math.min(2, Math.max(0, size + low[d]!)), 2));
  return {
    args: [r.tensor(shape), r.tensor([])],
    build: (b, [x, filler]) => [b.pad(x!, filler!, low, high, interior)],
  };
};

/** Scalar start indices, some of them out of bounds. */
const starts = (r: Random, shape: readonly number[]): Literal[] => shape.map(size => r.integers([], -2, size + 1));

const dynamicSlice: MakeCase = r => {
  const shape = r.shape(1, 3, 4);
  const sliceSizes = shape.map(size => r.int(1, size));
  return {
    args: [r.tensor(shape), ...starts(r, shape)],
    build: (b, values) => [b.emit1('dynamic_slice', values, { sliceSizes })],
  };
};
const dynamicUpdateSlice: MakeCase = r => {
  const shape = r.shape(1, 3, 4);
  const update = r.tensor(shape.map(size => r.int(1, size)));
  return {
    args: [r.tensor(shape), update, ...starts(r, shape)],
    build: (b, values) => [b.emit1('dynamic_update_slice', values, {})],
  };
};

interface Indexing {
  readonly operand: readonly number[];
  /** Indices, some of them out of bounds. */
  readonly indices: Literal;
  /** The shape of the gathered or scattered tensor. */
  readonly windows: readonly number[];
  readonly gather: GatherDimensionNumbers;
  readonly scatter: ScatterDimensionNumbers;
  readonly sliceSizes: readonly number[];
}

/** Random dimension numbers of every kind: batching, collapsed, partial windows, any position of the index vector. */
function indexing(r: Random): Indexing {
  const operand = r.times(r.int(1, 3), () => r.int(1, 4));
  const dims = operand.map((_, d) => d);
  const batching = operand.length > 1 && r.chance(0.3) ? [r.pick(dims)] : [];
  const others = dims.filter(d => !batching.includes(d));
  const chosen = r.shuffle(r.subset(others, 0.6));
  const startIndexMap = chosen.length === 0 ? [r.pick(others)] : chosen;
  const collapsed = r.subset(others, 0.5);
  const sliceSizes = operand.map((size, d) => (batching.includes(d) || collapsed.includes(d) ? 1 : r.int(1, size)));
  const offset = others.filter(d => !collapsed.includes(d));

  const batchShape = r.times(r.int(batching.length, 2), () => r.int(1, 3));
  const batchAt = batching.map(() => r.int(0, batchShape.length - 1));
  batching.forEach((d, i) => {
    batchShape[batchAt[i]!] = operand[d]!;
  });
  const implicit = startIndexMap.length === 1 && r.chance(0.5);
  const indexVectorDim = implicit ? batchShape.length : r.int(0, batchShape.length);
  const indicesShape = implicit ? batchShape : batchShape.toSpliced(indexVectorDim, 0, startIndexMap.length);
  const startIndicesBatching = batchAt.map(d => (d < indexVectorDim ? d : d + 1));

  const rank = batchShape.length + offset.length;
  const offsetDims = r
    .permutation(rank)
    .slice(0, offset.length)
    .sort((a, b) => a - b);
  const windows = new Array<number>(rank);
  offsetDims.forEach((at, i) => {
    windows[at] = sliceSizes[offset[i]!]!;
  });
  let next = 0;
  for (let d = 0; d < rank; d++) if (!offsetDims.includes(d)) windows[d] = batchShape[next++]!;
  return {
    operand,
    indices: r.integers(indicesShape, -2, 5),
    windows,
    gather: {
      offsetDims,
      collapsedSliceDims: collapsed,
      operandBatchingDims: batching,
      startIndicesBatchingDims: startIndicesBatching,
      startIndexMap,
      indexVectorDim,
    },
    scatter: {
      updateWindowDims: offsetDims,
      insertedWindowDims: collapsed,
      inputBatchingDims: batching,
      scatterIndicesBatchingDims: startIndicesBatching,
      scatterDimsToOperandDims: startIndexMap,
      indexVectorDim,
    },
    sliceSizes,
  };
}

const gather: MakeCase = r => {
  const { operand, indices, gather: numbers, sliceSizes } = indexing(r);
  return { args: [r.tensor(operand), indices], build: (b, [x, at]) => [b.gather(x!, at!, numbers, sliceSizes)] };
};

const overwriting = (b: Builder): Region =>
  b.region([tensorType('f64'), tensorType('f64')], (_, [, update]) => [update!]);

const scatter: MakeCase = r => {
  const { operand, indices, windows, scatter: dimensionNumbers } = indexing(r);
  const kind = r.pick(['add', 'overwrite', 'add two', 'unique overwrite', 'unique multiply'] as const);
  const attributes = { dimensionNumbers, indicesAreSorted: false, uniqueIndices: false };
  switch (kind) {
    case 'add':
    case 'overwrite':
      return {
        args: [r.tensor(operand), indices, r.tensor(windows)],
        build: (b, values) => [
          b.emit1('scatter', values, attributes, [kind === 'add' ? b.combiner('add', 'f64') : overwriting(b)]),
        ],
      };
    case 'add two':
      return {
        args: [r.tensor(operand), r.tensor(operand), indices, r.tensor(windows), r.tensor(windows)],
        build: (b, values) => {
          const types = r.times(4, () => tensorType('f64'));
          const region = b.region(types, (inner, [x, y, u, v]) => [inner.add(x!, u!), inner.add(v!, y!)]);
          return b.emit('scatter', values, attributes, [region]);
        },
      };
    default: {
      const [rows, columns, taken] = [r.int(2, 5), r.int(1, 3), r.int(1, 2)];
      const unique = literal('i32', [taken, 1], r.permutation(rows).slice(0, taken));
      const ofRows: ScatterDimensionNumbers = {
        updateWindowDims: [1],
        insertedWindowDims: [0],
        inputBatchingDims: [],
        scatterIndicesBatchingDims: [],
        scatterDimsToOperandDims: [0],
        indexVectorDim: 1,
      };
      return {
        args: [r.tensor([rows, columns]), unique, r.tensor([taken, columns])],
        build: (b, values: readonly Value[]) => {
          const region = kind === 'unique overwrite' ? overwriting(b) : b.combiner('multiply', 'f64');
          return [
            b.emit1('scatter', values, { dimensionNumbers: ofRows, indicesAreSorted: false, uniqueIndices: true }, [
              region,
            ]),
          ];
        },
      };
    }
  }
};

const sort: MakeCase = r => {
  const shape = r.shape(1, 2, 5);
  const dimension = r.int(0, shape.length - 1);
  const direction = r.pick(['LT', 'GT'] as const);
  const count = r.int(1, 2);
  return {
    args: r.times(count, () => r.tensor(shape)),
    build: (b, values) => {
      const types = r.times(2 * count, () => tensorType('f64'));
      const region = b.region(types, (inner, [x, y]) => [inner.compare(direction, x!, y!)]);
      return b.emit('sort', values, { dimension, isStable: true }, [region]);
    },
  };
};

export const movementCases = {
  reshape,
  broadcast_in_dim: broadcast,
  transpose: r => {
    const shape = r.shape(0, 4, 3);
    const permutation = r.permutation(shape.length);
    return { args: [r.tensor(shape)], build: (b, [x]) => [b.transpose(x!, permutation)] };
  },
  reverse: r => {
    const shape = r.shape(0, 3, 4);
    const dimensions = r.subset(shape.map((_, d) => d));
    return { args: [r.tensor(shape)], build: (b, [x]) => [b.emit1('reverse', [x!], { dimensions })] };
  },
  slice,
  concatenate,
  pad,
  dynamic_slice: dynamicSlice,
  dynamic_update_slice: dynamicUpdateSlice,
  gather,
  scatter,
  sort,
} satisfies Record<string, MakeCase>;
