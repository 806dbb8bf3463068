import { expect, test } from 'vitest';
import { readFilterPattern } from './filter-pattern.ts';
import { PatternError } from './pattern-value.ts';

const TEXT = 'ERROR one two';
const JSON_LINE = '{"level":"warn","n":5,"a":{"b":[1,2]},"ok":true,"s":null,"u":[{"id":1},{"id":7}],"x y":"z"}';
const ACCESS = '127.0.0.1 - frank [10/Oct/2000:13:25:15 -0700] "GET /index.html HTTP/1.0" 404 1534';
const all = { TEXT, JSON_LINE, ACCESS };

function found(pattern: string): string {
  const { contains, matches } = readFilterPattern(pattern);
  return Object.entries(all)
    .filter(([, line]) => contains.every(one => line.includes(one)) && matches?.(line) !== false)
    .map(([name]) => name)
    .join(' ');
}

test.each([
  ['', 'TEXT JSON_LINE ACCESS'],
  ['ERROR', 'TEXT'],
  ['error', ''],
  ['ERROR two', 'TEXT'],
  ['"one two"', 'TEXT'],
  ['"two one"', ''],
  ['?ERROR ?frank', 'TEXT ACCESS'],
  ['?frank ERROR', 'TEXT'],
  ['ERROR -two', ''],
  ['-ERROR', 'JSON_LINE ACCESS'],
  ['-"one two" -frank', 'JSON_LINE'],
  ['%ERR.R%', 'TEXT'],
  ['%^\\d+\\.%', 'ACCESS'],
])('terms: %s', (pattern, lines) => expect(found(pattern)).toBe(lines));

test.each([
  ['{ $.level = "warn" }', true],
  ['{$.level=warn}', true],
  ['{ $.level = "w*" }', true],
  ['{ $.level = "*r*" }', true],
  ['{ $.level = "*r" }', false],
  ['{ $.level != "warn" }', false],
  ['{ $.missing != "warn" }', false],
  ['{ $.level = %^wa.+% }', true],
  ['{ $.n > 4 }', true],
  ['{ $.n >= 5.0 && $.n < 5.1e0 }', true],
  ['{ $.n = 5 && $.ok IS TRUE }', true],
  ['{ $.ok IS FALSE }', false],
  ['{ $.ok = true }', true],
  ['{ $.a.b[1] = 2 }', true],
  ['{ $.a.b[2] = 2 }', false],
  ['{ $.u[*].id = 7 }', true],
  ["{ $['x y'] = z }", true],
  ['{ $.s IS NULL }', true],
  ['{ $.level IS NULL }', false],
  ['{ $.zz NOT EXISTS }', true],
  ['{ $.s EXISTS }', true],
  ['{ ($.n = 6) || ($.level != "x") }', true],
  ['{ $.n = 6 || $.n = 5 && $.level = "x" }', false],
])('JSON: %s', (pattern, matches) => expect(found(pattern)).toBe(matches ? 'JSON_LINE' : ''));

test.each([
  ['[ip, id, user, time, request, status, size]', true],
  ['[ip]', false],
  ['[ip, id, user, time, request, status=404, size]', true],
  ['[..., status=4*, size > 1000]', true],
  ['[..., status=4* && status != 404, size]', false],
  ['[ip=127.*, ...]', true],
  ['[ip, id, user, time, request = "GET /index*", ...]', true],
  ['[ip, ..., size = 1 || size = 1534]', true],
  ['[ip = %127\\.0%, ...]', true],
])('columns: %s', (pattern, matches) => expect(found(pattern)).toBe(matches ? 'ACCESS' : ''));

test.each([
  '{bad',
  '{ $.a }',
  '{ $.a = }',
  '{ $.a ~ 1 }',
  '{ $.a > x }',
  '{ ($.a = 1 }',
  '{ }',
  '[a',
  '[..., b, ...]',
  '%(%',
])('invalid: %s', pattern => expect(() => readFilterPattern(pattern)).toThrow(PatternError));

test('patterns and messages of bad people take linear time', () => {
  const long = 256 * 1024;
  for (const [pattern, message] of [
    ['{ $.a = "*a*a*a*a*a*a*a*a*b" }', JSON.stringify({ a: 'a'.repeat(long) })],
    ['[a, b, ...]', '['.repeat(long)],
    ['[a, ...]', '" '.repeat(long / 2)],
    ['%(a+)+$%', 'a'.repeat(long)],
    [`[${'%'.repeat(1000)},,,]`, 'x'],
  ] as const) {
    try {
      readFilterPattern(pattern).matches?.(message);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
    }
  }
});
