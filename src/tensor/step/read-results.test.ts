// Reads at a line teach a device what to keep, and that must fit every program that is read there later.
import { expect, test } from 'vitest';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, linalg, type Tensor, tensor } from '../index.ts';

const newDevice = (): Device => new Device(new InterpreterBackend(), { seed: 1, log: () => {} });
const read = (x: Tensor): unknown => x.tolist();

test('another program of equally many ops, whichever of them the rest of the step has used', () => {
  const mean = (device: Device): readonly unknown[] => {
    const leaf = (data: readonly number[]): Tensor => tensor([...data], { device, dtype: 'f32' }).requiresGrad_();
    const index = tensor([0, 0, 1, 1], { device, dtype: 'int64' });
    const y = leaf([2, 0, 7]).scatterReduce(0, index, leaf([2, 2, 0, 0]), 'mean', { includeSelf: false });
    return [read(y), read(y.detach())];
  };
  const alone = newDevice();
  const expected = mean(alone);
  const ops = alone.history[0]!.ops;
  for (let used = 0; used < ops; used++) {
    const device = newDevice();
    for (let i = 0; i < 2; i++) {
      const chain = [tensor([1, 2, 3], { device }).requiresGrad_()];
      while (chain.length <= ops) chain.push(chain.at(-1)!.neg());
      read(chain.at(-1)!);
      read(chain[1 + used]!.mul(2));
      device.markStep();
    }
    expect(mean(device), `used ${used}`).toEqual(expected);
  }
});

test('a read that would keep a result which an earlier read has kept', () => {
  const device = newDevice();
  const eigenvalues = (): Tensor => linalg.eigh(tensor([2, 1, 1, 3], { device, shape: [2, 2] }).requiresGrad_())[0];
  for (const isFirst of [true, false])
    for (let i = 0; i < 2; i++) {
      const w = eigenvalues();
      read(isFirst ? w : w.neg());
      device.markStep(); // computes the eigenvectors: from now on, the read does
    }
  const w = eigenvalues();
  const values = read(w) as readonly number[];
  expect(read(w.neg())).toEqual(values.map(x => -x));
});
