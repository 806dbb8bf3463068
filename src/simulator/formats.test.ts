import { expect, test } from 'vitest';
import { describePrecision } from './formats.ts';
import { precisions } from './workload.ts';

test('the meaning of each precision, from the single table that memory and times use', () => {
  expect(precisions.map(precision => `${precision}: ${describePrecision(precision)}`)).toEqual([
    'f32: f32 multiplies; in memory f32 activations, weights, gradients and moments',
    'tf32: tf32 multiplies; in memory f32 activations, weights, gradients and moments',
    'bf16: bf16 multiplies; in memory bf16 activations, weights, gradients and moments',
    'bf16-mixed: bf16 multiplies; in memory bf16 activations and weights, f32 gradients, master weights and moments',
    'fp8: f8 multiplies; in memory bf16 activations and weights, f32 gradients, master weights and moments',
    'amp: bf16 multiplies; in memory bf16 activations, f32 weights, gradients and moments',
  ]);
});
