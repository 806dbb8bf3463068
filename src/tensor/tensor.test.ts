// PyTorch's semantics of shapes, types and values, on the interpreter. Expected numbers are computed by hand.
import { describe, expect, test } from 'vitest';
import {
  arange,
  cat,
  device,
  eye,
  full,
  maximum,
  oneHot,
  ones,
  setDefaultDevice,
  stack,
  tensor,
  where,
  zeros,
} from './index.ts';

setDefaultDevice(device('interpreter'));

describe('broadcasting', () => {
  test('grows dims of size 1 and new leading dims', () => {
    const x = tensor([[1], [2]]);
    const y = tensor([10, 20, 30]);
    expect(x.add(y).toArray()).toEqual([
      [11, 21, 31],
      [12, 22, 32],
    ]);
    expect(zeros([2, 1, 3]).add(ones([4, 1])).shape).toEqual([2, 4, 3]);
  });
  test('accepts JavaScript numbers on either side, in the type of the tensor', () => {
    const whole = tensor([1, 2, 3], { dtype: 'int32' });
    expect(whole.mul(2).dtype).toBe('int32');
    expect(whole.mul(2).toArray()).toEqual([2, 4, 6]);
    expect(whole.mul(0.5).toArray()).toEqual([0.5, 1, 1.5]);
    expect(maximum(2, whole).toArray()).toEqual([2, 2, 3]);
    expect(whole.div(2).toArray()).toEqual([0.5, 1, 1.5]);
  });
  test('promotes types as PyTorch does', () => {
    expect(ones([2], { dtype: 'i32' }).add(ones([2])).dtype).toBe('float32');
    expect(ones([2], { dtype: 'bf16' }).add(ones([2], { dtype: 'f16' })).dtype).toBe('float32');
    expect(ones([2], { dtype: 'bool' }).add(ones([2], { dtype: 'ui8' })).dtype).toBe('uint8');
    expect(ones([2], { dtype: 'ui8' }).add(ones([2], { dtype: 'i8' })).dtype).toBe('int16');
    expect(ones([2], { dtype: 'f32' }).add(ones([], { dtype: 'f64' })).dtype).toBe('float32');
  });
});

describe('shape calls', () => {
  const x = tensor([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  test('reshape infers -1, transpose and permute accept negative dims', () => {
    expect(x.reshape(3, -1).toArray()).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(x.transpose(-1, 0).toArray()).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
    expect(x.unsqueeze(-1).permute(2, 1, 0).shape).toEqual([1, 3, 2]);
    expect(x.unsqueeze(1).squeeze(1).shape).toEqual([2, 3]);
    expect(x.flatten().shape).toEqual([6]);
    expect(
      tensor([[1], [2]])
        .expand(-1, 3)
        .toArray(),
    ).toEqual([
      [1, 1, 1],
      [2, 2, 2],
    ]);
  });
  test('select, narrow, slices and concatenation', () => {
    expect(x.select(1, -1).toArray()).toEqual([3, 6]);
    expect(x.narrow(1, 1, 2).toArray()).toEqual([
      [2, 3],
      [5, 6],
    ]);
    expect(x.slice(1, 0, 3, 2).toArray()).toEqual([
      [1, 3],
      [4, 6],
    ]);
    expect(x.split(2, 1).map(part => part.shape)).toEqual([
      [2, 2],
      [2, 1],
    ]);
    expect(cat([x, x], -1).shape).toEqual([2, 6]);
    expect(stack([x, x], -1).shape).toEqual([2, 3, 2]);
    expect(stack([tensor([1, 2]), tensor([3, 4])], 1).toArray()).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });
  test('lookups', () => {
    const index = tensor([2, 0], { dtype: 'i32' });
    expect(x.indexSelect(1, index).toArray()).toEqual([
      [3, 1],
      [6, 4],
    ]);
    expect(x.indexSelect(0, tensor([[1], [0]], { dtype: 'i32' })).shape).toEqual([2, 1, 3]);
    expect(
      x
        .gather(
          1,
          tensor(
            [
              [0, 2],
              [1, 1],
            ],
            { dtype: 'i32' },
          ),
        )
        .toArray(),
    ).toEqual([
      [1, 3],
      [5, 5],
    ]);
    expect(x.gather(0, tensor([[1, 0]], { dtype: 'i32' })).toArray()).toEqual([[4, 2]]);
    expect(oneHot(index, 3).toArray()).toEqual([
      [0, 0, 1],
      [1, 0, 0],
    ]);
  });
  test('triangles', () => {
    expect(ones([2, 3]).tril().toArray()).toEqual([
      [1, 0, 0],
      [1, 1, 0],
    ]);
    expect(ones([2, 3]).triu(1).toArray()).toEqual([
      [0, 1, 1],
      [0, 0, 1],
    ]);
  });
});

describe('reductions', () => {
  const x = tensor([
    [1, 5, 3],
    [7, 2, 7],
  ]);
  test('over all dims, some, and with the dim kept', () => {
    expect(x.sum().item()).toBe(25);
    expect(x.mean(1).toArray()).toEqual([3, 16 / 3].map(Math.fround));
    expect(x.sum([0, 1], true).shape).toEqual([1, 1]);
    expect(x.max(0).values.toArray()).toEqual([7, 5, 7]);
    expect(x.amin(-1, true).toArray()).toEqual([[1], [2]]);
    expect(x.var(1).item === undefined).toBe(false);
    expect(tensor([1, 2, 3, 4]).var().item()).toBeCloseTo(5 / 3, 6);
  });
  test('argmax returns the first position, as i64', () => {
    expect(x.argmax(1).toArray()).toEqual([1, 0]);
    expect(x.argmax().item()).toBe(3);
    expect(x.argmin(0).toArray()).toEqual([0, 1, 0]);
    expect(x.argmax(1).dtype).toBe('int64');
  });
  test('of booleans', () => {
    expect(x.gt(2).sum().item()).toBe(4);
    expect(x.gt(0).all().item()).toBe(true);
    expect(x.gt(6).any(1).toArray()).toEqual([false, true]);
  });
  test('softmax does not overflow', () => {
    expect(tensor([1000, 1000]).softmax(0).toArray()).toEqual([0.5, 0.5]);
    expect(
      tensor([[0, Math.log(3)]])
        .logSoftmax(-1)
        .exp()
        .toArray(),
    ).toEqual([[expect.closeTo(0.25, 6), expect.closeTo(0.75, 6)]]);
  });
});

describe('products', () => {
  const x = tensor([
    [1, 2],
    [3, 4],
  ]);
  test('of vectors, matrices and batches', () => {
    expect(x.matmul(eye(2)).toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(x.matmul(tensor([1, 1])).toArray()).toEqual([3, 7]);
    expect(tensor([1, 1]).matmul(x).toArray()).toEqual([4, 6]);
    expect(
      tensor([1, 2])
        .matmul(tensor([3, 4]))
        .item(),
    ).toBe(11);
    expect(ones([5, 1, 2, 3]).matmul(ones([4, 3, 6])).shape).toEqual([5, 4, 2, 6]);
    expect(
      tensor([1, 1])
        .matmul(x.expand(3, 2, 2))
        .toArray(),
    ).toEqual([
      [4, 6],
      [4, 6],
      [4, 6],
    ]);
  });
});

test('elementwise functions', () => {
  const x = tensor([-2, -0.5, 0, 1]);
  expect(x.relu().toArray()).toEqual([0, 0, 0, 1]);
  expect(x.abs().neg().toArray()).toEqual([-2, -0.5, -0, -1]);
  expect(x.pow(2).toArray()).toEqual([4, 0.25, 0, 1]);
  expect(x.clamp(-1, 0.5).toArray()).toEqual([-1, -0.5, 0, 0.5]);
  expect(tensor([-7, 7]).remainder(3).toArray()).toEqual([2, 1]);
  expect(tensor([-7, 7], { dtype: 'i32' }).floorDivide(2).toArray()).toEqual([-4, 3]);
  expect(x.gelu().toArray()).toEqual([-0.0455, -0.15427, 0, 0.84134].map(v => expect.closeTo(v, 4)));
  expect(x.gelu('tanh').toArray()).toEqual([-0.0454, -0.15428, 0, 0.84119].map(v => expect.closeTo(v, 4)));
  expect(where(x.lt(0), 0, x).toArray()).toEqual([0, 0, 0, 1]);
  expect(x.maskedFill(x.eq(0), 9).toArray()).toEqual([-2, -0.5, 9, 1]);
  expect(full([2], 3).to('i32').toArray()).toEqual([3, 3]);
  expect(arange(1, 7, 2).toArray()).toEqual([1, 3, 5]);
});

describe('reading', () => {
  test('scalars, nested arrays, typed arrays', async () => {
    expect(tensor(3.5).item()).toBe(3.5);
    expect(tensor([[true, false]]).toArray()).toEqual([[true, false]]);
    expect(tensor([1, 2]).data).toEqual(Float32Array.of(1, 2));
    expect(tensor([1.5], { dtype: 'bf16' }).data).toEqual(Float32Array.of(1.5));
    expect(await tensor([1, 2]).add(1).array()).toEqual([2, 3]);
    expect(tensor(new Int32Array([1, 2, 3, 4]), { shape: [2, 2] }).toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(tensor([5n]).item()).toBe(5);
  });
});

describe('errors name shapes and the line', () => {
  const message = (body: () => unknown): string => {
    try {
      body();
    } catch (error) {
      return (error as Error).message.replace(/\/\S*\/(tensor\.test\.ts):\d+:\d+/, '$1');
    }
    return 'no error';
  };
  test.each<[string, () => unknown]>([
    ['add', () => ones([2, 3]).add(ones([2, 4]))],
    ['matmul', () => ones([2, 3]).matmul(ones([2, 3]))],
    ['reshape', () => ones([2, 3]).reshape(4, -1)],
    ['sum', () => ones([2, 3]).sum(2)],
    ['select', () => ones([2, 3]).select(1, 3)],
    ['cat', () => cat([ones([2, 3]), ones([3, 3])], 1)],
    ['item', () => ones([2]).item()],
    ['ragged', () => tensor([[1, 2], [3]])],
    ['shape of data', () => tensor([1, 2, 3], { shape: [2, 2] })],
    ['dtype', () => ones([2], { dtype: 'float31' as 'f32' })],
    ['index type', () => ones([2, 3]).indexSelect(0, ones([1]).bool())],
    ['empty max', () => zeros([0]).max()],
    ['backward', () => ones([2]).requiresGrad_().mul(2).backward()],
    ['no gradient', () => ones([]).mul(2).backward()],
    ['assignment', () => ones([2]).assign_(ones([3]))],
  ])('%s', (_, body) => {
    expect(message(body)).toMatchSnapshot();
  });
});
