// A recorded program on machines of the catalog: data parallelism, collectives, multiply formats.
import { expect, test } from 'vitest';
import { machineOf } from '../../hardware/index.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import type { Layout } from '../layout.ts';
import { predict } from '../predict.ts';
import type { RecordedProgram, Workload } from '../workload.ts';
import { castMultiplies } from './formats.ts';
import { recordedProgram } from './recorded-program.ts';

const width = 4096;
const w = `tensor<${width}x${width}xf32>`;
const step = recordedProgram(
  parseModule(`
func.func @main(%x: tensor<512x${width}xf32>, %w: ${w} {tf.aliasing_output = 1 : i32}) -> (tensor<f32>, ${w}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x${width}xf32>, ${w}) -> tensor<512x${width}xf32>
  %loss = stablehlo.reduce(%h init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x${width}xf32>, tensor<f32>) -> tensor<f32>
  %g = stablehlo.dot_general %x, %h, contracting_dims = [0] x [0] : (tensor<512x${width}xf32>, tensor<512x${width}xf32>) -> ${w}
  %nw = stablehlo.subtract %w, %g : ${w}
  return %loss, %nw : tensor<f32>, ${w}
}`),
);
const workload = (model: RecordedProgram): Workload => ({
  model,
  run: { kind: 'training', sequence: 1, optimizer: 'adamw' },
  precision: 'f32',
  attention: 'unfused',
});
const trn1 = machineOf('trn1.32xlarge');
const layout = (more: Partial<Layout> = {}): Layout => ({
  data: 32,
  tensor: 1,
  pipeline: 1,
  interleave: 1,
  expert: 1,
  sequenceParallel: false,
  zero1: false,
  microBatch: step.samplesPerStep,
  microBatches: 1,
  recompute: 'none',
  ...more,
});

test('ZeRO-1 additionally gathers the weights, but has the same traffic as an all-reduce', () => {
  const collectives = (zero1: boolean): number =>
    predict({ workload: workload(step), machine: trn1, nodes: 1, layout: layout({ zero1 }) }).byPhase[
      'gradient collectives'
    ];
  expect(collectives(false)).toBeGreaterThan(0);
  expect(collectives(true) / collectives(false)).toBeCloseTo(1, 1);
});

test('in bf16 its multiplies are faster, and its utilization is relative to the bf16 peak', () => {
  const f32 = predict({ workload: workload(step), machine: trn1, nodes: 1, layout: layout() });
  const bf16 = predict({ workload: workload(castMultiplies(step, 'bf16')), machine: trn1, nodes: 1, layout: layout() });
  expect(bf16.byBound['tensor engine']).toBeLessThan(0.5 * f32.byBound['tensor engine']);
  expect(bf16.modelFlops).toBe(f32.modelFlops);
  expect((bf16.mfu * bf16.stepSeconds) / (f32.mfu * f32.stepSeconds)).toBeCloseTo(0.25, 2);
});

test('it can only be replicated', () => {
  expect(() =>
    predict({ workload: workload(step), machine: trn1, nodes: 1, layout: layout({ data: 16, tensor: 2 }) }),
  ).toThrow(/supports only data parallelism/);
});
