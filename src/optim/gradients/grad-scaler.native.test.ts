// Loss scaling: a step that overflows changes only the scale, other steps match an optimizer without a scaler, and a run that
// overflows at every scale stops with the name of the op.
import { afterEach, describe, expect, test } from 'vitest';
import { Linear, Parameter } from '../../nn/index.ts';
import { device, exp, manualSeed, markStep, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { AdamW, GradScaler, SGD } from '../index.ts';

afterEach(() => setDefaultDevice(undefined));

const numbers = (t: Tensor): number[] => Array.from(t.literal().data, Number);
const setUp = () => {
  setDefaultDevice(device('cpu'));
  manualSeed(1);
  const model = new Linear(4, 3);
  const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
  const x = tensor([
    [0.1, 0.2, -0.3, 0.4],
    [0.5, -0.6, 0.7, 0.8],
  ]);
  return { model, optimizer, x };
};

describe('GradScaler', () => {
  test('a step matches that of the optimizer without a scaler', () => {
    const weights = [false, true].map(scaled => {
      const { model, optimizer, x } = setUp();
      const scaler = new GradScaler({ initScale: 1024 });
      for (let i = 0; i < 3; i++) {
        optimizer.zeroGrad();
        const loss = model.forward(x).pow(2).mean();
        if (scaled) {
          scaler.scale(loss).backward();
          scaler.step(optimizer);
          scaler.update();
        } else {
          loss.backward();
          optimizer.step();
        }
        markStep();
      }
      return numbers(model.weight);
    });
    weights[0]!.forEach((w, i) => {
      expect(weights[1]![i]).toBeCloseTo(w, 6);
    });
  });

  test('a step that overflowed changes nothing, lowers the scale, and does not count for the bias correction', () => {
    const run = (overflows: readonly boolean[]): { weights: number[]; state: unknown } => {
      const { model, optimizer, x } = setUp();
      const scaler = new GradScaler({ initScale: 256, growthInterval: 2 });
      for (const isBad of overflows) {
        const before = numbers(model.weight);
        optimizer.zeroGrad();
        const loss = model.forward(x).pow(2).mean();
        scaler.scale(isBad ? loss.mul(3e38).mul(1e30) : loss).backward();
        scaler.step(optimizer);
        scaler.update();
        markStep();
        if (isBad) expect(numbers(model.weight)).toEqual(before);
      }
      return { weights: numbers(model.weight), state: scaler.stateDict() };
    };
    const clean = run([false, false]);
    const rough = run([true, true, false, true, false]);
    rough.weights.forEach((w, i) => {
      expect(w).toBeCloseTo(clean.weights[i]!, 6);
    });
    // after two good steps in a row it grows; after each bad one it halves
    expect(clean.state).toEqual({ scale: 512, growthTracker: 0, skipped: 0 });
    expect(rough.state).toEqual({ scale: 32, growthTracker: 1, skipped: 3 });
  });

  test('clipping after unscale_ sees unscaled gradients', () => {
    const { model, optimizer, x } = setUp();
    const scaler = new GradScaler({ initScale: 4096 });
    const loss = model.forward(x).pow(2).mean();
    scaler.scale(loss).backward();
    scaler.unscale_(optimizer);
    const unscaled = numbers(model.weight.grad!);
    optimizer.zeroGrad();
    model.forward(x).pow(2).mean().backward();
    numbers(model.weight.grad!).forEach((g, i) => {
      expect(unscaled[i]).toBeCloseTo(g, 6);
    });
  });

  test('its state can be saved and resumed', () => {
    setUp();
    const scaler = new GradScaler();
    scaler.loadStateDict({ scale: 128, growthTracker: 7, skipped: 2 });
    expect(scaler.stateDict()).toEqual({ scale: 128, growthTracker: 7, skipped: 2 });
  });

  test('a run that cannot recover stops with the op that overflows', () => {
    const { model, optimizer, x } = setUp();
    const scaler = new GradScaler({ initScale: 1, minScale: 0.1 });
    const step = (): void => {
      optimizer.zeroGrad();
      const big = exp(model.forward(x).add(60).to('f16'));
      scaler.scale(big.sum()).backward();
      scaler.step(optimizer);
      scaler.update();
      markStep();
      device('cpu').synchronize();
    };
    expect(() => {
      for (let i = 0; i < 10; i++) step();
    }).toThrow(/the first infinity came from convert tensor<2x3xf16> at .*grad-scaler.native.test.ts/);
  });

  test('that is not enabled leaves the loop as it is', () => {
    const w = new Parameter(tensor([1, 2]));
    const optimizer = new SGD([w], { lr: 0.1 });
    const scaler = new GradScaler({ enabled: false });
    const loss = w.sum();
    expect(scaler.scale(loss)).toBe(loss);
    loss.backward();
    scaler.unscale_(optimizer);
    scaler.step(optimizer);
    scaler.update();
    expect([w.toArray(), scaler.getScale()]).toEqual([[expect.closeTo(0.9, 6), expect.closeTo(1.9, 6)], 1]);
  });
  test('settings out of range are rejected', () => {
    expect(() => new GradScaler({ backoffFactor: 1 })).toThrow(/backoffFactor/);
    expect(() => new GradScaler({ growthInterval: 0.5 })).toThrow(/growthInterval/);
    expect(() => new GradScaler({ growthIntervals: 5 } as object)).toThrow(/growthInterval\b/);
  });
  test("arguments in PyTorch's order: the device first", () => {
    expect(new GradScaler(undefined, 1024, 4).getScale()).toBe(1024);
    expect(new GradScaler(undefined, { initScale: 512 }).getScale()).toBe(512);
    expect(() => new GradScaler('cuda' as never)).toThrow(/device is the text "cuda"/);
    expect(() => new GradScaler(1024 as never)).toThrow(/device is the number 1024/);
  });
});
