// Batches of sequences of different lengths: the bucket is the smallest that fits, and a step compiles once for each.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Literal, literal } from '../../hlo/literal.ts';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { bucketOf, Device, tensor } from '../../tensor/index.ts';
import { bucketOptions, padItems } from './batch-bucket.ts';
import { DataLoader } from './data-loader.ts';

const ids = (length: number): Int32Array => Int32Array.from({ length }, (_, i) => i + 1);

test('all sequences of a batch are padded to one size, with values by field', async () => {
  const items = [
    { inputIds: ids(3), labels: [5, 6, 7], label: 1, text: 'a' },
    { inputIds: ids(6), labels: [1, 2, 3, 4, 5, 6], label: 0, text: 'b' },
  ];
  const bucket = { sizes: [4, 8], padValue: { inputIds: 9 }, mask: 'attentionMask' };
  const [batch] = await Array.fromAsync(
    new DataLoader<object, Record<string, Literal>>(items, { batchSize: 2, bucket }),
  );
  expect([...(batch!.inputIds!.data as Int32Array)]).toEqual([1, 2, 3, 9, 9, 9, 9, 9, 1, 2, 3, 4, 5, 6, 9, 9]);
  expect([...(batch!.labels!.data as Float32Array)].slice(0, 8)).toEqual([5, 6, 7, -100, -100, -100, -100, -100]);
  expect(batch!.attentionMask!.literal()).toEqual(
    literal('i32', [2, 8], [1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0]),
  );
  expect(batch!.label!.type.shape).toEqual([2]);
});

test('pads tuples, items that are sequences, and named fields with more dims', () => {
  expect(padItems([[ids(1), 5]], bucketOptions([2]))).toEqual([[literal('i32', [2], [1, 0]), 5]]);
  expect(padItems([ids(3)], bucketOptions([2]))).toEqual([literal('i32', [4], [1, 2, 3, 0])]);
  const frames = literal('f32', [1, 2], [1, 2]);
  const item = { frames, size: ids(2) };
  expect(padItems([item], bucketOptions({ sizes: [2], fields: ['frames'], padValue: -1 }))).toEqual([
    { frames: literal('f32', [2, 2], [1, 2, -1, -1]), size: item.size },
  ]);
});

test('an error names a field that cannot be padded', () => {
  expect(() => padItems([{ a: 1 }], bucketOptions([4]))).toThrow(/items without sequences/);
  expect(() => padItems([{ a: ids(1) }], bucketOptions({ sizes: [4], fields: ['b'] }))).toThrow(
    /bucket\.fields is 'b', which is not a sequence in the items, expected some of a/,
  );
  expect(() => bucketOptions([])).toThrow(/bucket is/);
  expect(() => bucketOptions({ sizes: [4], padvalue: 0 } as never)).toThrow(/did you mean padValue/);
  expect(() => new DataLoader([1], { bucket: [0] })).toThrow(/sizes, such as/);
  expect(() => new DataLoader([1], { shuffle: true, groupByLength: true })).toThrow(/without lengthOf\(index\)/);
});

test('any batch is padded to the bucket of its longest sequence, and its elements are unchanged', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
      (lengths, sizes) => {
        const padded = padItems(lengths.map(ids), bucketOptions(sizes)) as readonly (Int32Array | Literal)[];
        const size = bucketOf(Math.max(1, ...lengths), sizes);
        padded.forEach((item, i) => {
          const data = [...((item instanceof Int32Array ? item : item.data) as Int32Array)];
          expect(data).toEqual([...ids(lengths[i]!), ...new Array(size - lengths[i]!).fill(0)]);
        });
      },
    ),
  );
});

test('an epoch compiles as many programs as buckets occur; grouping by length pads less', async () => {
  const lengths = Array.from({ length: 48 }, (_, i) => 1 + ((i * 29) % 31));
  const dataset = {
    length: lengths.length,
    lengthOf: (index: number) => lengths[index]!,
    get: (index: number) => ({ inputIds: Float32Array.from(ids(lengths[index]!)) }),
  };
  const padding: number[] = [];
  for (const groupByLength of [false, true]) {
    const dev = new Device(new InterpreterBackend(), { seed: 0, log: () => {} });
    const used = new Set<number>();
    let elements = 0;
    const loader = new DataLoader(dataset, {
      batchSize: 4,
      shuffle: true,
      seed: 1,
      bucket: [8, 16, 32],
      groupByLength,
    });
    for (let epoch = 0; epoch < 2; epoch++)
      for await (const { inputIds } of loader) {
        used.add(inputIds.type.shape[1]!);
        elements += inputIds.data.length;
        tensor(inputIds, { device: dev }).square().sum().item();
      }
    expect(dev.metrics.compiles).toBe(used.size);
    padding.push(elements);
  }
  expect(padding[1]!).toBeLessThan(padding[0]!);
});
