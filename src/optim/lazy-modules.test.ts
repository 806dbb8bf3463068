// Optimizers and lazy modules: the parameters must have shapes.
import { beforeAll, expect, test } from 'vitest';
import { LazyLinear } from '../nn/index.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, randn, setDefaultDevice } from '../tensor/index.ts';
import { SGD } from './optimizers/sgd.ts';

beforeAll(() => {
  setDefaultDevice(new Device(new InterpreterBackend(), { seed: 1, log: () => {} }));
});

test('an optimizer must be created after the first forward', () => {
  const model = new LazyLinear(2);
  const make = (): SGD => new SGD(model.parameters(), { lr: 0.1 });
  expect(make).toThrow('a parameter of SGD belongs to a lazy module and has no shape yet');
  expect(make).toThrow('call the model once with an input of the final sizes');
  const x = randn(4, 3);
  model(x);
  const before = model.weight.toArray();
  const optimizer = make();
  model(x).sum().backward();
  optimizer.step();
  expect(model.weight.toArray()).not.toEqual(before);
});
