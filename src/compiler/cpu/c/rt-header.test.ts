import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectiveHeader, rtHeader } from './rt-header.ts';

const declarations = (text: string): string =>
  text
    .replaceAll(/\/\/.*$/gm, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#') && !line.startsWith('typedef int (*trenio_step)'))
    .join('\n');

test('programs include the declarations of the runtime', () => {
  const contract = readFileSync(join(import.meta.dirname, '../../../runtime/native/trenio_rt.h'), 'utf8');
  expect(declarations(collectiveHeader)).toBe(declarations(contract));
  // The shorter one lacks the types that only group collectives need.
  const lines = new Set([...declarations(contract).split('\n'), 'void (*collective)(void);']);
  expect(
    declarations(rtHeader)
      .split('\n')
      .filter(line => !lines.has(line)),
  ).toEqual([]);
  expect(declarations(contract).startsWith(declarations(rtHeader).slice(0, 100))).toBe(true);
  expect(/TRENIO_RT_ABI (\d+)/.exec(rtHeader)?.[1]).toBe(/TRENIO_RT_ABI (\d+)/.exec(contract)?.[1]);
});
