import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounderOf } from '../../../../hlo/element-codec.ts';
import type { GemmElementType, GemmSpec } from '../../../ir/multiply.ts';
import { testCompiler } from '../../../testing/c-compiler.testing.ts';
import { canHaveEpilogue, planGemm } from '../../gemm/gemm-plan.ts';
import { resultTypeOf } from '../../gemm/problem.ts';
import { type CpuTarget, hostTarget, targetOf } from '../../target/target.ts';
import { gemmUnit } from './gemm-unit.testing.ts';
import { gemmPrelude } from './index.ts';
import {
  compileMultiplies,
  type Elements,
  elementsOf,
  numberOf,
  operandSpans,
  reference,
  storageOf,
  type TestCase,
} from './multiply.testing.ts';

const targets: readonly CpuTarget[] = [
  targetOf('avx512', { bf16: 'pairs' }),
  targetOf('avx512'),
  targetOf('avx2', { f16: true }),
  targetOf('avx2'),
  targetOf('generic'),
];
const host = hostTarget();
/** This machine can run the code: a processor with AVX-512 has AVX2 too. */
const runs = (t: CpuTarget): boolean =>
  (t.isa === 'generic' || t.isa === host.isa || (t.isa === 'avx2' && host.isa === 'avx512')) &&
  (t.bf16 === 'none' || host.bf16 !== 'none') &&
  (!t.f16 || host.f16);
const kindOf = (t: CpuTarget): string => [t.isa, t.bf16 === 'none' ? '' : ' bf16', t.f16 ? ' f16' : ''].join('');

const all = targets.filter(runs).map(target => [kindOf(target), target] as const);

/** Any sizes up to the edges of a few tiles, contiguous operands in either order, padded, with batches repeated or not. */
const specs: fc.Arbitrary<GemmSpec> = fc
  .record({
    types: fc.constantFrom<Pick<GemmSpec, 'elementType' | 'resultType' | 'compute'>>(
      { elementType: 'f32' },
      { elementType: 'f32' },
      { elementType: 'f64' },
      { elementType: 'f32', resultType: 'bf16' },
      { elementType: 'f32', compute: 'tf32' },
      { elementType: 'bf16', resultType: 'f32' },
      { elementType: 'bf16' },
      { elementType: 'bf16' },
      { elementType: 'f16' },
      { elementType: 'f16', resultType: 'f32' },
    ),
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
  .map(({ types, m, n, k, batch, order, gap, step }) => {
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
      ...types,
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
const bf16Sums = { elementType: 'bf16', resultType: 'f32', batch: [] } as const;
/** Shapes of real programs, scaled down: every path of the planner. */
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
  // One row of bf16, with and without a rest of k, and as a column.
  ...[31, 128, 257].map(k => ({
    ...bf16Sums,
    m: 1,
    n: 45,
    k,
    a: { m: k, k: 1 },
    b: { k: 1, n: k },
    c: { m: 90, n: 2 },
  })),
  { ...bf16Sums, m: 77, n: 1, k: 160, a: { m: 160, k: 1 }, b: { k: 3, n: 1 }, c: { m: 1, n: 1 } },
];

describe.each(targets.filter(runs).map(target => [kindOf(target), target] as const))(
  'multiplies for %s',
  (_, target) => {
    test('the shapes of programs', () => checkAll(chosen, target), compileMs);
    test(
      'random sizes, strides and batches',
      () => checkAll(fc.sample(specs, { numRuns: 40, seed: 20 }), target),
      compileMs,
    );
  },
);

/** C[i][0] = x[i] · 1: only the conversions. */
const column = (rows: number): Pick<GemmSpec, 'batch' | 'm' | 'n' | 'k' | 'a' | 'b' | 'c'> => ({
  batch: [],
  m: rows,
  n: 1,
  k: 1,
  a: { m: 1, k: 1 },
  b: { k: 1, n: 1 },
  c: { m: 1, n: 1 },
});

describe.each(all)('conversions for %s', (_, target) => {
  test('every f16 and bf16 round-trips, including special numbers', () => {
    const every = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const types = ['f16', 'bf16'] as const;
    const cases = types.map(type => ({ name: type, spec: { elementType: type, ...column(every.length) } }));
    const multiplies = compileMultiplies(cases, target);
    for (const type of types) {
      const number = numberOf(type);
      const c = new Uint16Array(every.length);
      multiplies.get(type)!(1, every, Uint16Array.of(storageOf(type)(1)), c);
      const flushed = type === 'bf16' && target.bf16 !== 'none';
      // One product is added to +0, so -0 becomes +0.
      const wanted = (x: number): number => (flushed && Math.abs(x) < 2 ** -126 ? 0 : x + 0);
      const wrong = every.findIndex(x => !Object.is(number(c[x]!), wanted(number(x))));
      expect(wrong, type).toBe(-1);
    }
  });

  test('f32 is rounded to nearest even, once', () => {
    const bits = Uint32Array.from({ length: 40_000 }, (_, i) => Math.imul(i, 0x9e3779b1) ^ (i % 3 === 0 ? 0 : 0x1000));
    bits.set([
      0x7f800001, 0xffffffff, 0x7f800000, 0xff800000, 0x7f7fffff, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001,
    ]);
    const x = new Float32Array(bits.buffer);
    const kinds: Partial<GemmSpec>[] = [{ resultType: 'bf16' }, { resultType: 'f16' }, { compute: 'tf32' }];
    const cases = kinds.map((kind, i) => ({
      name: `multiply${i}`,
      spec: { elementType: 'f32', ...column(x.length), ...kind } as GemmSpec,
    }));
    const multiplies = compileMultiplies(cases, target);
    for (const { name, spec } of cases) {
      const type = resultTypeOf(spec);
      const c = elementsOf(type, x.length);
      multiplies.get(name)!(1, x, Float32Array.of(1), c);
      const number = numberOf(type);
      const round = rounderOf(spec.compute ?? type);
      const wrong = x.findIndex((value, i) => !Object.is(number(c[i]!) + 0, round(value) + 0));
      expect(wrong, `${name} ${x[wrong]} ${c[wrong]}`).toBe(-1);
    }
  });
});

describe.runIf(host.bf16 !== 'none')('sums in tiles, whose instructions are emulated', () => {
  const target = targetOf('amx');
  const usesTiles = (spec: GemmSpec): boolean => {
    const plan = planGemm(spec, target);
    return plan.kind === 'tiled' && plan.registers === 'tiles';
  };
  const bf16 = ({ compute: _, ...spec }: GemmSpec, i: number): GemmSpec => ({
    ...spec,
    elementType: 'bf16',
    resultType: i % 2 === 0 ? 'f32' : 'bf16',
  });

  test(
    'the shapes of programs',
    () => {
      expect(chosen.some(usesTiles)).toBe(false); // they are of f32
      const all = chosen.map(bf16).filter(usesTiles);
      expect(all.length).toBeGreaterThan(7);
      checkAll(all, target);
    },
    compileMs,
  );
  test(
    'random sizes, strides and batches',
    () =>
      checkAll(fc.sample(specs.map(spec => bf16(spec, spec.m)).filter(usesTiles), { numRuns: 10, seed: 21 }), target),
    compileMs,
  );
  test('rows of A are read where they lie if k ends with a step, edges of rows in tiles of fewer', () => {
    const spec = { m: 83, n: 70, k: 96, a: { m: 96, k: 1 }, b: { k: 70, n: 1 }, c: { m: 70, n: 1 } } as const;
    const whole: GemmSpec = { elementType: 'bf16', batch: [], ...spec };
    expect(planGemm(whole, target)).toMatchObject({ registers: 'tiles', a: 'rows', tile: { rows: 32, vectors: 2 } });
    expect(planGemm({ ...whole, k: 95 }, target)).toMatchObject({ a: 'packed' });
    const unit = gemmUnit([{ name: 'multiply', spec: whole }], target);
    expect([...unit.matchAll(/GEMM_TILES\((\d+)\);/g)].map(found => found[1])).toEqual(['32', '19']);
  });
  test('the instructions match the compiler’s own intrinsics', () => {
    const names = { own: gemmPrelude(target), intrinsics: '#include <immintrin.h>' };
    const body = {
      own: 'GEMM_TILE_CONFIGURE(p); GEMM_TILE_ZERO(0); GEMM_TILE_LOAD(4, p, s); GEMM_TILE_DOT(1, 5, 6); GEMM_TILE_STORE(3, p, s); GEMM_TILE_RELEASE();',
      intrinsics:
        '_tile_loadconfig(p); _tile_zero(0); _tile_loadd(4, p, s); _tile_dpbf16ps(1, 5, 6); _tile_stored(3, p, s); _tile_release();',
    };
    const instructions = (kind: 'own' | 'intrinsics'): string[] => {
      const input = `#include "trenio_rt.h"\n${names[kind]}\nvoid f(char *p, long s) { ${body[kind]} }`;
      const include = join(import.meta.dirname, '../../../../runtime/native');
      const flags = [...target.cflags, '-O1', '-Wno-psabi', `-I${include}`, '-S', '-o', '-', '-xc', '-'];
      const { stdout, stderr } = spawnSync(testCompiler, flags, { input, encoding: 'utf8' });
      expect(stdout, stderr).toContain('f:');
      return [...stdout.slice(stdout.indexOf('\nf:')).matchAll(/^\s+(t\w+|ldtile\w+)[ \t]*(.*)$/gm)].map(found =>
        `${found[1]} ${found[2]}`.trim(),
      );
    };
    expect(instructions('own')).toHaveLength(6);
    expect(instructions('own')).toEqual(instructions('intrinsics'));
  });
});

test('a multiply does not depend on what precedes it in the unit', () => {
  const [spec] = chosen;
  const target = targetOf('generic');
  const cases = ['first', 'second'].map(name => ({ name, spec: spec! }));
  const text = gemmUnit(
    cases.map(({ name, spec }) => ({ name, spec })),
    target,
  );
  const multiplies = compileMultiplies(cases, target, text);
  const [first, second] = cases.map(({ name }) => run(multiplies.get(name)!, spec!, 1));
  expect(second).toEqual(first);
});

describe('code for other machines', () => {
  const foreign = [
    { target: targetOf('neon'), cc: 'aarch64-linux-gnu-gcc' },
    { target: targetOf('sve'), cc: 'aarch64-linux-gnu-gcc' },
    { target: targetOf('sve', { vectorBytes: 64 }), cc: 'aarch64-linux-gnu-gcc' },
    { target: targetOf('avx512', { bf16: 'pairs' }), cc: 'gcc' },
    { target: targetOf('amx'), cc: 'gcc' },
    { target: targetOf('avx2', { f16: true }), cc: 'gcc' },
  ];
  test.for(foreign)(
    'compiles for $target.isa, vectors of $target.vectorBytes bytes',
    { timeout: compileMs },
    ({ target, cc }, { skip }) => {
      const types: Partial<GemmSpec>[] = [
        {},
        { elementType: 'bf16' },
        { elementType: 'f16', resultType: 'f32' },
        { compute: 'tf32' },
        { resultType: 'f16' },
      ];
      const specs = chosen.slice(0, 5).map((spec, i) => ({ ...spec, ...(spec.elementType === 'f64' ? {} : types[i]) }));
      const unit = gemmUnit(
        specs.map((spec, i) => ({ name: `multiply${i}`, spec })),
        target,
      );
      expect(unit).toContain('static void multiply0(');
      const compiler = [cc, 'clang'].find(command => spawnSync(command, ['--version']).status === 0);
      // .ci/run installs the compilers, so there a missing one is a failure, elsewhere the test is skipped.
      if (compiler === undefined) {
        expect(process.env.CI, `${cc} or clang is needed`).toBeUndefined();
        return skip(`neither ${cc} nor clang is installed`);
      }
      const flags = compiler === 'clang' && cc.startsWith('aarch64') ? ['--target=aarch64-linux-gnu'] : [];
      const include = join(import.meta.dirname, '../../../../runtime/native');
      const { status, stderr } = spawnSync(
        compiler,
        [
          ...flags,
          ...target.cflags,
          '-O1',
          '-ffreestanding',
          '-Wno-psabi',
          `-I${include}`,
          '-S',
          '-o',
          '-',
          '-xc',
          '-',
        ],
        { input: `#include "trenio_rt.h"\n${unit}`, encoding: 'utf8', maxBuffer: 1 << 28 },
      );
      expect(status, stderr.slice(0, 2000)).toBe(0);
    },
  );
});

test('pairs of bf16 that must be packed are packed in whole vectors', () => {
  const transposed = { m: 128, n: 64, k: 128, a: { m: 1, k: 128 }, b: { k: 64, n: 1 }, c: { m: 64, n: 1 } };
  const plan = planGemm({ elementType: 'bf16', batch: [], ...transposed }, targetOf('avx512', { bf16: 'pairs' }));
  expect(plan).toMatchObject({ kind: 'tiled', a: 'packed', tile: { rows: 8 } });
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

/**
 * Compares with the reference in f64, and requires equal bits for any number of workers and untouched gaps in C. The same if
 * sums go through an epilogue.
 */
function checkAll(all: readonly GemmSpec[], target: CpuTarget): void {
  const cases = all.flatMap((spec, i): TestCase[] => {
    if (i % 2 === 1) return [{ name: `multiply${i}`, spec }];
    const wide: GemmSpec = { ...spec, resultType: spec.elementType === 'f64' ? 'f64' : 'f32' };
    return [
      { name: `multiply${i}`, spec },
      ...(canHaveEpilogue(wide, target) ? [{ name: `multiply${i}_rows`, spec: wide, epilogue: 'rows' } as const] : []),
      ...(canHaveEpilogue(wide, target, { wholeRows: true })
        ? [{ name: `multiply${i}_whole`, spec: wide, epilogue: 'wholeRows' } as const]
        : []),
    ];
  });
  const multiplies = compileMultiplies(cases, target);
  for (const { name, spec } of cases) {
    const context = `${name} ${JSON.stringify(spec)}`;
    const multiply = multiplies.get(name)!;
    const one = run(multiply, spec, 1);
    const truth = new Float64Array(one.length).fill(untouched);
    const magnitude = new Float64Array(one.length);
    const { a, b } = operands(spec);
    reference(spec, a, b, truth, magnitude);
    const epsilon = spec.elementType === 'f64' ? 2 ** -52 : 2 ** -23;
    const type = resultTypeOf(spec);
    const rounding = { f64: 0, f32: 0, bf16: 2 ** -8, f16: 2 ** -11 }[type];
    const number = numberOf(type);
    const wrong = one.findIndex((x, i) => {
      const bound = magnitude[i]! * epsilon * (2 + Math.sqrt(spec.k)) + Math.abs(truth[i]!) * rounding;
      return !(Math.abs(number(x) - truth[i]!) <= bound + (type === 'f16' ? 2 ** -25 : 0));
    });
    expect(wrong, context).toBe(-1);
    for (const workers of [2, 33])
      expect(sameBits(run(multiply, spec, workers), one), `${workers} workers: ${context}`).toBe(true);
  }
}

/** A unit with this many multiplies takes seconds to compile, and starts thousands of threads: minutes on a busy machine. */
const compileMs = 300_000;
/** A number that every type can represent. */
const untouched = -12288;

function run(
  multiply: (workers: number, a: Elements, b: Elements, c: Elements) => void,
  spec: GemmSpec,
  workers: number,
): Elements {
  const { a, b } = operands(spec);
  const c = filled(resultTypeOf(spec), operandSpans(spec).c, () => untouched);
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
  return { a: filled(spec.elementType, a, next), b: filled(spec.elementType, b, next) };
}

function filled(type: GemmElementType, length: number, next: () => number): Elements {
  const stored = storageOf(type);
  return elementsOf(type, length).map(() => stored(next()));
}

function sameBits(x: Elements, y: Elements): boolean {
  return Buffer.from(x.buffer).equals(Buffer.from(y.buffer));
}
