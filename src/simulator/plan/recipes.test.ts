import { describe, expect, test } from 'vitest';
import { machineOf } from '../../hardware/index.ts';
import type { Layout } from '../layout.ts';
import { modelOf } from '../models/presets.ts';
import { predict } from '../predict.ts';
import { megatronPoints } from '../validation/megatron-a100.ts';
import { publishedTraining } from '../validation/published-training.ts';
import type { Workload } from '../workload.ts';
import { assumedBatch } from './assumed-batch.ts';
import { allows, recipeNames, recipeOf, recipes } from './recipes.ts';

const base: Layout = {
  data: 8,
  tensor: 8,
  pipeline: 8,
  interleave: 1,
  expert: 1,
  sequenceParallel: true,
  zero1: true,
  microBatch: 1,
  microBatches: 64,
  recompute: 'selective',
};

describe('recipes', () => {
  test('have unique names, runs, and a source', () => {
    expect(new Set(recipeNames).size).toBe(recipes.length);
    for (const { runs, source } of recipes) expect([runs.length > 0, source.length > 10]).toEqual([true, true]);
    expect(() => recipeOf('nxd-trainig')).toThrow('did you mean nxd-training?');
    expect(() => recipeOf('fsdp2-zero3-something')).toThrow('use one of megatron-lm, megatron-2021, nemo, ');
  });

  test('allow every published layout that the simulator is validated with', () => {
    const megatron = recipeOf('megatron-lm');
    for (const { layout } of megatronPoints) expect(allows(megatron, layout, {})).toBe(true);
    const neuron = recipes.filter(recipe => recipe.device === 'neuron-core');
    for (const { model, layout } of publishedTraining)
      expect([model, neuron.some(recipe => allows(recipe, layout, {}))]).toEqual([model, true]);
  });

  test('allow only layouts of their runs, unless others are given', () => {
    const nxd = recipeOf('nxd-training');
    expect(allows(nxd, base, {})).toBe(true);
    expect(allows(nxd, { ...base, tensor: 2 }, {})).toBe(false);
    expect(allows(nxd, { ...base, tensor: 2 }, { tensor: 2 })).toBe(true);
    expect(allows(nxd, { ...base, pipeline: 32 }, {})).toBe(false); // 16 stages with TP 8
    expect(allows(nxd, { ...base, tensor: 32, pipeline: 32 }, {})).toBe(true);
    expect(allows(nxd, { ...base, interleave: 2 }, {})).toBe(false);
    expect(allows(nxd, { ...base, interleave: 2 }, { interleave: 2 })).toBe(true);
    expect(allows(nxd, { ...base, zero1: false }, {})).toBe(false);
    expect(allows(nxd, { ...base, microBatch: 2 }, {})).toBe(false);
    expect(allows(nxd, { ...base, expert: 2 }, {})).toBe(false);
    expect(allows(recipeOf('nemo'), { ...base, expert: 2, pipeline: 4 }, {})).toBe(true);
    expect(allows(recipeOf('nemo'), { ...base, interleave: 21 }, {})).toBe(false);
  });
});

describe('a batch size that was not given', () => {
  const workload: Workload = {
    model: modelOf('llama3-8b'),
    run: { kind: 'training', sequence: 4096, optimizer: 'adamw' },
    precision: 'bf16-mixed',
    attention: 'blocked',
  };
  const p5 = machineOf('p5.48xlarge');

  test('is about a million tokens, divides evenly, and keeps many devices busy', () => {
    expect(assumedBatch(workload, [p5], [1, 2, 16], {})).toBe(256);
    expect(assumedBatch(workload, [p5], [3], {})).toBe(264); // 24 devices
    expect(assumedBatch(workload, [p5], [2048], {})).toBe(2048);
    expect(assumedBatch(workload, [p5, machineOf('inf2.48xlarge')], [1, 5], {}) % 15).toBe(0);
    expect(assumedBatch(workload, [p5], [1], { microBatch: 3 }) % 3).toBe(0);
  });

  test('on a real machine, the resulting layout is predicted', () => {
    const globalBatch = assumedBatch(workload, [p5], [3], {});
    const layout = { ...base, data: 12, tensor: 2, pipeline: 1, microBatches: globalBatch / 12 };
    expect(predict({ workload, machine: p5, nodes: 3, layout }).samplesPerStep).toBe(globalBatch);
  });
});
