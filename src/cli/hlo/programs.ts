// Reads and verifies programs from files, and splits files that contain several.
import { resolve } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { readBytes } from '../../base/read-file.ts';
import { isBytecode, readBytecode } from '../../hlo/bytecode/read.ts';
import type { Module } from '../../hlo/program.ts';
import { parseModule, splitChunks } from '../../hlo/text/parser.ts';
import { verify } from '../../hlo/verifier.ts';
import { callsOf } from '../../hlo/walk.ts';

/** Text, or the bytes of a portable artifact. */
export type ProgramSource = string | Uint8Array;

/** The sources in a file: all of it, or its parts between lines `// -----`. */
export async function readSources(cwd: string, file: string, split: boolean): Promise<readonly ProgramSource[]> {
  const source = sourceOf(await readBytes(resolve(cwd, file)));
  return split && typeof source === 'string' ? splitChunks(source) : [source];
}

/** A file with one program. */
export const sourceOf = (bytes: Uint8Array): ProgramSource =>
  isBytecode(bytes) ? bytes : new TextDecoder().decode(bytes);

/**
 * A program, verified.
 * @throws {HLO_SYNTAX}
 * @throws {INVALID_OP}
 * @throws {INVALID_PROGRAM}
 */
export function verifiedProgram(source: ProgramSource, file: string): Module {
  const module = typeof source === 'string' ? parseModule(source, { file }) : readBytecode(source);
  verify(module);
  return module;
}

/** The single program of a file, verified. */
export async function readProgram(cwd: string, file: string): Promise<Module> {
  const [source] = await readSources(cwd, file, false);
  return verifiedProgram(source!, file);
}

/**
 * The module with `name` as its entry; without a name, `main` or else the only function.
 * @throws {BAD_ARGUMENT} if that is ambiguous
 */
export function withEntry(module: Module, command: string, name?: string): Module {
  const names = module.functions.filter(func => func.declaredResults === undefined).map(func => func.name);
  const entry = name ?? (names.includes('main') || names.length !== 1 ? 'main' : names[0]!);
  if (!names.includes(entry)) {
    throw new TrenioError('BAD_ARGUMENT', {
      command,
      argument: '--function',
      got: name === undefined ? 'not given' : `'${name}'`,
      expected: names.length === 0 ? 'a program with at least one function' : `one of ${names.join(', ')}`,
    });
  }
  if (entry === 'main') return module;
  // Remove functions that the entry does not need, including main, and put the entry first.
  const needed = new Set([entry]);
  for (const reached of needed) {
    const func = module.functions.find(f => f.name === reached);
    for (const op of func?.body.ops ?? []) for (const callee of callsOf(op)) needed.add(callee);
  }
  if (needed.has('main')) {
    const what = `--function ${entry}, which calls main,`;
    throw new TrenioError('UNSUPPORTED', { what, where: `trenio ${command}`, instead: 'run main' });
  }
  const functions = module.functions.filter(func => needed.has(func.name));
  return { ...module, functions: functions.toSorted((a, b) => Number(b.name === entry) - Number(a.name === entry)) };
}
