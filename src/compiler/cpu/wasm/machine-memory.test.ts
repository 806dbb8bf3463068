import { expect, test } from 'vitest';
import { MachineMemory } from './machine-memory.ts';

test('more than the engine can address is a typed error, and what was allocated stays', () => {
  const memory = new MachineMemory();
  const first = memory.allocate(100).fill(7);
  expect(() => memory.scoped(() => memory.allocate(5 * 2 ** 30))).toThrow(
    expect.objectContaining({ code: 'OUT_OF_MEMORY' }),
  );
  expect(memory.scoped(() => memory.allocate(64)).byteOffset % 64).toBe(0);
  expect(first.every(x => x === 7)).toBe(true);
});
