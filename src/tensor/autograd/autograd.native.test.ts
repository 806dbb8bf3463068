// Gradients on demand, hooks, assignable gradients, modes: examples from PyTorch's documentation, with results computed by hand.
import { describe, expect, test } from 'vitest';
import { compile } from '../compile.ts';
import {
  autograd,
  enableGrad,
  inferenceMode,
  isGradEnabled,
  isInferenceModeEnabled,
  noGrad,
  setGradEnabled,
  zeros,
} from '../index.ts';
import type { Tensor } from '../tensor.ts';
import { codeOf, modes } from './modes.testing.ts';

describe.each(modes)('$name', ({ make, device }) => {
  test('grad returns gradients and does not accumulate them', () => {
    const x = make([1, 2, 3], true);
    const y = make([4, 5, 6], true);
    const [dx, dy] = autograd.grad(x.mul(y).sum(), [x, y]) as [Tensor, Tensor];
    expect(dx.toArray()).toEqual([4, 5, 6]);
    expect(dy.toArray()).toEqual([1, 2, 3]);
    expect([x.grad, y.grad]).toEqual([undefined, undefined]);
    expect([dx.requiresGrad, dx.isLeaf]).toEqual([false, true]);
  });
  test('with createGraph, derivatives of any order', () => {
    const x = make([2], true);
    let y = x.pow(5).sum();
    const orders = [80, 160, 240, 240, 120];
    for (const expected of orders) {
      const [g] = autograd.grad(y, [x], { createGraph: true }) as [Tensor];
      expect(g.item()).toBeCloseTo(expected, 3);
      y = g.sum();
    }
  });
  test('a gradient without a graph is a constant', () => {
    const w = make([3], true);
    w.square().sum().backward();
    const product = w.grad!.mul(w).sum();
    const [g] = autograd.grad(product, [w]) as [Tensor];
    expect(g.toArray()).toEqual([6]);
    expect(w.grad!.requiresGrad).toBe(false);
  });
  test('backward with createGraph accumulates differentiable gradients', () => {
    const w = make([3], true);
    w.pow(3).sum().backward({ createGraph: true });
    const first = w.grad!;
    expect(first.requiresGrad).toBe(true);
    const [second] = autograd.grad(first.sum(), [w]) as [Tensor];
    expect(second.item()).toBeCloseTo(18, 4);
  });
  test('grad of intermediate values, several outputs, weights', () => {
    const x = make([1, 2], true);
    const h = x.mul(3);
    const [dh, dx] = autograd.grad([h.square(), h], [h, x], {
      gradOutputs: [make([1, 10]), make([1, 1])],
    }) as [Tensor, Tensor];
    expect(dh.toArray()).toEqual([7, 121]);
    expect(dx.toArray()).toEqual([21, 363]);
  });
  test('unused inputs are errors or undefined', () => {
    const x = make([1, 2], true);
    const z = make([1, 2], true);
    const y = x.sum();
    expect(codeOf(() => autograd.grad(y, [z]))).toBe('NO_GRADIENT_HERE');
    expect(autograd.grad(y, [z], { allowUnused: true })).toEqual([undefined]);
    expect(autograd.grad(y, [z], { materializeGrads: true })[0]!.toArray()).toEqual([0, 0]);
    expect(codeOf(() => autograd.grad(y, [make([1])]))).toBe('NO_GRADIENT_HERE');
    expect(codeOf(() => autograd.grad(x.mul(2), [x]))).toBe('NOT_ONE_ELEMENT');
    expect(codeOf(() => autograd.grad(x.mul(2), [x], { gradOutputs: make([1]) }))).toBe('BAD_GRADIENT');
    expect(codeOf(() => autograd.grad(5 as unknown as Tensor, [x]))).toBe('WRONG_ARGUMENT');
  });
  test('backward of several tensors, for selected leaves, twice', () => {
    const [a, b] = [make([1, 2], true), make([3, 4], true)];
    autograd.backward([a.mul(b), a.sum()], [make([1, 1]), undefined]);
    expect(a.grad!.toArray()).toEqual([4, 5]);
    expect(b.grad!.toArray()).toEqual([1, 2]);
    const y = a.mul(b).sum();
    y.backward({ inputs: [a], retainGraph: true });
    y.backward({ inputs: a });
    expect(a.grad!.toArray()).toEqual([10, 13]);
    expect(b.grad!.toArray()).toEqual([1, 2]);
    expect(codeOf(() => make([1]).backward())).toBe('NO_GRADIENT_HERE');
    expect(codeOf(() => a.backward())).toBe('NOT_ONE_ELEMENT');
    expect(codeOf(() => y.backward(3 as unknown as Tensor))).toBe('NO_GRADIENT_HERE');
  });
  test('hooks receive and change gradients, in order, until they are removed', () => {
    const x = make([1, 2], true);
    const h = x.mul(2);
    const seen: unknown[] = [];
    h.registerHook(g => {
      seen.push(g.toArray());
      return undefined;
    });
    const handle = h.registerHook(g => g.mul(10));
    x.registerHook(g => g.add(1));
    h.sum().backward();
    expect(seen).toEqual([[1, 1]]);
    expect(x.grad!.toArray()).toEqual([21, 21]);
    handle.remove();
    x.zeroGrad();
    h.sum().backward();
    expect(x.grad!.toArray()).toEqual([3, 3]);
    expect(codeOf(() => make([1]).registerHook(g => g))).toBe('NO_GRADIENT_HERE');
    h.registerHook(() => make([1]));
    expect(codeOf(() => h.sum().backward())).toBe('BAD_GRADIENT');
  });
  test('retainGrad accumulates gradients of intermediate values', () => {
    const x = make([1, 2], true);
    const h = x.square();
    h.retainGrad();
    h.retainGrad();
    expect([h.retainsGrad, h.isLeaf]).toEqual([true, false]);
    h.mul(3).sum().backward();
    expect(h.grad!.toArray()).toEqual([3, 3]);
    h.mul(3).sum().backward();
    expect(h.grad!.toArray()).toEqual([6, 6]);
    expect(x.grad!.toArray()).toEqual([12, 24]);
  });
  test('hooks run after a leaf has got its gradient', () => {
    const w = make([1], true);
    const handle = w.registerPostAccumulateGradHook(p => {
      noGrad(() => p.sub_(p.grad!.mul(0.5)));
      p.grad = undefined;
    });
    w.mul(4).sum().backward();
    expect(w.toArray()).toEqual([-1]);
    expect(w.grad).toBeUndefined();
    handle.remove();
    w.mul(4).sum().backward();
    expect(w.grad!.toArray()).toEqual([4]);
  });
  test('grad is assignable', () => {
    const w = make([1, 2], true);
    const g = make([5, 6]);
    w.grad = g;
    expect(w.grad).toBe(g);
    w.sum().backward();
    expect(w.grad!.toArray()).toEqual([6, 7]);
    w.grad = w.grad!.mul(2);
    expect(w.grad!.toArray()).toEqual([12, 14]);
    w.grad = null;
    expect(w.grad).toBeUndefined();
    w.grad = undefined;
    expect(codeOf(() => (w.grad = make([1])))).toBe('BAD_GRADIENT');
    expect(codeOf(() => (w.grad = 1 as unknown as Tensor))).toBe('BAD_GRADIENT');
    const v = make([0, 0], true);
    w.grad = make([1, 1]);
    v.grad = w.grad;
    w.sum().backward();
    expect(v.grad!.toArray()).toEqual([1, 1]);
    expect(w.grad!.toArray()).toEqual([2, 2]);
    device.markStep();
    expect(v.grad!.toArray()).toEqual([1, 1]);
    expect(w.grad!.toArray()).toEqual([2, 2]);
  });
  test('grad assigned inside a compiled function', () => {
    const w = make([1, 2], true);
    const step = compile((x: Tensor) => {
      w.grad = undefined;
      w.mul(x).sum().backward();
      w.grad = w.grad!.mul(2);
    });
    step(make([1, 1]));
    expect(w.grad!.toArray()).toEqual([2, 2]);
    step(make([3, 4]));
    expect(w.grad!.toArray()).toEqual([6, 8]);
  });
  test('isLeaf, gradFn, detach_', () => {
    const x = make([1], true);
    const y = x.add(1);
    expect([x.isLeaf, y.isLeaf, y.detach().isLeaf]).toEqual([true, false, true]);
    expect([x.gradFn, y.gradFn?.name, x.mul(2).gradFn?.name]).toEqual([undefined, 'AddBackward0', 'MulBackward0']);
    y.detach_();
    expect([y.isLeaf, y.requiresGrad, y.toArray()]).toEqual([true, false, [2]]);
    const [g] = autograd.grad(y.mul(x).sum(), [x]) as [Tensor];
    expect(g.toArray()).toEqual([2]);
    y.requiresGrad_();
    y.mul(3).sum().backward();
    expect(y.grad!.toArray()).toEqual([3]);
  });
  test('a detached value can be made a leaf in the same step', () => {
    const x = make([2], true);
    const leaf = x.mul(3).detach().requiresGrad_();
    leaf.square().sum().backward();
    expect([leaf.grad!.toArray(), x.grad]).toEqual([[12], undefined]);
  });
  test('gradients inside a compiled function, hooks with it', () => {
    const w = make([1, 2], true);
    const f = compile((x: Tensor) => {
      const h = w.mul(x);
      h.registerHook(g => g.mul(2));
      const [g] = autograd.grad(h.square().sum(), [w], { createGraph: true }) as [Tensor];
      return autograd.grad(g.square().sum(), [w])[0]!;
    });
    // The hook doubles dh in the inner pass: g = 4 w x². In the outer one, h is reached through g, and doubles it again.
    expect(f(make([1, 1])).toArray()).toEqual([64, 128]);
    expect(f(make([1, 2])).toArray()).toEqual([64, 2048]);
  });
});

describe('modes', () => {
  test('apply to a function, to a block, or until they are changed', () => {
    expect(noGrad(() => isGradEnabled())).toBe(false);
    expect(noGrad(() => enableGrad(() => isGradEnabled()))).toBe(true);
    {
      using _ = noGrad();
      expect(isGradEnabled()).toBe(false);
      {
        using __ = enableGrad();
        expect(isGradEnabled()).toBe(true);
      }
      expect(isGradEnabled()).toBe(false);
    }
    expect(isGradEnabled()).toBe(true);
    expect(setGradEnabled(false, () => isGradEnabled())).toBe(false);
    setGradEnabled(false);
    expect(isGradEnabled()).toBe(false);
    setGradEnabled(true);
    expect(inferenceMode(() => [isGradEnabled(), isInferenceModeEnabled()])).toEqual([false, true]);
    {
      using _ = inferenceMode();
      expect(isInferenceModeEnabled()).toBe(true);
    }
    expect([isGradEnabled(), isInferenceModeEnabled()]).toEqual([true, false]);
    expect(codeOf(() => noGrad(5 as unknown as () => void))).toBe('WRONG_ARGUMENT');
    expect(zeros([1]).requiresGrad).toBe(false);
  });
  test('hold until a promise settles', async () => {
    const inside = noGrad(async () => {
      await Promise.resolve();
      return isGradEnabled();
    });
    expect(await inside).toBe(false);
    expect(isGradEnabled()).toBe(true);
  });
});
