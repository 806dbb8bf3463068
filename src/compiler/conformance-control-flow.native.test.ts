// Control flow and barriers, compiled and compared with the interpreter. All cases of a test are one program, so that gcc only
// runs a few times.
import { test, vi } from 'vitest';
import type { Builder } from '../hlo/builder.ts';
import type { Value } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';
import { Batch } from './testing/batch.testing.ts';
import { wave } from './testing/sample-values.testing.ts';

// gcc is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

test('within the regions of map and reduce', () => {
  const t = new Batch();
  const { b } = t;
  const [S, I] = [tensorType('f32'), tensorType('i32')];
  const number = (inner: Builder, value: number): Value => inner.fill('i32', [], value);
  const x = t.arg('f32', [40], wave);
  const y = t.arg('f32', [40], i => wave(i + 3));
  const iterated = b.region([S, S], (c, [p, q]) => {
    const condition = c.region([S, I], (d, [, n]) => [d.compare('LT', n!, number(d, 3))]);
    const body = c.region([S, I], (d, [u, n]) => [d.add(d.unary('sine', u!), q!), d.add(n!, number(d, 1))]);
    const [w] = c.emit('while', [p!, number(c, 0)], {}, [condition, body]);
    const branches = [c.region([], d => [d.negate(w!), p!]), c.region([], () => [w!, q!])];
    const [u, v] = c.emit('if', [c.compare('GT', p!, q!)], {}, branches);
    return [c.add(u!, v!)];
  });
  t.result('map', b.emit1('map', [x, y], { dimensions: [0] }, [iterated]));
  const chosen = b.region([S, S], (c, [p, q]) => {
    const branches = [c.region([], d => [d.minimum(p!, q!)]), c.region([], d => [d.maximum(p!, q!)])];
    const [v] = c.emit('case', [c.convert(c.compare('GT', c.add(p!, q!), c.fill('f32', [], 0)), 'i32')], {}, branches);
    return [c.emit1('chlo.square', [v!], {})];
  });
  t.result('reduce', b.emit1('reduce', [x, b.fill('f32', [], 0.5)], { dimensions: [0] }, [chosen]));
  t.check(1e-5);
});

test('while, if, case', () => {
  const t = new Batch();
  const { b } = t;
  const x = t.arg('f32', [4, 5], wave);
  const i32 = tensorType('i32');
  const f = tensorType('f32', [4, 5]);
  const scaled = b.unary('exponential', b.multiply(x, b.like(x, 0.1)));
  const cond = b.region([i32, f, f], (c, [i]) => [c.compare('LT', i!, c.fill('i32', [], 5))]);
  const body = b.region([i32, f, f], (c, [i, p, q]) => [
    c.add(i!, c.fill('i32', [], 1)),
    q!,
    c.add(p!, c.multiply(q!, scaled)),
  ]);
  t.result('while', ...b.emit('while', [b.fill('i32', [], 0), x, b.negate(x)], {}, [cond, body]));
  for (const value of [0, 1]) {
    const predicate = t.arg('i1', [], () => value);
    const branches = [
      b.region([], c => [c.add(x, scaled), c.sum(x, [0])]),
      b.region([], c => [c.transpose(c.reshape(x, [5, 4]), [1, 0]), c.sum(scaled, [0])]),
    ];
    t.result(`if ${value}`, ...b.emit('if', [predicate], {}, branches));
  }
  for (const value of [-1, 0, 1, 2, 7]) {
    const index = t.arg('i32', [], () => value);
    t.result(
      `case ${value}`,
      ...b.emit(
        'case',
        [index],
        {},
        [0, 1, 2].map(k => b.region([], c => [c.add(x, c.like(x, k))])),
      ),
    );
  }
  t.check(1e-4);
});

test('a barrier between a constant and more ops than one kernel holds', () => {
  const t = new Batch();
  const x = t.arg('f64', [20, 20], wave);
  const [two] = t.b.emit('optimization_barrier', [t.b.fill('f64', [], 2)], {});
  let y: Value = x;
  for (let i = 0; i < 300; i++)
    y = t.b.divide(
      t.b.add(y, t.b.like(x, i)),
      i % 20 === 0 ? t.b.broadcastInDim(two!, [], [20, 20]) : t.b.like(x, 1.5),
    );
  t.result('chain', y);
  t.check();
});
