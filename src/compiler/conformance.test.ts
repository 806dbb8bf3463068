// Every op on every element type it takes, compiled against the interpreter. All cases of a group are one program, so
// that gcc runs a few times only.
import { describe, test, vi } from 'vitest';
import type { BinaryName, UnaryName } from '../hlo/attributes.ts';
import { binaryNames, unaryNames } from '../hlo/attributes.ts';
import type { Builder } from '../hlo/builder.ts';
import { channelsLastDimensionNumbers, imageDimensionNumbers } from '../hlo/image-dimension-numbers.ts';
import { literal } from '../hlo/literal.ts';
import type { Value } from '../hlo/program.ts';
import { type ElementType, isFloat, isInteger, tensorType } from '../hlo/types.ts';
import { Batch } from './testing/batch.testing.ts';

// gcc takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const types: readonly ElementType[] = [
  'f32',
  'f64',
  'bf16',
  'f16',
  'i1',
  'i8',
  'i16',
  'i32',
  'i64',
  'ui8',
  'ui16',
  'ui32',
  'ui64',
];
const wave = (i: number): number => Math.sin(i * 12.9898 + 0.5) * 3;

/** Values that matter for a type: the edges, then a spread. */
function edge(type: ElementType): (i: number) => number {
  if (isFloat(type)) {
    const special = [0, -0, 1, -1, 0.5, -0.5, 1.5, -2.5, Infinity, -Infinity, Number.NaN, 1e-3, 100, -100, 3.25, 1e-30];
    return i => (i < special.length ? special[i]! : wave(i));
  }
  if (type === 'i1') return i => ((i * 7) % 3 === 0 ? 1 : 0);
  const signed = type.startsWith('i');
  const bits = Number(type.replace(/\D/g, ''));
  const max = bits > 32 ? 2 ** 52 : signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  const special = signed
    ? [0, 1, -1, 2, -2, max, -max - (bits > 32 ? 0 : 1), 7, -7, 3]
    : [0, 1, 2, max, max - 1, 7, 3, 5];
  return i => (i < special.length ? special[i]! : Math.trunc(wave(i) * 30) * (signed ? 1 : Math.sign(wave(i))));
}

function tryEmit(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'INVALID_OP')) throw error;
  }
}

describe('elementwise', () => {
  test('unary ops', () => {
    const t = new Batch();
    for (const type of types) {
      const x = t.arg(type, [5, 7], edge(type));
      for (const name of unaryNames) tryEmit(() => t.result(`${name} ${type}`, t.b.unary(name as UnaryName, x)));
      if (isFloat(type)) {
        t.result(`is_finite ${type}`, t.b.emit1('is_finite', [x], {}));
        t.result(`reduce_precision ${type}`, t.b.emit1('reduce_precision', [x], { exponentBits: 5, mantissaBits: 3 }));
      }
    }
    t.check();
  });

  test('binary ops', () => {
    const t = new Batch();
    for (const type of types.filter(t => t !== 'i16' && t !== 'ui16' && t !== 'f16')) {
      const values = edge(type);
      const x = t.arg(type, [16, 16], i => values(i >> 4));
      const y = t.arg(type, [16, 16], i => values(i & 15));
      for (const name of binaryNames) tryEmit(() => t.result(`${name} ${type}`, t.b.binary(name as BinaryName, x, y)));
      for (const direction of ['EQ', 'NE', 'GE', 'GT', 'LE', 'LT'] as const)
        t.result(`compare ${direction} ${type}`, t.b.compare(direction, x, y));
      if (isFloat(type))
        t.result(
          `total order ${type}`,
          t.b.emit1('compare', [x, y], { comparisonDirection: 'LT', compareType: 'TOTALORDER' }),
        );
      t.result(`select ${type}`, t.b.select(t.b.compare('LT', x, y), x, y));
      t.result(`clamp ${type}`, t.b.emit1('clamp', [x, y, x], {}));
    }
    t.check();
  });

  test('conversions', () => {
    const t = new Batch();
    for (const from of types) {
      const x = t.arg(
        from,
        [41],
        isFloat(from)
          ? i =>
              [
                0,
                1,
                -1,
                1.5,
                -1.5,
                300,
                -300,
                70000,
                -70000,
                3e9,
                -3e9,
                1e19,
                -1e19,
                1e30,
                Infinity,
                -Infinity,
                Number.NaN,
              ][i] ?? wave(i) * 50
          : edge(from),
      );
      for (const to of types) t.result(`convert ${from} to ${to}`, t.b.convert(x, to));
    }
    t.check();
  });

  test('bitcasts', () => {
    const t = new Batch();
    const cast = (x: Value, type: ElementType, shape: number[]): Value =>
      t.b.emit1('bitcast_convert', [x], { type: tensorType(type, shape) });
    const x = t.arg('f32', [6, 2], wave);
    t.result('same width', cast(x, 'i32', [6, 2]), cast(x, 'ui32', [6, 2]));
    t.result('narrower', cast(x, 'ui16', [6, 2, 2]), cast(x, 'bf16', [6, 2, 2]), cast(x, 'i8', [6, 2, 4]));
    t.result(
      'wider',
      cast(x, 'f64', [6]),
      cast(
        t.arg('ui8', [3, 4], i => i * 17),
        'i32',
        [3],
      ),
    );
    t.check();
  });
});

describe('views and movement', () => {
  test('chains of views', () => {
    const t = new Batch();
    for (const type of ['f32', 'bf16', 'i1', 'i64'] as const) {
      const x = t.arg(type, [4, 6, 10], isFloat(type) ? wave : i => i % 2);
      const r = t.b.reshape(t.b.transpose(x, [1, 0, 2]), [24, 10]);
      t.result(`transpose, reshape ${type}`, r);
      t.result(`slice ${type}`, t.b.slice(r, [3, 1], [20, 9], [4, 3]));
      t.result(`reverse ${type}`, t.b.emit1('reverse', [x], { dimensions: [0, 2] }));
      t.result(`broadcast ${type}`, t.b.broadcastInDim(t.b.slice(r, [0, 0], [1, 10]), [2, 1], [3, 10, 5]));
      t.result(
        `reshape both ways ${type}`,
        t.b.reshape(t.b.transpose(t.b.reshape(x, [8, 3, 5, 2]), [3, 1, 0, 2]), [60, 4]),
      );
    }
    t.check();
  });

  test('pad, concatenate, gather, dynamic slices', () => {
    const t = new Batch();
    const x = t.arg('f32', [5, 6], wave);
    const zero = t.b.fill('f32', [], 7);
    t.result(
      'pad',
      t.b.pad(x, zero, [1, -2], [2, 1]),
      t.b.pad(x, zero, [0, 1], [-1, 0], [2, 1]),
      t.b.pad(x, zero, [3, 0], [0, 2], [0, 3]),
    );
    const y = t.b.unary('exponential', x);
    t.result('concatenate', t.b.concatenate([x, y, x], 0), t.b.concatenate([x, t.b.slice(y, [0, 0], [5, 1]), y], 1));
    const ids = t.arg('i32', [7], i => [0, 4, -3, 99, 2, 2, 1][i]!);
    const rows = {
      offsetDims: [1],
      collapsedSliceDims: [0],
      operandBatchingDims: [],
      startIndicesBatchingDims: [],
      startIndexMap: [0],
      indexVectorDim: 1,
    };
    t.result('gather rows', t.b.gather(x, ids, rows, [1, 6]), t.b.gather(y, t.b.reshape(ids, [7, 1]), rows, [1, 6]));
    t.result(
      'gather windows',
      t.b.gather(
        x,
        t.arg('i64', [3, 2], i => i * 2 - 1),
        {
          offsetDims: [0, 2],
          collapsedSliceDims: [],
          operandBatchingDims: [],
          startIndicesBatchingDims: [],
          startIndexMap: [1, 0],
          indexVectorDim: 1,
        },
        [2, 3],
      ),
    );
    t.result(
      'gather with batching dims',
      t.b.gather(
        x,
        t.arg('i32', [5, 4], i => i % 7),
        {
          offsetDims: [],
          collapsedSliceDims: [1],
          operandBatchingDims: [0],
          startIndicesBatchingDims: [0],
          startIndexMap: [1],
          indexVectorDim: 2,
        },
        [1, 1],
      ),
    );
    for (const at of [-1, 1, 9]) {
      const [i, j] = [t.arg('i32', [], () => at), t.arg('i32', [], () => 2)];
      t.result(`dynamic_slice at ${at}`, t.b.emit1('dynamic_slice', [x, i, j], { sliceSizes: [2, 3] }));
      t.result(
        `dynamic_update_slice at ${at}`,
        t.b.emit1('dynamic_update_slice', [x, t.b.slice(y, [0, 0], [2, 3]), i, j], {}),
      );
    }
    for (const type of ['i32', 'f32', 'bf16', 'ui8', 'f64'] as const)
      t.result(`iota ${type}`, t.b.iota(tensorType(type, [3, 5]), 1));
    t.result(
      'table',
      t.b.add(
        x,
        t.b.constant(
          literal(
            'f32',
            [5, 6],
            Array.from({ length: 30 }, (_, i) => i * 0.25),
          ),
        ),
      ),
      t.b.constant(literal('i64', [3], [1n, -2n, 3n])),
    );
    t.check();
  });

  test('scatter', () => {
    const t = new Batch();
    const rows = {
      updateWindowDims: [1],
      insertedWindowDims: [0],
      inputBatchingDims: [],
      scatterIndicesBatchingDims: [],
      scatterDimsToOperandDims: [0],
      indexVectorDim: 1,
    };
    for (const type of ['f32', 'bf16', 'i32', 'f64'] as const) {
      const x = t.arg(type, [6, 5], i => i % 4);
      const ids = t.arg('i32', [8], i => [0, 5, 2, 2, 6, -1, 0, 3][i]!);
      const u = t.arg(type, [8, 5], i => (i % 7) - 3);
      t.result(`scatter add ${type}`, t.b.scatter('add', x, ids, u, rows));
      t.result(`scatter max ${type}`, t.b.scatter('maximum', t.b.like(x, 0), ids, u, rows));
    }
    const x = t.arg('f32', [300, 160], wave);
    const u = t.arg('f32', [200, 160], i => wave(i * 3));
    t.result(
      'scatter, many rows',
      t.b.scatter(
        'add',
        x,
        t.arg('i64', [200, 1], i => (i * 37) % 301),
        u,
        rows,
      ),
    );
    t.result(
      'scatter of windows',
      t.b.scatter(
        'add',
        x,
        t.arg('i32', [4, 2], i => [0, 0, 298, 158, 10, 20, -1, 5][i]!),
        t.arg('f32', [4, 3, 4], wave),
        {
          updateWindowDims: [1, 2],
          insertedWindowDims: [],
          inputBatchingDims: [],
          scatterIndicesBatchingDims: [],
          scatterDimsToOperandDims: [0, 1],
          indexVectorDim: 1,
        },
      ),
    );
    t.result(
      'scatter with batching dims',
      t.b.scatter(
        'add',
        t.arg('f32', [3, 4], wave),
        t.arg('i32', [3, 2], i => i % 5),
        t.arg('f32', [3, 2], wave),
        {
          updateWindowDims: [],
          insertedWindowDims: [1],
          inputBatchingDims: [0],
          scatterIndicesBatchingDims: [0],
          scatterDimsToOperandDims: [1],
          indexVectorDim: 2,
        },
      ),
    );
    t.check();
  });

  test('sort', () => {
    const t = new Batch();
    const x = t.arg('f32', [9, 37], wave);
    const index = t.b.iota(tensorType('i32', [9, 37]), 1);
    const before = t.b.region(
      [tensorType('f32'), tensorType('f32'), tensorType('i32'), tensorType('i32')],
      (b, [l, r]) => [b.compare('GT', l!, r!)],
    );
    t.result(
      'sort descending with positions',
      ...t.b.emit('sort', [x, index], { dimension: 1, isStable: true }, [before]),
    );
    const less = t.b.region([tensorType('i32'), tensorType('i32')], (b, [l, r]) => [b.compare('LT', l!, r!)]);
    t.result(
      'sort along dim 0',
      t.b.emit1('sort', [t.arg('i32', [50, 3], i => (i * 37) % 23)], { dimension: 0, isStable: true }, [less]),
    );
    t.check();
  });
});

describe('reductions', () => {
  test('over any dims, by any op', () => {
    const t = new Batch();
    for (const type of ['f32', 'f64', 'bf16', 'i32', 'ui8', 'i1'] as const) {
      const x = t.arg(
        type,
        [3, 5, 17],
        type === 'i1' ? i => (i % 5 === 0 ? 1 : 0) : i => (isFloat(type) ? wave(i) : (i * 3) % 7),
      );
      for (const dims of [[0], [1], [2], [0, 1], [1, 2], [0, 2], [0, 1, 2]]) {
        t.result(`sum ${type} over ${dims}`, t.b.reduce('add', x, t.b.fill(type, [], 1), dims));
        const names =
          isInteger(type) || type === 'i1'
            ? (['maximum', 'minimum', 'and', 'or'] as const)
            : (['maximum', 'minimum'] as const);
        for (const name of names)
          t.result(
            `${name} ${type} over ${dims}`,
            t.b.reduce(name, x, t.b.fill(type, [], type === 'i1' ? 1 : 2), dims),
          );
      }
      t.result(`product ${type}`, t.b.reduce('multiply', x, t.b.fill(type, [], 1), [1]));
    }
    const nan = t.arg('f32', [4, 40], i => (i === 77 ? Number.NaN : wave(i)));
    t.result(
      'maximum with NaN',
      t.b.reduce('maximum', nan, t.b.fill('f32', [], -Infinity), [1]),
      t.b.reduce('minimum', nan, t.b.fill('f32', [], Infinity), [0]),
    );
    t.check(2e-2);
  });

  test('large ones, in chunks', () => {
    const t = new Batch();
    const x = t.arg('f32', [3000, 70], wave);
    t.result('columns', t.b.sum(x, [0]), t.b.sum(t.b.multiply(x, x), [0]));
    t.result('all', t.b.sum(x), t.b.reduce('maximum', t.b.unary('abs', x), t.b.fill('f32', [], 0), [0, 1]));
    t.result('rows', t.b.sum(x, [1]));
    t.result('middle', t.b.sum(t.b.reshape(x, [30, 100, 70]), [0, 2]), t.b.sum(t.b.reshape(x, [30, 100, 70]), [1]));
    t.check(1e-4);
  });

  test('of several values with a custom region', () => {
    const t = new Batch();
    const pair = [tensorType('f32'), tensorType('i32'), tensorType('f32'), tensorType('i32')];
    const argmax = t.b.region(pair, (b, [v, i, w, j]) => {
      const first = b.binary(
        'or',
        b.compare('GT', v!, w!),
        b.binary('and', b.compare('EQ', v!, w!), b.compare('LT', i!, j!)),
      );
      return [b.select(first, v!, w!), b.select(first, i!, j!)];
    });
    const x = t.arg('f32', [6, 33], i => Math.round(wave(i) * 4));
    const init = [t.b.fill('f32', [], -Infinity), t.b.fill('i32', [], 0)];
    for (const dim of [0, 1])
      t.result(
        `argmax over ${dim}`,
        ...t.b.emit('reduce', [x, t.b.iota(tensorType('i32', [6, 33]), dim), ...init], { dimensions: [dim] }, [argmax]),
      );
    t.check();
  });

  test('windows', () => {
    const t = new Batch();
    const x = t.arg('f32', [2, 9, 10, 3], wave);
    const pool = (
      name: BinaryName,
      init: number,
      w: number[],
      s: number[],
      p: [number, number][],
      base = [1, 1, 1, 1],
      dilation = [1, 1, 1, 1],
    ): Value =>
      t.b.emit1(
        'reduce_window',
        [x, t.b.fill('f32', [], init)],
        { windowDimensions: w, windowStrides: s, padding: p, baseDilations: base, windowDilations: dilation },
        [t.b.combiner(name, 'f32')],
      );
    const none: [number, number][] = [
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ];
    t.result(
      'max pool',
      pool('maximum', -Infinity, [1, 2, 2, 1], [1, 2, 2, 1], none),
      pool(
        'maximum',
        -Infinity,
        [1, 3, 3, 1],
        [1, 2, 2, 1],
        [
          [0, 0],
          [1, 1],
          [1, 1],
          [0, 0],
        ],
      ),
    );
    t.result(
      'sums',
      pool(
        'add',
        0,
        [1, 1, 3, 3],
        [1, 1, 1, 1],
        [
          [0, 0],
          [0, 0],
          [0, 1],
          [2, 0],
        ],
      ),
      pool(
        'add',
        1,
        [1, 2, 2, 2],
        [1, 1, 2, 1],
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [1, 1],
        ],
        [1, 2, 1, 2],
        [1, 1, 3, 2],
      ),
    );
    const select = t.b.region([tensorType('f32'), tensorType('f32')], (b, [l, r]) => [b.compare('GE', l!, r!)]);
    const source = t.arg('f32', [2, 4, 5, 3], wave);
    t.result(
      'select_and_scatter',
      t.b.emit1(
        'select_and_scatter',
        [x, source, t.b.fill('f32', [], 0)],
        { windowDimensions: [1, 2, 2, 1], windowStrides: [1, 2, 2, 1], padding: none },
        [select, t.b.combiner('add', 'f32')],
      ),
    );
    const overlapping = t.arg('f32', [2, 5, 5, 3], wave);
    t.result(
      'select_and_scatter, overlapping',
      t.b.emit1(
        'select_and_scatter',
        [x, overlapping, t.b.fill('f32', [], 1)],
        {
          windowDimensions: [1, 3, 3, 1],
          windowStrides: [1, 2, 2, 1],
          padding: [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 0],
          ],
        },
        [select, t.b.combiner('add', 'f32')],
      ),
    );
    t.check(1e-5);
  });
});

describe('contractions', () => {
  test('dot_general', () => {
    const t = new Batch();
    const none = { lhsBatchingDimensions: [], rhsBatchingDimensions: [] };
    for (const type of ['f32', 'f64', 'bf16', 'f16', 'i32', 'i8', 'i64'] as const) {
      const values = (i: number): number => (isFloat(type) ? wave(i) : (i % 9) - 4);
      const x = t.arg(type, [4, 6, 10], values);
      const y = t.arg(type, [10, 7], values);
      t.result(
        `matrix ${type}`,
        t.b.dotGeneral(x, y, { ...none, lhsContractingDimensions: [2], rhsContractingDimensions: [0] }),
      );
      const z = t.arg(type, [5, 10, 4], values);
      t.result(
        `batched ${type}`,
        t.b.dotGeneral(x, z, {
          lhsBatchingDimensions: [0],
          rhsBatchingDimensions: [2],
          lhsContractingDimensions: [2],
          rhsContractingDimensions: [1],
        }),
      );
      t.result(
        `two contracted ${type}`,
        t.b.dotGeneral(x, z, { ...none, lhsContractingDimensions: [0, 2], rhsContractingDimensions: [2, 1] }),
      );
      t.result(
        `outer ${type}`,
        t.b.dotGeneral(y, y, { ...none, lhsContractingDimensions: [], rhsContractingDimensions: [] }),
      );
    }
    const q = t.arg('f32', [2, 8, 3, 4], wave);
    const heads = t.b.transpose(q, [0, 2, 1, 3]);
    const scores = t.b.dotGeneral(heads, t.b.transpose(q, [0, 2, 3, 1]), {
      lhsBatchingDimensions: [0, 1],
      rhsBatchingDimensions: [0, 1],
      lhsContractingDimensions: [3],
      rhsContractingDimensions: [2],
    });
    const context = t.b.dotGeneral(scores, heads, {
      lhsBatchingDimensions: [0, 1],
      rhsBatchingDimensions: [0, 1],
      lhsContractingDimensions: [3],
      rhsContractingDimensions: [2],
    });
    t.result('attention', scores, t.b.reshape(t.b.transpose(context, [0, 2, 1, 3]), [16, 12]));
    t.result(
      'empty',
      t.b.dotGeneral(t.arg('f32', [3, 0], wave), t.arg('f32', [0, 4], wave), {
        ...none,
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
      }),
    );
    t.check(2e-3);
  });

  test('convolution, and its gradients', () => {
    const t = new Batch();
    const ones = [1, 1];
    const conv = (x: Value, w: Value, options: Partial<Parameters<typeof emit>[0]> = {}): Value =>
      emit({ x, w, ...options });
    const nhwc = channelsLastDimensionNumbers;
    const nchw = imageDimensionNumbers;
    const emit = ({
      x,
      w,
      numbers = nchw,
      stride = ones,
      padding = [
        [0, 0],
        [0, 0],
      ],
      lhsDilation = ones,
      rhsDilation = ones,
      reversal = [false, false],
      features = 1,
      batches = 1,
    }: {
      x: Value;
      w: Value;
      numbers?: typeof nchw;
      stride?: number[];
      padding?: [number, number][];
      lhsDilation?: number[];
      rhsDilation?: number[];
      reversal?: boolean[];
      features?: number;
      batches?: number;
    }): Value =>
      t.b.emit1('convolution', [x, w], {
        dimensionNumbers: numbers,
        windowStrides: stride,
        padding,
        lhsDilation,
        rhsDilation,
        windowReversal: reversal,
        featureGroupCount: features,
        batchGroupCount: batches,
        precision: ['DEFAULT', 'DEFAULT'],
      });
    const x = t.arg('f32', [2, 4, 9, 8], wave);
    const w = t.arg('f32', [6, 4, 3, 3], wave);
    t.result(
      'plain',
      conv(x, w),
      conv(x, w, {
        stride: [2, 2],
        padding: [
          [1, 1],
          [1, 2],
        ],
      }),
      conv(x, w, {
        rhsDilation: [2, 1],
        padding: [
          [2, 0],
          [0, 1],
        ],
      }),
    );
    t.result(
      'gradient of the input',
      conv(x, w, {
        lhsDilation: [2, 2],
        padding: [
          [2, 2],
          [2, 3],
        ],
        reversal: [true, true],
      }),
    );
    t.result(
      'channels last',
      conv(t.arg('f32', [2, 9, 8, 4], wave), t.arg('f32', [3, 3, 4, 6], wave), {
        numbers: nhwc,
        stride: [2, 1],
        padding: [
          [1, 1],
          [0, 1],
        ],
      }),
    );
    t.result(
      'groups',
      conv(x, t.arg('f32', [6, 2, 3, 3], wave), { features: 2 }),
      conv(t.arg('f32', [2, 9, 8, 4], wave), t.arg('f32', [3, 3, 1, 8], wave), { numbers: nhwc, features: 4 }),
    );
    t.result('groups of batches', conv(t.arg('f32', [4, 4, 9, 8], wave), w, { batches: 2 }));
    t.result(
      'gradient of the kernel',
      conv(x, t.arg('f32', [2, 6, 7, 6], wave), {
        numbers: {
          inputBatchDimension: 1,
          inputFeatureDimension: 0,
          inputSpatialDimensions: [2, 3],
          kernelInputFeatureDimension: 0,
          kernelOutputFeatureDimension: 1,
          kernelSpatialDimensions: [2, 3],
          outputBatchDimension: 1,
          outputFeatureDimension: 0,
          outputSpatialDimensions: [2, 3],
        },
      }),
    );
    t.result('bf16', conv(t.arg('bf16', [1, 2, 5, 5], wave), t.arg('bf16', [3, 2, 3, 3], wave)));
    t.check(2e-3);
  });
});

test('random bits', () => {
  const t = new Batch();
  for (const rngAlgorithm of ['PHILOX', 'THREE_FRY', 'DEFAULT'] as const) {
    for (const type of ['ui32', 'ui64', 'ui8', 'i16', 'f32'] as const) {
      const state = t.arg('ui64', [2], i => 123456789 * (i + 1));
      t.result(
        `${rngAlgorithm} ${type}`,
        ...t.b.emit('rng_bit_generator', [state], { rngAlgorithm, type: tensorType(type, [5, 7, 3]) }),
      );
    }
  }
  const state = t.arg('ui64', [3], i => 99 + i);
  const [next, bits] = t.b.emit('rng_bit_generator', [state], {
    rngAlgorithm: 'PHILOX',
    type: tensorType('ui32', [40, 300]),
  });
  const keep = t.b.compare('LT', bits, t.b.like(bits, 1 << 30));
  const x = t.arg('f32', [40, 300], wave);
  const dropped = t.b.select(keep, x, t.b.like(x, 0));
  t.result('dropout', next, dropped, t.b.sum(dropped, [1]), t.b.sum(dropped, [0]), t.b.transpose(dropped, [1, 0]));
  t.check(1e-4);
});

test('reductions take their initial value in, whatever its type', () => {
  const t = new Batch();
  for (const type of types.filter(isInteger)) {
    const x = t.arg(type, [2, 3, 4], i => (type.startsWith('u') ? i + 1 : -1 - i));
    for (const [name, value] of [
      ['maximum', 0],
      ['minimum', type.startsWith('u') ? 0 : -100],
      ['add', 5],
    ] as const)
      for (const dims of [[0, 1], [2], [0, 1, 2]])
        t.result(`${name} ${type}`, t.b.reduce(name, x, t.b.fill(type, [], value), dims));
  }
  const x = t.arg('i32', [6], i => i);
  const empty = t.arg('f32', [0, 1, 4], wave);
  t.result('of nothing', t.b.sum(empty), t.b.unary('floor', empty));
  t.result('minimum from the least', t.b.reduce('minimum', x, t.b.fill('i32', [], -2147483648), [0]));
  t.check();
});

test('a barrier between a constant and more ops than one kernel holds', () => {
  const t = new Batch();
  const x = t.arg('f64', [20, 20], wave);
  const [two] = t.b.emit('optimization_barrier', [t.b.fill('f64', [], 2)], {});
  let y: Value = x;
  for (let i = 0; i < 300; i++)
    y = t.b.divide(
      t.b.add(y, t.b.like(x, i)),
      i % 20 === 0 ? t.b.broadcastInDim(two!, [], [20, 20]) : t.b.like(x, 1.5),
    );
  t.result('chain', y);
  t.check();
});

describe('control flow', () => {
  test('within the regions of map and reduce', () => {
    const t = new Batch();
    const { b } = t;
    const [S, I] = [tensorType('f32'), tensorType('i32')];
    const number = (inner: Builder, value: number): Value => inner.fill('i32', [], value);
    const x = t.arg('f32', [40], wave);
    const y = t.arg('f32', [40], i => wave(i + 3));
    const iterated = b.region([S, S], (c, [p, q]) => {
      const condition = c.region([S, I], (d, [, n]) => [d.compare('LT', n!, number(d, 3))]);
      const body = c.region([S, I], (d, [u, n]) => [d.add(d.unary('sine', u!), q!), d.add(n!, number(d, 1))]);
      const [w] = c.emit('while', [p!, number(c, 0)], {}, [condition, body]);
      const branches = [c.region([], d => [d.negate(w!), p!]), c.region([], () => [w!, q!])];
      const [u, v] = c.emit('if', [c.compare('GT', p!, q!)], {}, branches);
      return [c.add(u!, v!)];
    });
    t.result('map', b.emit1('map', [x, y], { dimensions: [0] }, [iterated]));
    const chosen = b.region([S, S], (c, [p, q]) => {
      const branches = [c.region([], d => [d.minimum(p!, q!)]), c.region([], d => [d.maximum(p!, q!)])];
      const [v] = c.emit(
        'case',
        [c.convert(c.compare('GT', c.add(p!, q!), c.fill('f32', [], 0)), 'i32')],
        {},
        branches,
      );
      return [c.emit1('chlo.square', [v!], {})];
    });
    t.result('reduce', b.emit1('reduce', [x, b.fill('f32', [], 0.5)], { dimensions: [0] }, [chosen]));
    t.check(1e-5);
  });

  test('while, if, case', () => {
    const t = new Batch();
    const { b } = t;
    const x = t.arg('f32', [4, 5], wave);
    const i32 = tensorType('i32');
    const f = tensorType('f32', [4, 5]);
    const scaled = b.unary('exponential', b.multiply(x, b.like(x, 0.1)));
    const cond = b.region([i32, f, f], (c, [i]) => [c.compare('LT', i!, c.fill('i32', [], 5))]);
    const body = b.region([i32, f, f], (c, [i, p, q]) => [
      c.add(i!, c.fill('i32', [], 1)),
      q!,
      c.add(p!, c.multiply(q!, scaled)),
    ]);
    t.result('while', ...b.emit('while', [b.fill('i32', [], 0), x, b.negate(x)], {}, [cond, body]));
    for (const value of [0, 1]) {
      const predicate = t.arg('i1', [], () => value);
      const branches = [
        b.region([], c => [c.add(x, scaled), c.sum(x, [0])]),
        b.region([], c => [c.transpose(c.reshape(x, [5, 4]), [1, 0]), c.sum(scaled, [0])]),
      ];
      t.result(`if ${value}`, ...b.emit('if', [predicate], {}, branches));
    }
    for (const value of [-1, 0, 1, 2, 7]) {
      const index = t.arg('i32', [], () => value);
      t.result(
        `case ${value}`,
        ...b.emit(
          'case',
          [index],
          {},
          [0, 1, 2].map(k => b.region([], c => [c.add(x, c.like(x, k))])),
        ),
      );
    }
    t.check(1e-4);
  });
});
