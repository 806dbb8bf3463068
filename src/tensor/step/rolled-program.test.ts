// A script's loop is one program for any number of iterations: its results are those of the recorded ops, one by one.
import { afterEach, describe, expect, test } from 'vitest';
import type { Backend } from '../../runtime/backends/backend.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { KernelsBackend } from '../../runtime/backends/kernels/kernels-backend.ts';
import { rolledAndChecked, skeletonOf } from '../../transforms/rolled.testing.ts';
import { EagerMode } from '../debugging/eager.ts';
import { cat, Device, ones, setDefaultDevice, stack, type Tensor, tensor } from '../index.ts';
import { recordedScript } from './random-loop.testing.ts';

test.each(Array.from({ length: 12 }, (_, seed) => [seed] as const))('random script %i', seed => {
  const [short, long] = [12, 17].map(turns => rolledAndChecked(recordedScript(seed, turns)));
  expect(short).toBeDefined();
  expect(long).toBeDefined();
});
test('most random scripts are one program for two numbers of iterations', () => {
  const isSame = (seed: number): boolean => {
    const [short, long] = [20, 24].map(turns => rolledAndChecked(recordedScript(seed, turns))!);
    return skeletonOf(short!.func) === skeletonOf(long!.func);
  };
  expect(Array.from({ length: 8 }, (_, seed) => isSame(20 + seed)).filter(Boolean).length).toBeGreaterThan(5);
});

afterEach(() => setDefaultDevice(undefined));

function deviceOf(backend: Backend, isEager = false): Device {
  const eager = isEager ? new EagerMode('never') : undefined;
  const device = new Device(backend, { seed: 0, eager, log: () => {} });
  setDefaultDevice(device);
  return device;
}

/** An episode: a state and a loss for each step, which are stacked; and the numbers of the results. */
function episode(device: Device, steps: number, index = 1): unknown[] {
  const w = ones([3, 3], { requiresGrad: true });
  const table = ones([4, 3], { requiresGrad: true });
  let h: Tensor = tensor([0.1, 0.2, 0.3]);
  const losses: Tensor[] = [];
  for (let t = 0; t < steps; t++) {
    const x = tensor([Math.sin(t), Math.cos(t), 0.5]);
    const row = table.indexSelect(0, tensor([t === steps - 2 ? index : t % 4], { dtype: 'int64' })).reshape(3);
    h = h.matmul(w).add(x).mul(row).sub(h.mul(0.3)).softmax(0);
    losses.push(
      h
        .log()
        .mul(x.add(1))
        .sum()
        .mul(0.99 ** t),
    );
  }
  const loss = stack(losses).square().mean();
  loss.backward();
  const kept = [...losses, loss];
  for (const value of kept) value.keep();
  device.markStep();
  return [...kept, w.grad!, table.grad!].map(value => value.toArray());
}

describe('an episode', () => {
  test.each([
    ['interpreter', () => new InterpreterBackend()],
    ['kernels', () => new KernelsBackend()],
  ])('on the %s', (name, backend) => {
    const device = deviceOf(backend());
    const [short, long] = [episode(device, 37), episode(device, 45)];
    const steps = device.history.filter(event => event.kind === 'step');
    expect(steps.map(step => step.ops)).toEqual([steps[0]!.ops, steps[0]!.ops]);
    expect(steps[0]!.ops).toBeLessThan(400);
    expect(steps[1]!.because).toMatch(/^the loop at rolled-program.test.ts:\d+ ran 45 times, 37 before$/);
    const eager = deviceOf(new InterpreterBackend(), true);
    const wanted = [episode(eager, 37), episode(eager, 45)];
    if (name === 'interpreter') expect([short, long]).toEqual(wanted);
    else expect([short, long].flat(9)).toEqual(wanted.flat(9).map(x => expect.closeTo(x as number, 4) as unknown));
  });
  test('raises an index that is out of range in one iteration', () => {
    expect(() => episode(deviceOf(new InterpreterBackend()), 37, 4)).toThrow('index 4 is out of range');
  });
});

test('the scalars of a long loop do not replace those of other lines', () => {
  const { trace } = deviceOf(new InterpreterBackend());
  const x = ones([], { requiresGrad: true });
  const part = x.mul(3);
  const parts = Array.from({ length: 100 }, (_, i) => x.mul(i));
  const loss = stack(parts).sum();
  expect([part, parts[0], parts[36], loss].map(scalar => trace.scalars.has(scalar as Tensor))).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

describe('a batch of stored tensors', () => {
  const batch = (states: readonly Tensor[], chosen: readonly number[]): unknown => {
    const of = (shift: number): Tensor => cat(chosen.map(i => states[i + shift]!));
    return stack([of(1).sub(of(0)).sum(), cat(chosen.map(i => states[i]!.reshape(3))).max()]).toArray();
  };
  test('is one program, whichever of them are the same', () => {
    const device = deviceOf(new InterpreterBackend());
    const states = Array.from({ length: 20 }, (_, i) => tensor([[Math.sin(i), Math.cos(i), i]]));
    const all = [
      [0, 2, 4, 6, 8, 10, 12, 14],
      [0, 1, 2, 3, 4, 5, 6, 7],
      [7, 18, 3, 3, 12, 11, 9, 8],
    ];
    const got = all.map(chosen => batch(states, chosen));
    expect(device.history.length).toBe(1);
    deviceOf(new InterpreterBackend(), true);
    const same = Array.from({ length: 20 }, (_, i) => tensor([[Math.sin(i), Math.cos(i), i]]));
    expect(got).toEqual(all.map(chosen => batch(same, chosen)));
  });
  test('is compiled for all numbers of them when the number changes', () => {
    const device = deviceOf(new KernelsBackend());
    const states = Array.from({ length: 40 }, (_, i) => tensor([[Math.sin(i), Math.cos(i), i]]));
    for (const count of [9, 12, 13, 20, 17])
      batch(
        states,
        Array.from({ length: count }, (_, i) => 2 * i - (i % 3) * (i % 2)),
      );
    expect(device.history.length).toBe(3);
  });
});
