import { describe, expect, test } from 'vitest';
import { buildFunc } from '../builder.ts';
import { interpret } from '../interpreter.ts';
import { type Literal, literal, scalar, toNumbers } from '../literal.ts';
import { inferTypes } from '../op-table.ts';
import { moduleOf, type Region } from '../program.ts';
import { dynamicDim, formatType, type TensorType, type Type, tensorType } from '../types.ts';
import { constraintOf, numbers, run, runAll } from './ops.testing.ts';

test('constant and constant_like', () => {
  const value = literal('f32', [2], [1, 2]);
  expect(run([], b => b.emit1('chlo.constant', [], { value }))).toEqual(value);
  const like = run([literal('f32', [2, 2], [0, 0, 0, 0])], (b, [x]) =>
    b.emit1('chlo.constant_like', [x!], { value: scalar('i8', 3) }),
  );
  expect(like).toEqual(literal('i8', [2, 2], [3, 3, 3, 3]));
});

describe('top_k', () => {
  const top = (x: Literal, k: number) => runAll([x], (b, [v]) => b.emit('chlo.top_k', [v!], { k })).map(toNumbers);
  test('values in descending order, and their positions', () => {
    expect(top(literal('i32', [2, 4], [3, 1, 4, 1, -5, 9, 9, 2]), 3)).toEqual([
      [4, 3, 1, 9, 9, 2],
      [2, 0, 1, 1, 2, 3],
    ]);
  });
  test('NaN comes before infinity, 0 before -0', () => {
    const x = literal('f32', [8], [1, NaN, -0, 0, 3, 3, -Infinity, Infinity]);
    expect(top(x, 8)).toEqual([
      [NaN, Infinity, 3, 3, 1, 0, -0, -Infinity],
      [1, 7, 4, 5, 0, 3, 2, 6],
    ]);
  });
  test('types', () => {
    const types = (x: TensorType, k = 8): string => inferTypes('chlo.top_k', [x], { k }, []).map(formatType).join(' ');
    expect(types(tensorType('f32', [16, dynamicDim]))).toBe('tensor<16x8xf32> tensor<16x8xi32>');
    const bounded: TensorType = { ...tensorType('f32', [dynamicDim, dynamicDim]), bounds: [16, 16] };
    expect(types(bounded)).toBe('tensor<?x8xf32, #stablehlo.bounds<16, ?>> tensor<?x8xi32, #stablehlo.bounds<16, ?>>');
    expect(constraintOf(() => types(tensorType('f32')))).toBe('trenio_chlo.top_k_rank');
    expect(constraintOf(() => types(tensorType('f32', [4])))).toBe('trenio_chlo.top_k_k');
    expect(constraintOf(() => types(tensorType('f32', [4]), -1))).toBe('trenio_chlo.top_k_k');
  });
});

describe('scan', () => {
  const i32 = (...shape: number[]): TensorType => tensorType('i32', shape);
  /** Running sums along a dim: outputs and carry are the sum so far. */
  const sums = (x: Literal, init: Literal, dimension: number, isReverse: boolean) =>
    runAll([x, init], (b, args) => {
      const body = b.region([init.type, init.type], (inner, [v, carry]) => {
        const sum = inner.add(v!, carry!);
        return [sum, sum];
      });
      const resultTypes = [x.type, init.type];
      return b.emit('chlo.scan', args, { dimension, isReverse, inputs: 1, resultTypes }, [body]);
    }).map(toNumbers);
  test('forwards, backwards, along an inner dim', () => {
    const x = literal('i32', [4], [1, 2, 3, 4]);
    expect(sums(x, scalar('i32', 10), 0, false)).toEqual([[11, 13, 16, 20], [20]]);
    expect(sums(x, scalar('i32', 0), 0, true)).toEqual([[10, 9, 7, 4], [10]]);
    const table = literal('i32', [2, 3], [1, 2, 3, 4, 5, 6]);
    expect(sums(table, literal('i32', [2], [0, 0]), 1, false)).toEqual([
      [1, 3, 6, 4, 9, 15],
      [6, 15],
    ]);
    expect(sums(literal('i32', [0], []), scalar('i32', 7), 0, false)).toEqual([[], [7]]);
  });
  test('a body of unknown sizes uses those of the inputs', () => {
    const open = i32(dynamicDim);
    const func = buildFunc('main', [i32(2, dynamicDim), open], (b, args) => {
      const body = b.region([open, open], (inner, [v, carry]) => [carry!, inner.add(v!, carry!)]);
      return b.emit('chlo.scan', args, { dimension: 0, isReverse: false, inputs: 1, resultTypes: [] }, [body]);
    });
    const results = interpret(moduleOf(func), [literal('i32', [2, 2], [1, 2, 3, 4]), literal('i32', [2], [0, 0])]);
    expect(results.map(toNumbers)).toEqual([
      [0, 0, 1, 2],
      [4, 6],
    ]);
  });
  test('outputs without inputs', () => {
    const powers = numbers([scalar('i32', 1)], (b, args) => {
      const body = b.region([i32()], (inner, [carry]) => [carry!, inner.add(carry!, carry!)]);
      const attributes = { dimension: 0, scanDimSize: 4, isReverse: false, inputs: 0, resultTypes: [] };
      return b.emit('chlo.scan', args, attributes, [body]);
    });
    expect(powers).toEqual([1, 2, 4, 8]);
  });
  test('rejects invalid operands', () => {
    const region = (args: readonly TensorType[], results = args): Region =>
      buildFunc('body', args, (b, values) =>
        results.map((type, i) => (values[i]?.type === type ? values[i]! : b.fill(type.elementType, type.shape, 0))),
      ).body;
    const refused = (
      operands: readonly Type[],
      body: Region,
      more: { dimension?: number; scanDimSize?: number } = {},
    ): string =>
      constraintOf(() =>
        inferTypes('chlo.scan', operands, { dimension: 0, isReverse: false, inputs: 1, resultTypes: [], ...more }, [
          body,
        ]),
      );
    const [whole, slice] = [i32(2, 3), i32(3)];
    expect(refused([whole, slice], region([slice, slice]))).toBe('accepted');
    expect(refused([whole, slice], region([slice, slice]), { scanDimSize: 3 })).toBe('trenio_chlo.scan_scan_dim_size');
    expect(refused([whole, slice], region([slice, slice]), { dimension: 2 })).toBe('trenio_chlo.scan_dimension');
    expect(refused([whole], region([slice, slice]))).toBe('trenio_chlo.scan_region_args');
    expect(refused([whole, i32(2)], region([slice, slice]))).toBe('trenio_chlo.scan_region_args');
    expect(refused([whole, slice], region([slice, slice], []))).toBe('trenio_chlo.scan_region_results');
    expect(refused([whole, slice], region([slice, slice], [slice, i32(2)]))).toBe('trenio_chlo.scan_region_results');
  });
});

describe('ragged_dot', () => {
  const plain = { lhsBatchingDimensions: [], rhsBatchingDimensions: [], precision: [] };
  const rows = {
    ...plain,
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [1],
    lhsRaggedDimensions: [0],
    rhsGroupDimensions: [0],
  };
  const terms = {
    ...plain,
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [0],
    lhsRaggedDimensions: [1],
    rhsGroupDimensions: [],
  };
  test('each row is multiplied by the matrix of its group', () => {
    const lhs = literal('f32', [4, 1], [1, 2, 3, 4]);
    const rhs = literal('f32', [2, 1, 2], [1, 10, 100, Infinity]);
    const sizes = literal('i32', [2], [1, 2]);
    const product = numbers([lhs, rhs, sizes], (b, args) => b.emit1('chlo.ragged_dot', args, rows));
    expect(product).toEqual([1, 10, 200, Infinity, 300, Infinity, 0, 0]);
  });
  test('each group sums its own terms', () => {
    const lhs = literal('f32', [1, 4], [1, 2, 3, 4]);
    const rhs = literal('f32', [4, 1], [1, 10, 100, Infinity]);
    const sizes = literal('i64', [2], [1n, 2n]);
    expect(numbers([lhs, rhs, sizes], (b, args) => b.emit1('chlo.ragged_dot', args, terms))).toEqual([1, 320]);
  });
  test('group sizes of each batch', () => {
    const a = {
      ...rows,
      lhsBatchingDimensions: [0],
      rhsBatchingDimensions: [1],
      lhsContractingDimensions: [2],
      rhsContractingDimensions: [2],
      lhsRaggedDimensions: [1],
    };
    const lhs = literal('f32', [2, 2, 1], [1, 2, 3, 4]);
    const rhs = literal('f32', [2, 2, 1, 1], [1, 10, 100, 1000]);
    const sizes = literal('i32', [2, 2], [1, 1, 0, 2]);
    expect(numbers([lhs, rhs, sizes], (b, args) => b.emit1('chlo.ragged_dot', args, a))).toEqual([1, 200, 3000, 4000]);
  });
  test('rejects invalid operands', () => {
    const [lhs, rhs, sizes] = [tensorType('f32', [11, 5]), tensorType('f32', [3, 5, 7]), tensorType('i64', [3])];
    const refused = (types: readonly TensorType[], a: object): string =>
      constraintOf(() => inferTypes('chlo.ragged_dot', types, { ...rows, ...a }, []));
    expect(refused([lhs, rhs, sizes], {})).toBe('accepted');
    expect(refused([lhs, rhs, sizes], { lhsRaggedDimensions: [0, 1] })).toBe('trenio_chlo.ragged_dot_ragged_dimension');
    expect(refused([lhs, rhs, tensorType('i64', [3, 2])], {})).toBe('trenio_chlo.ragged_dot_group_sizes');
    expect(refused([lhs, rhs, tensorType('f32', [3])], {})).toBe('trenio_chlo.ragged_dot_group_sizes');
    expect(refused([lhs, rhs, tensorType('i64', [2])], {})).toBe('trenio_chlo.ragged_dot_group_dimension');
    expect(refused([lhs, rhs, sizes], { rhsGroupDimensions: [1] })).toBe('trenio_chlo.ragged_dot_group_dimension');
    expect(refused([lhs, rhs, sizes], { lhsRaggedDimensions: [1] })).toBe('trenio_chlo.ragged_dot_group_dimension');
    expect(refused([lhs, tensorType('f32', [3, 2, 7]), sizes], {})).toBe('dot_general_c10');
  });
});

test('a composite is a call of its decomposition', () => {
  const type = tensorType('f32', [2]);
  const double = buildFunc('double', [type], (b, [x]) => [b.add(x!, x!)]);
  const attributes = {
    name: 'my.double',
    compositeAttributes: '{}',
    decomposition: 'double',
    version: 1,
    resultTypes: [type],
  };
  const main = buildFunc('main', [type], (b, args) => b.emit('composite', args, attributes));
  const [result] = interpret(moduleOf(main, { functions: [double] }), [literal('f32', [2], [1, 2])]);
  expect(toNumbers(result!)).toEqual([2, 4]);
  for (const name of ['foo', '.', 'foo.', '.foo', '0.foo', 'foo.%', 'foo.foo.%'])
    expect(constraintOf(() => inferTypes('composite', [], { ...attributes, name }, []))).toBe('composite_c1');
  expect(inferTypes('composite', [], { ...attributes, name: 'f00._.$' }, [])).toEqual([type]);
});
