// Portable artifacts: they give the same module as the text of the same program, and damaged bytes only give typed errors.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { TrenioError } from '../../base/errors.ts';
import type { Module } from '../program.ts';
import { parseModule } from '../text/parser.ts';
import { printModule } from '../text/printer.ts';
import { isBytecode, readBytecode } from './read.ts';

const golden = goldenPath('jax');
const names = readdirSync(golden);
const bytesOf = (name: string): Uint8Array => readFileSync(join(golden, name, 'program.mlir.bc'));
/** JAX writes some attributes of modules and functions only in one of the two forms. */
const bare = (module: Module): Module => ({
  ...module,
  functions: module.functions.map(func => {
    const { discardable: _, argAttributes: __, resultAttributes: ___, ...rest } = func;
    return rest;
  }),
  discardable: {},
});

describe('programs of jax.export', () => {
  test.each(names.filter(name => existsSync(join(golden, name, 'program.mlir'))))(
    '%s gives the same module as its text',
    name => {
      const text = readFileSync(join(golden, name, 'program.mlir'), 'utf8');
      expect(printModule(bare(readBytecode(bytesOf(name))))).toBe(printModule(bare(parseModule(text))));
    },
  );

  test('programs can be printed and parsed again', () => {
    for (const name of names) {
      const text = printModule(readBytecode(bytesOf(name)));
      expect(printModule(parseModule(text)), name).toBe(text);
    }
  });

  test('ops have the line in the Python file as their location', () => {
    const lines = readBytecode(bytesOf('mlp_step')).functions[0]!.body.ops.map(op => op.location?.file);
    expect(lines).toContain('export_programs.py');
  });
});

test('rejects bytes in another format', () => {
  expect(isBytecode(new TextEncoder().encode('module {}'))).toBe(false);
  expect(() => readBytecode(new Uint8Array(3))).toThrow(expect.objectContaining({ code: 'HLO_BYTECODE' }));
});

test('damaged bytes give an error with the position, never a crash', () => {
  const original = bytesOf('scan_and_while');
  const edit = fc.tuple(fc.nat(original.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.nat(original.length), (edits, length) => {
      const bytes = Uint8Array.from(original.subarray(0, length % 3 === 0 ? length : original.length));
      for (const [at, value] of edits) if (at < bytes.length) bytes[at] = value;
      try {
        readBytecode(bytes);
      } catch (error) {
        if (!(error instanceof TrenioError)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});
