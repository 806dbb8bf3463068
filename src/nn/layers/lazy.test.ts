// Lazy modules: the modules that they become, and the errors for their parameters before that.
import { beforeEach, describe, expect, test } from 'vitest';
import { compile, device, manualSeed, randn, setDefaultDevice } from '../../tensor/index.ts';
import * as nn from '../index.ts';

beforeEach(() => {
  setDefaultDevice(undefined);
  setDefaultDevice(device('interpreter'));
});

test('the first forward initializes the parameters', () => {
  manualSeed(7);
  const lazy = new nn.LazyLinear(3, { bias: false });
  expect(String(lazy)).toBe('LazyLinear(in_features=0, out_features=3, bias=False)');
  const { weight } = lazy;
  expect(weight).toBeInstanceOf(nn.UninitializedParameter);
  expect(String(weight)).toBe('<UninitializedParameter>');
  const x = randn(2, 4);
  manualSeed(7);
  expect(lazy(x).shape).toEqual([2, 3]);
  expect(String(lazy)).toBe('Linear(in_features=4, out_features=3, bias=False)');
  expect([lazy.constructor, lazy.weight === weight, weight.constructor]).toEqual([nn.Linear, true, nn.Parameter]);
  expect([lazy.inFeatures, weight.shape]).toEqual([4, [3, 4]]);
  lazy(x).sum().backward();
  expect(lazy.weight.grad?.shape).toEqual([3, 4]);
  manualSeed(7);
  expect(lazy.weight.toArray()).toEqual(new nn.Linear(4, 3, { bias: false }).weight.toArray());
});

test('every kind of lazy layer becomes its final class', () => {
  const cases: readonly [nn.Module, readonly number[], string, string][] = [
    [
      new nn.LazyConv1d(2, 3),
      [2, 3, 5],
      'LazyConv1d(0, 2, kernel_size=(3,), stride=(1,))',
      'Conv1d(3, 2, kernel_size=(3,), stride=(1,))',
    ],
    [
      new nn.LazyConv2d(4, 3, { groups: 2 }),
      [1, 6, 4, 4],
      'LazyConv2d(0, 4, kernel_size=(3, 3), stride=(1, 1), groups=2)',
      'Conv2d(6, 4, kernel_size=(3, 3), stride=(1, 1), groups=2)',
    ],
    [
      new nn.LazyConv3d(2, 2),
      [3, 2, 2, 2],
      'LazyConv3d(0, 2, kernel_size=(2, 2, 2), stride=(1, 1, 1))',
      'Conv3d(3, 2, kernel_size=(2, 2, 2), stride=(1, 1, 1))',
    ],
    [
      new nn.LazyConvTranspose1d(2, 3),
      [2, 3, 5],
      'LazyConvTranspose1d(0, 2, kernel_size=(3,), stride=(1,))',
      'ConvTranspose1d(3, 2, kernel_size=(3,), stride=(1,))',
    ],
    [
      new nn.LazyConvTranspose2d(4, 2, 2),
      [1, 6, 4, 4],
      'LazyConvTranspose2d(0, 4, kernel_size=(2, 2), stride=(2, 2))',
      'ConvTranspose2d(6, 4, kernel_size=(2, 2), stride=(2, 2))',
    ],
    [
      new nn.LazyConvTranspose3d(2, 2),
      [1, 3, 2, 2, 2],
      'LazyConvTranspose3d(0, 2, kernel_size=(2, 2, 2), stride=(1, 1, 1))',
      'ConvTranspose3d(3, 2, kernel_size=(2, 2, 2), stride=(1, 1, 1))',
    ],
    ...([1, 2, 3] as const).flatMap(n => {
      const shape = [2, 3, ...Array.from({ length: n }, () => 2)];
      const text = (head: string, rest: string): string => `${head}, eps=0.001, momentum=0.1, ${rest}`;
      const [plain, tracked] = [
        'affine=False, bias=False, track_running_stats=False',
        'affine=True, bias=True, track_running_stats=True',
      ];
      const batch = [nn.LazyBatchNorm1d, nn.LazyBatchNorm2d, nn.LazyBatchNorm3d][n - 1]!;
      const instance = [nn.LazyInstanceNorm1d, nn.LazyInstanceNorm2d, nn.LazyInstanceNorm3d][n - 1]!;
      return [
        [new batch(1e-3), shape, `${text(`LazyBatchNorm${n}d(0`, tracked)})`, `${text(`BatchNorm${n}d(3`, tracked)})`],
        [
          new instance(1e-3),
          shape,
          `${text(`LazyInstanceNorm${n}d(0`, plain)})`,
          `${text(`InstanceNorm${n}d(3`, plain)})`,
        ],
      ] as [nn.Module, number[], string, string][];
    }),
  ];
  for (const [layer, shape, before, after] of cases) {
    expect(String(layer)).toBe(before);
    (layer as nn.Unary)(randn(...shape));
    expect(String(layer)).toBe(after);
    expect((layer as nn.Unary)(randn(...shape)).toArray()).toBeDefined();
  }
});

describe('before the first forward', () => {
  const model = (): nn.Sequential => new nn.Sequential(new nn.LazyLinear(4), new nn.ReLU(), new nn.LazyLinear(2));
  test('states and ops reject the parameters', () => {
    const advice = 'call the model once with an input of the final sizes';
    expect(() => model().stateDict()).toThrow(advice);
    expect(() => model().parameters()[0]!.mul(2)).toThrow(advice);
    expect(() => model().parameterCount()).toThrow(advice);
  });
  test('a loaded state determines the shapes', () => {
    const full = new nn.Sequential(new nn.Linear(3, 4), new nn.ReLU(), new nn.Linear(4, 2));
    const lazy = model();
    lazy.loadStateDict(full.stateDict());
    const x = randn(2, 3);
    expect(lazy(x).toArray()).toEqual(full(x).toArray());
    expect(String(lazy)).toBe(String(full));
  });
  test('the data type is kept', () => {
    const lazy = model().to('f64');
    expect(lazy(randn(2, 3, { dtype: 'f64' })).dtype).toBe('float64');
    expect(lazy.parameters().map(p => p.dtype)).toEqual(['float64', 'float64', 'float64', 'float64']);
  });
  test('lazy modules work in a compiled function', () => {
    const lazy = model();
    const step = compile((x: ReturnType<typeof randn>) => lazy(x));
    expect(step(randn(2, 3)).shape).toEqual([2, 2]);
    expect(step(randn(2, 3)).toArray()).toHaveLength(2);
  });
});
