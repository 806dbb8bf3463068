// bench/programs-together.ts runs thousands of rounds, also compiled.
import { expect, test } from 'vitest';
import { InterpreterBackend } from '../../runtime/backends/interpreter/interpreter-backend.ts';
import { differencesTogether } from './together.testing.ts';

test('programs that share a device have the results that they have alone', () => {
  expect(differencesTogether(new InterpreterBackend(), [0, 6])).toEqual([]);
});
