// Entries that refer to each other: each is read once, and the size of what they describe is limited by the size of the file.
import { expect, test } from 'vitest';
import { attributeText } from './attribute-text.ts';
import type { Container, Entry } from './container.ts';
import { Cursor } from './cursor.ts';
import { Tables } from './tables.ts';

const varint = (value: number): number => (value << 1) | 1;
/** Arrays, each of which contains the previous one twice. */
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

test('nested attributes', () => {
  expect(attributeText(new Tables(doubling(3)).attribute(2, asker))).toBe('[[[], []], [[], []]]');
});
test('a few entries that expand to 2^60 parts are rejected', () => {
  expect(() => new Tables(doubling(61)).attribute(60, asker)).toThrow(
    expect.objectContaining({ code: 'HLO_BYTECODE', message: expect.stringContaining('of more parts than') }),
  );
});
test('a large entry that is used many times is rejected', () => {
  const tables = new Tables(doubling(19));
  expect(() => {
    for (let i = 0; i < 10; i++) tables.attribute(18, asker);
  }).toThrow(expect.objectContaining({ code: 'HLO_BYTECODE' }));
});
