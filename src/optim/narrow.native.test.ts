// Parameters in bf16: stored in bf16 only, or with a master copy in f32; rounded to nearest, where small updates are lost, or
// stochastically, where they accumulate; saved and resumed bit-identically; bit-identical for any number of threads.
import { describe, expect, test } from 'vitest';
import { Linear, Parameter } from '../nn/index.ts';
import { literalsOf } from '../nn/literals.testing.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { Runtime } from '../runtime/runtime.ts';
import { Device, type RoundingMode, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import { AdamW, clipGradNorm_, type Optimizer, SGD } from './index.ts';

const nearest: RoundingMode = { mode: 'nearest-even' };
const stochastic: RoundingMode = { mode: 'stochastic', seed: 7 };
const fresh = (rounding: RoundingMode, backend = new InterpreterBackend()): Device => {
  const made = new Device(backend as never, { seed: 1, log: () => {} });
  made.setRounding(rounding);
  setDefaultDevice(made);
  return made;
};
const size = 256;
const numbers = (x: Tensor): number[] => Array.from(x.to('f32').data as Float32Array);
const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;

/** Descends from 1 along a slope of 1 in steps of 1/2048, a sixteenth of the spacing of bf16 there. */
function walk(device: Device, make: (p: Parameter) => Optimizer, steps = 256): { p: Parameter; optimizer: Optimizer } {
  const p = new Parameter(tensor(new Array(size).fill(1), { dtype: 'bf16' }));
  const optimizer = make(p);
  for (let i = 0; i < steps; i++) {
    p.sum().backward();
    optimizer.step();
    optimizer.zeroGrad();
    device.markStep();
  }
  return { p, optimizer };
}
const sgd = (settings: object) => (p: Parameter) => new SGD([p], { lr: 2 ** -11, ...settings });

describe('steps smaller than half the spacing of bf16', () => {
  test('are lost with rounding to nearest', () => {
    const { p } = walk(fresh(nearest), sgd({}), 64);
    expect(new Set(numbers(p))).toEqual(new Set([1]));
  });
  test('accumulate with stochastic rounding', () => {
    const { p } = walk(fresh(stochastic), sgd({}));
    const list = numbers(p);
    expect(p.dtype).toBe('bfloat16');
    // 256 steps of 1/2048: the error of each element is about 0.02, that of their mean a sixteenth of it
    expect(mean(list)).toBeCloseTo(1 - 256 / 2048, 2);
    expect(new Set(list).size).toBeGreaterThan(8);
  });
  test('accumulate in master weights, and the parameter is the rounded master weight', () => {
    const { p, optimizer } = walk(fresh(nearest), sgd({ masterWeights: true }));
    expect(new Set(numbers(p))).toEqual(new Set([0.875]));
    expect(optimizer.stateDict().tensors.get('0.master')).toMatchObject({ type: { elementType: 'f32' } });
  });
});

test('a layer in bf16 learns with stochastic rounding what it does not learn with rounding to nearest', () => {
  const losses = [nearest, stochastic].map(rounding => {
    const device = fresh(rounding);
    const layer = new Linear(8, 1).bfloat16();
    const optimizer = new AdamW(layer.parameters(), { lr: 2e-4, weightDecay: 0 });
    const inputs = tensor(
      Array.from({ length: 32 * 8 }, (_, i) => Math.sin(i * 1.7)),
      { shape: [32, 8], dtype: 'bf16' },
    );
    const wanted = inputs
      .float()
      .mul(tensor([0.5, -0.5, 0.4, 0.3, -0.2, 0.6, -0.7, 0.2]))
      .sum(1, true);
    const target = tensor(numbers(wanted), { shape: [32, 1] });
    let last = 0;
    for (let i = 0; i < 600; i++) {
      const loss = layer.forward(inputs).float().sub(target).square().mean();
      loss.backward();
      optimizer.step();
      optimizer.zeroGrad();
      device.markStep();
      if (i === 0 || i === 599) last = i === 0 ? loss.item() : loss.item() / last;
    }
    return last;
  });
  expect(losses[1]).toBeLessThan(0.6 * losses[0]!);
});

describe('state', () => {
  const adam = (settings: object) => (p: Parameter) => new AdamW([p], { lr: 1e-3, ...settings });
  test('is f32 unless bf16 is requested', () => {
    const typesOf = (settings: object): string[] =>
      [...walk(fresh(stochastic), adam(settings), 1).optimizer.stateDict().tensors.values()].map(
        t => t.type.elementType,
      );
    expect(typesOf({})).toEqual(['i64', 'f32', 'f32']);
    expect(typesOf({ stateType: 'bf16' })).toEqual(['i64', 'bf16', 'bf16']);
    expect(typesOf({ stateType: 'bfloat16' })).toEqual(['i64', 'bf16', 'bf16']);
    expect(typesOf({ masterWeights: true })).toEqual(['i64', 'f32', 'f32', 'f32']);
  });
  test.each([{ stateType: 'bf16' }, { masterWeights: true }])(
    '%o resumes bit-identically from a saved state',
    settings => {
      const device = fresh(stochastic);
      const whole = walk(device, adam(settings), 6);
      device.random.state = { seed: 1, step: 0, rounding: 7 };
      const half = walk(device, adam(settings), 3);
      const [state, values, random] = [half.optimizer.stateDict(), numbers(half.p), device.random.state];
      const other = fresh({ mode: 'stochastic', seed: 99 });
      const p = new Parameter(tensor(values, { dtype: 'bf16' }));
      const optimizer = adam(settings)(p);
      optimizer.loadStateDict(state);
      other.random.state = random;
      for (let i = 0; i < 3; i++) {
        p.sum().backward();
        optimizer.step();
        optimizer.zeroGrad();
        other.markStep();
      }
      expect(numbers(p)).toEqual(numbers(whole.p));
      expect(literalsOf(optimizer.stateDict().tensors)).toEqual(literalsOf(whole.optimizer.stateDict().tensors));
    },
  );
  test('of an unsupported type is rejected', () => {
    fresh(nearest);
    const p = new Parameter(tensor([1]));
    expect(() => new AdamW([p], { stateType: 'i8' as 'f32' })).toThrow(
      'stateType is i8, expected float32, bfloat16 or float16',
    );
  });
});

test.each([1e-4, 1000])('f16 gradients whose squares under- or overflow in f16 are clipped correctly: %d', slope => {
  fresh(nearest);
  const p = new Parameter(tensor(new Array(64).fill(1), { dtype: 'f16' }));
  p.mul(slope).sum().backward();
  const norm = 8 * slope;
  expect(clipGradNorm_([p], norm / 2).item() / norm).toBeCloseTo(1, 3);
  expect(mean(numbers(p.grad!)) / slope).toBeCloseTo(0.5, 2);
});

test('compiled code is bit-identical to the interpreter on 1 and 2 threads', () => {
  const make = (p: Parameter): Optimizer => new AdamW([p], { lr: 1e-2, stateType: 'bf16' });
  const expected = numbers(walk(fresh(stochastic), make, 4).p);
  for (const threads of ['1', '2']) {
    const runtime = new Runtime({ variables: { ...process.env, TRENIO_NUM_THREADS: threads } });
    expect(numbers(walk(fresh(stochastic, runtime.backend('cpu') as never), make, 4).p)).toEqual(expected);
  }
});
