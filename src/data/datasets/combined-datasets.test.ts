import { expect, expectTypeOf, test } from 'vitest';
import { type Literal, literal, toNumbers } from '../../hlo/literal.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, tensor } from '../../tensor/index.ts';
import { golden } from '../golden.testing.ts';
import { DataLoader } from '../loader/data-loader.ts';
import { ConcatDataset, randomSplit, StackDataset, Subset } from './combined-datasets.ts';
import { arrayDataset, type Dataset, mapDataset } from './dataset.ts';
import { TensorDataset } from './tensor-dataset.ts';

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);
const all = <T>(dataset: Dataset<T>) => upTo(dataset.length).map(i => dataset.get(i));

test('subsets, concatenations and stacks', async () => {
  const [a, b] = [arrayDataset(['a', 'b', 'c']), arrayDataset(['d', 'e'])];
  expect(all(new Subset(a, [2, 0]))).toEqual(['c', 'a']);
  const both = new ConcatDataset([a, b, a]);
  expect([all(both), both.cumulativeSizes]).toEqual([[...'abcdeabc'], [3, 5, 8]]);
  const numbers = arrayDataset([1, 2, 3]);
  expect(all(new StackDataset([a, numbers]))).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  const named = new StackDataset({ text: a, number: mapDataset(numbers, async n => 2 * n) });
  expect(await Promise.all(all(named))).toEqual([
    { text: 'a', number: 2 },
    { text: 'b', number: 4 },
    { text: 'c', number: 6 },
  ]);
  expectTypeOf(await named.get(0)).toEqualTypeOf<{ readonly text: string; readonly number: number }>();
});

test('a TensorDataset yields rows of arrays and tensors', async () => {
  const device = new Device(new InterpreterBackend(), { seed: 0, log: () => {} });
  const x = tensor(
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    { device },
  );
  const dataset = new TensorDataset(x, Int32Array.of(7, 8, 9), literal('i1', [3, 1], [true, false, true]));
  // The values are read once, and can be sent to workers.
  expect(dataset.arrays[0]).toEqual(literal('f32', [3, 2], [1, 2, 3, 4, 5, 6]));
  const [row, label, flag] = dataset.get(1);
  expectTypeOf(row).toEqualTypeOf<Literal>();
  expect([row, label, flag].map(v => [v.type.elementType, v.type.shape, toNumbers(v)])).toEqual([
    ['f32', [2], [3, 4]],
    ['i32', [], [8]],
    ['i1', [1], [0]],
  ]);
  const batches = await Array.fromAsync(new DataLoader(dataset, { batchSize: 2 }));
  expect(batches.map(batch => batch.map(v => [v.type.shape, toNumbers(v)]))).toEqual([
    [
      [
        [2, 2],
        [1, 2, 3, 4],
      ],
      [[2], [7, 8]],
      [
        [2, 1],
        [1, 0],
      ],
    ],
    [
      [
        [1, 2],
        [5, 6],
      ],
      [[1], [9]],
      [[1, 1], [1]],
    ],
  ]);
});

test("random splits have PyTorch's lengths, hold each item once and follow the seed", () => {
  for (const { items, lengths, counts } of golden.splits) {
    const parts = randomSplit(arrayDataset(upTo(items)), lengths);
    expect(parts.map(part => part.length)).toEqual(counts);
    expect(parts.flatMap(part => all(part) as number[]).sort((p, q) => p - q)).toEqual(upTo(items));
  }
  const split = (seed: number) => all(randomSplit(arrayDataset(upTo(50)), [25, 25], { seed })[0]!);
  expect(split(1)).toEqual(split(1));
  expect(split(1)).not.toEqual(split(2));
});

test('datasets survive a structured clone, which sends them to another thread', () => {
  const rows = new TensorDataset(Float32Array.of(1, 2));
  expect(structuredClone(rows)).toMatchObject({ length: 2, arrays: [{ type: { shape: [2] } }] });
  expect(structuredClone({ ...new Subset(rows, [1]) })).toMatchObject({ indices: [1] });
});

const two = arrayDataset([1, 2]);
test.each([
  [() => new Subset(two, [0, 2]), 'indices[1] is 2, expected an integer from 0 to 1'],
  [() => new Subset([1] as never, [0]), 'dataset is an array, expected an object with length and get(index)'],
  [() => new ConcatDataset([]), 'datasets is empty'],
  [() => new ConcatDataset([two, undefined as never]), 'datasets[1] is undefined'],
  [() => new StackDataset([two, arrayDataset([1])]), 'the length of datasets.1 is 1, expected 2, that of datasets.0'],
  [() => new TensorDataset(), 'arrays is empty'],
  [() => new TensorDataset(Float32Array.of(1), Float32Array.of(1, 2)), 'the shape of array 1 is [2]'],
  [() => new TensorDataset([1, 2] as never), 'array 0 is an array, expected a tensor, a typed array or a literal'],
  [() => randomSplit(two, [1, 2]), 'lengths is 1 + 2, expected lengths that add up to 2, or fractions to 1'],
  [() => randomSplit(two, [-1, 3]), 'lengths[0] is -1'],
  [() => randomSplit(two, [1, 1], { sead: 1 } as never), 'did you mean seed?'],
  [() => new ConcatDataset([two]).get(2), 'index 2 is out of range for a dataset with 2 items'],
])('invalid arguments are refused: %#', (make, expected) => {
  expect(make).toThrow(expected);
});
