// The printed form of parameters.
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { Parameter, StateBuffer } from './parameter.ts';

test('parameters are printed as in PyTorch, buffers as tensors', () => {
  const device = new Device(new InterpreterBackend(), { seed: 0, log: () => {} });
  setDefaultDevice(device);
  try {
    expect(inspect(new Parameter(tensor([1.5, 2])))).toBe(
      'Parameter containing:\ntensor([1.5000, 2.0000], requires_grad=True)',
    );
    expect(inspect(new StateBuffer(tensor([1])))).toBe('tensor([1.])');
  } finally {
    setDefaultDevice(undefined);
  }
});
