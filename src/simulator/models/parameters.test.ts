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
  ['meta-llama/Llama-3.2-1B', 1_235_814_400],
  ['meta-llama/Llama-3.2-3B-Instruct', 3_212_749_824],
])('%s', (name, count) => {
  expect(parametersOf(modelOf(name)).total).toBe(count);
});

// Their biases of queries, keys and values, and the norms of Qwen3's heads, are not counted.
test.each([
  ['Qwen/Qwen2.5-0.5B-Instruct', 494_032_768],
  ['Qwen/Qwen2.5-1.5B', 1_543_714_304],
  ['Qwen/Qwen2.5-7B', 7_615_616_512],
  ['Qwen/Qwen3-8B-Base', 8_190_735_360],
  ['Qwen/Qwen3-30B-A3B', 30_532_122_624],
])('nearly %s', (name, count) => {
  expect(Math.abs(parametersOf(modelOf(name)).total / count - 1)).toBeLessThan(0.0002);
});

test.each([
  ['meta-llama/Llama-3.1-8B', 'llama3-8b'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'llama3-70b'],
  ['meta-llama/Meta-Llama-3-8B', 'llama3-8b'],
  ['meta-llama/Llama-2-7b-chat-hf', 'llama2-7b'],
  ['mistralai/Mixtral-8x7B-Instruct-v0.1', 'mixtral-8x7b'],
  ['google-bert/bert-base-uncased', 'bert-base'],
  ['google/vit-base-patch16-224', 'vit-base'],
  ['openai-community/gpt2-xl', 'gpt2-xl'],
])('%s is %s', (name, preset) => {
  expect(modelOf(name).name).toBe(preset);
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
