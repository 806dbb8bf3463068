// Results that do not depend on the values of a leaf, though they are computed from it: its gradient is zeros, as in PyTorch.
import { expect, test } from 'vitest';
import { autograd, ones, poisson, type Tensor, tensor, zeros } from '../../tensor/index.ts';
import * as nn from '../index.ts';

const noIds = (): Tensor => zeros([0], { dtype: 'int64' });
const half = (x: Tensor): Tensor => x.mul(0.5);

const calls: Readonly<Record<string, (x: Tensor) => Tensor>> = {
  fill_: x => half(x).fill_(1),
  zero_: x => half(x).zero_(),
  copy_: x => half(x).copy_(ones(3)),
  bernoulli_: x => half(x).bernoulli_(0.5),
  'a view that covers all': x => {
    const y = half(x);
    y.narrow(0, 0, 3).zero_();
    return y;
  },
  setAt: x => {
    const y = half(x);
    y.setAt([null], 5);
    return y;
  },
  bernoulli: x => half(x).bernoulli(),
  poisson: x => poisson(half(x)),
  'dropout of everything': x => nn.functional.dropout(x, 1),
  indexSelect: x => x.indexSelect(0, noIds()),
  take: x => x.take(noIds()),
  floor: x => x.floor(),
};
test.each(Object.entries(calls))('%s', (_, f) => {
  const x = tensor([0.25, 0.5, 1]).requiresGrad_();
  f(x).sum().backward();
  expect(x.grad!.toArray()).toEqual([0, 0, 0]);
  const again = tensor([0.25, 0.5, 1]).requiresGrad_();
  expect(autograd.grad(f(again).sum(), [again])[0]!.toArray()).toEqual([0, 0, 0]);
});

test('a lookup of no ids gives the table zeros', () => {
  const table = ones(3, 2).requiresGrad_();
  nn.functional.embedding(noIds(), table).sum().backward();
  expect(table.grad!.shape).toEqual([3, 2]);
  expect(table.grad!.sum().item()).toBe(0);
});

test('a tensor that is used only in comparisons has no gradient', () => {
  const [x, y] = [tensor([1, 2]).requiresGrad_(), tensor([3, 4]).requiresGrad_()];
  x.gt(1).float().mul(y).sum().backward();
  expect(x.grad).toBeUndefined();
  expect(y.grad!.toArray()).toEqual([0, 1]);
});
