import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostTarget, type Target, targetOf } from '../target.ts';
import { emitGemm, gemmPrelude, planGemm } from './index.ts';
import type { GemmSpec } from './spec.ts';
import { compileMultiplies, type Elements, operandSpans, reference, type TestCase } from './testing.ts';

const targets: readonly Target[] = [targetOf('avx512'), targetOf('avx2'), targetOf('generic')];
const host = hostTarget().isa;
/** This machine can run the code: a processor with AVX-512 has AVX2 too. */
const runs = ({ isa }: Target): boolean => isa === 'generic' || isa === host || (isa === 'avx2' && host === 'avx512');

/** Any sizes up to the edges of a few tiles, contiguous operands in either order, padded, with batches repeated or not. */
const specs: fc.Arbitrary<GemmSpec> = fc
  .record({
    elementType: fc.constantFrom('f32', 'f32', 'f64'),
    m: size(70),
    n: size(120),
    k: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 90 }), fc.constant(700)),
    batch: fc.array(
      fc.record({ size: fc.integer({ min: 1, max: 3 }), repeat: fc.constantFrom('none', 'none', 'a', 'b') }),
      {
        maxLength: 2,
      },
    ),
    order: fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.constantFrom(true, true, false) }),
    gap: fc.record({ a: gap(), b: gap(), c: gap() }),
    step: fc.record({ a: step(), b: step(), c: step() }),
  })
  .map(({ elementType, m, n, k, batch, order, gap, step }) => {
    const strides = (rows: number, columns: number, rowMajor: boolean, gap: number, step: number): [number, number] =>
      rowMajor ? [columns * step + gap, step] : [step, rows * step + gap];
    const a = strides(m, k, order.a, gap.a, step.a);
    const b = strides(k, n, order.b, gap.b, step.b);
    const c = strides(m, n, order.c, gap.c, step.c);
    const sizes = { a: Math.max(m * a[0], k * a[1]), b: Math.max(k * b[0], n * b[1]), c: Math.max(m * c[0], n * c[1]) };
    const dims: GemmSpec['batch'][number][] = [];
    for (const { size, repeat } of batch) {
      dims.unshift({ size, a: repeat === 'a' ? 0 : sizes.a, b: repeat === 'b' ? 0 : sizes.b, c: sizes.c });
      if (repeat !== 'a') sizes.a *= size;
      if (repeat !== 'b') sizes.b *= size;
      sizes.c *= size;
    }
    return {
      elementType,
      m,
      n,
      k,
      batch: dims,
      a: { m: a[0], k: a[1] },
      b: { k: b[0], n: b[1] },
      c: { m: c[0], n: c[1] },
    } as const;
  });

function size(max: number): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(0, 1, 2, 3), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max }));
}
function gap(): fc.Arbitrary<number> {
  return fc.constantFrom(0, 0, 0, 1, 5);
}
function step(): fc.Arbitrary<number> {
  return fc.constantFrom(1, 1, 1, 1, 2);
}

const plain = { elementType: 'f32', batch: [] } as const;
/** Shapes of real programs, smaller: each way that a plan can go. */
const chosen: readonly GemmSpec[] = [
  // Linear layer: forward, dX, dW; several passes over k, several chunks.
  { ...plain, m: 83, n: 150, k: 1100, a: { m: 1100, k: 1 }, b: { k: 150, n: 1 }, c: { m: 150, n: 1 } },
  { ...plain, m: 83, n: 150, k: 1100, a: { m: 1100, k: 1 }, b: { k: 1, n: 1100 }, c: { m: 150, n: 1 } },
  { ...plain, m: 83, n: 150, k: 1100, a: { m: 1, k: 83 }, b: { k: 150, n: 1 }, c: { m: 150, n: 1 } },
  {
    ...plain,
    elementType: 'f64',
    m: 83,
    n: 150,
    k: 1100,
    a: { m: 1, k: 83 },
    b: { k: 1, n: 1100 },
    c: { m: 1, n: 83 },
  },
  // The same over [batch, sequence]: folds into rows.
  {
    ...plain,
    batch: [{ size: 3, a: 17 * 40, b: 0, c: 17 * 64 }],
    m: 17,
    n: 64,
    k: 40,
    a: { m: 40, k: 1 },
    b: { k: 64, n: 1 },
    c: { m: 64, n: 1 },
  },
  // Attention in [batch, sequence, head, dim]: Q Kᵀ and P V.
  {
    ...plain,
    batch: [
      { size: 2, a: 40 * 96, b: 40 * 96, c: 3 * 1600 },
      { size: 3, a: 32, b: 32, c: 1600 },
    ],
    m: 40,
    n: 40,
    k: 32,
    a: { m: 96, k: 1 },
    b: { k: 1, n: 96 },
    c: { m: 40, n: 1 },
  },
  {
    ...plain,
    batch: [
      { size: 2, a: 3 * 1600, b: 40 * 96, c: 40 * 96 },
      { size: 3, a: 1600, b: 32, c: 32 },
    ],
    m: 40,
    n: 32,
    k: 40,
    a: { m: 40, k: 1 },
    b: { k: 96, n: 1 },
    c: { m: 96, n: 1 },
  },
  // Vectors, classifier heads, outer products, repeated operands.
  { ...plain, m: 1, n: 500, k: 300, a: { m: 300, k: 1 }, b: { k: 500, n: 1 }, c: { m: 500, n: 1 } },
  { ...plain, m: 500, n: 1, k: 300, a: { m: 300, k: 1 }, b: { k: 1, n: 300 }, c: { m: 1, n: 1 } },
  { ...plain, m: 500, n: 1, k: 300, a: { m: 1, k: 500 }, b: { k: 1, n: 1 }, c: { m: 1, n: 500 } },
  { ...plain, m: 8, n: 2, k: 770, a: { m: 770, k: 1 }, b: { k: 1, n: 770 }, c: { m: 2, n: 1 } },
  { ...plain, m: 8, n: 2, k: 770, a: { m: 770, k: 1 }, b: { k: 2, n: 1 }, c: { m: 2, n: 1 } },
  { ...plain, m: 770, n: 2, k: 8, a: { m: 1, k: 770 }, b: { k: 2, n: 1 }, c: { m: 2, n: 1 } },
  { ...plain, m: 90, n: 110, k: 1, a: { m: 1, k: 1 }, b: { k: 1, n: 1 }, c: { m: 110, n: 1 } },
  { ...plain, m: 20, n: 30, k: 50, a: { m: 0, k: 1 }, b: { k: 30, n: 1 }, c: { m: 30, n: 1 } },
  { ...plain, m: 20, n: 30, k: 50, a: { m: 50, k: 1 }, b: { k: 0, n: 1 }, c: { m: 30, n: 1 } },
  { ...plain, m: 20, n: 30, k: 50, a: { m: 1, k: 0 }, b: { k: 1, n: 0 }, c: { m: 30, n: 1 } },
  { ...plain, m: 5, n: 6, k: 0, a: { m: 0, k: 1 }, b: { k: 6, n: 1 }, c: { m: 6, n: 1 } },
  { ...plain, m: 0, n: 6, k: 3, a: { m: 3, k: 1 }, b: { k: 6, n: 1 }, c: { m: 6, n: 1 } },
];

describe.each(targets.filter(runs))('multiplies for $isa', target => {
  test('the shapes of programs', () => checkAll(chosen, target), compileMs);
  test(
    'random sizes, strides and batches',
    () => checkAll(fc.sample(specs, { numRuns: 30, seed: 20 }), target),
    compileMs,
  );
});

test('a multiply is the same whatever comes before it in the unit', () => {
  const [spec] = chosen;
  const target = targetOf('generic');
  const cases = ['first', 'second'].map(name => ({ name, spec: spec! }));
  const text = [gemmPrelude(target), ...cases.map(({ name, spec }) => emitGemm(name, spec, target))].join('\n');
  const multiplies = compileMultiplies(cases, target, text);
  const [first, second] = cases.map(({ name }) => run(multiplies.get(name)!, spec!, 1));
  expect(second).toEqual(first);
});

test('code for other machines prints', () => {
  for (const spec of chosen) expect(emitGemm('multiply', spec, targetOf('neon'))).toContain('static void multiply(');
});

test('batches over contiguous rows fold, products of few rows run along k', () => {
  const folded = planGemm(chosen[4]!, targetOf('avx512'));
  expect(folded.problem).toMatchObject({ m: 51, n: 64, batch: [] });
  expect(planGemm(chosen[10]!, targetOf('avx512')).kind).toBe('dot');
  expect(planGemm(chosen[17]!, targetOf('avx512')).kind).toBe('empty');
});

test('every tile leaves registers for its operands', () => {
  fc.assert(
    fc.property(
      fc.nat(300),
      fc.nat(300),
      fc.nat(300),
      fc.constantFrom(...targets, targetOf('neon')),
      (m, n, k, target) => {
        const plan = planGemm({ ...chosen[0]!, m: m + 1, n: n + 1, k: k + 1 }, target);
        if (plan.kind !== 'tiled') return;
        const { rows, vectors } = plan.tile;
        expect(rows * vectors + vectors + 1).toBeLessThanOrEqual(target.registers);
      },
    ),
    { seed: 3, numRuns: 200 },
  );
});

/** Compares with the truth in f64, and requires equal bits of any number of workers and untouched gaps in C. */
function checkAll(all: readonly GemmSpec[], target: Target): void {
  const cases: TestCase[] = all.map((spec, i) => ({ name: `multiply${i}`, spec }));
  const multiplies = compileMultiplies(cases, target);
  for (const { name, spec } of cases) {
    const context = JSON.stringify(spec);
    const multiply = multiplies.get(name)!;
    const one = run(multiply, spec, 1);
    const truth = new Float64Array(one.length).fill(untouched);
    const magnitude = new Float64Array(one.length);
    const { a, b } = operands(spec);
    reference(spec, a, b, truth, magnitude);
    const epsilon = spec.elementType === 'f64' ? 2 ** -52 : 2 ** -23;
    const wrong = one.findIndex(
      (x, i) => !(Math.abs(x - truth[i]!) <= magnitude[i]! * epsilon * (2 + Math.sqrt(spec.k))),
    );
    expect(wrong, context).toBe(-1);
    for (const workers of [2, 33])
      expect(sameBits(run(multiply, spec, workers), one), `${workers} workers: ${context}`).toBe(true);
  }
}

/** A unit of so many multiplies takes a few seconds to compile, more beside other work. */
const compileMs = 60_000;
const untouched = -12345;

function run(
  multiply: (workers: number, a: Elements, b: Elements, c: Elements) => void,
  spec: GemmSpec,
  workers: number,
): Elements {
  const { a, b } = operands(spec);
  const length = operandSpans(spec).c;
  const c = (spec.elementType === 'f64' ? new Float64Array(length) : new Float32Array(length)).fill(untouched);
  multiply(workers, a, b, c);
  return c;
}

function operands(spec: GemmSpec): { a: Elements; b: Elements } {
  const { a, b } = operandSpans(spec);
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const fill = (length: number): Elements =>
    (spec.elementType === 'f64' ? new Float64Array(length) : new Float32Array(length)).map(next);
  return { a: fill(a), b: fill(b) };
}

function sameBits(x: Elements, y: Elements): boolean {
  return Buffer.from(x.buffer).equals(Buffer.from(y.buffer));
}
