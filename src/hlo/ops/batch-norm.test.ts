// Batch normalization compared with its formula, written as loops over the elements of each feature.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Builder } from '../builder.ts';
import { type Literal, literal, toNumbers } from '../literal.ts';
import { sampleLiteral } from '../sample-literal.testing.ts';
import { type ElementType, elementCount, stridesOf, tensorType } from '../types.ts';
import { constraintOf, runAll } from './ops.testing.ts';

const epsilon = 0.125;

/** Positions of the elements of each feature. */
function positions(shape: readonly number[], featureIndex: number): number[][] {
  const stride = stridesOf(shape)[featureIndex]!;
  const out: number[][] = Array.from({ length: shape[featureIndex]! }, () => []);
  for (let i = 0; i < elementCount(shape); i++) out[Math.floor(i / stride) % shape[featureIndex]!]!.push(i);
  return out;
}
const average = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const close = (actual: Literal, expected: readonly number[], tolerance = 1e-11): void => {
  expect(toNumbers(actual).length).toBe(expected.length);
  toNumbers(actual).forEach((v, i) => {
    expect(Math.abs(v - expected[i]!)).toBeLessThan(tolerance);
  });
};

const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
const cases = shapes.chain(shape => fc.tuple(fc.constant(shape), fc.nat(shape.length - 1), fc.nat(99)));

describe('batch normalization', () => {
  test('training gives mean and variance of each feature, and normalizes with them like inference', () => {
    fc.assert(
      fc.property(cases, ([shape, featureIndex, seed]) => {
        const features = [shape[featureIndex]!];
        const [x, scale, offset] = [
          sampleLiteral('f64', shape, seed),
          sampleLiteral('f64', features, seed + 1),
          sampleLiteral('f64', features, seed + 2),
        ];
        const [result, mean, variance] = runAll([x, scale, offset], (b, args) =>
          b.emit('batch_norm_training', args, { epsilon, featureIndex }),
        );
        const [values, at] = [toNumbers(x), positions(shape, featureIndex)];
        const means = at.map(list => average(list.map(i => values[i]!)));
        const variances = at.map((list, f) => average(list.map(i => (values[i]! - means[f]!) ** 2)));
        const expected = new Array<number>(values.length);
        at.forEach((list, f) => {
          for (const i of list)
            expected[i] =
              ((values[i]! - means[f]!) / Math.sqrt(variances[f]! + epsilon)) * toNumbers(scale)[f]! +
              toNumbers(offset)[f]!;
        });
        close(mean!, means);
        close(variance!, variances);
        close(result!, expected);
        const [again] = runAll([x, scale, offset, mean!, variance!], (b, args) =>
          b.emit('batch_norm_inference', args, { epsilon, featureIndex }),
        );
        close(again!, expected);
      }),
      { numRuns: 40 },
    );
  });

  test('grad is the gradient of training', () => {
    fc.assert(
      fc.property(cases, ([shape, featureIndex, seed]) => {
        const features = [shape[featureIndex]!];
        const [x, g] = [sampleLiteral('f64', shape, seed), sampleLiteral('f64', shape, seed + 3)];
        const [scale, offset] = [sampleLiteral('f64', features, seed + 1), sampleLiteral('f64', features, seed + 2)];
        const attributes = { epsilon, featureIndex };
        const training = (inputs: readonly Literal[]) =>
          runAll(inputs, (b, args) => b.emit('batch_norm_training', args, attributes));
        const weighted = (inputs: readonly Literal[]): number => {
          const out = toNumbers(training(inputs)[0]!);
          return toNumbers(g).reduce((sum, v, i) => sum + v * out[i]!, 0);
        };
        const [, mean, variance] = training([x, scale, offset]);
        const gradients = runAll([x, scale, mean!, variance!, g], (b, args) =>
          b.emit('batch_norm_grad', args, attributes),
        );
        const inputs = [x, scale, offset];
        inputs.forEach((input, k) => {
          const slopes = toNumbers(input).map((_, i) => {
            const at = (h: number) => {
              const moved = toNumbers(input).with(i, toNumbers(input)[i]! + h);
              return weighted(inputs.with(k, literal('f64', input.type.shape, moved)));
            };
            return (at(1e-4) - at(-1e-4)) / 2e-4;
          });
          close(gradients[k]!, slopes, 1e-6);
        });
      }),
      { numRuns: 10 },
    );
  });

  test('two-byte floats are averaged in f32', () => {
    // 300 ones: a sum in bf16 would stop at 256.
    const x = literal('bf16', [300, 1], new Array<number>(300).fill(1));
    const one = literal('bf16', [1], [1]);
    const [, mean] = runAll([x, one, one], (b, args) =>
      b.emit('batch_norm_training', args, { epsilon, featureIndex: 1 }),
    );
    expect(toNumbers(mean!)).toEqual([1]);
  });
});

test('constraints', () => {
  const refused = (
    name: 'batch_norm_training' | 'batch_norm_inference' | 'batch_norm_grad',
    shapes: readonly (readonly number[])[],
    featureIndex: number,
    types: readonly ElementType[] = shapes.map(() => 'f32'),
  ): string =>
    constraintOf(() => {
      const b = new Builder();
      const args = shapes.map((shape, i) => b.argument(tensorType(types[i]!, shape), i));
      b.emit(name, args, { epsilon, featureIndex });
    });
  const whole = [4, 3];
  expect(refused('batch_norm_training', [whole, [3], [3]], 1)).toBe('accepted');
  expect(refused('batch_norm_training', [[4, -1], [3], [3]], 1)).toBe('accepted');
  expect(refused('batch_norm_training', [whole, [3], [3]], 2)).toBe('batch_norm_training_c1');
  expect(refused('batch_norm_training', [whole, [3], [3]], -1)).toBe('batch_norm_training_c1');
  expect(refused('batch_norm_training', [whole, [3], [3]], 1, ['f32', 'f64', 'f32'])).toBe('batch_norm_training_c2');
  expect(refused('batch_norm_training', [whole, [4], [4]], 1)).toBe('batch_norm_training_c3');
  expect(refused('batch_norm_training', [whole, [3], [3]], 1, ['i32', 'i32', 'i32'])).toBe(
    'trenio_batch_norm_training_element_type',
  );
  expect(refused('batch_norm_inference', [whole, [3], [3], [3], [4]], 1)).toBe('batch_norm_inference_c3');
  expect(refused('batch_norm_grad', [whole, [3], [3], [3], [4, 4]], 1)).toBe('batch_norm_grad_c3');
  expect(refused('batch_norm_grad', [whole, [3], [3], [1, 3], whole], 1)).toBe('batch_norm_grad_c4');
  expect(refused('batch_norm_grad', [whole, [4], [4], [4], whole], 1)).toBe('batch_norm_grad_c5');
});
