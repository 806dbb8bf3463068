// A small program with inputs for each op of the language, several for ops with many forms. Test data: printer,
// compiler and gradients are tested on all of them, so that no op is missed. Not part of the product.
import { type BinaryName, binaryNames, type OpName, type UnaryName, unaryNames } from './attributes.ts';
import { type Builder, buildFunc } from './builder.ts';
import { channelsLastDimensionNumbers } from './image-dimension-numbers.ts';
import { type Literal, literal, scalar } from './literal.ts';
import type { Add, OpSample } from './op-sample.testing.ts';
import { addChecks } from './op-samples-check.testing.ts';
import { addChlo } from './op-samples-chlo.testing.ts';
import { addDistributed } from './op-samples-distributed.testing.ts';
import { addDynamic } from './op-samples-dynamic.testing.ts';
import { addNumeric } from './op-samples-numeric.testing.ts';
import type { Value } from './program.ts';
import { sampleLiteral } from './sample-literal.testing.ts';
import { type ElementType, tensorType } from './types.ts';

export { sampleLiteral };

const positive = new Set<UnaryName>(['log', 'log_plus_one', 'rsqrt', 'sqrt']);
const bitwise = new Set<string>([
  'not',
  'popcnt',
  'count_leading_zeros',
  'and',
  'or',
  'xor',
  'shift_left',
  'shift_right_arithmetic',
  'shift_right_logical',
]);

export function opSamples(): readonly OpSample[] {
  const samples: OpSample[] = [];
  const add = (
    name: OpName,
    label: string,
    inputs: readonly Literal[],
    body: (builder: Builder, args: readonly Value[]) => Value | readonly Value[],
  ): void => {
    const func = buildFunc(
      'main',
      inputs.map(x => x.type),
      (b, args) => {
        const results = body(b, args);
        return 'type' in results ? [results] : results;
      },
    );
    samples.push({ name, label: `${name}${label === '' ? '' : ` ${label}`}`, func, inputs });
  };

  for (const name of unaryNames) {
    const type: ElementType = bitwise.has(name) ? 'i32' : 'f32';
    const x = sampleLiteral(type, [3, 5]);
    const inputs = [
      positive.has(name)
        ? literal(
            type,
            [3, 5],
            Array.from(x.data as Float32Array, v => Math.abs(v) + 0.1),
          )
        : x,
    ];
    add(name, '', inputs, (b, [a]) => b.unary(name, a!));
  }
  for (const name of binaryNames) {
    const type: ElementType = bitwise.has(name) ? 'i32' : 'f32';
    const [x, y] = [sampleLiteral(type, [3, 5], 1), sampleLiteral(type, [3, 5], 2)];
    const base =
      name === 'power'
        ? literal(
            type,
            [3, 5],
            Array.from(x.data as Float32Array, v => Math.abs(v) + 0.1),
          )
        : x;
    add(name, '', [base, y], (b, [p, q]) => b.binary(name as BinaryName, p!, q!));
  }
  const x = sampleLiteral('f32', [3, 5]);
  const y = sampleLiteral('f32', [3, 5], 7);
  add('is_finite', '', [literal('f32', [4], [1, Number.NaN, Infinity, -3])], (b, [a]) =>
    b.emit1('is_finite', [a!], {}),
  );
  for (const direction of ['EQ', 'NE', 'GE', 'GT', 'LE', 'LT'] as const)
    add('compare', direction, [x, y], (b, [p, q]) => b.compare(direction, p!, q!));
  add('select', '', [sampleLiteral('i1', [3, 5]), x, y], (b, [p, q, r]) => b.select(p!, q!, r!));
  add('select', 'scalar', [scalar('i1', true), x, y], (b, [p, q, r]) => b.select(p!, q!, r!));
  add('clamp', '', [scalar('f32', -1), x, scalar('f32', 1)], (b, args) => b.emit1('clamp', args, {}));
  for (const to of ['i32', 'bf16', 'f64', 'i1', 'i64'] as const) add('convert', to, [x], (b, [a]) => b.convert(a!, to));
  add('bitcast_convert', '', [x], (b, [a]) => b.emit1('bitcast_convert', [a!], { type: tensorType('ui32', [3, 5]) }));
  add('bitcast_convert', 'narrower', [x], (b, [a]) =>
    b.emit1('bitcast_convert', [a!], { type: tensorType('ui16', [3, 5, 2]) }),
  );
  add('reduce_precision', '', [x], (b, [a]) =>
    b.emit1('reduce_precision', [a!], { exponentBits: 5, mantissaBits: 10 }),
  );
  add('optimization_barrier', '', [x, y], (b, args) => b.emit('optimization_barrier', args, {}));
  add('constant', '', [], b => [
    b.constant(x),
    b.constant(scalar('i64', -5)),
    b.constant(literal('f32', [3], [Number.NaN, Infinity, -0])),
    b.constant(sampleLiteral('bf16', [2, 2])),
    b.constant(sampleLiteral('i1', [4])),
    b.constant(sampleLiteral('f32', [10, 20])),
    b.constant(sampleLiteral('i1', [9, 9])),
    b.constant(literal('f32', [0, 3], [])),
    b.constant(sampleLiteral('f16', [9, 9])),
  ]);
  add('iota', '', [], b => b.iota(tensorType('f32', [3, 4]), 1));
  add('rng_bit_generator', 'PHILOX', [literal('ui64', [3], [1n, 2n, 3n])], (b, [s]) =>
    b.emit('rng_bit_generator', [s!], { rngAlgorithm: 'PHILOX', type: tensorType('ui32', [3, 3]) }),
  );
  add('rng_bit_generator', 'THREE_FRY', [literal('ui64', [2], [1n, 2n])], (b, [s]) =>
    b.emit('rng_bit_generator', [s!], { rngAlgorithm: 'THREE_FRY', type: tensorType('ui32', [3, 3]) }),
  );
  add('partition_id', '', [], b => b.emit1('partition_id', [], {}));
  add('replica_id', '', [], b => b.emit1('replica_id', [], {}));
  addMovement(add, x);
  addReductions(add, x, y);
  addContractions(add);
  addControl(add, x, y);
  addCollectives(add, x);
  addDistributed(add, x);
  addChlo(add);
  addNumeric(add);
  addChecks(add);
  addDynamic(add);
  return samples;
}

function addMovement(add: Add, x: Literal): void {
  const cube = sampleLiteral('f32', [2, 3, 4]);
  const table = sampleLiteral('f32', [6, 4]);
  const rows = literal('i32', [2, 3], [0, 5, 2, 2, 1, 4]);
  const at = [scalar('i32', 1), scalar('i32', 9)];
  add('reshape', '', [x], (b, [a]) => b.reshape(a!, [5, 3]));
  add('broadcast_in_dim', '', [literal('f32', [3, 1], [1, 2, 3])], (b, [a]) => b.broadcastInDim(a!, [0, 2], [3, 2, 4]));
  add('broadcast_in_dim', 'scalar', [scalar('f32', 2.5)], (b, [a]) => b.broadcastInDim(a!, [], [2, 3]));
  add('transpose', '', [cube], (b, [a]) => b.transpose(a!, [2, 0, 1]));
  add('reverse', '', [cube], (b, [a]) => b.emit1('reverse', [a!], { dimensions: [0, 2] }));
  add('slice', '', [cube], (b, [a]) => b.slice(a!, [0, 1, 0], [2, 3, 4], [1, 1, 3]));
  add('concatenate', '', [cube, sampleLiteral('f32', [2, 1, 4], 3)], (b, args) => b.concatenate(args, 1));
  add('pad', '', [x, scalar('f32', -1)], (b, [a, v]) => b.pad(a!, v!, [1, -1], [0, 2], [2, 1]));
  add('dynamic_slice', '', [x, ...at], (b, args) => b.emit1('dynamic_slice', args, { sliceSizes: [2, 2] }));
  add('dynamic_update_slice', '', [x, sampleLiteral('f32', [2, 2], 4), ...at], (b, args) =>
    b.emit1('dynamic_update_slice', args, {}),
  );
  const lookup = {
    offsetDims: [2],
    collapsedSliceDims: [0],
    operandBatchingDims: [],
    startIndicesBatchingDims: [],
    startIndexMap: [0],
    indexVectorDim: 2,
  };
  add('gather', 'rows', [table, rows], (b, [t, i]) => b.gather(t!, i!, lookup, [1, 4]));
  const batched = {
    offsetDims: [2],
    collapsedSliceDims: [1],
    operandBatchingDims: [0],
    startIndicesBatchingDims: [0],
    startIndexMap: [1],
    indexVectorDim: 2,
  };
  add('gather', 'batching', [cube, literal('i32', [2, 2], [0, 2, 1, 9])], (b, [t, i]) =>
    b.gather(t!, i!, batched, [1, 1, 4]),
  );
  const put = {
    updateWindowDims: [2],
    insertedWindowDims: [0],
    inputBatchingDims: [],
    scatterIndicesBatchingDims: [],
    scatterDimsToOperandDims: [0],
    indexVectorDim: 2,
  };
  add('scatter', 'add rows', [table, rows, sampleLiteral('f32', [2, 3, 4], 5)], (b, [t, i, u]) =>
    b.scatter('add', t!, i!, u!, put),
  );
  add('scatter', 'overwrite', [table, literal('i32', [2, 1], [3, 7]), sampleLiteral('f32', [2, 4], 5)], (b, args) => {
    const element = tensorType('f32');
    const region = b.region([element, element], (_, [, fresh]) => [fresh!]);
    const dimensionNumbers = { ...put, updateWindowDims: [1], indexVectorDim: 1 };
    return b.emit1('scatter', args, { dimensionNumbers, indicesAreSorted: false, uniqueIndices: true }, [region]);
  });
  add('sort', '', [sampleLiteral('f32', [3, 6])], (b, args) => {
    const element = tensorType('f32');
    const region = b.region([element, element], (inner, [p, q]) => [inner.compare('LT', p!, q!)]);
    return b.emit('sort', args, { dimension: 1, isStable: true }, [region]);
  });
  add('sort', 'pairs', [literal('i32', [5], [3, 1, 2, 1, 3]), sampleLiteral('f32', [5])], (b, args) => {
    const [i, f] = [tensorType('i32'), tensorType('f32')];
    const region = b.region([i, i, f, f], (inner, [p, q]) => [inner.compare('GT', p!, q!)]);
    return b.emit('sort', args, { dimension: 0, isStable: true }, [region]);
  });
}

function addReductions(add: Add, x: Literal, y: Literal): void {
  for (const name of ['add', 'maximum', 'minimum', 'multiply'] as const) {
    const init = { add: 0, maximum: -Infinity, minimum: Infinity, multiply: 1 }[name];
    add('reduce', name, [x], (b, [a]) => b.reduce(name, a!, b.fill('f32', [], init), [1]));
  }
  add('reduce', 'argmax', [x], (b, [a]) => {
    const [f, i] = [tensorType('f32'), tensorType('i32')];
    const region = b.region([f, i, f, i], (inner, [v, vi, w, wi]) => {
      const keep = inner.compare('GE', v!, w!);
      return [inner.select(keep, v!, w!), inner.select(keep, vi!, wi!)];
    });
    const indices = b.iota(tensorType('i32', [3, 5]), 1);
    return b.emit('reduce', [a!, indices, b.fill('f32', [], -Infinity), b.fill('i32', [], 0)], { dimensions: [1] }, [
      region,
    ]);
  });
  add('reduce_window', 'max pooling', [sampleLiteral('f32', [1, 6, 6, 2])], (b, [a]) =>
    b.emit1(
      'reduce_window',
      [a!, b.fill('f32', [], -Infinity)],
      {
        windowDimensions: [1, 3, 3, 1],
        windowStrides: [1, 2, 2, 1],
        padding: [
          [0, 0],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
        baseDilations: [1, 1, 1, 1],
        windowDilations: [1, 1, 1, 1],
      },
      [b.combiner('maximum', 'f32')],
    ),
  );
  add('reduce_window', 'dilated sum', [x], (b, [a]) =>
    b.emit1(
      'reduce_window',
      [a!, b.fill('f32', [], 0)],
      {
        windowDimensions: [2, 2],
        windowStrides: [1, 1],
        padding: [
          [1, 1],
          [0, 0],
        ],
        baseDilations: [2, 1],
        windowDilations: [1, 2],
      },
      [b.combiner('add', 'f32')],
    ),
  );
  add(
    'select_and_scatter',
    '',
    [sampleLiteral('f32', [1, 6, 6, 2]), sampleLiteral('f32', [1, 3, 3, 2], 9)],
    (b, [a, s]) => {
      const element = tensorType('f32');
      const select = b.region([element, element], (inner, [p, q]) => [inner.compare('GE', p!, q!)]);
      return b.emit1(
        'select_and_scatter',
        [a!, s!, b.fill('f32', [], 0)],
        {
          windowDimensions: [1, 2, 2, 1],
          windowStrides: [1, 2, 2, 1],
          padding: [
            [0, 0],
            [0, 0],
            [0, 0],
            [0, 0],
          ],
        },
        [select, b.combiner('add', 'f32')],
      );
    },
  );
  add('add', 'f16', [sampleLiteral('f16', [4]), sampleLiteral('f16', [4], 2)], (b, [p, q]) => b.add(p!, q!));
  add('add', 'bf16', [sampleLiteral('bf16', [4]), sampleLiteral('bf16', [4], 2)], (b, [p, q]) => b.add(p!, q!));
  add('multiply', 'i64', [sampleLiteral('i64', [4]), sampleLiteral('i64', [4], 2)], (b, [p, q]) => b.multiply(p!, q!));
  add('subtract', 'chain', [x, y], (b, [p, q]) => b.subtract(b.multiply(p!, q!), b.unary('tanh', p!)));
}

function addContractions(add: Add): void {
  const dims = (lb: readonly number[], rb: readonly number[], lc: readonly number[], rc: readonly number[]) => ({
    lhsBatchingDimensions: lb,
    rhsBatchingDimensions: rb,
    lhsContractingDimensions: lc,
    rhsContractingDimensions: rc,
  });
  const f32 = (shape: readonly number[], seed: number): Literal => sampleLiteral('f32', shape, seed);
  add('dot_general', 'NN', [f32([3, 4], 1), f32([4, 5], 2)], (b, [p, q]) =>
    b.dotGeneral(p!, q!, dims([], [], [1], [0])),
  );
  add('dot_general', 'NT', [f32([3, 4], 1), f32([5, 4], 2)], (b, [p, q]) =>
    b.dotGeneral(p!, q!, dims([], [], [1], [1])),
  );
  add('dot_general', 'TN', [f32([4, 3], 1), f32([4, 5], 2)], (b, [p, q]) =>
    b.dotGeneral(p!, q!, dims([], [], [0], [0])),
  );
  add('dot_general', 'batch', [f32([2, 3, 4], 1), f32([2, 4, 5], 2)], (b, [p, q]) =>
    b.dotGeneral(p!, q!, dims([0], [0], [2], [1])),
  );
  add('dot_general', 'two batches, two terms', [f32([2, 3, 2, 4], 1), f32([2, 4, 3, 5], 2)], (b, [p, q]) =>
    b.dotGeneral(p!, q!, dims([0], [0], [1, 3], [2, 1])),
  );
  add('dot_general', 'vectors', [f32([4], 1), f32([4], 2)], (b, [p, q]) =>
    b.dotGeneral(p!, q!, dims([], [], [0], [0])),
  );
  add('dot_general', 'bf16 to f32', [sampleLiteral('bf16', [3, 4]), sampleLiteral('bf16', [4, 5], 2)], (b, args) =>
    b.emit1('dot_general', args, { ...dims([], [], [1], [0]), precision: ['DEFAULT', 'DEFAULT'], elementType: 'f32' }),
  );
  const nhwc = channelsLastDimensionNumbers;
  const plain = {
    windowStrides: [1, 1],
    padding: [
      [0, 0],
      [0, 0],
    ],
    lhsDilation: [1, 1],
    rhsDilation: [1, 1],
    windowReversal: [false, false],
    dimensionNumbers: nhwc,
    featureGroupCount: 1,
    batchGroupCount: 1,
    precision: ['DEFAULT', 'DEFAULT'],
  } as const;
  add('convolution', '', [f32([2, 5, 5, 3], 1), f32([3, 3, 3, 4], 2)], (b, args) =>
    b.emit1('convolution', args, plain),
  );
  add('convolution', 'strided, padded, dilated', [f32([2, 6, 5, 3], 1), f32([3, 2, 3, 4], 2)], (b, args) =>
    b.emit1('convolution', args, {
      ...plain,
      windowStrides: [2, 1],
      padding: [
        [1, 2],
        [0, -1],
      ],
      lhsDilation: [1, 2],
      rhsDilation: [2, 1],
      windowReversal: [true, false],
    }),
  );
  add('convolution', 'depthwise', [f32([1, 4, 4, 4], 1), f32([3, 3, 1, 8], 2)], (b, args) =>
    b.emit1('convolution', args, { ...plain, featureGroupCount: 4 }),
  );
  add('convolution', 'batch groups', [f32([4, 4, 4, 3], 1), f32([2, 2, 3, 6], 2)], (b, args) =>
    b.emit1('convolution', args, { ...plain, batchGroupCount: 2 }),
  );
}

function addControl(add: Add, x: Literal, y: Literal): void {
  add('while', 'counts', [scalar('i32', 5), x], (b, [n, a]) => {
    const types = [tensorType('i32'), tensorType('f32', [3, 5])];
    const cond = b.region(types, (inner, [i]) => [inner.compare('LT', i!, n!)]);
    const body = b.region(types, (inner, [i, v]) => [inner.add(i!, inner.fill('i32', [], 1)), inner.add(v!, a!)]);
    return b.emit('while', [b.fill('i32', [], 0), a!], {}, [cond, body]);
  });
  add('if', '', [scalar('i1', true), x, y], (b, [p, v, w]) => {
    const branch = (value: Value) => b.region([], inner => [inner.negate(value)]);
    return b.emit('if', [p!], {}, [branch(v!), branch(w!)]);
  });
  add('case', '', [scalar('i32', 1), x, y], (b, [p, v, w]) => {
    const branch = (value: Value) => b.region([], inner => [inner.negate(value)]);
    return b.emit('case', [p!], {}, [branch(v!), branch(w!), b.region([], () => [v!])]);
  });
  add('tuple', '', [x, y], (b, args) => {
    const [tuple] = b.emit('tuple', args, {});
    return b.emit('get_tuple_element', [tuple], { index: 1 });
  });
  add('get_tuple_element', '', [x, y], (b, args) =>
    b.emit('get_tuple_element', [b.emit('tuple', args, {})[0]!], { index: 0 }),
  );
}

/** Adds samples for a single process, whose group contains only itself. */
function addCollectives(add: Add, x: Literal): void {
  const alone = { replicaGroups: [[0]] };
  add('all_reduce', '', [x], (b, args) =>
    b.emit('all_reduce', args, { replicaGroups: [[0]], channelId: 1, useGlobalDeviceIds: true }, [
      b.combiner('add', 'f32'),
    ]),
  );
  add('all_gather', '', [x], (b, args) => b.emit('all_gather', args, { ...alone, allGatherDim: 0 }));
  add('reduce_scatter', '', [x], (b, args) =>
    b.emit('reduce_scatter', args, { ...alone, scatterDimension: 1 }, [b.combiner('add', 'f32')]),
  );
}
