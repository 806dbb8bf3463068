// Random cases of ops with sizes as operands, which are constants in the program.

import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import { sequenceDimensionNumbers } from '../../hlo/sample-convolution.testing.ts';
import { elementCount, tensorType } from '../../hlo/types.ts';
import type { MakeCase } from './elementwise.testing.ts';

const sizes = (b: Builder, values: readonly number[]): Value => b.constant(literal('i64', [values.length], values));

const broadcast: MakeCase = r => {
  const shape = r.shape(1, 3, 3);
  const broadcastDimensions = r.shuffle(r.subset(shape.map((_, d) => d)));
  const from = broadcastDimensions.map(d => (r.chance(0.3) ? 1 : shape[d]!));
  const type = tensorType('f64', shape);
  return {
    args: [r.tensor(from)],
    build: (b, [x]) => [b.emit1('dynamic_broadcast_in_dim', [x!, sizes(b, shape)], { broadcastDimensions, type })],
  };
};

const pad: MakeCase = r => {
  const shape = r.shape(1, 3, 3);
  const [low, high, interior] = r.times(3, () => shape.map(() => r.int(0, 2))) as [number[], number[], number[]];
  const type = tensorType(
    'f64',
    shape.map((size, d) => low[d]! + size + (size - 1) * interior[d]! + high[d]!),
  );
  return {
    args: [r.tensor(shape), r.tensor([])],
    build: (b, values) => [
      b.emit1('dynamic_pad', [...values, sizes(b, low), sizes(b, high), sizes(b, interior)], { type }),
    ],
  };
};

const slice: MakeCase = r => {
  const shape = r.shape(1, 3, 4);
  const start = shape.map(size => r.int(0, size - 1));
  const limit = shape.map((size, d) => r.int(start[d]!, size));
  const steps = shape.map(() => r.int(1, 2));
  const type = tensorType(
    'f64',
    shape.map((_, d) => Math.ceil((limit[d]! - start[d]!) / steps[d]!)),
  );
  return {
    args: [r.tensor(shape)],
    build: (b, [x]) => [
      b.emit1('real_dynamic_slice', [x!, sizes(b, start), sizes(b, limit), sizes(b, steps)], { type }),
    ],
  };
};

const gather: MakeCase = r => {
  const [rows, columns, taken] = [r.int(1, 4), r.int(1, 3), r.int(1, 3)];
  const shown = r.chance(0.5);
  const dimensionNumbers = {
    offsetDims: [1],
    collapsedSliceDims: [0],
    operandBatchingDims: [],
    startIndicesBatchingDims: [],
    startIndexMap: [0],
    indexVectorDim: 1,
  };
  return {
    args: [r.tensor([rows, columns]), r.integers([taken], 0, rows - 1), literal('i64', [2], [1, columns])],
    build: (b, [x, at, extent]) => [
      b.emit1('dynamic_gather', [x!, at!, shown ? sizes(b, [1, columns]) : extent!], {
        dimensionNumbers,
        indicesAreSorted: false,
        type: tensorType('f64', [taken, columns]),
      }),
    ],
  };
};

const convolution: MakeCase = r => {
  const [size, window, low, high] = [r.int(2, 4), r.int(1, 2), r.int(0, 2), r.int(0, 2)];
  const [inputs, outputs] = [r.int(1, 2), r.int(1, 2)];
  return {
    args: [r.tensor([1, size, inputs]), r.tensor([window, inputs, outputs])],
    build: (b, [lhs, rhs]) => [
      b.emit1('dynamic_conv', [lhs!, rhs!, b.constant(literal('i64', [1, 2], [low, high]))], {
        windowStrides: [1],
        lhsDilation: [1],
        rhsDilation: [1],
        windowReversal: [false],
        dimensionNumbers: sequenceDimensionNumbers,
        featureGroupCount: 1,
        batchGroupCount: 1,
        precision: [],
        type: tensorType('f64', [1, low + size + high - window + 1, outputs]),
      }),
    ],
  };
};

export const dynamicCases = {
  dynamic_broadcast_in_dim: broadcast,
  dynamic_conv: convolution,
  dynamic_gather: gather,
  dynamic_iota: r => {
    const shape = r.shape(1, 2, 3);
    const attributes = { iotaDimension: 0, type: tensorType('f64', shape) };
    return {
      args: [r.tensor(shape)],
      build: (b, [x]) => [b.multiply(x!, b.emit1('dynamic_iota', [sizes(b, shape)], attributes))],
    };
  },
  dynamic_pad: pad,
  dynamic_reshape: r => {
    const shape = r.shape(0, 3, 3);
    const type = tensorType('f64', [elementCount(shape)]);
    return {
      args: [r.tensor(shape)],
      build: (b, [x]) => [b.emit1('dynamic_reshape', [x!, sizes(b, type.shape)], { type })],
    };
  },
  real_dynamic_slice: slice,
  'tensor.cast': r => {
    const x = r.tensor(r.shape());
    return { args: [x], build: (b, [v]) => [b.emit1('tensor.cast', [v!], { type: x.type })] };
  },
} satisfies Record<string, MakeCase>;
