// gradcheck accepts correct gradients and reports wrong ones; the forms of inputs of autograd.functional.
import { expect, test } from 'vitest';
import { autograd, device, setDefaultDevice, type Tensor, tensor } from '../index.ts';
import type { FunctionContext } from './index.ts';
import { codeOf } from './modes.testing.ts';

setDefaultDevice(device('interpreter'));
const f64 = (data: number[], requiresGrad = false) => tensor(data, { dtype: 'f64', requiresGrad });

class Wrong extends autograd.Function {
  static override forward(ctx: FunctionContext, x: Tensor): Tensor {
    ctx.saveForBackward(x);
    return x.square();
  }
  static override backward(ctx: FunctionContext, g: Tensor): Tensor {
    return g.mul(ctx.savedTensors[0]!);
  }
}

test('gradcheck and gradgradcheck', () => {
  const inputs = [f64([0.5, -1.5], true), f64([2, 3])];
  expect(autograd.gradcheck((x, y) => x!.mul(y!).sin(), inputs)).toBe(true);
  expect(autograd.gradgradcheck((x, y) => [x!.mul(y!).sin(), x!.exp()], inputs)).toBe(true);
  expect(codeOf(() => autograd.gradcheck(x => Wrong.apply(x!), inputs[0]!))).toBe('GRADCHECK_FAILED');
  expect(autograd.gradcheck(x => Wrong.apply(x!), inputs[0]!, { raiseException: false })).toBe(false);
  expect(codeOf(() => autograd.gradcheck(x => x!, f64([1])))).toBe('WRONG_ARGUMENT');
});

test('vjp, jvp, hvp of one and several tensors', () => {
  const product = (x: Tensor, y: Tensor) => x.mul(y).sum();
  const [value, [dx, dy]] = autograd.functional.vjp(product as (...x: Tensor[]) => Tensor, [
    f64([1, 2]),
    f64([3, 4]),
  ]) as unknown as [Tensor, [Tensor, Tensor]];
  expect([value.item(), dx.toArray(), dy.toArray()]).toEqual([11, [3, 4], [1, 2]]);
  const [, tangent] = autograd.functional.jvp(x => x.square(), f64([1, 2]), f64([1, 1]));
  expect((tangent as Tensor).toArray()).toEqual([2, 4]);
  const [, products] = autograd.functional.hvp(
    product as (...x: Tensor[]) => Tensor,
    [f64([1, 2]), f64([3, 4])],
    [f64([1, 0]), f64([0, 1])],
  );
  expect((products as Tensor[]).map(p => p.toArray())).toEqual([
    [0, 1],
    [1, 0],
  ]);
  expect(codeOf(() => autograd.functional.vjp(x => x, f64([1, 2])))).toBe('NO_GRADIENT_HERE');
  expect(codeOf(() => autograd.functional.jacobian(x => x, 1 as unknown as Tensor))).toBe('WRONG_ARGUMENT');
  const x = f64([2], true);
  const h = autograd.functional.hessian(t => t.pow(3).sum(), x, { createGraph: true }) as Tensor;
  expect(autograd.grad(h.sum(), [x])[0]!.toArray()).toEqual([6]);
});

test('custom functions: wrong counts and shapes, outputs without gradients, onceDifferentiable', () => {
  class Two extends autograd.Function {
    static override forward(ctx: FunctionContext, x: Tensor, y: Tensor): readonly [Tensor, Tensor] {
      const sign = x.sign();
      ctx.markNonDifferentiable(sign);
      ctx.saveForBackward(x, y);
      return [x.mul(y), sign];
    }
    static override backward(ctx: FunctionContext, g: Tensor) {
      const [x, y] = ctx.savedTensors as [Tensor, Tensor];
      expect(ctx.needsInputGrad).toEqual([true, false]);
      return [g.mul(y), ctx.needsInputGrad[1] ? g.mul(x) : undefined];
    }
  }
  const x = f64([1, -2], true);
  const [product, sign] = Two.apply(x, f64([3, 4]));
  expect([product.requiresGrad, sign.requiresGrad, product.gradFn?.name]).toEqual([true, false, 'TwoBackward0']);
  product.sum().backward();
  expect(x.grad!.toArray()).toEqual([3, 4]);

  class Bad extends autograd.Function {
    static override forward(_ctx: FunctionContext, t: Tensor, _n: number): Tensor {
      return t.mul(2);
    }
    static override backward(_ctx: FunctionContext, g: Tensor): Tensor {
      return g;
    }
  }
  expect(codeOf(() => Bad.apply(x, 1).sum().backward())).toBe('CUSTOM_FUNCTION');
  class Shape extends autograd.Function {
    static override forward(_ctx: FunctionContext, t: Tensor): Tensor {
      return t.mul(2);
    }
    static override backward(_ctx: FunctionContext, _g: Tensor): Tensor {
      return f64([1, 2, 3]);
    }
  }
  expect(codeOf(() => Shape.apply(x).sum().backward())).toBe('CUSTOM_FUNCTION');
  class Once extends autograd.Function {
    static override forward(ctx: FunctionContext, t: Tensor): Tensor {
      ctx.saveForBackward(t);
      return t.square();
    }
    static override backward = autograd.onceDifferentiable((ctx, g) => g!.mul(ctx.savedTensors[0]!).mul(2));
  }
  const [first] = autograd.grad(Once.apply(x).sum(), [x], { createGraph: true }) as [Tensor];
  expect(first.toArray()).toEqual([2, -4]);
  expect(codeOf(() => first.sum().backward())).toBe('NOT_DIFFERENTIABLE');
});
