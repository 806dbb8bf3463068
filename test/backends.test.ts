// Whole training steps on each available backend: losses and weights must match those of the interpreter.
import { describe, expect, test } from 'vitest';
import { AdamW, device, manualSeed, nn, optimizerStep, type Tensor, tensor } from '../src/index.ts';
import { registeredBackends } from '../src/runtime/backends/all.ts';
import type { Device } from '../src/tensor/device.ts';

function train(target: Device): {
  readonly losses: readonly number[];
  readonly weights: readonly (readonly number[])[];
} {
  manualSeed(11);
  const model = new nn.Sequential(new nn.Linear(6, 16), new nn.GELU(), new nn.LayerNorm(16), new nn.Linear(16, 3));
  model.to(target);
  model.train();
  const optimizer = new AdamW(model.parameters(), { lr: 0.02 });
  const x = tensor(
    Array.from({ length: 8 }, (_, i) => Array.from({ length: 6 }, (_, k) => Math.sin(i * 6 + k))),
    { device: target },
  );
  const labels = tensor([0, 1, 2, 0, 1, 2, 0, 1], { device: target, dtype: 'i32' });
  const losses: Tensor[] = [];
  for (let step = 0; step < 6; step++) {
    const loss = nn.functional.crossEntropy(model.forward(x), labels);
    optimizer.zeroGrad();
    loss.backward();
    optimizerStep(optimizer);
    losses.push(loss);
  }
  return {
    losses: losses.map(loss => loss.item()),
    weights: model.parameters().map(parameter => [...(parameter.data as Float32Array)]),
  };
}

const expected = train(device('interpreter'));

for (const entry of registeredBackends())
  describe.skipIf(entry.availability().kind === 'unavailable')(entry.name, () => {
    test('six steps of AdamW, with the state updated in place', () => {
      const got = train(device(entry.name));
      expect(got.losses.at(-1)).toBeLessThan(got.losses[0]!);
      got.losses.forEach((loss, i) => {
        expect(loss).toBeCloseTo(expected.losses[i]!, 4);
      });
      got.weights.forEach((weights, i) => {
        weights.forEach((weight, k) => {
          expect(weight).toBeCloseTo(expected.weights[i]![k]!, 3);
        });
      });
    });
  });
