import { describe, expect, test } from 'vitest';
import { Builder } from '../../../hlo/builder.ts';
import { type Module, moduleOf, shapeOf, type Value } from '../../../hlo/program.ts';
import { tensorType } from '../../../hlo/types.ts';
import { compileToC, targetOf } from '../../index.ts';
import type { ProgramText } from './units.ts';

const target = targetOf('avx512');
const textOf = (module: Module): ProgramText => {
  const { text } = compileToC(module, target);
  if (text === undefined) throw new Error('a program of known sizes has a text');
  return text;
};
const keysOf = (text: ProgramText): string[] => text.functions.map(f => f.key);
const common = (a: ProgramText, b: ProgramText): string[] =>
  a.functions.filter(f => keysOf(b).includes(f.key)).map(f => f.symbol.replace(/_[0-9a-f]{16}$/, ''));

/** tanh(x · w) by rows of x, and an update of w: the first depends on the batch, the second does not. */
function step(batch: number, { rate = 0.1, twice = false, line = 1 } = {}): Module {
  const b = new Builder();
  b.location = { file: 'a.ts', line, column: 1 };
  const [x, w] = [b.argument(tensorType('f32', [batch, 256]), 0), b.argument(tensorType('f32', [256, 256]), 1)];
  const dot = (v: Value): Value =>
    b.dotGeneral(v, w, {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [1],
      rhsContractingDimensions: [0],
    });
  let y = b.unary('tanh', dot(x));
  if (twice) y = b.unary('tanh', dot(y));
  const updated = b.subtract(w, b.multiply(w, b.fill('f32', shapeOf(w), rate)));
  return moduleOf({
    name: 'main',
    body: { args: [x, w], ops: b.ops, results: [y, updated] },
    aliases: [undefined, undefined],
  });
}

describe('functions are named after their C', () => {
  test('equal programs have equal functions, whatever user line they come from', () => {
    const [one, other] = [textOf(step(96)), textOf(step(96, { line: 2 }))];
    expect(keysOf(one)).toEqual(keysOf(other));
    expect(one.units()[0]!.source).toContain('at a.ts:1:1');
    expect(one.units()[0]!.source.replaceAll('a.ts:1:1', 'a.ts:2:1')).toBe(other.units()[0]!.source);
  });
  test('another batch size: the update and the inner functions of the multiply are the same', () => {
    const [one, other] = [textOf(step(96)), textOf(step(192))];
    const shared = common(one, other);
    expect(shared.filter(name => name === 'k')).toHaveLength(1);
    expect(shared.filter(name => name.startsWith('gemm_f32_tile'))).not.toEqual([]);
    expect(one.functions.length - shared.length).toBe(1);
  });
  test('another constant: only its kernel differs', () => {
    const [one, other] = [textOf(step(96)), textOf(step(96, { rate: 0.2 }))];
    expect(one.functions.length - common(one, other).length).toBe(1);
    expect(common(one, other)).toContain('k');
  });
  test('the same kernel at another position in a longer program', () => {
    const [one, other] = [textOf(step(96)), textOf(step(96, { twice: true }))];
    expect(common(one, other)).toHaveLength(one.functions.length);
    expect(one.step.source).not.toBe(other.step.source);
  });
  test('another target has other functions', () => {
    const avx2 = compileToC(step(96), targetOf('avx2')).text!;
    expect(common(textOf(step(96)), avx2).filter(name => name.startsWith('gemm'))).toEqual([]);
  });
});

describe('passes of gcc', () => {
  /** exp(x) + x over this many elements, next to a multiply of the same rows. */
  const withSizes = (rows: number, columns: number): string => {
    const b = new Builder();
    const [x, w] = [
      b.argument(tensorType('f32', [rows, columns]), 0),
      b.argument(tensorType('f32', [columns, columns]), 1),
    ];
    const product = b.dotGeneral(x, w, {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [1],
      rhsContractingDimensions: [0],
    });
    const sum = b.add(b.unary('exponential', x), x);
    const body = { args: [x, w], ops: b.ops, results: [product, sum] };
    const text = textOf(moduleOf({ name: 'main', body, aliases: [undefined, undefined] }));
    return text.functions.map((_, i) => text.unitsOf([i], 1)[0]!.source).join('\n');
  };
  test('kernels that compute little have few', () => {
    const source = withSizes(5, 8);
    expect(source.match(/optimize\("Og"\)\n#endif\n\n.*/g)).toHaveLength(1);
    expect(source).toMatch(/optimize\("Og"\)\n#endif\n\n(?:\/\/.*\n)?static void k_\w+_task/);
  });
  test('kernels that compute more, and multiplies of any size, do not', () => {
    expect(withSizes(64, 96)).not.toContain('"Og"');
    expect(withSizes(5, 8).split('gemm_f32').length).toBeGreaterThan(2);
  });
});

describe('units', () => {
  const text = textOf(step(96));
  const all = text.functions.map((_, i) => i);
  const defined = (source: string): string[] =>
    [...source.matchAll(/\bT_SHARED (?:__attribute__\(\(noinline\)\) )?void (\w+)\(/g)].map(m => m[1]!);

  test('each has exactly the requested functions', () => {
    for (const members of [all, all.slice(1), [all.at(-1)!]]) {
      const units = text.unitsOf(members, 3);
      expect(units.flatMap(unit => unit.members).toSorted((a, b) => a - b)).toEqual(members);
      for (const unit of units) expect(defined(unit.source)).toEqual(unit.members.map(i => text.functions[i]!.symbol));
    }
    expect(text.unitsOf([], 3)).toEqual([]);
  });
  test('a short program is one unit', () => {
    expect(text.units()).toHaveLength(1);
    expect(defined(text.units()[0]!.source)).toEqual(text.functions.map(f => f.symbol));
  });
  test('little work is not divided into units', () => {
    expect(text.unitsOf([all.at(-1)!, all[0]!].toSorted(), 64).length).toBeLessThanOrEqual(2);
  });
});
