import { expect, test } from 'vitest';
import { targetOf } from '../compiler/index.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { machineOfCalibration } from './calibration/index.ts';
import { cpuRates } from './calibration/rates.testing.ts';
import { predictHere } from './predict-here.ts';
import type { Prediction } from './prediction.ts';
import { recordedProgram } from './program/index.ts';

const machine = machineOfCalibration({
  threads: 2,
  rates: cpuRates,
  peakFlops: { f32: 1e11, bf16: 2e11 },
  memoryBandwidth: 4e10,
  error: 0,
});
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
  const [small, large] = [64, 512].map(size => predictHere(square(size), machine)) as [Prediction, Prediction];
  for (const { stepSeconds, byPhase, byBound } of [small, large]) {
    for (const parts of [byPhase, byBound])
      expect(Object.values(parts).reduce((sum, s) => sum + s, 0)).toBeCloseTo(stepSeconds, 12);
  }
  expect(large.stepSeconds).toBeGreaterThan(50 * (small.stepSeconds - cpuRates.programStart));
  expect(small.byPhase.overhead).toBe(cpuRates.programStart);
  const held = (size: number): number => 2 * size * size * 4 + cpuRates.processBytes + cpuRates.opBytes;
  expect([64, 512].map(size => predictHere({ ...square(size), scratchBytes: 0 }, machine).memory.total)).toEqual([
    held(64),
    held(512),
  ]);
});

test('peak memory: scratch in each thread, the garbage of a script that records each step, the start of a small model', () => {
  const workload = { ...square(64), scratchBytes: 0 };
  const memoryBytes = predictHere(workload, machine).memory.total;
  const more = (own: object, rates: object = {}): number => {
    const device = { ...machine.device, rates: { ...cpuRates, ...rates } };
    return predictHere({ ...workload, ...own }, { ...machine, device }).memory.total - memoryBytes;
  };
  expect(more({ scratchBytes: 5000 })).toBe(2 * 8192);
  expect(more({ scratchBytes: 3 << 20 })).toBe(2 * (4 << 20));
  expect(more({ isRecordedAnew: true })).toBe(cpuRates.tracingBytes);
  const startBytes = 2 * memoryBytes;
  expect(more({ memory: { ...workload.memory, weights: 1000 } }, { startBytes })).toBe(startBytes + 1000 - memoryBytes);
});

test('ranks that share the machine: each has its share of cores and memory, and collectives take time', () => {
  const parts = `
func.func @main(%x: tensor<64x512xf32>, %w: tensor<512x512xf32>) -> tensor<64x512xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  %z = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) : (tensor<64x512xf32>) -> tensor<64x512xf32>
  %u = stablehlo.dot_general %z, %w, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x512xf32>) -> tensor<64x512xf32>
  return %u : tensor<64x512xf32>
}`;
  const division = { layout: 'dp_shard=2,tp=2', devices: 4, copies: 1 };
  const model = recordedProgram(parseModule(parts), { target: targetOf('avx512'), division });
  expect(model.division!.collectives).toEqual([
    {
      kind: 'all-reduce',
      bytes: 64 * 512 * 4,
      groups: [
        [0, 1],
        [2, 3],
      ],
      times: 1,
      waits: 'layers',
    },
  ]);
  const calibration = {
    threads: 4,
    rates: cpuRates,
    peakFlops: { f32: 1e11, bf16: 2e11 },
    memoryBandwidth: 4e10,
    error: 0,
  };
  const [alone, shared] = [1, 4].map(ranks => machineOfCalibration(calibration, ranks));
  const prediction = predictHere(model, shared!);
  const undivided = predictHere({ ...model, division: undefined }, alone!);
  expect(prediction.byPhase['layer collectives']).toBeGreaterThan(0);
  expect(prediction.byPhase.forward / undivided.byPhase.forward).toBeGreaterThan(3);
  expect(prediction.samplesPerStep).toBe(model.samplesPerStep);
  expect(prediction.memory.capacity).toBe(undivided.memory.capacity / 4);
  expect(() => predictHere(model, alone!)).toThrow('is not a program of 1 ranks');
});
