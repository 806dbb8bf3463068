// Checks that the system's C compiler is supported and recent enough: older ones fail on generated code, or silently do not
// vectorize it. Checked before the first compilation of a process; programs from the cache do not
// need the check.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { type CCompiler, runCompiler } from './c-compiler.ts';

/** By the first word of `--version`. gcc 10 and clang 11 are the first to support the bf16 instructions. */
const oldest = { gcc: 10, clang: 11, 'Apple clang': 12 } as const;

interface Version {
  readonly family: keyof typeof oldest;
  readonly major: number;
}

/** From the first line of `--version`; undefined for unknown compilers. */
export function parseVersion(line: string): Version | undefined {
  const clang = /(Apple )?clang version (\d+)/.exec(line);
  if (clang !== null) return { family: clang[1] === undefined ? 'clang' : 'Apple clang', major: Number(clang[2]) };
  const gcc = /^\S*(?:gcc|cc|GCC)\S* \(.*\) (\d+)\.\d+/.exec(line);
  return gcc === null ? undefined : { family: 'gcc', major: Number(gcc[1]) };
}

/** The result of the check, by compiler; undefined if the compiler can be used. */
const asked = new Map<string, TrenioError | undefined>();

/**
 * @throws {C_COMPILER_TOO_OLD}
 * @throws {C_COMPILER_UNUSABLE}
 */
export function requireVersion(compiler: CCompiler): void {
  const { identity } = compiler;
  if (!asked.has(identity)) asked.set(identity, problemOf(compiler));
  const problem = asked.get(identity);
  if (problem !== undefined) throw problem;
}

function problemOf(compiler: CCompiler): TrenioError | undefined {
  const { failure, output } = runCompiler(compiler, ['--version'], '/');
  if (failure !== undefined) return unusable(compiler, `'--version' ${failure}`);
  const line = output.split('\n')[0] ?? '';
  const version = parseVersion(line);
  if (version === undefined || version.major >= oldest[version.family]) return undefined;
  const { family } = version;
  return new TrenioError('C_COMPILER_TOO_OLD', {
    compiler: compiler.path,
    found: line,
    needed: `${family} ${oldest[family]}`,
  });
}

/** Called after a failed compilation. @throws {C_COMPILER_UNUSABLE} if it cannot compile an empty function either */
export function probeCompiler(compiler: CCompiler, directory: string): void {
  const [source, object] = ['probe.c', 'probe.o'];
  writeFileSync(join(directory, source), 'int trenio_probe(void) { return 0; }\n');
  const { failure, output } = runCompiler(compiler, ['-c', source, '-o', object], directory);
  const problem = failure ?? (existsSync(join(directory, object)) ? undefined : 'writes no output');
  if (problem === undefined) return;
  if (/no space left|disk quota/i.test(output)) throw Object.assign(new Error(output), { code: 'ENOSPC' });
  const said = output.split('\n').slice(0, 3).join('\n');
  throw unusable(compiler, `compiling an empty function ${problem}${said === '' ? '' : `:\n${said}`}`);
}

export const unusable = (compiler: CCompiler, reason: string): TrenioError =>
  new TrenioError('C_COMPILER_UNUSABLE', { compiler: compiler.path, reason });
