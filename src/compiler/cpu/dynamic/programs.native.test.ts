// Programs in StableHLO's text, at several sizes each, compared with the interpreter.
import { describe, expect, test } from 'vitest';
import { interpret } from '../../../hlo/interpreter.ts';
import { type Literal, literal } from '../../../hlo/literal.ts';
import { sampleLiteral } from '../../../hlo/sample-literal.testing.ts';
import { parseModule } from '../../../hlo/text/parser.ts';
import { expectClose } from '../../testing/closeness.testing.ts';
import { compileDynamicForTest, type DynamicTestProgram } from '../../testing/dynamic.testing.ts';

/** Compiles once and compares with the interpreter for each list of inputs. */
function agree(text: string, cases: readonly (readonly Literal[])[]): DynamicTestProgram {
  const module = parseModule(text);
  const program = compileDynamicForTest(module);
  for (const inputs of cases) {
    const name = inputs.map(x => x.type.shape.join('x')).join(', ');
    const expected = interpret(module, inputs);
    const forwards = program.run(inputs);
    forwards.forEach((got, i) => {
      expectClose(got, expected[i]!, `${name}, result ${i}`, 1e-4);
    });
    program.run(inputs, { backwards: true }).forEach((got, i) => {
      expect(got.data, name).toEqual(forwards[i]!.data);
    });
  }
  return program;
}
const f32 = (...shape: readonly number[]): Literal => sampleLiteral('f32', shape, shape.length);
const i32 = (...values: readonly number[]): Literal => literal('i32', [values.length], values);
const n32 = (value: number): Literal => literal('i32', [], [value]);

describe('sizes given by operands', () => {
  test('broadcast, iota, reshape', () => {
    agree(
      `func.func @main(%x: tensor<?xf32>, %shape: tensor<2xi32>, %flat: tensor<1xi64>) -> (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?xf32>) {
        %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
        %1 = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
        %2 = stablehlo.dynamic_reshape %0, %flat : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
        return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xi32>, tensor<?xf32>
      }`,
      [
        [f32(5), i32(3, 5), literal('i64', [1], [15])],
        [f32(1), i32(2, 4), literal('i64', [1], [8])],
        [f32(1), i32(0, 4), literal('i64', [1], [0])],
        [f32(0), i32(3, 0), literal('i64', [1], [0])],
      ],
    );
  });

  test('an update in memory that another value may share', () => {
    // Bytes of i8 are elements: the count is first needed where the memory may be copied, and then for the kernel.
    agree(
      `func.func @main(%x: tensor<?x?x2xi8>, %y: tensor<?x?x2xi8>, %c: tensor<i1>, %i: tensor<i32>, %u: tensor<1x?x2xi8>) -> tensor<?x?x2xi8> {
        %0 = "stablehlo.if"(%c) ({
          stablehlo.return %x : tensor<?x?x2xi8>
        }, {
          stablehlo.return %y : tensor<?x?x2xi8>
        }) : (tensor<i1>) -> tensor<?x?x2xi8>
        %1 = stablehlo.reshape %i : (tensor<i32>) -> tensor<1x1xi32>
        %2 = "stablehlo.scatter"(%0, %1, %u) <{indices_are_sorted = false, unique_indices = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
        ^bb0(%a: tensor<i8>, %b: tensor<i8>):
          %sum = stablehlo.add %a, %b : tensor<i8>
          stablehlo.return %sum : tensor<i8>
        }) : (tensor<?x?x2xi8>, tensor<1x1xi32>, tensor<1x?x2xi8>) -> tensor<?x?x2xi8>
        return %2 : tensor<?x?x2xi8>
      }`,
      [true, false].map(first => [
        sampleLiteral('i8', [3, 4, 2], 1),
        sampleLiteral('i8', [2, 4, 2], 3),
        literal('i1', [], [first]),
        n32(1),
        sampleLiteral('i8', [1, 4, 2], 2),
      ]),
    );
  });

  // the reshape merges dims, so it is stored, and so must be its operand
  test('a stored view between computed values', () => {
    agree(
      `func.func @main(%x: tensor<?xf32>, %y: tensor<3x4xf32>, %z: tensor<3x4xf32>, %c: tensor<3x4xi1>, %i: tensor<i32>, %p: tensor<i1>) -> (tensor<?xf32>, tensor<2xf32>) {
        %0 = stablehlo.negate %x : tensor<?xf32>
        %1 = stablehlo.select %c, %y, %z : tensor<3x4xi1>, tensor<3x4xf32>
        %2 = stablehlo.reshape %1 : (tensor<3x4xf32>) -> tensor<12xf32>
        %3 = stablehlo.dynamic_slice %2, %i, sizes = [2] : (tensor<12xf32>, tensor<i32>) -> tensor<2xf32>
        %4 = "stablehlo.if"(%p) ({
          stablehlo.return %3 : tensor<2xf32>
        }, {
          %5 = stablehlo.negate %3 : tensor<2xf32>
          stablehlo.return %5 : tensor<2xf32>
        }) : (tensor<i1>) -> tensor<2xf32>
        return %0, %4 : tensor<?xf32>, tensor<2xf32>
      }`,
      [true, false].map(first => [
        f32(5),
        f32(3, 4),
        sampleLiteral('f32', [3, 4], 9),
        sampleLiteral('i1', [3, 4], 2),
        n32(3),
        literal('i1', [], [first]),
      ]),
    );
  });

  test('slices, paddings and updates', () => {
    agree(
      `func.func @main(%x: tensor<?x3xf32>, %from: tensor<2xi32>, %to: tensor<2xi32>, %by: tensor<2xi32>, %low: tensor<2xi32>, %high: tensor<2xi32>, %holes: tensor<2xi32>, %at: tensor<i32>)
          -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x3xf32>, tensor<2x3xf32>, tensor<?x3xf32>) {
        %pad = stablehlo.constant dense<7.5> : tensor<f32>
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %0 = stablehlo.real_dynamic_slice %x, %from, %to, %by : (tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
        %1 = stablehlo.dynamic_pad %x, %pad, %low, %high, %holes : (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
        %2 = stablehlo.dynamic_slice %x, %at, %zero, sizes = [2, 3] : (tensor<?x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
        %3 = stablehlo.negate %2 : tensor<2x3xf32>
        %4 = stablehlo.dynamic_update_slice %x, %3, %at, %zero : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<?x3xf32>
        %5 = stablehlo.reverse %4, dims = [0, 1] : tensor<?x3xf32>
        return %0, %1, %5, %2, %4 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x3xf32>, tensor<2x3xf32>, tensor<?x3xf32>
      }`,
      [
        [f32(5, 3), i32(1, 0), i32(5, 3), i32(2, 1), i32(1, 2), i32(0, 3), i32(2, 0), n32(1)],
        [f32(2, 3), i32(2, 0), i32(2, 0), i32(1, 1), i32(-1, 0), i32(0, -2), i32(0, 1), n32(9)],
        [f32(128, 3), i32(0, 1), i32(127, 2), i32(5, 3), i32(0, 0), i32(0, 0), i32(0, 0), n32(-4)],
      ],
    );
  });

  test('setting and reading the size of a dim', () => {
    agree(
      `func.func @main(%x: tensor<?x2xf32>, %n: tensor<i32>) -> (tensor<?x2xf32, #stablehlo.bounds<8, ?>>, tensor<i32>, tensor<f32>) {
        %0 = tensor.cast %x : tensor<?x2xf32> to tensor<8x2xf32>
        %1 = stablehlo.set_dimension_size %0, %n, dim = 0 : (tensor<8x2xf32>, tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<8, ?>>
        %2 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<?x2xf32, #stablehlo.bounds<8, ?>>) -> tensor<i32>
        %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<f32>
        return %1, %2, %3 : tensor<?x2xf32, #stablehlo.bounds<8, ?>>, tensor<i32>, tensor<f32>
      }`,
      [0, 3, 8].map(n => [f32(8, 2), n32(n)]),
    );
  });

  test('gather, concatenate, convolution', () => {
    agree(
      `func.func @main(%x: tensor<?x4xf32>, %i: tensor<?x1xi32>, %sizes: tensor<2xi32>, %image: tensor<?x6x6x2xf32>, %kernel: tensor<3x3x2x70xf32>, %pad: tensor<2x2xi32>)
          -> (tensor<?x?xf32>, tensor<?x4xf32>, tensor<?x?x?x70xf32>) {
        %0 = "stablehlo.dynamic_gather"(%x, %i, %sizes) {
          dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
          indices_are_sorted = false } : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xf32>
        %1 = stablehlo.negate %x : tensor<?x4xf32>
        %2 = stablehlo.concatenate %x, %1, %x, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
        %3 = "stablehlo.dynamic_conv"(%image, %kernel, %pad) {
          batch_group_count = 1 : i64, feature_group_count = 1 : i64, window_strides = array<i64: 2, 1>,
          dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
        } : (tensor<?x6x6x2xf32>, tensor<3x3x2x70xf32>, tensor<2x2xi32>) -> tensor<?x?x?x70xf32>
        return %0, %2, %3 : tensor<?x?xf32>, tensor<?x4xf32>, tensor<?x?x?x70xf32>
      }`,
      [
        [
          f32(5, 4),
          literal('i32', [3, 1], [4, -1, 9]),
          i32(1, 4),
          f32(2, 6, 6, 2),
          f32(3, 3, 2, 70),
          literal('i32', [2, 2], [1, 1, 0, 2]),
        ],
        [
          f32(1, 4),
          literal('i32', [0, 1], []),
          i32(1, 2),
          f32(0, 6, 6, 2),
          f32(3, 3, 2, 70),
          literal('i32', [2, 2], [0, 0, 0, 0]),
        ],
      ],
    );
  });
});

test('random bits, a pair of reductions, a sort of pairs', () => {
  agree(
    `func.func @main(%x: tensor<?x?xf32>, %philox: tensor<3xui64>, %threefry: tensor<2xui64>)
        -> (tensor<3xui64>, tensor<5x3xui32>, tensor<2xui64>, tensor<5x3xi16>, tensor<?xf32>, tensor<?xi32>, tensor<?x?xf32>, tensor<?x?xi32>) {
      %p:2 = stablehlo.rng_bit_generator %philox, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5x3xui32>)
      %t:2 = stablehlo.rng_bit_generator %threefry, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x3xi16>)
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %n0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
      %n1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
      %s0 = stablehlo.reshape %n0 : (tensor<i32>) -> tensor<1xi32>
      %s1 = stablehlo.reshape %n1 : (tensor<i32>) -> tensor<1xi32>
      %s = stablehlo.concatenate %s0, %s1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
      %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [0] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
        reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
          %greater = stablehlo.compare GT, %b, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
          %v = stablehlo.select %greater, %b, %a : tensor<i1>, tensor<f32>
          %at = stablehlo.select %greater, %bi, %ai : tensor<i1>, tensor<i32>
          stablehlo.return %v, %at : tensor<f32>, tensor<i32>
        }
      %o:2 = "stablehlo.sort"(%x, %i) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>, %ai: tensor<i32>, %bi: tensor<i32>):
          %before = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %before : tensor<i1>
        }) {dimension = 0 : i64, is_stable = true} : (tensor<?x?xf32>, tensor<?x?xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
      return %p#0, %p#1, %t#0, %t#1, %r#0, %r#1, %o#0, %o#1 : tensor<3xui64>, tensor<5x3xui32>, tensor<2xui64>, tensor<5x3xi16>, tensor<?xf32>, tensor<?xi32>, tensor<?x?xf32>, tensor<?x?xi32>
    }`,
    [
      [7, 70],
      [1, 3],
      [100, 1],
      [0, 2],
    ].map(([rows, columns]) => [
      f32(rows!, columns!),
      literal('ui64', [3], [7n, 2n ** 64n - 1n, 3n]),
      literal('ui64', [2], [5n, 11n]),
    ]),
  );
});

describe('control flow', () => {
  test('a value that grows, one updated in place, and two that are swapped', () => {
    agree(
      `func.func @main(%x: tensor<?xf32>, %steps: tensor<i32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %twice = stablehlo.add %x, %x : tensor<?xf32>
        %r:5 = stablehlo.while(%i = %zero, %grown = %x, %kept = %x, %a = %x, %b = %twice) : tensor<i32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
          cond {
            %go = stablehlo.compare LT, %i, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %go : tensor<i1>
          } do {
            %next = stablehlo.add %i, %one : tensor<i32>
            %float = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
            %last = stablehlo.reshape %float : (tensor<f32>) -> tensor<1xf32>
            %longer = stablehlo.concatenate %grown, %last, dim = 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
            %updated = stablehlo.dynamic_update_slice %kept, %last, %i : (tensor<?xf32>, tensor<1xf32>, tensor<i32>) -> tensor<?xf32>
            stablehlo.return %next, %longer, %updated, %b, %a : tensor<i32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
          }
        return %r#1, %r#2, %r#3, %r#4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
      }`,
      [
        [f32(4), n32(3)],
        [f32(1), n32(0)],
        [f32(7), n32(40)],
      ],
    );
  });

  test('branches of different sizes', () => {
    agree(
      `func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %which: tensor<i32>) -> (tensor<?xf32>, tensor<?xf32>) {
        %two = stablehlo.constant dense<2> : tensor<i32>
        %first = stablehlo.compare LT, %which, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %0 = "stablehlo.if"(%first) ({
          %s = stablehlo.add %x, %x : tensor<?xf32>
          stablehlo.return %s : tensor<?xf32>
        }, {
          stablehlo.return %y : tensor<?xf32>
        }) : (tensor<i1>) -> tensor<?xf32>
        %1 = "stablehlo.case"(%which) ({
          stablehlo.return %x : tensor<?xf32>
        }, {
          %c = stablehlo.concatenate %x, %y, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
          stablehlo.return %c : tensor<?xf32>
        }, {
          %n = stablehlo.negate %0 : tensor<?xf32>
          stablehlo.return %n : tensor<?xf32>
        }) : (tensor<i32>) -> tensor<?xf32>
        return %0, %1 : tensor<?xf32>, tensor<?xf32>
      }`,
      [0, 1, 2, 5].map(which => [f32(3), f32(6), n32(which)]),
    );
  });
});

const attention = `
  func.func private @softmax(%s: tensor<i32>, %b: tensor<i32>, %x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
    %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
    %sizes = stablehlo.concatenate %b1, %s1, %s1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    %mb = stablehlo.dynamic_broadcast_in_dim %m, %sizes, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %c = stablehlo.subtract %x, %mb : tensor<?x?x?xf32>
    %e = stablehlo.exponential %c : tensor<?x?x?xf32>
    %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    %tb = stablehlo.dynamic_broadcast_in_dim %t, %sizes, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %p = stablehlo.divide %e, %tb : tensor<?x?x?xf32>
    return %p : tensor<?x?x?xf32>
  }
  func.func @main(%x: tensor<?x?x8xf32>, %wq: tensor<8x8xf32>, %wk: tensor<8x8xf32>, %wv: tensor<8x8xf32>) -> tensor<?x?x8xf32> {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x8xf32>) -> tensor<i32>
    %s = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x8xf32>) -> tensor<i32>
    %ok = stablehlo.compare GE, %s, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%ok, %s) {api_version = 2 : i32, error_message = "a sequence of {0} tokens", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %q = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
    %k = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
    %v = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<?x?x8xf32>, tensor<8x8xf32>) -> tensor<?x?x8xf32>
    %a = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<?x?x8xf32>, tensor<?x?x8xf32>) -> tensor<?x?x?xf32>
    %p = call @softmax(%s, %b, %a) : (tensor<i32>, tensor<i32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %y = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x?xf32>, tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    return %y : tensor<?x?x8xf32>
  }`;

describe('attention over any batch and sequence', () => {
  const weights = [1, 2, 3].map(seed => sampleLiteral('f32', [8, 8], seed));
  test('agrees', () => {
    const program = agree(
      attention,
      [
        [1, 1],
        [3, 5],
        [2, 130],
        [0, 4],
      ].map(([b, s]) => [f32(b!, s!, 8), ...weights]),
    );
    // scores and their softmax are fused: three products, and one kernel each for x - max, the two reductions and y
    expect(program.program.kernels.length).toBeLessThanOrEqual(6);
  });
  test('rejects sizes that were not exported, with the message of the program', () => {
    const module = parseModule(attention);
    const program = compileDynamicForTest(module);
    const inputs = [f32(2, 0, 8), ...weights];
    expect(() => program.run(inputs)).toThrow('failure 5 at custom_call');
    expect(program.program.dynamic!.ops.map(op => op.message)).toContain('a sequence of {0} tokens');
    expect(() => interpret(module, inputs)).toThrow(expect.objectContaining({ code: 'SHAPE_ASSERTION' }));
    expect(() => interpret(module, inputs)).toThrow('a sequence of 0 tokens');
  });
});

describe('mismatched sizes are rejected at run time', () => {
  const program = (text: string): DynamicTestProgram => compileDynamicForTest(parseModule(text));
  test('sizes of operands', () => {
    const add = program(`func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %0 = stablehlo.add %x, %y : tensor<?xf32>
      return %0 : tensor<?xf32>
    }`);
    expect(() => add.run([f32(3), f32(4)])).toThrow('failure 1 at add: 0, 3, 4');
    expect(add.run([f32(4), f32(4)])[0]!.type.shape).toEqual([4]);
  });
  test('counts of elements, sizes out of bounds, memory', () => {
    const reshape = program(`func.func @main(%x: tensor<?xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
      %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }`);
    const shape = (...s: readonly bigint[]): Literal => literal('i64', [2], s);
    expect(reshape.run([f32(6), shape(2n, 3n)])[0]!.type.shape).toEqual([2, 3]);
    expect(() => reshape.run([f32(6), shape(2n, 4n)])).toThrow('failure 3 at dynamic_reshape: 0, 6, 8');
    expect(() => reshape.run([f32(6), shape(-2n, -3n)])).toThrow('failure 2 at dynamic_reshape');
    expect(() => reshape.run([f32(0), shape(1n << 40n, 1n << 40n)])).toThrow('failure 3 at dynamic_reshape');
    const iota = program(`func.func @main(%s: tensor<2xi64>) -> tensor<?x?xf32> {
      %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    }`);
    expect(() => iota.run([shape(1n << 40n, 1n << 40n)])).toThrow('failure 4 at dynamic_iota');
    expect(() => iota.run([shape(1000n, 1000n)], { limit: 1 << 20 })).toThrow('failure 4 at dynamic_iota: 0, 4000000');
    expect(iota.run([shape(1n << 40n, 0n)])[0]!.type.shape).toEqual([2 ** 40, 0]);
  });
  test('slices beyond the end', () => {
    const slice = program(`func.func @main(%x: tensor<?xf32>, %i: tensor<i32>) -> (tensor<3xf32>, tensor<2xf32>) {
      %0 = stablehlo.slice %x [1:4] : (tensor<?xf32>) -> tensor<3xf32>
      %1 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<?xf32>, tensor<i32>) -> tensor<2xf32>
      return %0, %1 : tensor<3xf32>, tensor<2xf32>
    }`);
    expect(() => slice.run([f32(3), n32(0)])).toThrow('failure 1 at slice');
    expect(slice.run([f32(4), n32(0)])).toHaveLength(2);
  });
});
