import { expect, test } from 'vitest';
import { targetOf } from '../../compiler/index.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { machineOfCalibration } from '../calibration/index.ts';
import { cpuRates } from '../calibration/rates.testing.ts';
import { predict } from '../predict.ts';
import { localStep } from './local-step.ts';
import { recordedProgram } from './recorded-program.ts';

const machine = machineOfCalibration({
  threads: 2,
  rates: cpuRates,
  peakFlops: { f32: 1e11, bf16: 2e11 },
  memoryBandwidth: 4e10,
  error: 0,
});
const { device } = machine;
const square = (size: number) =>
  recordedProgram(
    parseModule(`
func.func @main(%x: tensor<${size}x${size}xf32>) -> tensor<${size}x${size}xf32> {
  %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<${size}x${size}xf32>, tensor<${size}x${size}xf32>) -> tensor<${size}x${size}xf32>
  return %y : tensor<${size}x${size}xf32>
}`),
    { target: targetOf('avx512') },
  );

test('phases and bounds add up, and memory is that of the program and its process', () => {
  const [small, large] = [64, 512].map(size => localStep(square(size), device)) as [
    ReturnType<typeof localStep>,
    ReturnType<typeof localStep>,
  ];
  for (const { seconds, byPhase, byBound } of [small, large]) {
    for (const parts of [byPhase, byBound])
      expect(Object.values(parts).reduce((sum, s) => sum + s, 0)).toBeCloseTo(seconds, 12);
  }
  expect(large.seconds).toBeGreaterThan(50 * (small.seconds - cpuRates.programStart));
  expect(small.byPhase.start).toBe(cpuRates.programStart);
  const held = (size: number): number => 2 * size * size * 4 + cpuRates.processBytes + cpuRates.opBytes;
  expect([64, 512].map(size => localStep({ ...square(size), scratchBytes: 0 }, device).memoryBytes)).toEqual([
    held(64),
    held(512),
  ]);
});

test('peak memory: scratch in each thread, the garbage of a script that records each step, the start of a small model', () => {
  const workload = { ...square(64), scratchBytes: 0 };
  const { memoryBytes } = localStep(workload, device);
  const more = (own: object, rates: object = {}): number =>
    localStep({ ...workload, ...own }, { ...device, rates: { ...cpuRates, ...rates } }).memoryBytes - memoryBytes;
  expect(more({ scratchBytes: 5000 })).toBe(2 * 8192);
  expect(more({ scratchBytes: 3 << 20 })).toBe(2 * (4 << 20));
  expect(more({ isRecordedAnew: true })).toBe(cpuRates.tracingBytes);
  const startBytes = 2 * memoryBytes;
  expect(more({ memory: { ...workload.memory, weights: 1000 } }, { startBytes })).toBe(startBytes + 1000 - memoryBytes);
});

test('a plan for this machine matches the program', () => {
  const model = square(512);
  const run = { kind: 'training', sequence: 1, optimizer: 'sgd' } as const;
  const workload = { model, run, precision: 'f32', attention: 'unfused' } as const;
  const plan = predict({
    workload,
    machine,
    nodes: 1,
    layout: {
      data: 1,
      tensor: 1,
      pipeline: 1,
      interleave: 1,
      expert: 1,
      sequenceParallel: false,
      zero1: false,
      microBatch: model.samplesPerStep,
      microBatches: 1,
      recompute: 'none',
    },
  });
  const step = localStep(model, device);
  expect(plan.stepSeconds).toBeCloseTo(step.seconds, 12);
  expect(plan.memory.total).toBe(step.memoryBytes);
});
