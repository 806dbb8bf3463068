// The loader: the conversion of batches, the number of prefetched batches, and how it ends.
import { beforeEach, expect, expectTypeOf, test } from 'vitest';
import { DataLoader, type Dataset, IterableDataset } from '../data/index.ts';
import { literal } from '../hlo/literal.ts';
import { startHostSpans, stopHostSpans } from '../observe/host-spans.ts';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, Tensor, tensor } from '../tensor/index.ts';
import { DeviceLoader } from './device-loader.ts';

let dev: Device;
beforeEach(() => {
  dev = new Device(new InterpreterBackend(), { seed: 0, log: () => {} });
});
const pause = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('batches keep their structure, and their data is on the device', async () => {
  const batch = {
    ids: literal('i32', [2, 2], [1, 2, 3, 4]),
    parts: [
      Float32Array.of(1, 2),
      [
        [1, 2],
        [3, 4],
      ],
    ] as const,
    there: tensor([1], { device: dev }),
    name: 'train',
  };
  for await (const { ids, parts, there, name } of new DeviceLoader([batch], dev)) {
    expect([ids, ...parts, there].every(x => x instanceof Tensor && x.device === dev)).toBe(true);
    expect(ids.toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(parts[1].shape).toEqual([2, 2]);
    expect(there).toBe(batch.there);
    expect(name).toBe('train');
  }
});

test('runs two batches ahead, and no further', async () => {
  let asked = 0;
  async function* source(): AsyncGenerator<Float32Array> {
    for (let i = 0; i < 6; i++) {
      asked++;
      yield Float32Array.of(i);
    }
  }
  const seen: number[] = [];
  for await (const x of new DeviceLoader(source(), dev)) {
    await pause();
    seen.push(x.item());
    expect(asked).toBe(Math.min(6, seen.length + 2));
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
});

test('an error of the source is thrown where its batch is awaited; leaving early closes the source', async () => {
  let closed = false;
  async function* source(): AsyncGenerator<Float32Array> {
    try {
      yield Float32Array.of(1);
      yield Float32Array.of(2);
      throw new Error('row 3 is damaged');
    } finally {
      closed = true;
    }
  }
  const seen: number[] = [];
  const loop = async (): Promise<void> => {
    for await (const x of new DeviceLoader(source(), dev)) seen.push(x.item());
  };
  await expect(loop()).rejects.toThrow('row 3 is damaged');
  expect(seen).toEqual([1, 2]);
  closed = false;
  for await (const _ of new DeviceLoader(source(), dev, { prefetch: 1 })) break;
  expect(closed).toBe(true);
});

test('the batches of a default collate have types that follow from the items', async () => {
  const dataset: Dataset<readonly [Float32Array, { readonly label: number; readonly id: string }]> = {
    length: 3,
    get: i => [Float32Array.of(i, i), { label: i, id: `item ${i}` }],
  };
  const loader = new DeviceLoader(new DataLoader(dataset, { batchSize: 2, dropLast: true }), dev);
  for await (const [data, { label, id }] of loader) {
    expectTypeOf(data).toEqualTypeOf<Tensor>();
    expectTypeOf(label).toEqualTypeOf<Tensor>();
    expectTypeOf(id).toEqualTypeOf<string[]>();
    expect([data.toArray(), label.dtype, label.toArray(), id]).toEqual([
      [
        [0, 0],
        [1, 1],
      ],
      'int64',
      [0, 1],
      ['item 0', 'item 1'],
    ]);
  }
  expect(loader.length).toBe(1);
  expect(new DeviceLoader(new DataLoader(new IterableDataset(() => [1])), dev).length).toBeUndefined();
});

test('batches prefetched by a device loader do not count as consumed', async () => {
  const dataset = Array.from({ length: 13 }, (_, i) => i);
  const make = () => new DataLoader(dataset, { batchSize: 2, shuffle: true });
  const [loader, whole] = [make(), await Array.fromAsync(make())];
  const firsts = whole.map(({ data }) => Number(data[0]));
  let steps = 0;
  for await (const x of new DeviceLoader(loader, dev)) {
    expect(Number(x.toArray()[0 as never])).toBe(firsts[steps]);
    expect(loader.stateDict()).toMatchObject({ epoch: 0, step: ++steps });
  }
  expect(loader.stateDict()).toMatchObject({ epoch: 1, step: 0 });
  expect(loader.stats().batches).toBe(7);
});

test('its position is that of its DataLoader, without the batches that were only prefetched', async () => {
  const make = (): DeviceLoader<unknown> => new DeviceLoader(new DataLoader([1, 2, 3, 4, 5, 6], { batchSize: 1 }), dev);
  const values = async (loader: DeviceLoader<unknown>): Promise<readonly unknown[]> =>
    (await Array.fromAsync(loader)).map(batch => (batch as Tensor).toArray());
  const loader = make();
  let seen = 0;
  for await (const _ of loader) if (++seen === 2) break;
  const [resumed, skipped] = [make(), make()];
  resumed.loadStateDict(loader.stateDict());
  skipped.skipTo(2);
  expect(await values(resumed)).toEqual([[3], [4], [5], [6]]);
  expect(await values(skipped)).toEqual([[3], [4], [5], [6]]);
  expect(() => new DeviceLoader([1], dev).stateDict()).toThrow(expect.objectContaining({ code: 'WRONG_ARGUMENT' }));
});

test('batches that this thread makes while the script awaits something else count as waits, and as data in profiles', async () => {
  const busy = (ms: number): void => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };
  const dataset: Dataset<number> = {
    length: 10,
    get: index => {
      busy(20);
      return index;
    },
  };
  const loader = new DataLoader(dataset, { batchSize: 1 });
  startHostSpans();
  for await (const _ of new DeviceLoader(loader, dev)) for (let i = 0; i < 20; i++) await pause();
  const spans = stopHostSpans();
  const making = spans.filter(({ kind, name }) => kind === 'data' && name.startsWith('0 loader workers'));
  expect(Number(making.reduce((sum, { from, to }) => sum + to - from, 0n))).toBeGreaterThan(0.9 * 200e6);
  expect(loader.stats().waitMs).toBeGreaterThan(0.9 * 200);
});
