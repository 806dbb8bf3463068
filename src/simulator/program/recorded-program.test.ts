// Every program of the language is work of some kind; a training step's is what its layers say on paper.
import { expect, test } from 'vitest';
import { targetOf } from '../../compiler/index.ts';
import { opSamples } from '../../hlo/op-samples.testing.ts';
import { moduleOf } from '../../hlo/program.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { flopsOf, type Work, type WorkList } from '../work.ts';
import { recordedProgram } from './recorded-program.ts';

const target = targetOf('avx512');
const model = (text: string) => recordedProgram(parseModule(text), { target });
const flat = (lists: readonly WorkList[]): readonly Work[] => lists.flatMap(l => l.work);
const flops = (lists: readonly WorkList[]): number =>
  lists.reduce((sum, l) => sum + l.times * l.work.reduce((n, w) => n + flopsOf(w), 0), 0);

test('a program for each op', () => {
  for (const { label, func } of opSamples()) {
    const { forward, backward, optimizer, memory, kernels } = recordedProgram(moduleOf(func), { target });
    expect(Number.isFinite(kernels), label).toBe(true);
    for (const { work, times } of [...forward, ...backward, ...optimizer]) {
      expect(times, label).toBeGreaterThan(0);
      for (const w of work)
        for (const [key, value] of Object.entries(w))
          if (typeof value === 'number')
            expect(value >= 0 && Number.isFinite(value), `${label}: ${key} of ${w.kind} is ${value}`).toBe(true);
    }
    for (const bytes of Object.values(memory)) expect(bytes, label).toBeGreaterThanOrEqual(0);
  }
});

const momentum = `
func.func @main(%x: tensor<64x32xf32>, %y: tensor<64xi32>, %w: tensor<32x48xf32> {tf.aliasing_output = 1 : i32}, %m: tensor<32x48xf32> {tf.aliasing_output = 2 : i32}) -> (tensor<f32>, tensor<32x48xf32>, tensor<32x48xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
  %e = stablehlo.tanh %h : tensor<64x48xf32>
  %sq = stablehlo.multiply %e, %e : tensor<64x48xf32>
  %loss = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x48xf32>, tensor<f32>) -> tensor<f32>
  %s = stablehlo.subtract %sq, %e : tensor<64x48xf32>
  %g = stablehlo.dot_general %x, %s, contracting_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x48xf32>) -> tensor<32x48xf32>
  %beta = stablehlo.constant dense<0.9> : tensor<32x48xf32>
  %lr = stablehlo.constant dense<0.01> : tensor<32x48xf32>
  %old = stablehlo.multiply %beta, %m : tensor<32x48xf32>
  %new = stablehlo.add %old, %g : tensor<32x48xf32>
  %u = stablehlo.multiply %lr, %new : tensor<32x48xf32>
  %nw = stablehlo.subtract %w, %u : tensor<32x48xf32>
  return %loss, %nw, %new : tensor<f32>, tensor<32x48xf32>, tensor<32x48xf32>
}`;

test('of what a barrier passes on, only what a kernel reads counts', () => {
  const { forward } = model(`
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b:2 = stablehlo.optimization_barrier %d, %x : tensor<64x64xf32>, tensor<64x64xf32>
  %t = stablehlo.add %b#1, %b#1 : tensor<64x64xf32>
  return %b#0, %t : tensor<64x64xf32>, tensor<64x64xf32>
}`);
  const sweep = flat(forward).find(work => work.kind === 'sweep' && work.bytesWritten > 0);
  expect(sweep).toMatchObject({ elements: 64 * 64, simple: 1 });
});

test('a training step: its phases, parameters, gradients and memory', () => {
  const step = model(momentum);
  const product = 2 * 64 * 32 * 48;
  expect([step.forward, step.backward, step.optimizer].map(flops)).toEqual([product, product, 0]);
  // The update is fused with the gradient: a sweep of the optimizer behind a multiply of the backward pass.
  expect(flat(step.optimizer)).toEqual([
    expect.objectContaining({ kind: 'sweep', pattern: 'epilogue', elements: 32 * 48 }),
  ]);
  expect(flat(step.backward).find(w => w.kind === 'multiply')).toMatchObject({ m: 32, n: 48, k: 64, type: 'f32' });
  const bytes = 32 * 48 * 4;
  expect(step).toMatchObject({
    isTraining: true,
    parameters: 32 * 48,
    gradientBytes: bytes,
    samplesPerStep: 64,
    memory: { weights: bytes, 'optimizer state': bytes, gradients: 0 },
  });
  expect(step.memory.activations).toBeGreaterThanOrEqual(64 * 32 * 4 + 64 * 48 * 4);
});

test('a multiply with an epilogue does not read its result from memory', () => {
  const { forward, assumptions, isTraining } = model(`
func.func @main(%x: tensor<64x32xbf16>, %w: tensor<32x48xbf16>, %b: tensor<64x48xbf16>) -> tensor<64x48xbf16> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xbf16>, tensor<32x48xbf16>) -> tensor<64x48xbf16>
  %y = stablehlo.add %h, %b : tensor<64x48xbf16>
  return %y : tensor<64x48xbf16>
}`);
  expect(flat(forward)).toMatchObject([
    { kind: 'multiply', batch: 1, m: 64, n: 48, k: 32, type: 'bf16', bytes: 2 * (64 * 32 + 32 * 48) },
    { kind: 'sweep', elements: 64 * 48, bytesRead: 2 * 64 * 48, bytesWritten: 2 * 64 * 48, rounded: 1 },
  ]);
  expect(isTraining).toBe(false);
  expect(assumptions.join()).toContain('No input is a parameter that the program replaces');
});

test('rows looked up, a convolution as multiplies', () => {
  const { forward } = model(`
func.func @main(%t: tensor<1000x16xf32>, %i: tensor<64x1xi32>, %x: tensor<2x3x8x8xf32>, %k: tensor<5x3x3x3xf32>) -> (tensor<64x16xf32>, tensor<2x5x6x6xf32>) {
  %g = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<1000x16xf32>, tensor<64x1xi32>) -> tensor<64x16xf32>
  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3x8x8xf32>, tensor<5x3x3x3xf32>) -> tensor<2x5x6x6xf32>
  return %g, %c : tensor<64x16xf32>, tensor<2x5x6x6xf32>
}`);
  const works = flat(forward);
  expect(works).toContainEqual(
    expect.objectContaining({ kind: 'row-move', rows: 64, bytesPerRow: 64, direction: 'gather' }),
  );
  expect(works).toContainEqual(expect.objectContaining({ kind: 'multiply', m: 5, n: 72, k: 27, of: 'convolution' }));
});

const loop = (limit: string): string => `
func.func @main(%x: tensor<8x8xf32>, %n: tensor<i32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8x8xf32>
    cond {
      %c = stablehlo.compare LT, %i, ${limit}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %p = stablehlo.dot_general %v, %v, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      stablehlo.return %j, %p : tensor<i32>, tensor<8x8xf32>
    }
  return %r#1 : tensor<8x8xf32>
}`;

test('a loop is counted with its known number of iterations, or the assumed one', () => {
  const counted = model(loop('%seven'));
  expect(flops(counted.forward)).toBe(7 * 2 * 8 ** 3);
  expect(counted.assumptions.join()).not.toContain('A loop');
  const unknown = model(loop('%n'));
  expect(flops(unknown.forward)).toBe(2 * 8 ** 3);
  expect(unknown.assumptions.join()).toContain('A loop that does not say how often it runs counts as 1 iteration');
  const given = recordedProgram(parseModule(loop('%n')), { target, iterations: () => 5 });
  expect(flops(given.forward)).toBe(5 * 2 * 8 ** 3);
});

test('programs with unknown sizes, and those the compiler rejects, are counted op by op with an assumption', () => {
  const { forward, assumptions } = model(`
func.func @main(%x: tensor<?x32xf32>, %w: tensor<32x48xf32>) -> tensor<?x48xf32> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x48xf32>) -> tensor<?x48xf32>
  return %h : tensor<?x48xf32>
}`);
  expect(flops(forward)).toBe(2 * 32 * 48);
  expect(assumptions.join()).toContain('count as 1');
});
