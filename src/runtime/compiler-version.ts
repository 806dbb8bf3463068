// Whether the system's C compiler is recent enough: older ones fail on generated code, or take it and do not vectorise it,
// which nobody would be told. Asked before the first compilation of a process; what comes from the cache needs no asking.
import { TrenioError } from '../base/errors.ts';
import { type CCompiler, compilerVersion } from './c-compiler.ts';

/** By the name that `--version` begins with. gcc 10 and clang 11 are the first that know the bf16 instructions. */
const oldest = { gcc: 10, clang: 11, 'Apple clang': 12 } as const;

interface Version {
  readonly family: keyof typeof oldest;
  readonly major: number;
}

/** Of the first line of `--version`; undefined for compilers that nothing is known of. */
export function parseVersion(line: string): Version | undefined {
  const clang = /(Apple )?clang version (\d+)/.exec(line);
  if (clang !== null) return { family: clang[1] === undefined ? 'clang' : 'Apple clang', major: Number(clang[2]) };
  const gcc = /^\S*(?:gcc|cc|GCC)\S* \(.*\) (\d+)\.\d+/.exec(line);
  return gcc === null ? undefined : { family: 'gcc', major: Number(gcc[1]) };
}

const asked = new Set<string>();

/** Throws C_COMPILER_TOO_OLD. */
export function requireVersion(compiler: CCompiler): void {
  if (asked.has(compiler.identity)) return;
  const line = compilerVersion(compiler);
  const version = parseVersion(line);
  if (version !== undefined && version.major < oldest[version.family]) {
    const { family } = version;
    throw new TrenioError('C_COMPILER_TOO_OLD', {
      compiler: compiler.path,
      found: line,
      needed: `${family} ${oldest[family]}`,
    });
  }
  asked.add(compiler.identity);
}
