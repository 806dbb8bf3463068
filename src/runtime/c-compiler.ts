// Finding the system's C compiler and running it over a directory of translation units. What is compiled, and where
// the result is kept, is the compile cache's business.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { readVariable, type Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';

export interface CCompiler {
  /** The file to run. */
  readonly path: string;
  /** Changes whenever the compiler does: part of every cache key. */
  readonly identity: string;
}

const candidates = ['gcc', 'clang', 'cc'];

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function which(command: string, searchPath: string): string | undefined {
  if (isAbsolute(command) || command.includes('/')) return executable(command) ? resolve(command) : undefined;
  for (const directory of searchPath.split(delimiter)) {
    const path = join(directory, command);
    if (directory !== '' && executable(path)) return path;
  }
  return undefined;
}

/** The compiler that CC names, or else the first of gcc, clang and cc. Throws NO_C_COMPILER. */
export function findCompiler(variables?: Variables): CCompiler {
  const named = readVariable('CC', variables);
  const tried = named === undefined ? candidates : [named];
  for (const command of tried) {
    const path = which(command, readVariable('PATH', variables) ?? '');
    if (path === undefined) continue;
    // The file's own identity instead of `--version`, which would cost a process at each start.
    const { size, mtimeMs } = statSync(path);
    return { path, identity: `${realpathSync(path)}:${size}:${mtimeMs}` };
  }
  throw new TrenioError('NO_C_COMPILER', { tried: tried.join(', ') });
}

/** The first line of `--version`, for people. */
export function compilerVersion(compiler: CCompiler): string {
  const { stdout } = spawnSync(compiler.path, ['--version'], { encoding: 'utf8' });
  return stdout?.split('\n')[0] ?? 'unknown';
}

let features: string | undefined; // a processor does not change while a process runs
/** The processor's name and abilities: machine code made with -march=native is for this alone. */
export function processorIdentity(): string {
  if (features !== undefined) return features;
  try {
    const info = readFileSync('/proc/cpuinfo', 'utf8').split('\n\n', 1)[0]!;
    features = info.match(/^(model name|flags|CPU implementer|CPU part|Features)\s*:.*$/gm)?.join('\n');
  } catch {
    // no /proc on this system
  }
  features ??= `${process.arch} ${cpus()[0]?.model}`;
  return features;
}

/** Lets the compiler use all that this processor can do: what is compiled here runs here. */
export const hostFlag = process.arch === 'x64' ? '-march=native' : '-mcpu=native';
/**
 * What the arithmetic of generated code and of the runtime may be compiled to. Never -ffast-math: linked with it, a
 * library switches denormals off in the whole process. The two -fno flags are what lets sqrt vectorise; contraction is
 * the fused multiply-add.
 */
export const arithmeticFlags: readonly string[] = ['-fno-math-errno', '-fno-trapping-math', '-ffp-contract=fast'];
const commonFlags = ['-std=gnu11', '-D_GNU_SOURCE', '-fPIC', '-pipe', '-I.'];
const linkFlags = process.platform === 'darwin' ? ['-shared'] : ['-shared', '-lm', '-ldl', '-lrt', '-pthread'];

/** All that a compilation depends on besides the sources and the compiler. */
export const flagsIdentity = (flags: readonly string[]): string => [...commonFlags, ...flags, ...linkFlags].join(' ');

export type CompileOutcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'failed'; readonly output: string }
  | { readonly kind: 'interrupted' };

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/**
 * Compiles `units` (file names in `directory`) to `output` there, in parallel, and blocks until it is done.
 * Interrupted, it ends the compilers and removes `remains`; so it does if this process dies meanwhile.
 */
export function compileUnits(
  compiler: CCompiler,
  directory: string,
  units: readonly string[],
  output: string,
  flags: readonly string[],
  libraries: readonly string[] = [],
  remains: readonly string[] = [directory],
): CompileOutcome {
  const command = (...words: readonly string[]): string => [compiler.path, ...words].map(quote).join(' ');
  const jobs = cpus().length;
  const compile = units.map((unit, i) => {
    const run = `${command(...commonFlags, ...flags, '-c', unit, '-o', `${unit}.o`)} 2>${quote(`${unit}.log`)} & pids="$pids $!"`;
    return (i + 1) % jobs === 0 ? `${run}\nwait_all` : run;
  });
  // Background jobs of a shell ignore Ctrl-C, so the shell must end them, and a driver like gcc does not end its own.
  // A rank is pinned to its share of the cores, but while it compiles, the other ranks wait for it.
  const script = `
command -v taskset >/dev/null && taskset --all-tasks --pid --cpu-list 0-${jobs - 1} $$ >/dev/null 2>&1
pids=
failed=0
leave() {
  trap - INT TERM HUP
  for pid in $pids; do kill $pid $(cat /proc/$pid/task/$pid/children 2>/dev/null) 2>/dev/null; done
  wait
  cd /
  rm -rf ${remains.map(quote).join(' ')}
  exit 130
}
trap leave INT TERM HUP
wait_all() { for pid in $pids; do wait "$pid" || failed=1; done; pids=; }
${compile.join('\n')}
wait_all
if [ $failed = 0 ]; then
  ${command('-o', output, ...units.map(unit => `${unit}.o`), ...libraries, ...linkFlags)} 2>link.log & pids=$!
  wait_all
fi
kill -0 ${process.pid} 2>/dev/null || leave
cat *.log >&2
exit $failed
`;
  const run = spawnSync('/bin/sh', ['-c', script], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    env: { ...compileEnvironment(), TMPDIR: directory },
  });
  if (run.signal !== null || run.status === 130) return { kind: 'interrupted' };
  if (run.status !== 0) return { kind: 'failed', output: run.stderr || String(run.error ?? `status ${run.status}`) };
  return { kind: 'ok' };
}

// Compilers find their own parts through PATH; LC_ALL keeps their messages in one language.
function compileEnvironment(): Record<string, string> {
  return { PATH: readVariable('PATH') ?? '', LC_ALL: 'C' };
}
