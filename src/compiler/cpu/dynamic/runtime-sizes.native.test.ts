// Programs of unknown sizes, called with incompatible sizes: an op whose operands disagree fails at run time, as the verifier
// would reject it if its sizes were known. The same program with known sizes is the reference.
import { describe, expect, test } from 'vitest';
import { isTrenioError, TrenioError } from '../../../base/errors.ts';
import { Builder } from '../../../hlo/builder.ts';
import { inline } from '../../../hlo/inline.ts';
import { interpret } from '../../../hlo/interpreter.ts';
import { type Literal, literal } from '../../../hlo/literal.ts';
import { opSamples } from '../../../hlo/op-samples.testing.ts';
import { shapesAgree } from '../../../hlo/ops/shape-checks.ts';
import { type Func, moduleOf, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { sampleLiteral } from '../../../hlo/sample-literal.testing.ts';
import { parseModule } from '../../../hlo/text/parser.ts';
import { dynamicDim, type TensorType } from '../../../hlo/types.ts';
import { verify } from '../../../hlo/verifier.ts';
import { compileDynamicForTest, DynamicFailure } from '../../testing/dynamic.testing.ts';
import { loosened } from '../../testing/loosen.testing.ts';

const run = (text: string, inputs: readonly Literal[]): readonly Literal[] => {
  const module = parseModule(text);
  verify(module);
  return interpret(module, inputs);
};
function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isTrenioError(error)) return error.code;
    throw error;
  }
  return 'none';
}

test('an addition of 9 and 4 elements', () => {
  const add = `func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.add %x, %y : tensor<?xf32>
    return %0 : tensor<?xf32>
  }`;
  const sized = (n: number): Literal => sampleLiteral('f32', [n], n);
  expect(run(add, [sized(9), sized(9)])[0]!.type.shape).toEqual([9]);
  let error: unknown;
  try {
    run(add, [sized(9), sized(4)]);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(TrenioError);
  expect((error as TrenioError).message).toMatchInlineSnapshot(`
    "add: operands must have one type, got tensor<9xf32> and tensor<4xf32>
      fix: these sizes are known only at run time: pass tensors with compatible shapes"
  `);
  expect(codeOf(() => run(add, [sized(4), sized(9)]))).toBe('SIZES_DO_NOT_FIT');
});

describe('sizes that are declared later', () => {
  const f32 = (...shape: readonly number[]): Literal => sampleLiteral('f32', shape, 1);
  const cases: Readonly<Record<string, readonly [text: string, inputs: readonly Literal[]]>> = {
    'a result': [
      `func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {
        %0 = "stablehlo.negate"(%x) : (tensor<?xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }`,
      [f32(5)],
    ],
    'an argument of a function': [
      `func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {
        %0 = func.call @f(%x) : (tensor<?xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }`,
      [f32(5)],
    ],
    'a cast': [
      `func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {
        %0 = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
        return %0 : tensor<4xf32>
      }`,
      [f32(5)],
    ],
    'a reshape': [
      `func.func @main(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
        %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
        return %0 : tensor<?x?xf32>
      }`,
      [f32(5), literal('i32', [2], [2, 3])],
    ],
    'a negative size': [
      `func.func @main(%s: tensor<2xi32>) -> tensor<?x?xf32> {
        %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
        return %0 : tensor<?x?xf32>
      }`,
      [literal('i32', [2], [2, -3])],
    ],
    'a broadcast': [
      `func.func @main(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
        %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
        return %0 : tensor<?x?xf32>
      }`,
      [f32(5), literal('i32', [2], [2, 3])],
    ],
    'a slice beyond its operand': [
      `func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {
        %0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 2>, limit_indices = array<i64: 6>, strides = array<i64: 1>}> : (tensor<?xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }`,
      [f32(5)],
    ],
    'a pad to less than nothing': [
      `func.func @main(%x: tensor<?xf32>, %p: tensor<f32>, %l: tensor<1xi32>) -> tensor<?xf32> {
        %0 = stablehlo.dynamic_pad %x, %p, %l, %l, %l : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
        return %0 : tensor<?xf32>
      }`,
      [f32(5), f32(), literal('i32', [1], [-4])],
    ],
    'a loop that carries another size': [
      `func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {
        %c = stablehlo.constant dense<true> : tensor<i1>
        %0:2 = "stablehlo.while"(%c, %x) ({
        ^bb0(%a: tensor<i1>, %b: tensor<?xf32>):
          stablehlo.return %a : tensor<i1>
        }, {
        ^bb0(%a: tensor<i1>, %b: tensor<?xf32>):
          %n = stablehlo.not %a : tensor<i1>
          %d = stablehlo.concatenate %b, %b, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
          stablehlo.return %n, %d : tensor<i1>, tensor<?xf32>
        }) : (tensor<i1>, tensor<?xf32>) -> (tensor<i1>, tensor<?xf32>)
        %1 = tensor.cast %0#1 : tensor<?xf32> to tensor<4xf32>
        return %1 : tensor<4xf32>
      }`,
      [f32(4)],
    ],
  };
  test.each(Object.entries(cases))('%s', (_, [text, inputs]) => {
    expect(codeOf(() => run(text, inputs))).toBe('SIZES_DO_NOT_FIT');
  });
});

/** The program at just these sizes; undefined if they are incompatible. */
function sizedAs(func: Func, types: readonly TensorType[]): Func | undefined {
  const builder = new Builder({ next: 1_000_000 });
  const args = types.map((type, i) => builder.argument(type, i));
  const map = new Map(func.body.args.map((arg, i): [Value, Value] => [arg, args[i]!]));
  try {
    inline(builder, func.body.ops, map);
    const results = func.body.results.map(v => map.get(v) ?? v);
    const sized = { ...func, body: { args, ops: builder.ops, results }, aliases: args.map(() => undefined) };
    verify(moduleOf(sized));
    // Attributes may determine the size of a result.
    const isAsStated = ({ type }: Value, i: number): boolean =>
      type.kind !== 'tensor' || shapesAgree(type.shape, tensorTypeOf(func.body.results[i]!).shape);
    return results.every(isAsStated) ? sized : undefined;
  } catch (error) {
    if (isTrenioError(error)) return undefined;
    throw error;
  }
}

test('every op, each of its sizes changed', () => {
  const seen = { fits: 0, refused: 0 };
  const wrong: string[] = [];
  for (const { name, label, func, inputs } of opSamples()) {
    // Branches may differ in their sizes: only one of them runs.
    if (name === 'if' || name === 'case') continue;
    // Its region has the types of the parts; the interpreter runs it only if they are complete, and reports an error otherwise.
    if (name === 'sdy.manual_computation') continue;
    let loose: Func;
    try {
      loose = loosened(func);
    } catch (error) {
      if (isTrenioError(error)) continue;
      throw error;
    }
    inputs.forEach((input, i) => {
      const { elementType, shape } = input.type;
      if (!tensorTypeOf(loose.body.args[i]!).shape.includes(dynamicDim) || input.type.quantization !== undefined)
        return;
      shape.forEach((size, d) => {
        for (const other of new Set([0, 1, size - 1, size + 1, 2 * size])) {
          if (other < 0 || other === size) continue;
          const changed = sampleLiteral(elementType, shape.with(d, other), 7);
          const given = inputs.map((one, k) => (k === i ? changed : one));
          const sized = sizedAs(
            loose,
            given.map(one => one.type),
          );
          const place = `${label}: ${size} → ${other} in dim ${d} of operand ${i}`;
          let results: readonly Literal[] | undefined;
          let code = 'none';
          try {
            results = interpret(moduleOf(loose), given);
          } catch (error) {
            if (!isTrenioError(error)) wrong.push(`${place}: ${error}`);
            code = isTrenioError(error) ? error.code : 'untyped';
          }
          if (sized === undefined) {
            seen.refused++;
            if (code !== 'SIZES_DO_NOT_FIT') wrong.push(`${place}: does not fit, got ${code}`);
            continue;
          }
          seen.fits++;
          let expected: readonly Literal[] | undefined;
          try {
            expected = interpret(moduleOf(sized), given);
          } catch (error) {
            if (!isTrenioError(error)) wrong.push(`${place}, of known sizes: ${error}`);
          }
          if (
            JSON.stringify(results?.map(r => [r.type.shape, [...r.data].map(String)])) !==
            JSON.stringify(expected?.map(r => [r.type.shape, [...r.data].map(String)]))
          )
            wrong.push(`${place}: another result (${code})`);
        }
      });
    });
  }
  expect(wrong).toEqual([]);
  expect(seen.fits).toBeGreaterThan(100);
  expect(seen.refused).toBeGreaterThan(100);
});

describe('compiled: accesses beyond the end of memory are rejected', () => {
  const f32 = (...shape: readonly number[]): Literal => sampleLiteral('f32', shape, 1);
  const zeros = (...shape: readonly number[]): Literal =>
    literal('i32', shape, new Array(shape.reduce((n, d) => n * d, 1)).fill(0));
  const cases: Readonly<Record<string, readonly [text: string, fits: readonly Literal[], others: readonly Literal[]]>> =
    {
      'a gather whose index vectors are too short': [
        `func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x2x2xf32> {
        %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 2>}> : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x2x2xf32>
        return %0 : tensor<?x2x2xf32>
      }`,
        [f32(5, 6), zeros(3, 2)],
        [f32(5, 6), zeros(3, 1)],
      ],
      'a scatter whose index vectors are too short': [
        `func.func @main(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>, %u: tensor<?xf32>) -> tensor<?x?xf32> {
        %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          stablehlo.return %b : tensor<f32>
        }) : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<?xf32>) -> tensor<?x?xf32>
        return %0 : tensor<?x?xf32>
      }`,
        [f32(5, 6), zeros(3, 2), f32(3)],
        [f32(5, 6), zeros(3, 1), f32(3)],
      ],
      'a scatter of windows that are too large': [
        `func.func @main(%x: tensor<?xf32>, %i: tensor<?x1xi32>, %u: tensor<?x?xf32>) -> tensor<?xf32> {
        %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          stablehlo.return %b : tensor<f32>
        }) : (tensor<?xf32>, tensor<?x1xi32>, tensor<?x?xf32>) -> tensor<?xf32>
        return %0 : tensor<?xf32>
      }`,
        [f32(5), zeros(3, 1), f32(3, 2)],
        [f32(5), zeros(3, 1), f32(3, 6)],
      ],
      'a shape with too few sizes': [
        `func.func @main(%x: tensor<?xf32>, %s: tensor<?xi32>) -> tensor<?x?xf32> {
        %c = tensor.cast %s : tensor<?xi32> to tensor<2xi32>
        %0 = stablehlo.dynamic_broadcast_in_dim %x, %c, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
        return %0 : tensor<?x?xf32>
      }`,
        [f32(2), literal('i32', [2], [3, 2])],
        [f32(2), literal('i32', [1], [3])],
      ],
      'a result of another size than declared': [
        `func.func @main(%x: tensor<?xf32>, %p: tensor<f32>) -> tensor<7xf32> {
        %0 = stablehlo.constant dense<1> : tensor<1xi64>
        %1 = stablehlo.dynamic_pad %x, %p, %0, %0, %0 : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<7xf32>
        return %1 : tensor<7xf32>
      }`,
        [f32(3), f32()],
        [f32(4), f32()],
      ],
    };
  test.each(Object.entries(cases))('%s', (_, [text, fits, others]) => {
    const module = parseModule(text);
    verify(module);
    const program = compileDynamicForTest(module);
    expect(program.run(fits).map(r => r.data)).toEqual(interpret(module, fits).map(r => r.data));
    expect(() => program.run(others)).toThrow(DynamicFailure);
    expect(codeOf(() => interpret(module, others))).toBe('SIZES_DO_NOT_FIT');
  });
});
