// The constants that TypeScript and C share are equal on both sides, as checked by the C compiler.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as abi from '../../compiler/cpu/target/runtime-abi.ts';
import { findCompiler } from '../toolchain/c-compiler.ts';

const native = join(import.meta.dirname, '../native');

function errorsOf(language: 'c' | 'c++', includes: readonly string[], claims: readonly string[]): string {
  const keyword = language === 'c' ? '_Static_assert' : 'static_assert';
  const lines = [
    ...includes.map(file => `#include "${file}"`),
    '#include <stddef.h>',
    ...claims.map(claim => `${keyword}(${claim}, "as in runtime-abi.ts");`),
  ];
  const args = ['-fsyntax-only', '-D_GNU_SOURCE', '-x', language, `-I${native}`, '-'];
  const { stderr, error } = spawnSync(findCompiler().path, args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return stderr;
}
const equalities = (prefix: string, table: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(table).map(([name, value]) => `${prefix}${name} == ${value}`);
const offsets = (struct: string, { bytes, ...fields }: Readonly<Record<string, number>>): readonly string[] => [
  ...Object.entries(fields).map(([field, offset]) => `offsetof(${struct}, ${field}) == ${offset}`),
  ...(bytes === undefined ? [] : [`sizeof(${struct}) == ${bytes}`]),
];
const upper = (table: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name.toUpperCase(), value]));

const named = {
  ...upper(abi.dataTypes),
  ...upper(abi.reductions),
  ...upper(abi.collectiveKinds),
  ...abi.stepErrors,
  RT_ABI: abi.abiVersion,
};

test('numbers and offsets match the C code', () => {
  const claims = [
    ...equalities('TRENIO_', named),
    ...equalities('launch_', abi.launchStates),
    ...equalities('samples_', abi.sampleKinds),
    ...offsets('launch', abi.launchLayout),
    ...offsets('samples', abi.samplesLayout),
  ];
  expect(errorsOf('c', ['runtime.h', 'samples.c'], claims)).toBe('');
});
test('records of operators have the same layout as in C++', () => {
  const claims = [
    ...offsets('trenio_operand', abi.operandLayout),
    ...offsets('trenio_operator_call', abi.operatorCallLayout),
  ];
  expect(errorsOf('c++', ['trenio_operator.h'], claims)).toBe('');
});
test('a constant that differs is detected', () => {
  expect(errorsOf('c', ['runtime.h'], ['offsetof(launch, entry) == 40'])).toContain('as in runtime-abi.ts');
});
test('each constant of the header is in the table', () => {
  const header = readFileSync(join(native, 'trenio_rt.h'), 'utf8');
  const defined = [...header.matchAll(/^#define TRENIO_(\w+) (\d+)/gm)].map(match => [match[1], Number(match[2])]);
  expect(Object.fromEntries(defined)).toEqual(named);
});
