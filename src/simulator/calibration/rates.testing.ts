// Rates of a fictitious CPU, for tests.
import type { CpuRates, MultiplyRates } from '../../hardware/machine.ts';

export const multiplyRates: MultiplyRates = {
  product: 1e-11,
  a: { n: 2e-11, t: 2e-10 },
  b: { n: 0, t: 1e-10 },
  result: 3e-11,
  each: 1e-6,
  points: [],
};
export const cpuRates: CpuRates = {
  multiplies: { f32: multiplyRates, bf16: { ...multiplyRates, product: 5e-12 } },
  convolutions: multiplyRates,
  copy: [
    { bytes: 1e6, rate: 1e11 },
    { bytes: 1e8, rate: 1e10 },
  ],
  inPlace: [{ bytes: 1e6, rate: 2e11 }],
  simple: 1e11,
  integer: 2e11,
  transcendental: 5e9,
  division: 3e10,
  root: 2e10,
  rounding: 1e10,
  randomWord: 2e9,
  gather: 1e10,
  scatter: 5e9,
  kernelStart: 0,
  programStart: 2e-5,
  disturbance: 1,
  processBytes: 1.5e8,
  opBytes: 5e4,
  tracingBytes: 6e7,
  startBytes: 1.2e8,
};
