// Typical gradient code of PyTorch users, line by line, compared with PyTorch (scripts/golden/autograd.py).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FunctionContext } from '../tensor/autograd/index.ts';
import { errorOf, fewModes, tolerance } from '../tensor/autograd/modes.testing.ts';
import type { NestedNumbers } from '../tensor/index.ts';
import { autograd, checkpoint, compile, control, stack, type Tensor, tensor } from '../tensor/index.ts';
import type { NamedTensors } from './func.ts';
import { func, functional, GELU, LayerNorm, Linear, Sequential } from './index.ts';
import { literalsOf } from './literals.testing.ts';

type Golden = { readonly [name: string]: NestedNumbers[] };
const golden = JSON.parse(
  readFileSync(new URL('../../test/golden/pytorch/autograd.json', import.meta.url), 'utf8'),
) as Golden & { readonly per_sample: { readonly [name: string]: NestedNumbers } };

/** Scales by a factor, with the gradient reversed. */
class ReverseGradient extends autograd.Function {
  static override forward(ctx: FunctionContext & { alpha?: number }, x: Tensor, alpha: number): Tensor {
    ctx.alpha = alpha;
    return x.clone();
  }
  static override backward(ctx: FunctionContext & { alpha?: number }, g: Tensor) {
    return [g.neg().mul(ctx.alpha!), undefined];
  }
}
/** Rounds, with the gradient of the identity. */
class StraightThrough extends autograd.Function {
  static override forward(_ctx: FunctionContext, x: Tensor): Tensor {
    return x.round();
  }
  static override backward(_ctx: FunctionContext, g: Tensor): Tensor {
    return g;
  }
}
class Cubed extends autograd.Function {
  static override forward(ctx: FunctionContext & { factor?: number }, x: Tensor, factor: number): Tensor {
    ctx.saveForBackward(x);
    ctx.factor = factor;
    return x.pow(3).mul(factor);
  }
  static override backward(ctx: FunctionContext & { factor?: number }, g: Tensor) {
    const [x] = ctx.savedTensors as [Tensor];
    return [
      x
        .square()
        .mul(3 * ctx.factor!)
        .mul(g),
      undefined,
    ];
  }
}
class Exp extends autograd.Function {
  static override forward(ctx: FunctionContext, x: Tensor): Tensor {
    const y = x.exp();
    ctx.saveForBackward(y);
    return y;
  }
  static override backward(ctx: FunctionContext, g: Tensor): Tensor {
    return g.mul(ctx.savedTensors[0]!);
  }
}

describe.each(fewModes)('$name', mode => {
  const { make, device, dtype } = mode;
  const near = (got: Tensor, expected: unknown, factor = 1): void => {
    const want = expected as NestedNumbers;
    expect(errorOf(got, want), `${JSON.stringify(got.toArray())} ${JSON.stringify(want)}`).toBeLessThan(
      tolerance(mode) * factor,
    );
  };
  const values = (shape: readonly number[], k: number, requiresGrad = false): Tensor =>
    tensor(
      Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(0.7 * i + k)),
      { shape, dtype, device, requiresGrad },
    );

  test('gradient penalty (WGAN-GP)', () => {
    const [w1, w2] = [values([3, 4], 1, true), values([4, 1], 2, true)];
    const [real, fake] = [values([5, 3], 3), values([5, 3], 4)];
    const critic = (x: Tensor) => x.matmul(w1).tanh().matmul(w2);
    const alpha = values([5, 1], 5).abs();
    const step = compile(() => {
      const mixed = alpha.mul(real).add(alpha.neg().add(1).mul(fake)).requiresGrad_();
      const [gradient] = autograd.grad(critic(mixed).sum(), [mixed], { createGraph: true }) as [Tensor];
      const penalty = gradient.square().sum(1).sqrt().sub(1).square().mean();
      const loss = critic(fake).mean().sub(critic(real).mean()).add(penalty.mul(10));
      loss.backward();
      return loss;
    });
    const loss = step();
    const [expected, g1, g2] = golden.wgan_gp as [NestedNumbers, NestedNumbers, NestedNumbers];
    near(loss, expected);
    near(w1.grad!, g1, 10);
    near(w2.grad!, g2, 10);
  });
  test('the inner loop of MAML', () => {
    const [w, b] = [values([2, 2], 6, true), values([2], 7, true)];
    const losses = [0, 1].map(task => {
      const [x, y] = [values([4, 2], 8 + task), values([4, 2], 10 + task)];
      const lossOf = (fw: Tensor, fb: Tensor) => x.matmul(fw).add(fb).sigmoid().sub(y).square().mean();
      let [fw, fb] = [w, b];
      for (let i = 0; i < 2; i++) {
        const [gw, gb] = autograd.grad(lossOf(fw, fb), [fw, fb], { createGraph: true }) as [Tensor, Tensor];
        [fw, fb] = [fw.sub(gw.mul(0.3)), fb.sub(gb.mul(0.3))];
      }
      return lossOf(fw, fb);
    });
    const meta = losses[0]!.add(losses[1]!);
    meta.backward();
    near(meta, golden.maml![0]);
    near(w.grad!, golden.maml![1]);
    near(b.grad!, golden.maml![2]);
  });
  test('Hessian-vector products, Hessians, Jacobians', () => {
    const reversed = tensor([3, 2, 1, 0], { dtype: 'i32', device });
    const f = (x: Tensor) => x.exp().mul(x.indexSelect(0, reversed)).sum().add(x.pow(3).sum().sin());
    const [x, v] = [values([4], 12), values([4], 13)];
    near(func.jvp(func.grad(f), [x], [v])[1], golden.hvp, 5);
    near(autograd.functional.hvp(f, x, v)[1] as Tensor, golden.hvp, 5);
    near(autograd.functional.vhp(f, x, v)[1] as Tensor, golden.hvp, 5);
    const leaf = values([4], 12, true);
    const [g] = autograd.grad(f(leaf), [leaf], { createGraph: true }) as [Tensor];
    near(autograd.grad(g.mul(v).sum(), [leaf])[0]!, golden.hvp, 5);
    near(func.hessian(f)(x), golden.hessian, 5);
    near(autograd.functional.hessian(f, x) as Tensor, golden.hessian, 5);
    const attend = (a: Tensor, c: Tensor) => a.matmul(c).softmax(-1);
    const [a, c] = [values([2, 3], 14), values([3, 2], 15)];
    for (const jacobian of [func.jacrev, func.jacfwd]) {
      const [da, dc] = jacobian(attend, { argnums: [0, 1] })(a, c) as unknown as [Tensor, Tensor];
      near(da, golden.jacrev![0]);
      near(dc, golden.jacrev![1]);
    }
    const [ja] = autograd.functional.jacobian(attend as (...x: Tensor[]) => Tensor, [a, c], {
      strategy: 'forward-mode',
    }) as Tensor[];
    near(ja!, golden.jacrev![0]);
    const h = autograd.functional.hessian(
      ((p: Tensor, q: Tensor) => attend(p, q).select(1, 0).square().sum()) as (...x: Tensor[]) => Tensor,
      [a, c],
    ) as Tensor[][];
    for (const [i, row] of h.entries())
      for (const [j, block] of row.entries())
        near(block, (golden.functional_hessian![i] as unknown as NestedNumbers[])[j]);
  });
  test('per-sample gradients of a model', () => {
    const model = new Sequential(new Linear(3, 4), new GELU(), new LayerNorm(4), new Linear(4, 2)).to(dtype).to(device);
    const params = Object.fromEntries(
      [...model.namedParameters()].map(([name, p], i) => [name, values(p.shape, 16 + i)]),
    );
    const before = literalsOf(model.stateDict());
    const lossOf = (p: NamedTensors, x: Tensor, t: Tensor) =>
      functional.crossEntropy(func.functionalCall(model, p, [x.unsqueeze(0)]) as Tensor, t.unsqueeze(0));
    const perSample = func.vmap(func.grad(lossOf), { inDims: [null, 0, 0] });
    const target = tensor([0, 1, 1, 0, 1], { dtype: 'i32', device });
    const got = perSample(params, values([5, 3], 30), target) as { readonly [name: string]: Tensor };
    expect(Object.keys(got)).toEqual(Object.keys(golden.per_sample));
    for (const [name, expected] of Object.entries(golden.per_sample)) near(got[name]!, expected, 5);
    expect(literalsOf(model.stateDict())).toEqual(before);
  });
  test('per-sample gradients of a convolution', () => {
    const loss = (kernel: Tensor, x: Tensor) =>
      functional
        .maxPool2d(functional.conv2d(x.unsqueeze(0), kernel, undefined, { padding: 1 }), 2)
        .square()
        .sum();
    const got = func.vmap(func.grad(loss), { inDims: [null, 0] })(values([2, 1, 3, 3], 31), values([3, 1, 5, 5], 32));
    near(got, golden.per_sample_conv);
  });
  test('functions with custom gradients', () => {
    const x = values([3], 33, true);
    const twice = compile(() => {
      const [first] = autograd.grad(Cubed.apply(x, 2).sin().sum(), [x], { createGraph: true }) as [Tensor];
      return [first, autograd.grad(first.square().sum(), [x])[0]!] as const;
    });
    const [first, second] = twice();
    near(first, golden.function![0]);
    near(second, golden.function![1], 20);
    // can be transformed like any other function
    const cube = (t: Tensor) => Cubed.apply(t, 1).sum();
    near(
      func.vmap(func.grad(cube))(
        make([
          [1, 2],
          [3, 4],
        ]),
      ),
      [
        [3, 12],
        [27, 48],
      ],
    );
    near(
      func.grad((t: Tensor) => func.vmap(cube)(t).sum())(
        make([
          [1, 2],
          [3, 4],
        ]),
      ),
      [
        [3, 12],
        [27, 48],
      ],
    );
    near(func.hessian(cube)(make([1, 2])), [
      [6, 0],
      [0, 12],
    ]);
    near(func.jvp((t: Tensor) => Exp.apply(t), [make([0])], [make([2])])[1], [2]);
    const leaf = make([0.5], true);
    near(autograd.grad(checkpoint((t: Tensor) => Exp.apply(t.mul(2)).sin(), leaf).sum(), [leaf])[0]!, [
      2 * Math.E * Math.cos(Math.E),
    ]);
    const [d2] = autograd.grad(autograd.grad(Exp.apply(leaf).sum(), [leaf], { createGraph: true })[0]!.sum(), [
      leaf,
    ]) as [Tensor];
    near(d2, [Math.exp(0.5)]);
    const [h] = control.scan(
      (c: Tensor, s: Tensor) => [Cubed.apply(c, 1).add(s), undefined],
      leaf,
      make([[0.1], [0.2]]),
    );
    const u = 0.5 ** 3 + 0.1;
    near(autograd.grad(h.sum(), [leaf])[0]!, [3 * u ** 2 * 3 * 0.25]);
  });
  test('straight-through estimator, gradient reversal', () => {
    const x = make([0.2, 1.7], true);
    StraightThrough.apply(x)
      .mul(make([3, 4]))
      .sum()
      .backward();
    near(x.grad!, [3, 4]);
    x.grad = null;
    const y = ReverseGradient.apply(x, 0.5);
    near(y, [0.2, 1.7]);
    y.square().sum().backward();
    near(x.grad!, [-0.2, -1.7]);
  });
  test('an RNN written as a scan', () => {
    const [wx, wh] = [values([2, 3], 34, true), values([3, 3], 35, true)];
    const step = (h: Tensor, x: Tensor) => {
      const next = x.matmul(wx).add(h.matmul(wh)).tanh();
      return [next, next] as const;
    };
    const [, hs] = control.scan(step, values([1, 3], 36), values([6, 1, 2], 37));
    hs.square().sum().backward();
    near(hs, golden.rnn![0]);
    near(wx.grad!, golden.rnn![1], 5);
    near(wh.grad!, golden.rnn![2], 5);
    expect(stack([hs.select(0, 0)]).shape).toEqual([1, 1, 3]);
  });
});
