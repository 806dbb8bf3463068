// Parametrized layers; their values are compared with PyTorch in golden.test.ts (parametrized).
import { beforeAll, describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, noGrad, randn, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import * as nn from '../index.ts';

const { parametrize, parametrizations } = nn.utils;
beforeAll(() => {
  setDefaultDevice(new Device(new InterpreterBackend(), { seed: 1, log: () => {} }));
});

class Symmetric extends nn.Module {
  override forward(x: Tensor): Tensor {
    return x.triu().add(x.triu(1).transpose(-1, -2));
  }
}
class Double extends nn.Module {
  override forward(x: Tensor): Tensor {
    return x.mul(2);
  }
  rightInverse(x: Tensor): Tensor {
    return x.div(2);
  }
}
const fill = (x: Tensor, values: readonly number[]): void => {
  noGrad(() => x.copy_(tensor(values).reshape(x.shape)));
};
/** The weight, with 0 for -0. */
const matrix = (layer: nn.Linear): number[][] => layer.weight.add(0).toArray() as number[][];

describe('parametrize', () => {
  test('a parameter is computed from its original, which is trained', () => {
    const layer = new nn.Linear(2, 2);
    const { weight } = layer;
    fill(weight, [1, 2, 3, 4]);
    parametrize.registerParametrization(layer, 'weight', new Symmetric());
    expect(matrix(layer)).toEqual([
      [1, 2],
      [2, 4],
    ]);
    expect([...layer.namedParameters()].map(([name]) => name)).toEqual(['bias', 'parametrizations.weight.original']);
    expect(layer.getParameter('parametrizations.weight.original')).toBe(weight);
    layer(tensor([[1, 0]]))
      .sum()
      .backward();
    expect(weight.grad?.toArray()).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect(String(layer)).toBe(`ParametrizedLinear(
  in_features=2, out_features=2, bias=True
  (parametrizations): ModuleDict(
    (weight): ParametrizationList(
      (0): Symmetric()
    )
  )
)`);
    expect(layer).toBeInstanceOf(nn.Linear);
    expect(parametrize.typeBeforeParametrizations(layer)).toBe(nn.Linear);
    parametrize.removeParametrizations(layer, 'weight');
    expect(layer.weight).toBe(weight);
    expect(String(layer)).toBe('Linear(in_features=2, out_features=2, bias=True)');
    expect(matrix(layer)).toEqual([
      [1, 2],
      [2, 4],
    ]);
  });
  test('several can be chained; assignment goes through their inverses', () => {
    const layer = new nn.Linear(2, 1);
    fill(layer.weight, [3, 4]);
    parametrize.registerParametrization(layer, 'weight', new Double());
    parametrize.registerParametrization(layer, 'weight', new Double());
    expect(matrix(layer)).toEqual([[6, 8]]);
    (layer as { weight: Tensor }).weight = tensor([[8, 16]]);
    expect(matrix(layer)).toEqual([[8, 16]]);
    expect(layer.getParameter('parametrizations.weight.original').toArray()).toEqual([[2, 4]]);
    parametrize.removeParametrizations(layer, 'weight', { leaveParametrized: false });
    expect(matrix(layer)).toEqual([[2, 4]]);
    expect(parametrize.isParametrized(layer)).toBe(false);
  });
  test('cached computes each tensor once', () => {
    let count = 0;
    class Counted extends nn.Module {
      override forward(x: Tensor): Tensor {
        count++;
        return x.mul(1);
      }
    }
    const layer = parametrize.registerParametrization(new nn.Linear(2, 2), 'weight', new Counted(), { unsafe: true });
    count = 0;
    parametrize.cached(() => [layer.weight, layer.weight]);
    expect(count).toBe(1);
    expect([layer.weight, layer.weight]).toHaveLength(2);
    expect(count).toBe(3);
  });
  test('invalid uses are errors', () => {
    const layer = new nn.Linear(2, 3);
    expect(() => parametrize.registerParametrization(layer, 'wieght', new Double())).toThrow(
      "Linear has no parameter 'wieght'",
    );
    expect(() => parametrize.registerParametrization(layer, 'weight', {} as never)).toThrow('expected a module');
    expect(() => parametrize.registerParametrization(layer, 'weight', new Double(), { unsave: true } as never)).toThrow(
      'did you mean unsafe',
    );
    class Wide extends nn.Module {
      override forward(x: Tensor): Tensor {
        return x.unsqueeze(0);
      }
    }
    expect(() => parametrize.registerParametrization(layer, 'weight', new Wide())).toThrow('of shape [3,2]');
    expect(() => parametrize.removeParametrizations(layer, 'weight')).toThrow('the name of a parametrized tensor');
    parametrizations.weightNorm(layer);
    expect(() => parametrize.removeParametrizations(layer, 'weight', false)).toThrow('computed from 2 tensors');
  });
});

test('weightNorm and spectralNorm keep or scale the weight, and can be removed', () => {
  const layer = new nn.Linear(4, 3);
  const before = matrix(layer).flat();
  nn.utils.weightNorm(layer);
  expect([...layer.namedParameters()].map(([name]) => name)).toEqual(['bias', 'weight_g', 'weight_v']);
  matrix(layer)
    .flat()
    .forEach((x, i) => {
      expect(x).toBeCloseTo(before[i]!, 5);
    });
  nn.utils.removeWeightNorm(layer);
  expect([...layer.namedParameters()].map(([name]) => name)).toEqual(['bias', 'weight']);
  expect(() => nn.utils.removeWeightNorm(layer)).toThrow('with weightNorm');
  nn.utils.spectralNorm(layer);
  for (let i = 0; i < 10; i++) layer(randn(1, 4));
  nn.utils.removeSpectralNorm(layer);
  expect(layer.weight.svd().S.max().item()).toBeCloseTo(1, 2);
});

test('parametrizations.weightNorm loads a state of the older weightNorm', () => {
  const [older, newer] = [
    nn.utils.weightNorm(new nn.Linear(2, 2)),
    new nn.Sequential(parametrizations.weightNorm(new nn.Linear(2, 2))),
  ];
  const state = new Map([...older.stateDict()].map(([name, value]) => [`0.${name}`, value]));
  newer.loadStateDict(state);
  expect((newer[0] as nn.Linear).weight.allclose(older.weight)).toBe(true);
  expect([...state.keys()]).toContain('0.weight_g');
});

test('skipInit leaves zeros', () => {
  expect(nn.utils.skipInit(nn.Linear, 2, 2).weight.toArray()).toEqual([
    [0, 0],
    [0, 0],
  ]);
});
