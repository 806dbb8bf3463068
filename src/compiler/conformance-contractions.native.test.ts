// dot_general and convolutions, compiled and compared with the interpreter. All cases of a test are one program, so that gcc only
// runs a few times.
import { test, vi } from 'vitest';
import { channelsLastDimensionNumbers, imageDimensionNumbers } from '../hlo/image-dimension-numbers.ts';
import type { Value } from '../hlo/program.ts';
import { isFloat } from '../hlo/types.ts';
import { Batch } from './testing/batch.testing.ts';
import { wave } from './testing/sample-values.testing.ts';

// gcc is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

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
