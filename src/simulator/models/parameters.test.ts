// Counts of parameters as the checkpoints of the same names have them.
import { describe, expect, test } from 'vitest';
import type { Layout } from '../layout.ts';
import { parametersOf, parametersPerDevice } from './parameters.ts';
import { modelOf } from './presets.ts';

test.each([
  ['gpt2', 124_439_808],
  ['gpt2-xl', 1_557_611_200],
  ['bert-base-classifier', 109_483_778],
  ['llama2-7b', 6_738_415_616],
  ['llama2-70b', 68_976_648_192],
  ['llama3-8b', 8_030_261_248],
  ['llama3-405b', 405_853_388_800],
  ['mistral-7b', 7_241_732_096],
  ['mixtral-8x7b', 46_702_792_704],
  ['vit-base', 86_567_656],
  ['vit-large', 304_326_632],
])('%s', (name, count) => {
  expect(parametersOf(modelOf(name)).total).toBe(count);
});

describe('of one device', () => {
  const layout: Layout = {
    data: 1,
    tensor: 1,
    pipeline: 1,
    interleave: 1,
    expert: 1,
    sequenceParallel: false,
    zero1: false,
    microBatch: 1,
    microBatches: 1,
    recompute: 'none',
  };
  test('all of them without a split, a share of them with one', () => {
    const model = modelOf('llama3-8b');
    const { total } = parametersOf(model);
    expect(parametersPerDevice(model, layout)).toBe(total);
    expect(parametersPerDevice(model, { ...layout, tensor: 8 })).toBe(total / 8);
    expect(parametersPerDevice(model, { ...layout, pipeline: 4 })).toBeLessThan(total / 3);
  });
});
