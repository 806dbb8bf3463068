// Terminal control sequences and invisible characters are printed as escapes; ordinary text is unchanged.
import { expect, test } from 'vitest';
import { formatLocation, TrenioError } from './errors.ts';
import { createLogger } from './logger.ts';
import { printable, printableLine } from './printable.ts';
import { formatTable } from './table.ts';

const hostile = '\u001b[2J\u009b31m\u0007\r\u202eabc\u2066\u2028\u200b\ud800\0';
// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be left
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

test('control, invisible and reordering characters are escaped', () => {
  expect(printable(hostile)).toBe(
    '\\u{1b}[2J\\u{9b}31m\\u{7}\\u{d}\\u{202e}abc\\u{2066}\\u{2028}\\u{200b}\\u{d800}\\u{0}',
  );
  expect(printableLine('a\nb\tc')).toBe('a\\u{a}b\\u{9}c');
});
test('ordinary text', () => {
  for (const text of ['träin step (2).ts', '日本語', 'a\tb\n  c', 'line\r\nnext', '👩‍💻 می‌خواهم', 'C:\\models\\a.ts'])
    expect(printable(text)).toBe(text);
});
test('errors, locations, log lines and tables are escaped', () => {
  const location = { file: `a\n${hostile}.py`, line: 3, column: 4 };
  const error = new TrenioError('HLO_BYTECODE', { offset: 3, detail: hostile }, { location });
  expect(error.message).not.toMatch(obeyed);
  expect(error.data).toEqual({ offset: 3, detail: hostile });
  expect(formatLocation(location)).toMatch(/^a\\u\{a\}\\u\{1b\}.*\.py:3:4$/);
  let line = '';
  createLogger('info', text => {
    line = text;
  }).info(hostile);
  expect(line.trimEnd()).not.toMatch(obeyed);
  expect(formatTable([{ header: 'x' }], [[hostile]])).not.toMatch(obeyed);
});
