// The golden steps of scripts/golden/optimizers.py; both sides compute the parameters and gradients by the same formula.
import { readFileSync } from 'node:fs';
import { Parameter } from '../nn/index.ts';
import { type Device, type Tensor, tensor } from '../tensor/index.ts';
import * as optim from './index.ts';

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
type Class = new (params: Parameter[], options: object) => optim.Optimizer;
export const makeOptimizer = (name: string, params: Parameter[], options: object): optim.Optimizer =>
  new (optim as unknown as Readonly<Record<string, Class>>)[name]!(params, options);

/** One step with the gradients of that step. */
export function goldenStep(
  device: Device,
  params: readonly Parameter[],
  optimizer: optim.Optimizer,
  step: number,
): void {
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
