// Hooks on gradients: their arguments and their effect are the same as in PyTorch.
import { describe, expect, test } from 'vitest';
import { compile, ones, type Tensor, tensor } from '../../tensor/index.ts';
import { Linear, Sequential } from '../index.ts';
import type { MaybeGradient } from './backward-hooks.ts';

const loaded = (weight: number[][]): Linear => {
  const layer = new Linear(weight[0]!.length, weight.length, { bias: false });
  layer.loadStateDict(new Map([['weight', tensor(weight).literal()]]));
  return layer;
};
const lists = (gradients: readonly MaybeGradient[]) => gradients.map(g => g?.toArray());

describe('full backward hooks', () => {
  test('are given the gradients of arguments and results', () => {
    const layer = loaded([[1, 2]]);
    const seen: unknown[] = [];
    layer.registerFullBackwardHook((module, gradInput, gradOutput) => {
      gradInput[0]?.keep();
      gradOutput[0]?.keep();
      seen.push(module === layer, gradInput, gradOutput);
    });
    const x = tensor([[3, 4]]).requiresGrad_();
    layer(x).mul(5).sum().backward();
    expect(x.grad!.toArray()).toEqual([[5, 10]]);
    const [isLayer, gradInput, gradOutput] = seen as [boolean, MaybeGradient[], MaybeGradient[]];
    expect(isLayer).toBe(true);
    expect(lists(gradInput)).toEqual([[[5, 10]]]);
    expect(lists(gradOutput)).toEqual([[[5]]]);
  });
  test('replace gradients, in the order of registration, until they are removed', () => {
    const layer = loaded([[1, 2]]);
    const x = tensor([[3, 4]]).requiresGrad_();
    layer.registerFullBackwardPreHook((_, [g]) => [g!.mul(10)]);
    layer.registerFullBackwardHook((_, [g]) => [g!.add(1)]);
    const last = layer.registerFullBackwardHook((_, [g]) => g!.mul(2), { prepend: true });
    layer(x).sum().backward();
    expect(x.grad!.toArray()).toEqual([[21, 41]]);
    expect(layer.weight.grad!.toArray()).toEqual([[30, 40]]);
    last.remove();
    x.grad = undefined;
    layer(x).sum().backward();
    expect(x.grad!.toArray()).toEqual([[11, 21]]);
  });
  test('run if no argument needs a gradient', () => {
    const model = new Sequential(loaded([[1, 2]]), loaded([[4]]));
    const seen: string[] = [];
    for (const [name, module] of model.namedChildren())
      module.registerFullBackwardHook((_, gradInput) => void seen.push(`${name} ${gradInput[0] === undefined}`));
    model(ones([1, 2]))
      .sum()
      .backward();
    expect(seen).toEqual(['1 false', '0 true']);
  });
  test('are part of a compiled function, also when they are added later', () => {
    const layer = loaded([[1, 2]]);
    const step = compile((x: Tensor) => {
      layer.zeroGrad();
      layer(x).sum().backward();
      return layer.weight.grad!.mul(1);
    });
    const x = tensor([[3, 4]]);
    expect(step(x).toArray()).toEqual([[3, 4]]);
    layer.registerFullBackwardPreHook((_, [g]) => g!.mul(-1));
    expect(step(x).toArray()).toEqual([[-3, -4]]);
  });
  test('invalid gradients are errors', () => {
    const layer = loaded([[1, 2]]);
    expect(() => layer.registerFullBackwardHook(3 as never)).toThrow('registerFullBackwardHook');
    expect(() => layer.registerFullBackwardHook(() => {}, { first: true } as never)).toThrow('first');
    layer.registerFullBackwardHook(() => []);
    const x = tensor([[3, 4]]).requiresGrad_();
    expect(() => layer(x).sum().backward()).toThrow('as many as the hook is given: 1');
  });
});
