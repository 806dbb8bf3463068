// Orthogonal, pruned and fused layers, adaptive softmax and fractional pooling; numbers are compared with PyTorch in
// golden.test.ts.
import { beforeAll, describe, expect, test } from 'vitest';
import { device, noGrad, randn, setDefaultDevice, type Tensor, tensor } from '../../src/tensor/index.ts';
import * as nn from './index.ts';

const { parametrizations, prune } = nn.utils;
beforeAll(() => {
  setDefaultDevice(device('interpreter'));
});
const fill = (x: Tensor, values: readonly number[]): void => {
  noGrad(() => x.copy_(tensor(values).reshape(x.shape)));
};
/** The weight, with 0 for -0. */
const matrix = (layer: nn.Linear): number[][] => layer.weight.add(0).toArray() as number[][];

test('orthogonal starts at a given orthogonal weight', () => {
  for (const useTrivialization of [true, false]) {
    const layer = new nn.Linear(3, 5);
    nn.init.orthogonal_(layer.weight);
    const before = matrix(layer).flat();
    parametrizations.orthogonal(layer, 'weight', { orthogonalMap: 'householder', useTrivialization });
    matrix(layer)
      .flat()
      .forEach((x, i) => {
        expect(x).toBeCloseTo(before[i]!, 5);
      });
  }
  expect(() => parametrizations.orthogonal(new nn.Linear(2, 2), 'bias')).toThrow('a matrix or a batch of matrices');
});

describe('prune', () => {
  const layer = (): nn.Linear => {
    const made = new nn.Linear(3, 2);
    fill(made.weight, [0.5, -0.1, 0.2, -3, 2, 0.05]);
    return made;
  };
  test('removes the smallest elements, then the smallest of the rest', () => {
    const pruned = prune.l1Unstructured(layer(), 'weight', 2);
    const half = 0.5;
    expect(pruned.getBuffer('weight_mask').toArray()).toEqual([
      [1, 0, 1],
      [1, 1, 0],
    ]);
    prune.l1Unstructured(pruned, 'weight', half);
    expect(matrix(pruned)).toEqual([
      [0, 0, 0],
      [-3, 2, 0],
    ]);
    expect(prune.isPruned(pruned)).toBe(true);
    expect([...pruned.stateDict().keys()]).toEqual(['bias', 'weight_orig', 'weight_mask']);
    pruned(tensor([[1, 1, 1]]))
      .sum()
      .backward();
    expect(pruned.getParameter('weight_orig').grad?.toArray()).toEqual([
      [0, 0, 0],
      [1, 1, 0],
    ]);
    prune.remove(pruned, 'weight');
    expect([...pruned.stateDict().keys()]).toEqual(['bias', 'weight']);
    expect(prune.isPruned(pruned)).toBe(false);
  });
  test('prunes channels, by masks, at random, and across several layers', () => {
    expect(matrix(prune.lnStructured(layer(), 'weight', 1, 2, 0))[0]).toEqual([0, 0, 0]);
    expect(
      matrix(
        prune.customFromMask(
          layer(),
          'weight',
          tensor([
            [0, 0, 0],
            [1, 0, 0],
          ]),
        ),
      ),
    ).toEqual([
      [0, 0, 0],
      [-3, 0, 0],
    ]);
    expect(
      matrix(prune.randomUnstructured(layer(), 'weight', 4))
        .flat()
        .filter(x => x === 0),
    ).toHaveLength(4);
    expect(
      matrix(prune.randomStructured(layer(), 'weight', 1, 1))
        .flat()
        .filter(x => x === 0),
    ).toHaveLength(2);
    const [a, b] = [layer(), layer()];
    fill(b.weight, [9, 9, 9, 9, 9, 9]);
    prune.globalUnstructured(
      [
        [a, 'weight'],
        [b, 'weight'],
      ],
      prune.l1Unstructured,
      0.5,
    );
    expect([...matrix(a).flat(), ...matrix(b).flat()].filter(x => x === 0)).toHaveLength(6);
    expect(matrix(b).flat()).not.toContain(0);
  });
  test('invalid arguments are errors', () => {
    expect(() => prune.l1Unstructured(layer(), 'weight', 7)).toThrow('an integer from 1 to 6');
    expect(() => prune.lnStructured(layer(), 'bias', 1, 2, 0)).toThrow('two or more dims');
    expect(() => prune.remove(layer(), 'weight')).toThrow('the name of a pruned parameter');
    expect(() => prune.customFromMask(layer(), 'weight', tensor([1]))).toThrow('a tensor of shape [2,3]');
  });
});

test('fused layers equal the two layers', () => {
  const close = (a: Tensor, b: Tensor): void => expect(a.allclose(b, 1e-4, 1e-5)).toBe(true);
  const trained = <B extends nn.BatchNorm1d | nn.BatchNorm2d>(bn: B, ...x: Tensor[]): B => {
    for (const one of x) (bn as nn.BatchNorm2d)(one);
    nn.init.uniform_(bn.weight!);
    nn.init.uniform_(bn.bias!);
    bn.eval();
    return bn;
  };
  const image = randn(2, 4, 5, 5);
  for (const conv of [
    new nn.Conv2d(4, 6, 3, { groups: 2, bias: false, padding: 1 }),
    new nn.ConvTranspose2d(4, 6, 2),
  ]) {
    const bn = trained(new nn.BatchNorm2d(6), randn(4, 6, 3, 3));
    conv.eval();
    close(nn.utils.fuseConvBnEval(conv, bn)(image), bn(conv(image)));
  }
  const [linear, bn] = [new nn.Linear(3, 4), trained(new nn.BatchNorm1d(4), randn(5, 4))];
  linear.eval();
  const x = randn(5, 3);
  close(nn.utils.fuseLinearBnEval(linear, bn)(x), bn(linear(x)));
  expect(() => nn.utils.fuseLinearBnEval(linear.train(), bn)).toThrow('call eval() on both first');
});

const ids = (...list: number[]) => tensor(list, { dtype: 'i64' });
test('incorrect use is an error', () => {
  expect(() => new nn.AdaptiveLogSoftmaxWithLoss(8, 10, [5, 3])).toThrow('each larger than the one before');
  const softmax = new nn.AdaptiveLogSoftmaxWithLoss(8, 10, [5]);
  expect(() => softmax(randn(2, 8), ids(1, 10)).loss.item()).toThrow('out of range');
  expect(() => softmax(randn(2, 8), ids(-1, 3)).loss.item()).toThrow('out of range');
  expect(() => softmax(randn(2, 8), ids(1))).toThrow('[N] for an input [N, 8]');
  expect(() => new nn.FractionalMaxPool2d(2)).toThrow('either outputSize or outputRatio');
  expect(() => new nn.FractionalMaxPool2d(3, { outputSize: 9 })(randn(1, 1, 8, 8))).toThrow('at most 6 for dim 0');
});
test('fractional pooling samples new windows in each forward', () => {
  const pool = new nn.FractionalMaxPool2d(2, { outputRatio: 0.6 });
  const x = randn(1, 8, 12, 12);
  const [a, b] = [pool(x), pool(x)];
  expect(a.shape).toEqual([1, 8, 7, 7]);
  expect(a.toArray()).not.toEqual(b.toArray());
});
test('arguments come in PyTorch’s order, or by name', () => {
  const named = new nn.AdaptiveLogSoftmaxWithLoss({ inFeatures: 32, nClasses: 6, cutoffs: [2, 4] });
  expect(String(named)).toBe(String(new nn.AdaptiveLogSoftmaxWithLoss(32, 6, [2, 4])));
});
