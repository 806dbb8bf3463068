// The golden steps of scripts/golden/optimizers.py; both sides compute the parameters and gradients by the same formula.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Parameter } from '../nn/index.ts';
import { literalsOf } from '../nn/literals.testing.ts';
import { type Device, device, type Tensor, tensor } from '../tensor/index.ts';
import { GradScaler, type Optimizer } from './index.ts';

export interface GoldenCase {
  readonly optimizer: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly shapes: readonly (readonly number[])[];
  /** The parameters after each step; of large ones, every seventh element. */
  readonly steps: readonly (readonly number[])[];
}
export interface GoldenLbfgs {
  readonly options: Readonly<Record<string, unknown>>;
  readonly steps: readonly {
    readonly loss: number;
    readonly x: readonly number[];
    readonly evaluations: number;
    readonly iterations: number;
  }[];
}
export const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/pytorch/optimizers.json', import.meta.url), 'utf8'),
) as {
  readonly cases: readonly GoldenCase[];
  readonly lbfgs: readonly GoldenLbfgs[];
  readonly tables: { readonly signed: readonly number[]; readonly unsigned: readonly number[] };
};

const sizeOf = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);

export function startingParameters(shapes: GoldenCase['shapes']): Parameter[] {
  let count = 0;
  return shapes.map(shape => {
    const n = sizeOf(shape);
    const values = Array.from({ length: n }, (_, i) => Math.sin(1.3 * (count + i) + 0.7));
    count += n;
    return new Parameter(tensor(Float32Array.from(values), { shape }));
  });
}
function gradient(step: number, index: number, shape: readonly number[]): Tensor {
  const values = Array.from(
    { length: sizeOf(shape) },
    (_, i) => Math.cos(0.9 * i + 0.37 * step * (index + 1)) * (0.2 + 0.1 * ((i + step) % 5)),
  );
  return tensor(Float32Array.from(values), { shape });
}
export type OptimizerClass = new (params: Parameter[], options: object) => Optimizer;
type Classes = Readonly<Record<string, OptimizerClass>>;

/** One step with the gradients of that step. */
export function goldenStep(device: Device, params: readonly Parameter[], optimizer: Optimizer, step: number): void {
  params.forEach((p, i) => {
    p.mul(gradient(step, i, p.shape))
      .sum()
      .backward();
  });
  optimizer.step();
  optimizer.zeroGrad();
  device.markStep();
}
export const valuesOf = (params: readonly Parameter[]): number[] =>
  params.flatMap(p => Array.from(p.data as Float32Array).filter((_, i) => p.numel() < 100 || i % 7 === 0));

/** The largest difference, relative for numbers above 1. */
const distance = (got: readonly number[], want: readonly number[]): number =>
  Math.max(...want.map((w, i) => Math.abs(got[i]! - w) / Math.max(1, Math.abs(w))));

/** Tests that the steps of these optimizers are PyTorch's (or a plain reference's), resumed in the middle bit-identically. */
export function stepsAsPyTorch(classes: Classes): void {
  const dev = device();
  const cases = golden.cases.filter(c => c.optimizer in classes);
  test.each(cases.map(c => [`${c.optimizer} ${JSON.stringify(c.options)}`, c] as const))('%s', (_, c) => {
    const made = classes[c.optimizer]!;
    let params = startingParameters(c.shapes);
    let optimizer = new made(params, c.options);
    c.steps.forEach((want, step) => {
      if (step === 5) {
        const state = optimizer.stateDict();
        params = params.map(p => new Parameter(tensor(p.literal())));
        optimizer = new made(params, c.options);
        optimizer.loadStateDict(state);
        expect(literalsOf(optimizer.stateDict().tensors)).toEqual(literalsOf(state.tensors));
        expect(optimizer.stateDict().groups).toEqual(state.groups);
      }
      goldenStep(dev, params, optimizer, step);
      expect(distance(valuesOf(params), want), `step ${step}`).toBeLessThan(1e-6);
    });
  });
  test('every optimizer class has golden data', () => {
    expect(new Set(cases.map(c => c.optimizer))).toEqual(new Set(Object.keys(classes)));
  });
}

/** Tests that a step that overflowed leaves no trace: neither in parameters, nor in the step counts used for bias correction. */
export function skipsWithoutTrace(classes: Classes): void {
  const dev = device();
  const once = [...new Map(golden.cases.filter(c => c.optimizer in classes).map(c => [c.optimizer, c])).values()];
  test.each(once.map(c => [c.optimizer, c] as const))('%s: skipped steps do not count', (_, c) => {
    const [plain, skipping] = [startingParameters(c.shapes), startingParameters(c.shapes)];
    const optimizer = new classes[c.optimizer]!(plain, c.options);
    const scaled = new classes[c.optimizer]!(skipping, c.options);
    const scaler = new GradScaler({ initScale: 4 });
    for (let step = 0; step < 6; step++) {
      for (const isBad of step % 2 === 0 ? [true, false] : [false]) {
        skipping.forEach((p, i) => {
          const factor = isBad ? Number.POSITIVE_INFINITY : 1;
          const gradient = Float32Array.from({ length: p.numel() }, (_, k) => factor * Math.cos(k + step + i));
          scaler.scale(p.mul(tensor(gradient, { shape: p.shape })).sum()).backward();
        });
        scaler.step(scaled);
        scaler.update();
        scaled.zeroGrad();
        dev.markStep();
      }
      plain.forEach((p, i) => {
        const gradient = Float32Array.from({ length: p.numel() }, (_, k) => Math.cos(k + step + i));
        p.mul(tensor(gradient, { shape: p.shape }))
          .sum()
          .backward();
      });
      optimizer.step();
      optimizer.zeroGrad();
      dev.markStep();
    }
    const [got, want] = [valuesOf(skipping), valuesOf(plain)];
    const tolerance =
      c.optimizer === 'Muon' || c.optimizer === 'AdamW8bit' ? 2e-3 : c.optimizer === 'RAdam' ? 1e-3 : 2e-5;
    expect(Math.max(...got.map((g, i) => Math.abs(g - want[i]!)))).toBeLessThan(tolerance);
  });
}
