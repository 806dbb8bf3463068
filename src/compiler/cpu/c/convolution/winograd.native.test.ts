// Convolutions with 3×3 weights in fewer multiplies, compared with the interpreter: the three roles, sizes that are not multiples
// of tiles, vectors and blocks; and which convolutions use this algorithm.
import { describe, expect, test, vi } from 'vitest';
import { gradients } from '../../../../autodiff/index.ts';
import type { OpAttributes } from '../../../../hlo/attributes.ts';
import { imageDimensionNumbers } from '../../../../hlo/image-dimension-numbers.ts';
import { type Op, shapeOf } from '../../../../hlo/program.ts';
import { Batch } from '../../../testing/batch.testing.ts';
import { planWinogradOf } from '../../kernels/winograd-op-plan.ts';
import { hostTarget, targetOf } from '../../target/target.ts';

vi.setConfig({ testTimeout: 120_000 });

type Padding = readonly (readonly [number, number])[];
interface Case {
  readonly batch: number;
  readonly inputs: number;
  readonly outputs: number;
  readonly size: readonly [number, number];
  readonly padding?: Padding;
  readonly attributes?: Partial<OpAttributes['convolution']>;
}
const one: Padding = [
  [1, 1],
  [1, 1],
];

/** Between -1/2 and 1/2, the same on every run. */
function noise(i: number): number {
  const x = Math.sin(i * 12.9898 + 1) * 43758.5453;
  return x - Math.floor(x) - 0.5;
}

function convolution(t: Batch, c: Case) {
  const [height, width] = c.size;
  const x = t.arg('f32', [c.batch, c.inputs, height, width], noise);
  const scale = 1 / Math.sqrt(c.inputs);
  const w = t.arg('f32', [c.outputs, c.inputs, 3, 3], i => scale * noise(i + 77));
  const y = t.b.emit1('convolution', [x, w], {
    windowStrides: [1, 1],
    padding: c.padding ?? one,
    lhsDilation: [1, 1],
    rhsDilation: [1, 1],
    windowReversal: [false, false],
    dimensionNumbers: imageDimensionNumbers,
    featureGroupCount: 1,
    batchGroupCount: 1,
    precision: ['DEFAULT', 'DEFAULT'],
    ...c.attributes,
  });
  return { x, w, y, op: t.b.ops.at(-1) as Op<'convolution'> };
}

function withGradients(t: Batch, c: Case): void {
  const { x, w, y, op } = convolution(t, c);
  const name = JSON.stringify(c);
  expect(planWinogradOf(op, hostTarget()), name).toBeDefined();
  t.result(`${name} forward`, y);
  const weights = t.arg('f32', shapeOf(y), i => noise(i + 777));
  const before = t.b.ops.length;
  const [dx, dw] = gradients(t.b, t.b.sum(t.b.multiply(y, weights)), [x, w]);
  const backwards = t.b.ops.slice(before).filter((each): each is Op<'convolution'> => each.name === 'convolution');
  const roles = backwards.map(each => planWinogradOf(each, hostTarget())?.problem.role);
  expect(roles.toSorted(), name).toEqual(['images', 'weights']);
  t.result(`${name} of x`, dx!);
  t.result(`${name} of w`, dw!);
}

describe('convolution by Winograd', () => {
  test('the three roles', () => {
    const t = new Batch();
    withGradients(t, { batch: 2, inputs: 32, outputs: 48, size: [12, 12] });
    withGradients(t, { batch: 3, inputs: 37, outputs: 70, size: [13, 11] });
    withGradients(t, { batch: 1, inputs: 70, outputs: 33, size: [13, 23] });
    withGradients(t, {
      batch: 2,
      inputs: 33,
      outputs: 34,
      size: [9, 14],
      padding: [
        [2, 0],
        [0, 3],
      ],
    });
    withGradients(t, {
      batch: 2,
      inputs: 32,
      outputs: 32,
      size: [15, 20],
      padding: [
        [-1, 1],
        [-2, 4],
      ],
    });
    withGradients(t, { batch: 5, inputs: 32, outputs: 32, size: [7, 7] });
    t.check(1e-5);
  });

  test('many weights are transformed by each task', () => {
    const t = new Batch();
    const c: Case = { batch: 16, inputs: 200, outputs: 150, size: [3, 3] };
    const { y, op } = convolution(t, c);
    expect(planWinogradOf(op, hostTarget())).toMatchObject({ weights: 'inTask' });
    t.result('forward', y);
    t.check(1e-5);
  });

  test('the plan', () => {
    const t = new Batch();
    const images: Case = { batch: 2, inputs: 64, outputs: 64, size: [20, 20] };
    const planOf = (attributes: Case['attributes'] = {}, target = targetOf('avx512'), more: Partial<Case> = {}) =>
      planWinogradOf(convolution(t, { ...images, ...more, attributes }).op, target);
    expect(planOf()).toMatchObject({ weights: 'once', across: 5, down: 5, lanes: 16 });
    expect(planOf({}, targetOf('avx2'))).toMatchObject({ lanes: 8 });
    expect(planOf({}, { ...targetOf('avx512'), winograd: false })).toBeUndefined();
    expect(planOf({ precision: ['HIGHEST', 'HIGHEST'] })).toBeUndefined();
    expect(planOf({ windowStrides: [2, 2] })).toBeUndefined();
    expect(planOf({ rhsDilation: [2, 2] })).toBeUndefined();
    expect(planOf({}, targetOf('avx512'), { inputs: 3 })).toBeUndefined();
    expect(planOf({}, targetOf('avx512'), { size: [5, 5] })).toBeUndefined();
    const [a, b, c] = [0, 1, 2].map(i => planOf({}, targetOf('avx512', { l2Bytes: 2 ** (18 + i) })));
    expect([b, c]).toEqual([a, a]);
  });
});
