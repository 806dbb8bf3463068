// `at` and `setAt` compared with PyTorch: random indices (scripts/golden/indexing.py), values and gradients.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { compile, device, noGrad, setDefaultDevice, slice, type Tensor, tensor, zeros } from '../index.ts';
import type { Index } from './index-spec.ts';

type Numbers = number | readonly Numbers[];
type Entry = number | string | null | { readonly ids: Numbers } | { readonly mask: readonly boolean[] };
interface Case {
  readonly shape: readonly number[];
  readonly index: readonly Entry[];
  readonly part: Numbers;
  readonly gradient: Numbers;
  readonly number: Numbers;
  readonly tensor?: Numbers;
}
const cases = JSON.parse(
  readFileSync(new URL('../../../test/golden/pytorch-indexing.json', import.meta.url), 'utf8'),
) as readonly Case[];

const indexOf = (entries: readonly Entry[]): Index[] =>
  entries.map(entry => {
    if (entry === null || typeof entry !== 'object') return entry;
    return 'ids' in entry ? tensor(entry.ids as never, { dtype: 'i64' }) : tensor(entry.mask as boolean[]);
  });
const counted = (shape: readonly number[], from: number, sign: number): Tensor => {
  const count = shape.reduce((n, d) => n * d, 1);
  return tensor(Float32Array.from({ length: count }, (_, i) => sign * (i + from)))
    .reshape(shape)
    .clone();
};

const compiledEvery = 4;

describe('random indices', () => {
  afterAll(() => setDefaultDevice(undefined));
  test.each(cases.map((one, i) => [`${JSON.stringify(one.shape)} ${JSON.stringify(one.index)}`, one, i] as const))(
    '%s',
    (_, one, i) => {
      // Each read compiles a program: some natively, most interpreted.
      setDefaultDevice(device(i % compiledEvery === 0 ? 'cpu' : 'interpreter'));
      const index = indexOf(one.index);
      const x = counted(one.shape, 0, 1).requiresGrad_();
      const part = x.at(...index);
      part
        .mul(counted(part.shape, 1, 1))
        .sum()
        .backward();
      expect(part.toArray()).toEqual(one.part);
      expect(x.grad!.toArray()).toEqual(one.gradient);
      expect(noGrad(() => x.detach().clone().setAt(index, -1)).toArray()).toEqual(one.number);
      if (one.tensor === undefined) return;
      expect(
        x
          .detach()
          .clone()
          .setAt(index, counted(part.shape, 1, -1))
          .toArray(),
      ).toEqual(one.tensor);
    },
  );
});

describe('indexing', () => {
  test('slices are given by slice() or as text, and bounds may be omitted', () => {
    const x = tensor([0, 1, 2, 3, 4, 5]);
    expect(x.at(slice(1, 5)).toArray()).toEqual([1, 2, 3, 4]);
    expect(x.at(slice(null, null, 2)).toArray()).toEqual([0, 2, 4]);
    expect(x.at('-2:').toArray()).toEqual([4, 5]);
    expect(x.at([5, 0]).toArray()).toEqual([5, 0]);
  });
  test('indexing with numbers and slices gives a view', () => {
    const x = zeros([2, 3]);
    x.at(1, '1:').add_(1);
    expect(x.toArray()).toEqual([
      [0, 0, 0],
      [0, 1, 1],
    ]);
  });
  test('gradients flow through assigned values', () => {
    const w = tensor([1, 2]).requiresGrad_();
    const x = zeros([3]);
    x.setAt([slice(0, 2)], w.mul(3));
    x.square().sum().backward();
    expect(w.grad!.toArray()).toEqual([18, 36]);
  });
  test('added values add up', () => {
    const x = zeros([3]);
    x.indexPut_([[0, 0, 2]], tensor([1, 2, 3]), { accumulate: true });
    expect(x.toArray()).toEqual([3, 0, 3]);
  });
  test('masks: nonzero, maskedSelect and writes', () => {
    const x = tensor([
      [0, 3],
      [4, 0],
    ]);
    expect(x.nonzero().toArray()).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(x.nonzero({ asTuple: true }).map(i => i.toArray())).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(x.maskedSelect(x.gt(0)).toArray()).toEqual([3, 4]);
    expect(x.setAt([x.gt(3)], 9).toArray()).toEqual([
      [0, 3],
      [9, 0],
    ]);
    expect(x.take(tensor([2, 1], { dtype: 'i64' })).toArray()).toEqual([9, 3]);
  });
  test('an index that changes does not compile again', () => {
    const cache = zeros([16, 2]);
    const { compiles } = cache.device.metrics;
    for (let i = 0; i < 16; i++) {
      cache.setAt([i], i);
      cache.sum().item();
    }
    // One program with the numbers as constants, those that show that they change, one with inputs.
    expect(cache.device.metrics.compiles - compiles).toBeLessThanOrEqual(4);
    expect(cache.at(':', 0).toArray()).toEqual(Array.from({ length: 16 }, (_, i) => i));
  });
  test('an index tensor that is out of range throws when the result is read', () => {
    expect(() =>
      tensor([1, 2])
        .at(tensor([0, 2], { dtype: 'i64' }))
        .toArray(),
    ).toThrow('2 is out of range');
    expect(() =>
      tensor([1, 2])
        .setAt([[-3]], 0)
        .toArray(),
    ).toThrow();
  });
  test('works in a compiled function, but a mask cannot be read there', () => {
    const last = compile((x: Tensor) => x.at('...', -1));
    expect(last(tensor([[1, 2]])).toArray()).toEqual([2]);
    expect(() => compile((x: Tensor) => x.at(x.gt(0)))(tensor([1]))).toThrow('read');
  });
  test.each([
    [[0, 0, 0], '3 dims are indexed, and there are 2'],
    [['...', '...'], "'...' is there more than once"],
    [['1-2'], 'is not a slice'],
    [['::-1'], 'flip()'],
    [[0.5], 'not an integer'],
    [[5], '5 is out of range for dim 0'],
    [[[0.5]], 'is not a number, slice'],
    [[tensor([true, false, true])], 'a mask of shape [3]'],
    [[tensor([0.5])], 'a tensor of float32 is not an index'],
    [[undefined as never], 'undefined is not a number'],
  ] as [Index[], string][])('%j is an error', (index, message) => {
    expect(() => zeros([2, 2]).at(...index)).toThrow(message);
  });
});
