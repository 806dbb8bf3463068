// Which patterns of tokenizers run without a time limit, and the limit of the others.
import { expect, test } from 'vitest';
import { isPlainPattern, patternGuard } from './pattern-guard.ts';

const gpt2 = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;
const llama3 = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;
const o200k = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{M}]*[\p{Ll}\p{M}]+(?i:'s|'t)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`;

test.each([gpt2, llama3, o200k, String.raw`\s+`, '[0-9]{3}'])('plain: %s', pattern => {
  expect(isPlainPattern(pattern)).toBe(true);
});
test.each(['(a+)+$', '(a|a)*b', 'a*a*b', String.raw`(\w+\s?)+$`, String.raw`(.*)\1`, '(?:a{1,9}){9}', 'a+b+c+d'])(
  'limited: %s',
  pattern => {
    expect(isPlainPattern(pattern)).toBe(false);
  },
);
test('a pattern that takes too long is an error', () => {
  const parts = { type: 'Sequence', normalizers: [{ type: 'Replace', pattern: { Regex: '(a+)+$' } }] };
  const guard = patternGuard(parts, problem => new Error(problem), 1000);
  expect(guard(3, () => 'x'.length)).toBe(1);
  expect(() => guard(41, () => /(a+)+$/.test(`${'a'.repeat(40)}b`))).toThrow(
    'more than 1.002 seconds on a text of 41 characters',
  );
});
