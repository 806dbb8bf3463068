// Random scripts at sizes that change: the program for all sizes computes the bits of the program for each size, interpreted and
// compiled.
import { expect, test } from 'vitest';
import { budget, campaignSeed } from '../../base/campaign.testing.ts';
import { compileToC, hostTarget } from '../../compiler/index.ts';
import { compileForTest } from '../../compiler/testing/compile.testing.ts';
import { compileDynamicForTest } from '../../compiler/testing/dynamic.testing.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { bytesOf, type Literal, numberAt } from '../../hlo/literal.ts';
import { type Func, moduleOf } from '../../hlo/program.ts';
import { formatType } from '../../hlo/types.ts';
import { verify } from '../../hlo/verifier.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { type SizesCase, type SizesCount, sampleInputs, sizesCase } from './random-sizes.testing.ts';

/** The cases of a campaign; what became of the others is printed. */
function* cases(usual: number): Generator<SizesCase> {
  const count: SizesCount = { bound: 0, unbound: 0, refused: new Map() };
  const most = budget(usual);
  for (let i = 0; i < most; i++) {
    const found = sizesCase(campaignSeed * 10_000 + i, count);
    if (found !== undefined) yield found;
  }
  console.log(most, 'scripts', count);
  expect(count.bound).toBeGreaterThan(most);
}
/** The largest difference, relative to numbers above 1: 0 for equal bits. */
function differenceOf(a: Literal, b: Literal): number {
  if (formatType(a.type) !== formatType(b.type)) return Infinity;
  if (Buffer.compare(bytesOf(a), bytesOf(b)) === 0) return 0;
  let most = 0;
  for (let i = 0; i < a.data.length; i++) {
    const [x, y] = [Number(numberAt(a, i)), Number(numberAt(b, i))];
    const isEqual = Object.is(x, y) || (Number.isNaN(x) && Number.isNaN(y));
    if (!isEqual) most = Math.max(most, Math.abs(x - y) / Math.max(1, Math.abs(x)));
  }
  return most;
}

test('interpreted: equal bits', { timeout: 600_000 * budget(1) }, () => {
  for (const { seed, symbolic, others } of cases(300)) {
    const module = moduleOf(symbolic.func);
    verify(module);
    for (const { sizes, func, more } of others) {
      const inputs = sampleInputs(func);
      const wanted = interpret(moduleOf(func), inputs);
      const got = interpret(module, [...inputs, ...more]);
      expect(
        wanted.map((one, i) => differenceOf(one, got[i]!)),
        `seed ${seed}, sizes ${sizes}`,
      ).toEqual(wanted.map(() => 0));
    }
  }
});

/**
 * The order of a sum depends on the kernel it is in, and the two compilers may group the same ops differently; products of few
 * rows or many terms are in another order, too. A comparison of such results can then differ widely.
 */
function toleranceOf({ body }: Func): number {
  const names = new Set<string>();
  forEachOp(body, op => names.add(op.name));
  if (names.has('dot_general')) return names.has('compare') || names.has('sort') ? Infinity : 1e-4;
  return names.has('reduce') || names.has('reduce_window') ? 1e-5 : 0;
}
test('compiled: equal bits apart from sums and products', { timeout: 600_000 * budget(1) }, () => {
  let [equal, compared] = [0, 0];
  for (const { seed, symbolic, others } of cases(20)) {
    const module = moduleOf(symbolic.func);
    // Its sizes are known if only other numbers differ.
    const isDynamic = compileToC(module, hostTarget()).dynamic !== undefined;
    const program = isDynamic ? compileDynamicForTest(module) : compileForTest(module);
    for (const { sizes, func, more } of others.slice(0, 2)) {
      const inputs = sampleInputs(func);
      const wanted = compileForTest(moduleOf(func)).run(inputs);
      const got = program.run([...inputs, ...more]);
      const worst = Math.max(0, ...wanted.map((one, i) => differenceOf(one, got[i]!)));
      expect(worst, `seed ${seed}, sizes ${sizes}`).toBeLessThanOrEqual(toleranceOf(func));
      compared++;
      if (worst === 0) equal++;
    }
  }
  console.log(equal, 'of', compared, 'programs have equal bits');
});
