// Streams one after another, also through a loader.
import { expect, test } from 'vitest';
import { DataLoader } from '../loader/data-loader.ts';
import { ChainDataset } from './chain-dataset.ts';
import { IterableDataset } from './iterable-dataset.ts';

const stream = (...items: number[]): IterableDataset<number> =>
  new IterableDataset(() => items, { length: items.length });
const unknown = (...items: number[]): IterableDataset<number> => new IterableDataset(() => items);

test('yields the items of all streams, in every epoch', async () => {
  const chain = new ChainDataset([stream(1, 2), stream(), stream(3)]);
  expect([chain.length, new ChainDataset([stream(1), unknown(2)]).length]).toEqual([3, undefined]);
  for (let epoch = 0; epoch < 2; epoch++) {
    expect(await Array.fromAsync(chain)).toEqual([1, 2, 3]);
    const batches = await Array.fromAsync(new DataLoader(chain, { batchSize: 2 }), batch =>
      Array.from(batch.data as BigInt64Array, Number),
    );
    expect(batches).toEqual([[1, 2], [3]]);
  }
});
test('invalid arguments are errors', () => {
  expect(() => new ChainDataset([])).toThrow('at least one stream');
  expect(() => new ChainDataset([[1] as never])).toThrow('an IterableDataset');
});
