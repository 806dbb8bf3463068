import { describe, expect, expectTypeOf, test } from 'vitest';
import { type Literal, literal, toNumbers } from '../../hlo/literal.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import type { Tensor } from '../../tensor/index.ts';
import { Device, ones, tensor, zeros } from '../../tensor/index.ts';
import { arrayDataset } from '../datasets/dataset.ts';
import { golden, plain } from '../golden.testing.ts';
import { type Collated, defaultCollate } from './collate.ts';
import { DataLoader } from './data-loader.ts';

const device = new Device(new InterpreterBackend(), { seed: 0, log: () => {} });
const f32 = (...values: number[]) => Float32Array.from(values);
const scalar = (value: bigint) => tensor(value, { device });

test.each(
  Object.entries({
    integers: [1, 2, 3],
    booleans: [true, false],
    texts: ['a', 'b'],
    'typed arrays': [f32(1, 2), f32(3, 4)],
    bytes: [Uint8Array.of(1, 2), Uint8ClampedArray.of(3, 4)],
    tuples: [
      [f32(1, 2), 0],
      [f32(3, 4), 1],
      [f32(5, 6), 2],
    ],
    objects: [
      { x: f32(1), y: 0, name: 'a' },
      { x: f32(2), y: 5, name: 'b' },
    ],
    nested: [
      [{ a: 1, b: [2, 'x'] }, f32(1)],
      [{ a: 3, b: [4, 'y'] }, f32(2)],
    ],
    tensors: [
      [ones([2, 3], { device }), scalar(4n)],
      [zeros([2, 3], { device }), scalar(5n)],
    ],
    one: [[f32(1, 2), 7]],
  }),
)("%s are collated like PyTorch's default_collate", (name, items) => {
  expect(plain(defaultCollate(items as readonly unknown[]))).toEqual(golden.collate[name]);
});

test("JavaScript's numbers and arrays", () => {
  const shapes = (batch: unknown) =>
    JSON.parse(JSON.stringify(batch, (_, v) => (v?.type ? `${v.type.elementType} [${v.type.shape}]` : v)));
  expect(
    shapes(
      defaultCollate([
        [[1, 2, 3], 0.5],
        [[4, 5, 6], 1],
      ]),
    ),
  ).toEqual(['f32 [2,3]', 'f32 [2]']);
  expect(shapes(defaultCollate([{ x: [[1, 2]], y: 3n }]))).toEqual({ x: 'f32 [1,1,2]', y: 'i64 [1]' });
  expect(shapes(defaultCollate([[1, 2]]))).toEqual(['i64 [1]', 'i64 [1]']);
  expect(toNumbers(defaultCollate([literal('bf16', [2], [1, 2])]) as Literal)).toEqual([1, 2]);
});

test.each([
  [[], 'the item: there are no items, expected at least one item'],
  [[1, 'a'], 'the item: it is a string in item 1, expected a number, as in item 0'],
  [[{ a: 1 }, { b: 1 }], 'the item: it is an object with b in item 1, expected an object with a, as in item 0'],
  [[[f32(1)], [f32(1, 2)]], 'item[0]: it is tensor<2xf32> in item 1, expected tensor<1xf32>, as in item 0'],
  [[{ x: [f32(1), [1, 2]] }, { x: [f32(1), [1]] }], 'item.x[1]: it is tensor<1xf32> in item 1, expected tensor<2xf32>'],
  [[{ x: f32(1) }, { x: null }], 'item.x: it is null in item 1, expected tensor<1xf32>'],
  [[[1, 2], [1]], 'the item: it is an array of 1 entries in item 1, expected an array of 2 entries'],
  [[{ x: [[1], [2, 3]] }], 'item.x: data[1] has 2 entries, where data[0] has 1'],
  [[{ x: null }], 'item.x: it is null, expected numbers, texts, arrays'],
  [[{ at: new Date() }], 'item.at: it is of class Date'],
  [[[undefined]], 'item[0]: it is undefined'],
])('items that cannot form a batch are named in the error: %#', (items, expected) => {
  expect(() => defaultCollate(items as readonly unknown[])).toThrow(
    expect.objectContaining({ code: 'CANNOT_COLLATE' }),
  );
  expect(() => defaultCollate(items as readonly unknown[])).toThrow(expected);
});

describe('types', () => {
  test('the type of a batch follows from the type of the items', () => {
    type Item = readonly [data: Float32Array, target: number];
    expectTypeOf<Collated<Item>>().toEqualTypeOf<readonly [data: Literal, target: Literal]>();
    expectTypeOf<Collated<{ x: number[]; id: string; meta: { size: Literal } }>>().toEqualTypeOf<{
      readonly x: Literal;
      readonly id: readonly string[];
      readonly meta: { readonly size: Literal };
    }>();
    expectTypeOf<Collated<number>>().toEqualTypeOf<Literal>();
  });
  test('a batch of tuples can be destructured in a loop', async () => {
    const dataset = arrayDataset<readonly [Float32Array, number]>([
      [f32(1), 0],
      [f32(2), 1],
      [f32(3), 2],
    ]);
    const loader = new DataLoader(dataset, { batchSize: 2 });
    const seen: number[][] = [];
    for await (const [data, target] of loader) {
      expectTypeOf(data).toEqualTypeOf<Tensor>();
      seen.push([...Array.from(data.data, Number), ...Array.from(target.data, Number)]);
    }
    expect(seen).toEqual([
      [1, 2, 0, 1],
      [3, 2],
    ]);
  });
});
