// Options of tables of vectors; numbers are compared with PyTorch in golden.test.ts (more).
import { beforeAll, expect, test } from 'vitest';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, randn, setDefaultDevice, tensor } from '../tensor/index.ts';
import * as nn from './index.ts';

beforeAll(() => {
  setDefaultDevice(new Device(new InterpreterBackend(), { seed: 1, log: () => {} }));
});
const ids = (...list: number[]) => tensor(list, { dtype: 'i64' });

test('fromPretrained adopts a table and freezes it by default', () => {
  const vectors = tensor([
    [1, 2],
    [3, 4],
  ]);
  const table = nn.Embedding.fromPretrained(vectors, { paddingIndex: 0 });
  expect([String(table), table.weight.requiresGrad]).toEqual(['Embedding(2, 2, padding_idx=0)', false]);
  expect(table(ids(1)).toArray()).toEqual([[3, 4]]);
  expect(nn.Embedding.fromPretrained(vectors, false).weight.requiresGrad).toBe(true);
  expect(nn.EmbeddingBag.fromPretrained(vectors, { mode: 'sum' })(ids(0, 1), ids(0)).toArray()).toEqual([[4, 6]]);
  expect(() => nn.Embedding.fromPretrained(ids(1))).toThrow('a tensor [count, width]');
});
test('maxNorm changes only the rows that are looked up', () => {
  const table = nn.Embedding.fromPretrained(
    tensor([
      [3, 4],
      [30, 40],
    ]),
    { maxNorm: 1 },
  );
  table(ids(0));
  const [first, second] = table.weight.toArray() as number[][];
  expect(first![0]).toBeCloseTo(0.6, 5);
  expect(second).toEqual([30, 40]);
});
test('scaleGradByFreq divides by the number of lookups, also in bags', () => {
  for (const layer of [
    new nn.Embedding(3, 1, { scaleGradByFreq: true }),
    new nn.EmbeddingBag(3, 1, { mode: 'sum', scaleGradByFreq: true }),
  ]) {
    (layer as nn.Embedding)(ids(0, 2, 2, 2).reshape(2, 2))
      .sum()
      .backward();
    expect(layer.weight.grad!.toArray()).toEqual([[1], [0], [1]]);
  }
});
test('incorrect use is an error', () => {
  expect(() => new nn.Embedding(3, 1, { sparse: true as never })).toThrow('gradients are dense');
  expect(() => new nn.Embedding(3, 1, { maxNorm: -1 })).toThrow('maxNorm');
  expect(() => new nn.EmbeddingBag(3, 1, { mode: 'max', scaleGradByFreq: true })(ids(0), ids(0))).toThrow("mode 'max'");
  expect(() => nn.functional.gridSample(randn(1, 1, 2, 2), randn(1, 1, 1, 3))).toThrow('[1, …, 2], of 4 dims');
});
