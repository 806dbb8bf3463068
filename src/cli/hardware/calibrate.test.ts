import { expect, test } from 'vitest';
import { cpuRates } from '../../simulator/calibration/rates.testing.ts';
import { describeCalibration } from './calibrate-here.ts';

test('prints the measurements as a table', () => {
  const text = describeCalibration({
    threads: 2,
    rates: cpuRates,
    peakFlops: { f32: 2e11, bf16: 4e11 },
    memoryBandwidth: 4e10,
    error: 0.0234,
  });
  for (const part of ['200.0 GFLOP/s f32, 400.0 bf16', '40.0 GB/s', '5.00 exp', '2.3 % on average'])
    expect(text).toContain(part);
});
