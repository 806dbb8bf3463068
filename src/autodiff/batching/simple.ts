// Batching rules of ops that compute element by element or move elements: the examples are one more dim in front.
import { zip } from '../../base/zip.ts';
import { binaryNames, chloBinaryNames, chloUnaryNames, type OpName, unaryNames } from '../../hlo/attributes.ts';
import { factorizationCall, factorizationOf, matrixOf } from '../../hlo/ops/factorizations/factorization.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import {
  allInFull,
  type BatchContext,
  type BatchRule,
  type BatchTable,
  batched,
  copyOf,
  inFull,
  shifted,
} from './rule.ts';

/** The same op on tensors with one more dim in front. */
const asItIs: BatchRule<OpName> = c =>
  c.builder
    .emit(
      c.op.name,
      allInFull(c),
      c.op.attributes,
      c.op.regions.map(r => copyOf(c.builder, r)),
    )
    .map(batched);

const elementwiseNames = [
  ...unaryNames,
  ...binaryNames,
  ...chloUnaryNames,
  ...chloBinaryNames,
  'is_finite',
  'compare',
  'convert',
  'reduce_precision',
  'complex',
  'real',
  'imag',
  'cholesky',
  'triangular_solve',
  'fft',
  'chlo.top_k',
  'chlo.constant_like',
  'all_reduce',
  'cross-replica-sum',
] as const;

/** Broadcasts a scalar to all elements; one scalar per example if they differ. */
function spread(c: BatchContext<'select'> | BatchContext<'clamp'>): readonly Value[] {
  const shape = [c.size, ...shapeOf(c.op.results[0])];
  return zip(c.operands, c.op.operands).map(([image, one]) => {
    const scalar = shapeOf(one).length === 0 && shape.length > 1;
    if (!scalar) return inFull(c.builder, image, c.size);
    return image.isBatched ? c.builder.broadcastInDim(image.value, [0], shape) : image.value;
  });
}

export const simpleRules = {
  ...(Object.fromEntries(elementwiseNames.map(name => [name, asItIs])) as {
    [N in (typeof elementwiseNames)[number]]: BatchRule<N>;
  }),
  select: c => [batched(c.builder.emit1('select', spread(c), {}))],
  clamp: c => [batched(c.builder.emit1('clamp', spread(c), {}))],
  bitcast_convert: c => {
    const { shape, elementType } = tensorTypeOf(c.op.results[0]);
    return [
      batched(c.builder.emit1('bitcast_convert', allInFull(c), { type: tensorType(elementType, [c.size, ...shape]) })),
    ];
  },
  optimization_barrier: c => {
    const results = c.builder.emit(
      'optimization_barrier',
      c.operands.map(image => image.value),
      {},
    );
    return zip(results, c.operands).map(([value, { isBatched }]) => ({ value, isBatched }));
  },
  custom_call: c => {
    const name = factorizationOf(c.op);
    if (name === undefined) return undefined;
    const a = inFull(c.builder, matrixOf(c.operands), c.size);
    const [, count, ...matrix] = shapeOf(a) as [number, number, ...number[]];
    const all = c.builder.reshape(a, [c.size * count, ...matrix]);
    return c.builder
      .emit('custom_call', [all], factorizationCall(name, tensorTypeOf(all)))
      .map(result => batched(c.builder.reshape(result, [c.size, count, ...shapeOf(result).slice(1)])));
  },
  reshape: c => [batched(c.builder.reshape(c.operands[0].value, [c.size, ...c.op.attributes.shape]))],
  broadcast_in_dim: c => {
    const { broadcastDimensions, shape } = c.op.attributes;
    return [
      batched(c.builder.broadcastInDim(c.operands[0].value, [0, ...shifted(broadcastDimensions)], [c.size, ...shape])),
    ];
  },
  transpose: c => [batched(c.builder.transpose(c.operands[0].value, [0, ...shifted(c.op.attributes.permutation)]))],
  reverse: c => [
    batched(c.builder.emit1('reverse', [c.operands[0].value], { dimensions: shifted(c.op.attributes.dimensions) })),
  ],
  slice: c => {
    const { startIndices, limitIndices, strides } = c.op.attributes;
    return [
      batched(c.builder.slice(c.operands[0].value, [0, ...startIndices], [c.size, ...limitIndices], [1, ...strides])),
    ];
  },
  concatenate: c => [batched(c.builder.concatenate(allInFull(c), c.op.attributes.dimension + 1))],
  pad: c => {
    const [x, filling] = c.operands;
    if (filling.isBatched) return undefined;
    const { edgePaddingLow, edgePaddingHigh, interiorPadding } = c.op.attributes;
    return [
      batched(
        c.builder.pad(x.value, filling.value, [0, ...edgePaddingLow], [0, ...edgePaddingHigh], [0, ...interiorPadding]),
      ),
    ];
  },
} satisfies BatchTable;
