// Steps of tokenizer.json whose expected pieces are those of the Python library `tokenizers` (0.23).
import { describe, expect, test } from 'vitest';
import { normalizerOf, preTokenizerOf } from './text-steps.ts';

const split = (regex: string, text: string, behavior = 'Isolated'): readonly string[] =>
  preTokenizerOf({ type: 'Split', pattern: { Regex: regex }, behavior, invert: false })(text, true);

describe('patterns of Oniguruma', () => {
  test.each([
    ["(?i)'s|'t|'re", "it's WE'RE DON'T", "it|'s| WE|'RE| DON|'T"],
    ['a(?i)b|C', 'aB ac AB ab', 'aB| |ac| AB |ab'],
    ['(?i:[st]+)', 'ſtSTß', 'ſtST|ß'],
    ['(?i)k', 'Kk\u212a', 'K|k|\u212a'],
    ['(?i)é+', 'aÉéb', 'a|Éé|b'],
    ['(?i)ss', 'aß ss', 'a|ß| |ss'],
    ['(?i)\\p{Lu}', 'aA', 'a|A'],
    ['(?i:a)A', 'aA AA aa', 'aA| |AA| aa'],
    ['(?i)a(?-i)b', 'Ab AB', 'Ab| AB'],
    ['(?m).+', 'a\nb', 'a\nb'],
    ['(?x) a  b # both\n', 'xab', 'x|ab'],
    ['(?#comment)a', 'ba', 'b|a'],
    ['\\R', 'a\r\nb\rc\u2028d', 'a|\r\n|b|\r|c|\u2028|d'],
    ['\\s*\\R+', 'a \r\n\nb', 'a| \r\n\n|b'],
    ['[\\R]', 'aR\n', 'a|R|\n'],
    ['\\N+|\\O', 'ab\n', 'ab|\n'],
    ['\\p{^L}+', 'a12b', 'a|12|b'],
    ['(?=[A-Z])', 'aBcD', 'a|Bc|D'],
    ['$', 'ab\n🌍', 'ab|\n🌍'],
  ])('%s', (regex, text, pieces) => expect(split(regex, text)).toEqual(pieces.split('|')));
  test.each(['\\X', '\\Ga', '(?i)ß', '(?i)ssi+|ss+', '(?i)[\\p{Lu}x]', '(?y)'])('%s is not supported', regex =>
    expect(() => split(regex, 'a')).toThrow(SyntaxError),
  );
  test('the content of a replacement is text', () =>
    expect(normalizerOf({ type: 'Replace', pattern: { Regex: '\\R' }, content: '$&' })('a\r\nb')).toBe('a$&b'));
});

test.each([
  ['a 漢 か,b\u0301', ['a ', '漢 か', ',', 'b', '\u0301']],
  ['  x', ['x']],
  ['aカー漢\u{1f929}', ['a', 'カー漢\u{1f929}']],
])('UnicodeScripts: %s', (text, pieces) =>
  expect(preTokenizerOf({ type: 'UnicodeScripts' })(text, true)).toEqual(pieces),
);
