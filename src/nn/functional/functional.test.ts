// Functional layers compared with PyTorch 2.13 on the same inputs.
import { describe, expect, test } from 'vitest';
import { arange, type CrossEntropyOptions, device, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import { LayerNorm } from '../index.ts';
import * as F from './functional.ts';

setDefaultDevice(device('interpreter'));

const flat = (x: Tensor | undefined): number[] => Array.from(x!.data as Float32Array);
function near(got: Tensor | undefined, want: readonly number[]): void {
  expect(flat(got)).toEqual(want.map(v => expect.closeTo(v, 5)));
}
const leaf = (): Tensor =>
  tensor(
    [
      [1, 2, -1],
      [0.5, -0.5, 3],
    ],
    { requiresGrad: true },
  );
const classes = tensor([1, 2], { dtype: 'i32' });

describe('crossEntropy', () => {
  test.each<[CrossEntropyOptions<Tensor>, number, number[]]>([
    [{}, 0.22771314, [0.12974824, -0.14730772, 0.017559515, 0.036899354, 0.013574514, -0.050473869]],
    [
      { labelSmoothing: 0.1 },
      0.39437979,
      [0.11308157, -0.11397439, 0.00089284778, 0.020232687, -0.0030921539, -0.017140538],
    ],
    [{ reduction: 'sum' }, 0.45542628, [0.25949648, -0.29461545, 0.035119031, 0.073798709, 0.027149027, -0.10094774]],
    [{ ignoreIndex: 2 }, 0.34901217, [0.25949648, -0.29461545, 0.035119031, 0, 0, 0]],
    [{ labelSmoothing: 0.2, ignoreIndex: 1 }, 0.50641418, [0, 0, 0, 0.0071320385, -0.039517641, 0.032385588]],
  ])('of classes, %o', (options, loss, gradient) => {
    const x = leaf();
    const got = F.crossEntropy(x, classes, options);
    got.backward();
    near(got, [loss]);
    near(x.grad, gradient);
  });
  test('with probabilities as targets', () => {
    const x = leaf();
    const got = F.crossEntropy(
      x,
      tensor([
        [0.2, 0.3, 0.5],
        [0.1, 0.8, 0.1],
      ]),
      { labelSmoothing: 0.1 },
    );
    got.backward();
    near(got, [2.5318799]);
    near(x.grad, [0.023081578, 0.20102561, -0.22410715, -0.024767313, -0.36309215, 0.38785946]);
  });
  test('with dims after the classes', () => {
    const x = arange(12, undefined, 1, { dtype: 'f32' }).reshape(2, 3, 2).div(7);
    const target = tensor(
      [
        [0, 2],
        [1, 1],
      ],
      { dtype: 'i32' },
    );
    near(F.crossEntropy(x, target), [1.1256402]);
    near(F.crossEntropy(x, target, { reduction: 'none' }), [1.4113545, 0.83992594, 1.1256402, 1.1256402]);
  });
  test('uses a lookup instead of comparisons for many classes', () => {
    const x = tensor(
      Float32Array.from({ length: 2 * 1500 }, (_, i) => Math.sin(i)),
      { shape: [2, 1500], requiresGrad: true },
    );
    const target = tensor([3, 1400], { dtype: 'i32' });
    const loss = F.crossEntropy(x, target);
    loss.backward();
    const logs = x.detach().logSoftmax(1).data as Float32Array;
    near(loss, [-(logs[3]! + logs[1500 + 1400]!) / 2]);
    const gradient = flat(x.grad);
    expect(gradient[3]).toBeCloseTo((Math.exp(logs[3]!) - 1) / 2, 5);
    expect(gradient[4]).toBeCloseTo(Math.exp(logs[4]!) / 2, 6);
  });
  test('reports mismatched shapes', () => {
    expect(() => F.crossEntropy(leaf(), tensor([1, 3], { dtype: 'i32' })).item()).toThrow(
      'crossEntropy: index 3 is out of range',
    );
    expect(() => F.crossEntropy(leaf(), tensor([1, 1, 1], { dtype: 'i32' }))).toThrow(
      'crossEntropy: shapes [2, 3] and [3] are incompatible: for these logits the targets are classes of shape [2]',
    );
  });
});

test('other losses match PyTorch', () => {
  const y = tensor([
    [1, 0, 0.5],
    [0, 1, 1],
  ]);
  const [a, b] = [leaf(), leaf()];
  const bce = F.binaryCrossEntropyWithLogits(a, y);
  bce.backward();
  near(bce, [0.87503213]);
  near(a.grad, [-0.044823568, 0.1467995, -0.03850976, 0.10374323, -0.10374322, -0.0079043107]);
  const mse = F.mseLoss(b, y);
  mse.backward();
  near(mse, [2.125]);
  near(b.grad, [0, 0.66666669, -0.5, 0.16666667, -0.5, 0.66666669]);
  near(F.l1Loss(leaf(), y), [(0 + 2 + 1.5 + 0.5 + 1.5 + 2) / 6]);
  near(F.nllLoss(leaf().logSoftmax(1), classes), [0.22771314]);
});

test('layerNorm, with its gradients', () => {
  const layer = new LayerNorm(3);
  layer.loadStateDict(
    new Map([
      ['weight', tensor([1, 2, 0.5]).literal()],
      ['bias', tensor([0.1, 0.2, 0.3]).literal()],
    ]),
  );
  const x = leaf();
  const y = layer.forward(x);
  y.mul(
    tensor([
      [1, 2, 3],
      [4, 5, 6],
    ]),
  )
    .sum()
    .backward();
  near(y, [0.36726034, 2.3380828, -0.36815089, -0.23968235, -1.838094, 0.97936469]);
  near(x.grad, [-1.1167654, 0.74451566, 0.37224936, -1.707119, 1.2193804, 0.48773861]);
  near(layer.weight!.grad, [-1.091469, -2.9571521, 4.1434708]);
  near(layer.bias!.grad, [5, 7, 9]);
});

test('embedding, whose padding row gets no gradient', () => {
  const weight = tensor(
    [
      [0, 1],
      [2, 3],
      [4, 5],
      [6, 7],
    ],
    { requiresGrad: true },
  );
  const out = F.embedding(
    tensor(
      [
        [0, 3],
        [1, 3],
      ],
      { dtype: 'i32' },
    ),
    weight,
    { paddingIndex: 0 },
  );
  out
    .mul(arange(8, undefined, 1, { dtype: 'f32' }).reshape(2, 2, 2))
    .sum()
    .backward();
  near(out, [0, 1, 6, 7, 2, 3, 6, 7]);
  near(weight.grad, [0, 0, 4, 5, 0, 0, 8, 10]);
  expect(() => F.embedding(tensor([4], { dtype: 'i32' }), weight).data).toThrow('embedding: index 4 is out of range');
});

describe('scaledDotProductAttention', () => {
  const q = tensor([
    [
      [
        [1, 0],
        [0, 2],
      ],
    ],
  ]);
  const k = tensor([
    [
      [
        [1, 1],
        [2, -1],
        [0, 1],
      ],
    ],
  ]);
  const v = tensor([[[[1], [2], [3]]]]);
  test('plain, masked, causal', () => {
    near(F.scaledDotProductAttention(q, k, v), [1.8560338, 1.9999998]);
    const allowed = tensor([[true, true, false]]);
    near(F.scaledDotProductAttention(q, k, v, { mask: allowed }), [1.6697615, 1.0558072]);
    const added = F.additiveMask(tensor([[1, 1, 0]], { dtype: 'i32' }));
    near(F.scaledDotProductAttention(q, k, v, { mask: added }), [1.6697615, 1.0558072]);
    near(F.scaledDotProductAttention(q, k.narrow(2, 0, 2), v.narrow(2, 0, 2), { isCausal: true }), [1, 1.0558072]);
  });
  test('a fully masked row gives zeros, with finite gradients', () => {
    const one = (): Tensor => tensor([[[1, 2], [3, 4]]], { requiresGrad: true }); // biome-ignore format: one line
    const [q, k, v] = [one(), one(), one()];
    const mask = tensor([[0, -Infinity], [-Infinity, -Infinity]]); // biome-ignore format: one line
    for (const given of [mask, mask.eq(0), mask.add(0)]) {
      const y = F.scaledDotProductAttention(q, k, v, { mask: given });
      expect(y.toArray()).toEqual([[[1, 2], [0, 0]]]); // biome-ignore format: one line
      y.sum().backward();
    }
    expect(flat(q.grad)).toEqual([0, 0, 0, 0]);
    expect(flat(v.grad)).toEqual([3, 3, 0, 0]);
  });
  test('reports shapes that do not match', () => {
    expect(() => F.scaledDotProductAttention(q, k.narrow(3, 0, 1), v)).toThrow(
      'shapes [1, 1, 2, 2] and [1, 1, 3, 1] are incompatible',
    );
  });
});

describe('images', () => {
  const image = arange(32, undefined, 1, { dtype: 'f32' }).reshape(1, 2, 4, 4).div(10).keep();
  const weight = arange(16, undefined, 1, { dtype: 'f32' }).sub(8).reshape(2, 2, 2, 2).div(10);
  test('conv2d', () => {
    near(
      F.conv2d(image, weight, tensor([1, -1]), { stride: 2, padding: 1 }),
      [
        0.83999997, 0.31999999, 0.44, -0.51999998, -3.1200004, -1.6800001, -0.68000007, -3.0799999, -1.4400001, 0.12,
        1.3599999, 0.20000005, 1.96, 4.7999997, 1.76, 0.51999998, 1.8000002, 0.24000001,
      ],
    );
    const grouped = F.conv2d(image, weight.narrow(1, 0, 1), undefined, { groups: 2, dilation: 2 });
    near(grouped, [-1.12, -1.3800001, -2.1600001, -2.4200001, 1.4400001, 1.5, 1.6800001, 1.74]);
  });
  test('pooling', () => {
    near(F.maxPool2d(image, 2), [0.5, 0.7, 1.3, 1.5, 2.1, 2.3, 2.9, 3.1]);
    near(F.maxPool2d(image, 3, { stride: 2, padding: 1 }), [0.5, 0.7, 1.3, 1.5, 2.1, 2.3, 2.9, 3.1]);
    near(F.avgPool2d(image, 2), [0.25, 0.45, 1.05, 1.25, 1.85, 2.05, 2.65, 2.85]);
    near(F.adaptiveAvgPool2d(image, 1), [0.75, 2.35]);
  });
});
