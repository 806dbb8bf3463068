// A training script in eager debug mode computes the same values as with compiled steps.
import { expect, test } from 'vitest';
import { AdamW, nn, tensor } from '../src/index.ts';
import { InterpreterBackend } from '../src/runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../src/tensor/debugging/eager.ts';
import { Device } from '../src/tensor/device.ts';

const newDevice = (eager: EagerMode | undefined): Device =>
  new Device(new InterpreterBackend(), { seed: 7, eager, log: () => {} });

test('training gives the same values as the compiled program', () => {
  const train = (device: Device): number[] => {
    const model = new nn.Sequential(new nn.Linear(3, 4), new nn.Dropout(0.25), new nn.Linear(4, 2));
    let next = 0;
    for (const parameter of model.parameters())
      parameter.load(new Uint8Array(Float32Array.from({ length: parameter.numel() }, () => Math.sin(next++)).buffer));
    model.to(device);
    model.train();
    const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
    const losses: number[] = [];
    for (let step = 0; step < 3; step++) {
      const x = tensor(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        { device },
      );
      const loss = nn.functional.crossEntropy(model.forward(x), tensor([0, 1], { device, dtype: 'i32' }));
      optimizer.zeroGrad();
      loss.backward();
      optimizer.step();
      device.markStep();
      losses.push(loss.item());
    }
    return losses;
  };
  const eager = train(newDevice(new EagerMode('nan')));
  expect(eager).toEqual(train(newDevice(undefined)));
  expect(new Set(eager).size).toBe(3);
});
