// Transformations of functions, and their compositions, compared with results computed by hand or simpler transformations.
import { describe, expect, test } from 'vitest';
import { codeOf, errorOf, modes, tolerance } from '../autograd/modes.testing.ts';
import { autograd, cat, compile, enableGrad, func, noGrad, randomBits, record } from '../index.ts';
import type { Tensor } from '../tensor.ts';

describe.each(modes)('$name', mode => {
  const { make, device } = mode;
  const near = (got: Tensor, expected: unknown): void => {
    expect(
      errorOf(got, expected as number[]),
      `${JSON.stringify(got.toArray())} ${JSON.stringify(expected)}`,
    ).toBeLessThan(tolerance(mode));
  };
  const x = () => make([1, 2, 3]);
  const cube = (t: Tensor) => t.pow(3).sum();

  test('grad: nested, of several arguments, with aux', () => {
    near(func.grad(cube)(x()), [3, 12, 27]);
    near(func.grad((t: Tensor) => func.grad(cube)(t).sum())(x()), [6, 12, 18]);
    const product = (a: Tensor, b: Tensor) => a.mul(b).sum();
    const [da, db] = func.grad(product, { argnums: [0, 1] })(x(), make([4, 5, 6])) as [Tensor, Tensor];
    near(da, [4, 5, 6]);
    near(db, [1, 2, 3]);
    const [g, aux] = func.grad((t: Tensor) => [cube(t), t.mul(2)] as const, { hasAux: true })(x());
    near(g, [3, 12, 27]);
    near(aux, [2, 4, 6]);
    const [value, gradient] = func.valueAndGrad(cube)(x());
    near(value, 36);
    near(gradient, [3, 12, 27]);
    near(func.gradAndValue(cube)(x())[1], 36);
    const nested = func.grad((p: { w: Tensor; b: Tensor }) => p.w.mul(2).add(p.b).sum())({ w: x(), b: x() });
    near(nested.w, [2, 2, 2]);
    near(nested.b, [1, 1, 1]);
  });
  test('nested levels are kept apart', () => {
    // d/dx (x · d/dy (x + y)) = 1
    const f = (a: Tensor) => a.mul(func.grad((b: Tensor) => a.add(b).sum())(a.detach()));
    near(func.grad((a: Tensor) => f(a).sum())(make([2])), [1]);
    const detached = func.grad((a: Tensor) => func.grad(cube)(a).detach().mul(a).sum())(make([2]));
    near(detached, [12]);
  });
  test('compose with autograd, inside and outside', () => {
    const w = make([1, 2, 3], true);
    func.grad(cube)(w).sum().backward();
    near(w.grad!, [6, 12, 18]);
    expect(noGrad(() => func.grad(cube)(w)).requiresGrad).toBe(false);
    near(
      noGrad(() => func.grad(cube)(w)),
      [3, 12, 27],
    );
    near(
      noGrad(() => enableGrad(() => func.grad(cube)(w))),
      [3, 12, 27],
    );
    const [dw] = autograd.grad(
      func
        .vmap((t: Tensor) => t.square())(w)
        .sum(),
      [w],
    ) as [Tensor];
    near(dw, [2, 4, 6]);
  });
  test('vjp and jvp', () => {
    const [y, pull] = func.vjp((a: Tensor, b: Tensor) => ({ p: a.mul(b), q: a.sum() }), x(), make([4, 5, 6]));
    near(y.p, [4, 10, 18]);
    const [da, db] = pull({ p: make([1, 1, 1]), q: make(10) });
    near(da, [14, 15, 16]);
    near(db, [1, 2, 3]);
    near(pull([make([0, 0, 1]), make(0)])[1], [0, 0, 3]);
    const [value, tangent] = func.jvp((t: Tensor) => t.pow(3), [x()], [make([1, 0, 2])]);
    near(value, [1, 8, 27]);
    near(tangent, [3, 0, 54]);
    const along = (t: Tensor) => func.jvp(cube, [t], [make([1, 1, 1])])[1];
    near(func.grad((t: Tensor) => along(t))(x()), [6, 12, 18]);
    near(func.jvp((t: Tensor) => func.jvp(cube, [t], [make([1, 0, 0])])[1], [x()], [make([1, 0, 0])])[1], 6);
  });
  test('jacrev, jacfwd, hessian', () => {
    const f = (t: Tensor) => cat([t.square(), t.sum(0, true)]);
    const expected = [
      [2, 0, 0],
      [0, 4, 0],
      [0, 0, 6],
      [1, 1, 1],
    ];
    near(func.jacrev(f)(x()), expected);
    near(func.jacfwd(f)(x()), expected);
    near(func.jacrev(f, { chunkSize: 3 })(x()), expected);
    near(func.jacfwd(f, { chunkSize: 2 })(x()), expected);
    near(func.hessian(cube)(x()), [
      [6, 0, 0],
      [0, 12, 0],
      [0, 0, 18],
    ]);
    near(func.jacrev(func.jacrev(cube))(x()), [
      [6, 0, 0],
      [0, 12, 0],
      [0, 0, 18],
    ]);
  });
  test('vmap over dims, structures, chunks', () => {
    const m = () =>
      make([
        [1, 2, 3],
        [4, 5, 6],
      ]);
    const dot = (a: Tensor, b: Tensor) => a.mul(b).sum();
    near(func.vmap(dot)(m(), m()), [14, 77]);
    near(func.vmap(dot, { inDims: [0, null] })(m(), x()), [14, 32]);
    near(func.vmap(dot, { inDims: [1, 1] })(m(), m()), [17, 29, 45]);
    near(func.vmap((t: Tensor) => t.mul(2), { outDims: 1 })(m()), [
      [2, 8],
      [4, 10],
      [6, 12],
    ]);
    near(func.vmap((s: { a: Tensor }) => [s.a.sum()], { inDims: [{ a: -1 }] })({ a: m() })[0]!, [5, 7, 9]);
    near(func.vmap(dot, { chunkSize: 1 })(m(), m()), [14, 77]);
    near(func.vmap(func.vmap((a: Tensor) => a.square()))(m()), [
      [1, 4, 9],
      [16, 25, 36],
    ]);
    near(func.vmap((a: Tensor) => func.vmap((b: Tensor) => a.mul(b).sum())(m()))(m()), [
      [14, 32],
      [32, 77],
    ]);
    near(func.vmap((_: Tensor) => make(7), { inDims: 0 })(m()), [7, 7]);
    expect(codeOf(() => func.vmap(dot)(m(), x()))).toBe('VMAP_DIMS');
    expect(codeOf(() => func.vmap(dot, { inDims: null })(m(), m()))).toBe('VMAP_DIMS');
    expect(codeOf(() => func.vmap(dot, { inDims: [0, 5] })(m(), m()))).toBe('VMAP_DIMS');
    expect(codeOf(() => func.vmap((a: Tensor) => a, { outDims: null })(m()))).toBe('VMAP_DIMS');
    expect(codeOf(() => func.vmap((a: Tensor) => a.sum().item())(m()))).toBe('READ_IN_FUNCTION');
    const state = make([0, 0, 0]);
    expect(codeOf(() => func.vmap((a: Tensor) => state.assign_(a))(m()))).toBe('SIDE_EFFECT');
    expect(state.toArray()).toEqual([0, 0, 0]);
  });
  test('per-sample gradients', () => {
    const w = make([1, -1, 0.5]);
    const xs = make([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const ys = make([1, 2]);
    const loss = (p: Tensor, a: Tensor, b: Tensor) => p.mul(a).sum().sub(b).square();
    const all = func.vmap(func.grad(loss), { inDims: [null, 0, 0] })(w, xs, ys);
    near(all, [
      [-1, -2, -3],
      [0, 0, 0],
    ]);
    device.markStep();
    const f = compile((p: Tensor) => func.vmap(func.grad(loss), { inDims: [null, 0, 0] })(p, xs, ys));
    near(f(w), [
      [-1, -2, -3],
      [0, 0, 0],
    ]);
  });
  test('random numbers in vmap', () => {
    const noisy = (t: Tensor) => t.add(t.mul(0).add(1).mul(randomLike(t)));
    const zeros = make([
      [0, 0],
      [0, 0],
    ]);
    expect(codeOf(() => func.vmap(noisy)(zeros))).toBe('RANDOM_IN_VMAP');
    const [a, b] = func.vmap(noisy, { randomness: 'same' })(zeros).toArray() as [number[], number[]];
    expect(a).toEqual(b);
    const [c, d] = func.vmap(noisy, { randomness: 'different' })(zeros).toArray() as [number[], number[]];
    expect(c).not.toEqual(d);
    expect(codeOf(() => func.vmap(noisy, { randomness: 'some' as 'same' })(zeros))).toBe('INVALID_OPTION');
  });
  const randomLike = (t: Tensor): Tensor =>
    record(
      'noise',
      [t],
      (b, [v], trace) =>
        b.convert(randomBits(b, trace, device, t.shape), t.type.elementType === 'f32' ? 'f32' : 'f64') ?? v!,
    );
});
