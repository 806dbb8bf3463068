// Attention to keys and values in blocks: compiled against the interpreter, and each token alone against all of them together.
import { expect, test } from 'vitest';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../hlo/literal.ts';
import { type PagedAttentionOptions, pagedAttentionTarget } from '../hlo/ops/paged-attention.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { type ElementType, formatType } from '../hlo/types.ts';
import { verify } from '../hlo/verifier.ts';
import { compileForTest } from './testing/compile.testing.ts';

interface Sizes {
  readonly heads: number;
  readonly keyHeads: number;
  readonly headDim: number;
  readonly block: number;
  readonly type: ElementType;
  readonly pool: ElementType;
  readonly options?: Partial<PagedAttentionOptions>;
}
/** Tokens of a step: their sequences and lengths. */
type Tokens = readonly (readonly [sequence: number, length: number])[];

const [blocks, table] = [9, 4];
const tables = [
  [3, 8, 0, 0],
  [5, 1, 7, 2],
  [6, 0, 0, 0],
];
/** Numbers between -1 and 1 that do not repeat. */
const numbers = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.sin(1 + i * 1.7 + seed * 31) * Math.cos(i * i * 0.37 + seed));

function inputs({ heads, keyHeads, headDim, block, type, pool, options = {} }: Sizes, tokens: Tokens): Literal[] {
  const shape = [blocks, keyHeads, headDim, block];
  const count = shape.reduce((a, b) => a * b, 1);
  const query = tokens.flatMap(([sequence, length]) => numbers(heads * headDim, 100 * sequence + length));
  return [
    literal(type, [tokens.length, heads, headDim], query),
    literal(pool, shape, numbers(count, 1)),
    literal(pool, [blocks, keyHeads, block, headDim], numbers(count, 2)),
    literal('i32', [3, table], tables.flat()),
    literal(
      'i32',
      [tokens.length],
      tokens.map(([sequence]) => sequence),
    ),
    literal(
      'i32',
      [tokens.length],
      tokens.map(([, length]) => length),
    ),
    ...(options.bias ? [literal('f32', [heads, table * block], numbers(heads * table * block, 3))] : []),
    ...(options.sinks ? [literal('f32', [heads], numbers(heads, 4))] : []),
  ];
}
function moduleOf(sizes: Sizes, args: readonly Literal[]) {
  const options: PagedAttentionOptions = { scale: 0.7, ...sizes.options };
  const types = args.map(({ type }) => formatType(type));
  const names = args.map((_, i) => `%${i}`);
  const config = JSON.stringify(options).replaceAll('"', '\\"');
  return parseModule(`module {
  func.func public @main(${names.map((name, i) => `${name}: ${types[i]}`).join(', ')}) -> ${types[0]} {
    %r = stablehlo.custom_call @${pagedAttentionTarget}(${names.join(', ')}) {backend_config = "${config}"} : (${types.join(', ')}) -> ${types[0]}
    return %r : ${types[0]}
  }
}`);
}
const compiled = (sizes: Sizes, tokens: Tokens): readonly number[] => {
  const args = inputs(sizes, tokens);
  return toNumbers(compileForTest(moduleOf(sizes, args)).run(args)[0]!);
};

// A chunk of a prompt, single tokens, padding, a token of the first sequence again, and the longest.
const tokens: Tokens = [...[4, 5, 6, 7, 8, 9].map(n => [0, n] as const), [1, 17], [2, 0], [0, 10], [1, 48], [1, 49]];
const plain: Sizes = { heads: 4, keyHeads: 2, headDim: 32, block: 16, type: 'f32', pool: 'f32' };
const cases: readonly (readonly [string, Sizes])[] = [
  ['f32', plain],
  ['bf16, larger blocks', { ...plain, block: 32, type: 'bf16', pool: 'bf16' }],
  ['f32 with a pool of f16, one head of keys', { ...plain, heads: 12, keyHeads: 1, pool: 'f16' }],
  ['heads that fill no vector', { ...plain, heads: 3, keyHeads: 3, headDim: 20 }],
  ['a window', { ...plain, options: { window: 6 } }],
  ['a soft cap', { ...plain, options: { softCap: 0.5 } }],
  ['bias and sinks', { ...plain, options: { bias: true, sinks: true } }],
  ['a scale that is written with an exponent', { ...plain, options: { scale: 1e-7, softCap: 1e21 } }],
];

test.each(cases)('%s: compiled results are the interpreter’s', (_, sizes) => {
  const args = inputs(sizes, tokens);
  const expected = toNumbers(interpret(moduleOf(sizes, args), args)[0]!);
  const got = compiled(sizes, tokens);
  const tolerance = sizes.type === 'bf16' ? 0.005 : 1e-6;
  expect(expected.some(x => Math.abs(x) > 0.1)).toBe(true);
  got.forEach((x, i) => {
    expect(Math.abs(x - expected[i]!)).toBeLessThan(tolerance);
  });
});

test.each(cases)('%s: a token has the same bits alone and among others', (_, sizes) => {
  const all = compiled(sizes, tokens);
  const size = all.length / tokens.length;
  tokens.forEach((token, n) => {
    expect(compiled(sizes, [token])).toEqual(all.slice(n * size, (n + 1) * size));
  });
});

test('keys that nothing attends to are not read', () => {
  const args = inputs(plain, tokens);
  const poisoned = args.map((arg, i) => {
    if (i !== 1 && i !== 2) return arg;
    const values = toNumbers(arg).slice();
    values.fill(Number.NaN, 4 * (values.length / blocks), 5 * (values.length / blocks));
    return literal('f32', arg.type.shape, values);
  });
  const { run } = compileForTest(moduleOf(plain, args));
  expect(toNumbers(run(poisoned)[0]!)).toEqual(toNumbers(run(args)[0]!));
});

test.each([
  ['blocks of 8 positions', { ...plain, block: 8 }],
  ['heads that do not divide', { ...plain, heads: 3 }],
  ['an unknown option', { ...plain, options: { windows: 3 } as object }],
])('%s are refused', (_, sizes) => {
  const args = inputs(sizes, tokens);
  expect(() => verify(moduleOf(sizes, args))).toThrow(pagedAttentionTarget);
});

test('a bias for fewer positions than a table has is refused: the kernel would read past its end', () => {
  const sizes = { ...plain, options: { bias: true } };
  const args = inputs(sizes, tokens).with(6, literal('f32', [4, 3], numbers(12, 3)));
  expect(() => verify(moduleOf(sizes, args))).toThrow('takes a bias');
});
