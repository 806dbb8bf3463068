// Recomputation changes which activations are stored and which ops share kernels, but not the results: the same losses and
// weights, bit for bit, with less temporary memory.
import { afterEach, expect, test } from 'vitest';
import type { RecomputePolicy } from '../autodiff/index.ts';
import { functional } from '../nn/index.ts';
import { AdamW } from '../optim/index.ts';
import { device, manualSeed, markStep, setDefaultDevice, tensor } from '../tensor/index.ts';
import { BertForSequenceClassification } from './bert.ts';

const config = {
  vocab_size: 50,
  hidden_size: 32,
  num_hidden_layers: 4,
  num_attention_heads: 2,
  intermediate_size: 64,
  max_position_embeddings: 64,
};

afterEach(() => {
  device('cpu').setRounding({ mode: 'nearest-even' });
  setDefaultDevice(undefined);
});

function train(
  policy: RecomputePolicy,
  dtype: 'f32' | 'bf16' = 'f32',
  length = 64,
): { losses: number[]; weights: number[]; arenaBytes: number } {
  setDefaultDevice(undefined);
  const dev = device('cpu');
  if (dtype === 'bf16') dev.setRounding({ mode: 'stochastic' });
  setDefaultDevice(dev);
  manualSeed(3);
  const model = new BertForSequenceClassification(config).recompute(policy).to(dtype);
  model.train();
  const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
  const inputIds = tensor(
    Array.from({ length: 8 }, (_, i) => Array.from({ length }, (_, j) => (i * 7 + j * 3) % 50)),
    { dtype: 'i32' },
  );
  const labels = tensor([0, 1, 0, 1, 1, 0, 1, 0], { dtype: 'i32' });
  const losses = Array.from({ length: 3 }, () => {
    optimizer.zeroGrad();
    const loss = functional.crossEntropy(model.forward({ inputIds }), labels);
    loss.backward();
    optimizer.step();
    markStep();
    return loss.item();
  });
  const weights = [...model.stateDict().values()].flatMap(({ data }) => Array.from(data, Number));
  return { losses, weights, arenaBytes: dev.history.at(-1)!.arenaBytes };
}

test('none, selective and full give the same results with less and less memory', () => {
  const [none, selective, full] = (['none', 'selective', 'full'] as const).map(policy => train(policy));
  for (const other of [selective!, full!]) {
    expect(other.losses).toEqual(none!.losses);
    expect(other.weights.filter((w, i) => !Object.is(w, none!.weights[i]))).toEqual([]);
  }
  expect(selective!.arenaBytes).toBeLessThan(0.8 * none!.arenaBytes);
  expect(full!.arenaBytes).toBeLessThan(0.8 * selective!.arenaBytes);
});

test('bf16 with stochastic rounding needs less memory than f32', () => {
  // A different length, so that the device has no program for it yet.
  const [f32, bf16] = (['f32', 'bf16'] as const).map(dtype => train('none', dtype, 48).arenaBytes);
  expect(bf16).toBeLessThan(0.8 * f32!);
});

test('an unknown policy', () => {
  setDefaultDevice(device('cpu'));
  const model = new BertForSequenceClassification(config);
  expect(() => model.recompute('some' as 'full')).toThrow(/policy.*'?some'?.*none, selective, full/s);
});
