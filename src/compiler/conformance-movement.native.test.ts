// Views, gathers, scatters and sorts, compiled and compared with the interpreter. All cases of a test are one program, so that
// gcc only runs a few times.
import { test, vi } from 'vitest';
import { literal } from '../hlo/literal.ts';
import { isFloat, tensorType } from '../hlo/types.ts';
import { Batch } from './testing/batch.testing.ts';
import { wave } from './testing/sample-values.testing.ts';

// gcc is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

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
