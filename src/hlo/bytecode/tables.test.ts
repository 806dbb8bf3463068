// Entries that refer to each other: each is read once, and together they describe no more than a file of that size may.
import { expect, test } from 'vitest';
import { attributeText } from './attribute-text.ts';
import type { Container, Entry } from './container.ts';
import { Cursor } from './cursor.ts';
import { Tables } from './tables.ts';

const varint = (value: number): number => (value << 1) | 1;
/** Arrays, each of the one before it, twice. */
const doubling = (count: number): Container => ({
  version: 6,
  producer: 'test',
  strings: [],
  opNames: [],
  attributes: Array.from({ length: count }, (_, i): Entry => {
    const elements = i === 0 ? [] : [i - 1, i - 1];
    const bytes = Uint8Array.from([0, elements.length, ...elements].map(varint));
    return { dialect: 'builtin', isCustom: true, data: new Cursor(bytes) };
  }),
  types: [],
  properties: [],
  ir: new Cursor(new Uint8Array(100)),
});
const asker = new Cursor(new Uint8Array(1));

test('an attribute of attributes', () => {
  expect(attributeText(new Tables(doubling(3)).attribute(2, asker))).toBe('[[[], []], [[], []]]');
});
test('few entries that describe 2^60', () => {
  expect(() => new Tables(doubling(61)).attribute(60, asker)).toThrow(
    expect.objectContaining({ code: 'HLO_BYTECODE', message: expect.stringContaining('of more parts than') }),
  );
});
test('a large one that is used again and again', () => {
  const tables = new Tables(doubling(19));
  expect(() => {
    for (let i = 0; i < 10; i++) tables.attribute(18, asker);
  }).toThrow(expect.objectContaining({ code: 'HLO_BYTECODE' }));
});
