// The number of C files of a program depends only on its code: comments contain the paths of scripts.
import { expect, test } from 'vitest';
import { targetOf } from '../target/target.ts';
import { ProgramText } from './units.ts';

const namesOf = (step: string): string[] =>
  new ProgramText('p', [], step, targetOf('avx2')).units().map(unit => unit.name);
const code = (lines: number): string => '  p[0] = p[1];\n'.repeat(lines);

test('the location of a script does not change how its program is divided into units', () => {
  const comment = `  // add at ${'/a/long/path'.repeat(100)}/train.ts:3:1\n`;
  expect(namesOf(code(2000))).toEqual(['program']);
  expect(namesOf(comment.repeat(50) + code(2000))).toEqual(['program']);
  expect(namesOf(code(4000))).toEqual(['step']);
});
