import { expect, test } from 'vitest';
import { filtered } from './ec2-parameters.ts';

const matches = (value: string, pattern: string): boolean =>
  filtered([value], [{ name: 'name', values: [pattern] }], { name: one => [one] }).length === 1;

test.each([
  ['trn1.32xlarge', 'trn1.*', true],
  ['trn1x32xlarge', 'trn1.*', false],
  ['axb', 'a?b', true],
  ['ab\nc', 'ab*', true],
  ['a', 'A', false],
  ['[a', '[*', true],
])('the filter value of %j is %s: %s', (value, pattern, isMatch) => expect(matches(value, pattern)).toBe(isMatch));

test('wildcards take no exponential time', () => {
  expect(matches('a'.repeat(255), `${'*a'.repeat(60)}b`)).toBe(false);
});
