// Convolutions by Winograd run from their plan, against the reference interpreter: all roles, sizes that are not multiples of
// tiles and blocks.
import { expect, test } from 'vitest';
import { gradients } from '../../../autodiff/index.ts';
import { zip } from '../../../base/zip.ts';
import { Builder } from '../../../hlo/builder.ts';
import { imageDimensionNumbers } from '../../../hlo/image-dimension-numbers.ts';
import { interpret } from '../../../hlo/interpreter.ts';
import { literal, toNumbers } from '../../../hlo/literal.ts';
import { moduleOf, shapeOf } from '../../../hlo/program.ts';
import { elementCount, tensorType } from '../../../hlo/types.ts';
import { targetOf } from '../../index.ts';
import { planWinogradOf } from '../kernels/winograd-op-plan.ts';
import { interpretKernels } from './prepare.ts';

interface Case {
  readonly x: readonly [batch: number, features: number, height: number, width: number];
  readonly outputs: number;
  readonly padding: readonly (readonly [number, number])[];
}
const same = [
  [1, 1],
  [1, 1],
] as const;

/** The norm of the difference, relative to that of what is expected. */
function distance(got: readonly number[], expected: readonly number[]): number {
  const norm = (list: readonly number[]): number => Math.sqrt(list.reduce((sum, v) => sum + v * v, 0));
  return norm(zip(got, expected).map(([a, b]) => a - b)) / norm(expected);
}

test.each<Case>([
  { x: [1, 70, 9, 21], outputs: 33, padding: same },
  {
    x: [2, 33, 9, 14],
    outputs: 70,
    padding: [
      [2, 0],
      [-1, 4],
    ],
  },
  { x: [5, 32, 7, 7], outputs: 32, padding: same },
])('$x to $outputs features', ({ x: shape, outputs, padding }) => {
  const b = new Builder();
  const x = b.argument(tensorType('f32', shape), 0);
  const w = b.argument(tensorType('f32', [outputs, shape[1], 3, 3]), 1);
  const y = b.emit1('convolution', [x, w], {
    windowStrides: [1, 1],
    padding,
    lhsDilation: [1, 1],
    rhsDilation: [1, 1],
    windowReversal: [false, false],
    dimensionNumbers: imageDimensionNumbers,
    featureGroupCount: 1,
    batchGroupCount: 1,
    precision: ['DEFAULT', 'DEFAULT'],
  });
  const results = [y, ...gradients(b, b.sum(b.multiply(y, y)), [x, w]).map(g => g!)];
  const target = targetOf('avx512');
  const plans = b.ops.flatMap(op => (op.name === 'convolution' ? [planWinogradOf(op, target)] : []));
  expect(plans.map(plan => plan?.problem.role).toSorted()).toEqual(['images', 'images', 'weights']);
  const module = moduleOf({
    name: 'main',
    body: { args: [x, w], ops: b.ops, results },
    aliases: [undefined, undefined],
  });
  const inputs = [x, w].map((v, k) => {
    const data = Array.from(
      { length: elementCount(shapeOf(v)) },
      (_, i) => Math.sin(i * 12.9898 + k) / (k === 0 ? 1 : 16),
    );
    return literal('f32', shapeOf(v), data);
  });
  const kernels = interpretKernels(module, target, inputs);
  interpret(module, inputs).forEach((expected, i) => {
    expect(distance(toNumbers(kernels[i]!), toNumbers(expected)), `result ${i}`).toBeLessThan(3e-6);
    // other sums than those of all products
    expect(kernels[i]!.data).not.toEqual(expected.data);
  });
});
