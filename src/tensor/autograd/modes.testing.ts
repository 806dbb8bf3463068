// The modes of running a program, which must all give the same results: compiled to C step by step, on the interpreter, and in
// eager debug mode.

import { TrenioError } from '../../base/errors.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../debugging/eager.ts';
import { Device } from '../device.ts';
import { device } from '../devices.ts';
import { tensor } from '../functions/create.ts';
import type { Tensor } from '../tensor.ts';
import type { NestedNumbers, TensorData } from '../types/host-data.ts';

const interpreter = (eager?: EagerMode): Device =>
  new Device(new InterpreterBackend(), { seed: 7, eager, log: () => {} });

export interface Mode {
  readonly name: string;
  readonly dtype: 'f32' | 'f64';
  readonly device: Device;
  /** A tensor of the mode's type on its device. */
  readonly make: (data: TensorData, requiresGrad?: boolean) => Tensor;
}

const modeOf = (name: string, on: Device, dtype: Mode['dtype']): Mode => ({
  name: `${name} ${dtype}`,
  dtype,
  device: on,
  make: (data, requiresGrad = false) => tensor(data, { device: on, dtype, requiresGrad }),
});

export const modes: readonly Mode[] = [
  modeOf('compiled', device('cpu'), 'f32'),
  modeOf('compiled', device('cpu'), 'f64'),
  modeOf('interpreter', interpreter(), 'f64'),
  modeOf('eager', interpreter(new EagerMode('never')), 'f32'),
  modeOf('eager', interpreter(new EagerMode('never')), 'f64'),
];

/** Fewer, for programs that take long to compile: each type and each way once. */
export const fewModes: readonly Mode[] = modes.filter(({ name }) => name !== 'compiled f64' && name !== 'eager f32');

/** The numbers of nested arrays, in order. */
export const flat = (numbers: NestedNumbers): number[] =>
  (Array.isArray(numbers) ? (numbers as unknown[]).flat(Number.POSITIVE_INFINITY) : [numbers]) as number[];

/** The largest difference between tensors and expected numbers, relative to 1 + |expected|. */
export function errorOf(got: Tensor, expected: NestedNumbers | NestedNumbers[]): number {
  const [a, b] = [flat(got.toArray()), flat(expected as NestedNumbers)];
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  const errors = a.map((x, i) => Math.abs(x - b[i]!) / (1 + Math.abs(b[i]!)));
  return errors.some(Number.isNaN) ? Number.POSITIVE_INFINITY : Math.max(0, ...errors);
}
export const tolerance = ({ dtype }: Mode): number => (dtype === 'f32' ? 2e-5 : 1e-10);

/** The code of the error that a call throws. */
export const codeOf = (body: () => unknown): string | undefined => {
  try {
    body();
  } catch (error) {
    if (error instanceof TrenioError) return error.code;
    throw error;
  }
  return undefined;
};
