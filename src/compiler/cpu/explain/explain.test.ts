// Explanations of real programs: every op is included, every reason is text, and the numbers match the compiler.
import { expect, test } from 'vitest';
import { parseModule } from '../../../hlo/text/parser.ts';
import { compileToC } from '../../index.ts';
import { targetOf } from '../target/target.ts';
import { explainProgram } from './explain.ts';

const target = targetOf('avx512');
const explain = (text: string) => explainProgram(parseModule(text, { file: 'program.mlir' }), target);

const step = `
func.func @main(%x: tensor<512x784xf32>, %w: tensor<784x256xf32> {tf.aliasing_output = 1 : i32}, %t: tensor<512x256xf32>) -> (tensor<f32>, tensor<784x256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x784xf32>, tensor<784x256xf32>) -> tensor<512x256xf32>
  %e = stablehlo.tanh %h : tensor<512x256xf32>
  %d = stablehlo.subtract %e, %t : tensor<512x256xf32>
  %sq = stablehlo.multiply %d, %d : tensor<512x256xf32>
  %loss = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<f32>
  %gw = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<512x784xf32>, tensor<512x256xf32>) -> tensor<784x256xf32>
  %lr = stablehlo.constant dense<0.01> : tensor<784x256xf32>
  %u = stablehlo.multiply %lr, %gw : tensor<784x256xf32>
  %nw = stablehlo.subtract %w, %u : tensor<784x256xf32>
  return %loss, %nw : tensor<f32>, tensor<784x256xf32>
}
`;
const attention = `
func.func @main(%q: tensor<4x64x32xf32>, %k: tensor<4x64x32xf32>, %v: tensor<4x64x32xf32>) -> tensor<4x64x32xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<4x64x32xf32>, tensor<4x64x32xf32>) -> tensor<4x64x64xf32>
  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<4x64x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<4x64xf32>) -> tensor<4x64x64xf32>
  %c = stablehlo.subtract %s, %mb : tensor<4x64x64xf32>
  %e = stablehlo.exponential %c : tensor<4x64x64xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x64x64xf32>, tensor<f32>) -> tensor<4x64xf32>
  %nb = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<4x64xf32>) -> tensor<4x64x64xf32>
  %p = stablehlo.divide %e, %nb : tensor<4x64x64xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x64x64xf32>, tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  return %o : tensor<4x64x32xf32>
}
`;

test.each([
  ['a training step', step],
  ['attention', attention],
])('%s: each op is in a kernel with its line, and each kernel and value has its reasons', (_, text) => {
  const { kernels, recorded, memory } = explain(text);
  const inKernels = new Set(kernels.flatMap(k => [...k.ops, ...k.views]).map(op => `${op.name} ${op.location?.line}`));
  for (const { name, location } of recorded)
    if (name !== 'constant' && location !== undefined) expect(inKernels).toContain(`${name} ${location.line}`);
  for (const kernel of kernels) {
    expect(kernel.why.join()).not.toBe('');
    for (const { why } of kernel.writes) expect(why.join()).not.toBe('');
  }
  expect(memory.liveBytes).toBeLessThanOrEqual(memory.arenaBytes);
});

test('a multiply shows its sizes and blocking, and a result is marked as such', () => {
  const { kernels, memory } = explain(step);
  const backward = kernels.find(k => k.shape === '784×256×512')!;
  expect(backward).toMatchObject({ kind: 'multiply', products: 'f32', calls: [kernels.length - 1] });
  expect(backward.why[0]).toMatch(/^matrix multiply of f32: tiles of \d+×\d+ in registers, .*k.*, A .*, B /);
  const [updated] = kernels.flatMap(k => k.writes).filter(v => v.memory === 'result 1');
  expect(updated).toMatchObject({ type: 'tensor<784x256xf32>', why: ['a result of the program'] });
  expect(memory).toMatchObject({ donatedBytes: 784 * 256 * 4, resultBytes: 784 * 256 * 4 + 4 });
});

test('a softmax is one pass over its rows', () => {
  const softmax = explain(attention).kernels.find(k => k.ops.some(op => op.name === 'exponential'))!;
  expect(softmax.ops.map(op => op.name).filter(name => name !== 'dot_general')).toEqual([
    'reduce',
    'subtract',
    'exponential',
    'reduce',
    'divide',
  ]);
});

test('values used by several kernels: computed again when that is cheap', () => {
  const { computedAgain } = explain(`
func.func @main(%x: tensor<64x512xf32>) -> (tensor<64xf32>, tensor<512xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.negate %x : tensor<64x512xf32>
  %a = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %b = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x512xf32>, tensor<f32>) -> tensor<512xf32>
  return %a, %b : tensor<64xf32>, tensor<512xf32>
}`);
  expect(computedAgain).toEqual([
    expect.objectContaining({ name: 'negate', why: expect.stringContaining('cheaper than keeping it') }),
  ]);
  expect(computedAgain[0]!.kernels).toHaveLength(2);
});

test('only the gathered rows of a table count as read, and only the rows scattered in place as written', () => {
  const { kernels } = explain(`
func.func @main(%table: tensor<1000x64xf32> {tf.aliasing_output = 1 : i32}, %at: tensor<8x1xi32>, %more: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<1000x64xf32>) {
  %0 = "stablehlo.gather"(%table, %at) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>, indices_are_sorted = false} : (tensor<1000x64xf32>, tensor<8x1xi32>) -> tensor<8x64xf32>
  %1 = "stablehlo.scatter"(%table, %at, %more) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false} : (tensor<1000x64xf32>, tensor<8x1xi32>, tensor<8x64xf32>) -> tensor<1000x64xf32>
  return %0, %1 : tensor<8x64xf32>, tensor<1000x64xf32>
}`);
  const gather = kernels.find(k => k.ops.some(op => op.name === 'gather'))!;
  expect([gather.bytesRead, gather.bytesWritten]).toEqual([8 * 64 * 4 + 8 * 4, 8 * 64 * 4]);
  const scatter = kernels.find(k => k.ops.some(op => op.name === 'scatter'))!;
  expect(scatter.bytesInPlace).toBe(8 * 64 * 4);
});

test('the explanation matches the compiler: the same kernels, in the same calls', () => {
  const module = parseModule(attention);
  const { kernels, calls } = compileToC(module, target);
  const explained = explainProgram(module, target).kernels;
  expect(explained.map(k => [k.name, k.flops, k.bytes])).toEqual(kernels.map(k => [k.name, k.flops, k.bytes]));
  expect(explained.flatMap((k, i) => k.calls.map(call => calls[call] === i))).not.toContain(false);
});

test('a loop is also explained; a program of unknown sizes is not', () => {
  const { kernels } = explain(`
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.while(%i = %0) : tensor<i32>
  cond {
    %3 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %2 = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.add %i, %2 : tensor<i32>
    stablehlo.return %3 : tensor<i32>
  }
  return %1 : tensor<i32>
}`);
  expect(kernels.flatMap(k => k.ops.map(op => op.name)).sort()).toEqual(['add', 'compare', 'constant']);
  expect(kernels.flatMap(k => k.writes.flatMap(v => v.why)).join()).toContain('a loop or branch works on it');
  const open =
    'func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { %0 = stablehlo.negate %x : tensor<?xf32> return %0 : tensor<?xf32> }';
  expect(() => explain(open)).toThrow('a program of unknown sizes');
});
