// L-BFGS compared with PyTorch (scripts/golden/optimizers.py), resuming bit-identically, and the number of compiled programs.
import { expect, test } from 'vitest';
import { Parameter } from '../../nn/index.ts';
import { literalsOf } from '../../nn/literals.testing.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { cat, compile, Device, device, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { golden } from '../golden.testing.ts';
import { LBFGS } from '../index.ts';

const dev = device('interpreter');
setDefaultDevice(dev);

function valley(options: object) {
  const [a, b] = [new Parameter(tensor([-1.2, 1])), new Parameter(tensor([0.5, -0.7]))];
  const optimizer = new LBFGS([a, b], options);
  const closure = (): Tensor => {
    optimizer.zeroGrad();
    const x = cat([a, b], 0);
    const [left, right] = [x.narrow(0, 0, 3), x.narrow(0, 1, 3)];
    const loss = right.sub(left.square()).square().mul(100).add(left.mul(-1).add(1).square()).sum();
    loss.backward();
    return loss;
  };
  const x = (): number[] => [a, b].flatMap(p => Array.from(p.data as Float32Array));
  return { a, b, optimizer, closure, x };
}

test.each(golden.lbfgs.map(c => [JSON.stringify(c.options), c] as const))('%s', (_, c) => {
  const { a, optimizer, closure, x } = valley(c.options);
  c.steps.forEach((want, i) => {
    const loss = optimizer.step(closure).item();
    // A different summation order changes the last bits of a slope, and errors grow along the valley.
    const close = (value: number): unknown => expect.closeTo(value, i < 4 ? 3 : 1);
    expect(loss).toEqual(close(want.loss));
    expect(x()).toEqual(want.x.map(close));
    // At the minimum, the last bits decide when a search ends.
    if (i < 4 && Math.abs(c.steps[i + 1]!.loss - c.steps[i + 2]!.loss) > 1e-6)
      expect(optimizer.state.get(a)).toMatchObject({ funcEvals: want.evaluations, nIter: want.iterations });
  });
});

test('a longer history and different values do not recompile', () => {
  const { optimizer, closure } = valley({ lineSearchFn: 'strong_wolfe', maxIter: 3 });
  for (let i = 0; i < 2; i++) optimizer.step(closure);
  const { compiles } = dev.metrics;
  for (let i = 0; i < 5; i++) optimizer.step(closure);
  expect(dev.metrics.compiles).toBe(compiles);
});

test('its small programs are not reported as a program that grows', () => {
  const warnings: string[] = [];
  const other = new Device(new InterpreterBackend(), {
    seed: 1,
    log: (level, message) => level === 'warn' && warnings.push(message),
  });
  setDefaultDevice(other);
  try {
    const { optimizer, closure } = valley({ lineSearchFn: 'strong_wolfe', maxIter: 3 });
    for (let i = 0; i < 3; i++) optimizer.step(closure);
  } finally {
    setDefaultDevice(dev);
  }
  expect(warnings).toEqual([]);
});

test('resumes bit-identically from a saved state', () => {
  const first = valley({ lineSearchFn: 'strong_wolfe', maxIter: 4 });
  for (let i = 0; i < 2; i++) first.optimizer.step(first.closure);
  const second = valley({ lr: 0.3 });
  for (const name of ['a', 'b'] as const) second[name].assign_(tensor(first[name].literal()));
  second.optimizer.loadStateDict(first.optimizer.stateDict());
  for (let i = 0; i < 2; i++) {
    first.optimizer.step(first.closure);
    second.optimizer.step(second.closure);
  }
  expect(second.x()).toEqual(first.x());
  expect(literalsOf(second.optimizer.stateDict().tensors)).toEqual(literalsOf(first.optimizer.stateDict().tensors));
});

test('incorrect use is an error', () => {
  const { a, b, optimizer, closure } = valley({});
  expect(() => optimizer.step()).toThrow('LBFGS.step: the closure is undefined, expected a function');
  expect(() => optimizer.step(() => 1 as unknown as Tensor)).toThrow('what the closure returns is the number 1');
  expect(() => new LBFGS([{ params: [a] }, { params: [b] }])).toThrow('the number of groups is 2, expected 1');
  expect(() => compile(() => optimizer.step(closure))()).toThrow('markStep');
});
