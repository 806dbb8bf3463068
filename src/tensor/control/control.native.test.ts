// Loops and branches in the step, compared with the same computation unrolled: values, gradients, gradients of gradients.
import { describe, expect, test } from 'vitest';
import { codeOf, errorOf, fewModes, tolerance } from '../autograd/modes.testing.ts';
import { autograd, compile, control, func, noGrad, stack, zeros } from '../index.ts';
import type { Tensor } from '../tensor.ts';

describe.each(fewModes)('$name', mode => {
  const { make, device, dtype } = mode;
  const near = (got: Tensor, expected: Tensor | unknown): void => {
    const want = (expected as Tensor).toArray?.() ?? expected;
    expect(errorOf(got, want as number[]), `${JSON.stringify(got.toArray())} ${JSON.stringify(want)}`).toBeLessThan(
      tolerance(mode),
    );
  };
  const cell = (wx: Tensor, wh: Tensor) => (h: Tensor, x: Tensor) => {
    const next = x.matmul(wx).add(h.matmul(wh)).tanh();
    return [next, next.mul(2)] as const;
  };
  const unrolled = (
    f: (h: Tensor, x: Tensor) => readonly [Tensor, Tensor],
    h0: Tensor,
    xs: Tensor,
    reverse = false,
  ) => {
    let h = h0;
    const ys: Tensor[] = [];
    for (let t = 0; t < xs.shape[0]!; t++) {
      const at = reverse ? xs.shape[0]! - 1 - t : t;
      const [next, y] = f(h, xs.select(0, at));
      h = next;
      ys[at] = y;
    }
    return [h, stack(ys)] as const;
  };
  const data = () => ({
    wx: make(
      [
        [0.5, -0.3],
        [0.2, 0.1],
      ],
      true,
    ),
    wh: make(
      [
        [0.1, 0.4],
        [-0.2, 0.3],
      ],
      true,
    ),
    h0: make([[0.1, -0.1]], true),
    xs: make([[[1, 2]], [[-1, 0.5]], [[0.3, 0.7]]], true),
  });

  test.each([false, true])('scan equals the unrolled loop, reverse: %s', reverse => {
    const { wx, wh, h0, xs } = data();
    const inputs = [wx, wh, h0, xs];
    const results = [control.scan(cell(wx, wh), h0, xs, { reverse }), unrolled(cell(wx, wh), h0, xs, reverse)].map(
      ([h, ys]) => {
        const loss = h.square().sum().add(ys.pow(3).sum());
        const gs = autograd.grad(loss, inputs, { createGraph: true });
        const penalty = gs.map(g => g.square().sum()).reduce((a, b) => a.add(b));
        return { h, ys, gs, second: autograd.grad(penalty, inputs) };
      },
    );
    const [a, b] = results as [(typeof results)[0], (typeof results)[0]];
    near(a.h, b.h);
    near(a.ys, b.ys);
    for (const [i, g] of a.gs.entries()) near(g, b.gs[i]!);
    for (const [i, g] of a.second.entries()) near(g, b.second[i]!);
  });
  test('scan in a compiled step, with backward', () => {
    const { wx, wh, h0, xs } = data();
    const step = compile((x: Tensor) => {
      wx.zeroGrad();
      const [h] = control.scan(cell(wx, wh), h0, x);
      h.sum().backward();
      return h;
    });
    step(xs);
    const expected = unrolled(cell(wx, wh), h0, xs)[0];
    const [g] = autograd.grad(expected.sum(), [wx]) as [Tensor];
    near(wx.grad!, g);
    step(xs);
    near(wx.grad!, g);
  });
  test('scan with structures, other dims, no inputs, no iterations', () => {
    const [state, ys] = control.scan(
      (s: { i: Tensor; sum: Tensor }, x: readonly [Tensor]) => [
        { i: s.i.add(1), sum: s.sum.add(x[0]) },
        { y: s.sum, x: x[0] },
      ],
      { i: make(0), sum: make([0, 0]) },
      [
        make([
          [1, 2, 3],
          [4, 5, 6],
        ]),
      ] as const,
      { dim: 1 },
    ) as unknown as [{ i: Tensor; sum: Tensor }, { y: Tensor; x: Tensor }];
    expect(state.i.item()).toBe(3);
    expect(state.sum.toArray()).toEqual([6, 15]);
    expect(ys.y.toArray()).toEqual([
      [0, 0],
      [1, 4],
      [3, 9],
    ]);
    const [twice] = control.scan((c: Tensor) => [c.mul(2), undefined], make(1), undefined, { length: 5 });
    expect(twice.item()).toBe(32);
    const [none, nothing] = control.scan((c: Tensor, x: Tensor) => [c, x.mul(2)], make(7), make([[1]]).narrow(0, 0, 0));
    expect([none.item(), nothing.shape]).toEqual([7, [0, 1]]);
    expect(codeOf(() => control.scan((c: Tensor, x: Tensor) => [c.reshape(1), x], make(1), make([1])))).toBe(
      'LOOP_TYPES',
    );
    expect(
      codeOf(() => control.scan((c: Tensor, x: readonly Tensor[]) => [c, x], make(1), [make([1]), make([1, 2])])),
    ).toBe('LOOP_TYPES');
    expect(codeOf(() => control.scan((c: Tensor, x: Tensor) => [c.mul(x.item()), x], make(1), make([1])))).toBe(
      'READ_IN_FUNCTION',
    );
    expect(
      codeOf(() =>
        control.scan(((c: Tensor) => c) as unknown as (c: Tensor, x: Tensor) => [Tensor, Tensor], make(1), make([1])),
      ),
    ).toBe('WRONG_ARGUMENT');
  });
  test('a carry that starts as a constant depends on parameters after an iteration', () => {
    const w = make([2], true);
    const [c] = control.scan(
      (h: Tensor, x: Tensor) => [h.add(x.mul(w)), undefined],
      zeros([1], { device, dtype }),
      make([[1], [2], [3]]),
    );
    c.square().sum().backward();
    near(w.grad!, [144]);
    expect(noGrad(() => control.scan((h: Tensor, x: Tensor) => [h.mul(w), x], w, make([1]))[0]).requiresGrad).toBe(
      false,
    );
  });
  test('no gradient flows through values that are detached in the body', () => {
    const w = make([2], true);
    const [c] = control.scan(
      (h: Tensor, x: Tensor) => [h.detach().mul(w).add(x.mul(0)), undefined],
      make([1]),
      make([[1], [1]]),
    );
    c.sum().backward();
    near(w.grad!, [2]);
  });
  test('vmap and grad of scan, scan of vmap', () => {
    const { wx, wh, h0, xs } = data();
    const run = (h: Tensor, x: Tensor) => control.scan(cell(wx, wh), h, x)[0].square().sum();
    const batchH = stack([h0, h0.mul(2)]);
    const batchX = stack([xs, xs.neg()]);
    const got = func.vmap(run)(batchH, batchX);
    const expected = [0, 1].map(i => run(batchH.select(0, i), batchX.select(0, i)));
    near(got, stack(expected));
    const inside = func.vmap(func.grad(run))(batchH, batchX);
    near(inside, stack([0, 1].map(i => func.grad(run)(batchH.select(0, i), batchX.select(0, i)))));
    const [outside] = autograd.grad(got.sum(), [wx]) as [Tensor];
    const [want] = autograd.grad(
      expected.reduce((a, b) => a.add(b)),
      [wx],
    ) as [Tensor];
    near(outside, want);
    const tangent = func.jvp(run, [h0, xs], [h0.mul(0).add(1), xs.mul(0)])[1];
    near(tangent, func.grad(run)(h0, xs).sum());
  });
  test('cond runs and differentiates one branch', () => {
    const w = make([3], true);
    const f = (x: Tensor) =>
      control.cond(
        x.sum().gt(0),
        (y: Tensor) => y.mul(w).square(),
        (y: Tensor) => y.sub(w).pow(3),
        [x],
      );
    for (const [value, y, dw, dww] of [
      [2, 36, 24, 8],
      [-1, -64, -48, -24],
    ] as const) {
      const x = make([value]);
      const got = f(x);
      near(got, [y]);
      const [g] = autograd.grad(got.sum(), [w], { createGraph: true }) as [Tensor];
      near(g, [dw]);
      near(autograd.grad(g.sum(), [w])[0]!, [dww]);
    }
    // 1/x is not computed if x is 0
    const safe = (x: Tensor) =>
      control.cond(
        x.eq(0),
        () => x.mul(0),
        () => x.reciprocal(),
      );
    near(func.grad((x: Tensor) => safe(x).sum())(make(0)), 0);
    const all = make([[2], [-1]]);
    near(func.vmap(f)(all), [[36], [-64]]);
    near(autograd.grad(func.vmap(f)(all).sum(), [w])[0]!, [-24]);
    expect(
      control.cond(
        true,
        () => 1,
        () => 2,
      ),
    ).toBe(1);
    expect(
      codeOf(() =>
        control.cond(
          w as unknown as boolean,
          () => w,
          () => w,
        ),
      ),
    ).toBe('WRONG_ARGUMENT');
    expect(
      codeOf(() =>
        control.cond(
          w.sum().gt(0),
          () => w,
          () => w.sum(),
        ),
      ),
    ).toBe('LOOP_TYPES');
    const state = make([0]);
    expect(
      codeOf(() =>
        control.cond(
          w.sum().gt(0),
          () => state.add_(1),
          () => w,
        ),
      ),
    ).toBe('SIDE_EFFECT');
    expect(state.toArray()).toEqual([0]);
    const branches = [(x: Tensor) => x.mul(w), (x: Tensor) => x.add(w), (x: Tensor) => x.mul(10).add(w.mul(0))];
    const picked = [0, 1, 2, 9].map(i => control.switch(make(i).to('i32'), branches, [make([2])]));
    for (const [i, p] of picked.entries()) near(p, [[6], [5], [20], [20]][i]);
    near(autograd.grad(stack(picked).sum(), [w])[0]!, [3]);
  });
  test('while, with and without a maximum number of iterations', () => {
    const x = make(1.5, true);
    const double = (options = {}) =>
      control.while(
        (v: Tensor) => v.abs().lt(20),
        (v: Tensor) => [v.mul(v.abs().add(1))],
        [x],
        options,
      )[0]!;
    const y = double();
    near(y, 17.8125 * 18.8125);
    expect(codeOf(() => y.backward())).toBe('NOT_DIFFERENTIABLE');
    const bounded = double({ maxTrips: 6 });
    near(bounded, 17.8125 * 18.8125);
    let [v, slope] = [1.5, 1];
    while (v < 20) [v, slope] = [v * (v + 1), slope * (2 * v + 1)];
    near(autograd.grad(bounded, [x])[0]!, slope);
    near(double({ maxTrips: 1 }), 3.75);
    const counts = func.vmap(
      (n: Tensor) =>
        control.while(
          (i: Tensor) => i.lt(n),
          (i: Tensor) => [i.add(1)],
          [n.mul(0)],
        )[0]!,
    )(make([3, 0, 5]));
    near(counts, [3, 0, 5]);
    expect(
      codeOf(() =>
        control.while(
          (a: Tensor) => a,
          (a: Tensor) => [a],
          [x],
        ),
      ),
    ).toBe('WRONG_ARGUMENT');
    expect(
      codeOf(() =>
        control.while(
          (a: Tensor) => a.lt(1),
          (a: Tensor) => [a.reshape(1)],
          [x],
        ),
      ),
    ).toBe('LOOP_TYPES');
  });
});
