// Clipping in two steps gives the same result as clipping in one.
import { beforeAll, expect, test } from 'vitest';
import { nn } from '../../index.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, setDefaultDevice, tensor } from '../../tensor/index.ts';

beforeAll(() => {
  setDefaultDevice(new Device(new InterpreterBackend(), { seed: 1, log: () => {} }));
});

test('getTotalNorm and clipGradsWithNorm_ match clipGradNorm_', () => {
  const make = (): nn.Parameter[] => {
    const list = [tensor([3, 0]), tensor([[0], [4]])].map(x => new nn.Parameter(x));
    for (const p of list) p.square().sum().backward();
    return list;
  };
  const [a, b] = [make(), make()];
  const norm = nn.utils.getTotalNorm(a.map(p => p.grad!));
  nn.utils.clipGradsWithNorm_(a, 1, norm);
  expect(norm.item()).toBe(10);
  expect(nn.utils.clipGradNorm_(b, 1).item()).toBe(10);
  expect(a.map(p => p.grad!.toArray())).toEqual(b.map(p => p.grad!.toArray()));
  expect(nn.utils.getTotalNorm([tensor([1, -7])], { normType: Infinity }).item()).toBe(7);
  expect(nn.utils.getTotalNorm([]).item()).toBe(0);
});
test('arguments are checked', () => {
  expect(() => nn.utils.getTotalNorm([1] as never)).toThrow('tensors, such as gradients');
  expect(() => nn.utils.getTotalNorm([tensor([NaN])], { errorIfNonfinite: true })).toThrow('expected finite');
  expect(() => nn.utils.getTotalNorm([tensor([1])], { p: 2 } as never)).toThrow('p');
  expect(() => nn.utils.clipGradsWithNorm_([], 1, 3 as never)).toThrow('a tensor of one number');
});
