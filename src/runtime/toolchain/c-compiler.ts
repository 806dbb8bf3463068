// Finds the system's C compiler and runs it on a directory of translation units. The compile cache decides what to compile
// and where to store the result.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { cpus, setPriority } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { expectFileError, readIfThere } from '../../base/file-error.ts';
import { aliveInShell } from '../../base/process-identity.ts';

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
  } catch (error) {
    expectFileError(error);
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

/** The compiler named by CC, or else the first of gcc, clang and cc. @throws {NO_C_COMPILER} */
export function findCompiler(variables?: Variables): CCompiler {
  const named = readVariable('CC', variables);
  const tried = named === undefined ? candidates : [named];
  for (const command of tried) {
    const path = which(command, readVariable('PATH', variables) ?? '');
    if (path === undefined) continue;
    // The file's own identity instead of `--version`, which would start a process each time.
    const { size, mtimeMs } = statSync(path);
    return { path, identity: `${realpathSync(path)}:${size}:${mtimeMs}` };
  }
  throw new TrenioError('NO_C_COMPILER', { tried: named === undefined ? tried.join(', ') : whyNot(named) });
}

/** Whether there is no compiler and none is asked for with CC: the programs of a single process then run without one. */
export function runsWithoutCompiler(variables?: Variables): boolean {
  const folders = readVariable('PATH', variables) ?? '';
  return readVariable('CC', variables) === undefined && candidates.every(name => which(name, folders) === undefined);
}

/**
 * The compiler of the MPI that has started this process, or else of the user's MPI, if there is one on PATH. Where both Open MPI
 * and MPICH are installed, `mpicc` is one of them, and Debian calls them mpicc.openmpi and mpicc.mpich.
 */
export function findMpiCompiler(variables?: Variables): CCompiler | undefined {
  const folders = readVariable('PATH', variables) ?? '';
  const path = which(`mpicc.${startedBy(variables)}`, folders) ?? which('mpicc', folders);
  if (path === undefined) return undefined;
  const { size, mtimeMs } = statSync(path);
  return { path, identity: `${realpathSync(path)}:${size}:${mtimeMs}` };
}

function startedBy(variables?: Variables): string {
  if (readVariable('OMPI_COMM_WORLD_SIZE', variables) !== undefined) return 'openmpi';
  // Slurm speaks MPICH's protocol with either of them.
  const isSlurm = readVariable('SLURM_PROCID', variables) !== undefined;
  return readVariable('PMI_SIZE', variables) !== undefined && !isSlurm ? 'mpich' : 'default';
}

function whyNot(named: string): string {
  const status = statSync(named, { throwIfNoEntry: false });
  const isPath = isAbsolute(named) || named.includes('/');
  if (!isPath) return `CC=${named}: no such command is on PATH; CC takes no arguments`;
  if (status === undefined) return `CC=${named}: no such file`;
  return `CC=${named}: it is ${status.isFile() ? 'not executable' : status.isDirectory() ? 'a directory' : 'not a file'}`;
}

/** The first line of `--version`, for messages. */
export function compilerVersion(compiler: CCompiler): string {
  const { output } = runCompiler(compiler, ['--version'], '/');
  return output.split('\n')[0] || 'unknown';
}

/** Compilers answer within milliseconds; on a busy machine or a slow network within seconds. */
const answerMs = 20_000;

/** Runs a short query of the compiler. `failure` describes how it failed. */
export function runCompiler(
  { path }: CCompiler,
  args: readonly string[],
  cwd: string,
): { readonly failure: string | undefined; readonly output: string } {
  const run = spawnSync(path, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: compileEnvironment(cwd),
    timeout: answerMs,
    killSignal: 'SIGKILL',
  });
  const output = `${run.stdout ?? ''}${run.stderr ?? ''}`.trim();
  const code = (run.error as NodeJS.ErrnoException | undefined)?.code;
  const failure =
    code === 'ETIMEDOUT'
      ? `does not end within ${answerMs / 1000} seconds`
      : code !== undefined
        ? `cannot be run: ${code}`
        : run.signal !== null
          ? `is ended by ${run.signal}`
          : run.status !== 0
            ? `ends with exit code ${run.status}${output === '' ? ' without output' : ''}`
            : undefined;
  return { failure, output };
}

let features: string | undefined; // a processor does not change while a process runs
/** The processor's name and abilities: machine code compiled with -march=native is only for this processor. */
export function processorIdentity(): string {
  if (features !== undefined) return features;
  const info = readIfThere('/proc/cpuinfo')?.split('\n\n', 1)[0];
  features = info?.match(/^(model name|flags|CPU implementer|CPU part|Features)\s*:.*$/gm)?.join('\n');
  features ??= `${process.arch} ${cpus()[0]?.model}`;
  return features;
}

/** Allows the compiler to use all instructions of this processor: programs run on the machine that compiles them. */
export const hostFlag = process.arch === 'x64' ? '-march=native' : '-mcpu=native';
/**
 * Flags for the arithmetic of generated code and of the runtime. Never -ffast-math: linked with it, a
 * library switches denormals off in the whole process. The two -fno flags let sqrt vectorize. Without
 * contraction to fused multiply-adds every operation is rounded separately, whatever it is inlined into.
 */
export const arithmeticFlags: readonly string[] = ['-fno-math-errno', '-fno-trapping-math', '-ffp-contract=off'];
const commonFlags = ['-std=gnu11', '-D_GNU_SOURCE', '-fPIC', '-pipe', '-I.'];
/** Allows the linker to remove unused functions; they are compiled with -ffunction-sections. */
export const dropUnusedFlags: readonly string[] =
  process.platform === 'darwin' ? ['-Wl,-dead_strip'] : ['-Wl,--gc-sections'];
const linkFlags = process.platform === 'darwin' ? ['-shared'] : ['-shared', '-lm', '-ldl', '-lrt', '-pthread'];

/** Everything a compilation depends on, except the sources and the compiler. */
export const flagsIdentity = (flags: readonly string[]): string => [...commonFlags, ...flags, ...linkFlags].join(' ');

export type CompileOutcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'failed'; readonly output: string }
  | { readonly kind: 'interrupted' };

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The sources to compile, and the directory. */
export interface Compilation {
  /** The directory of the units and of the output. */
  readonly directory: string;
  /** Names of files in `directory`. */
  readonly units: readonly string[];
  /** Names of compiled files in `directory`, to be linked with them. */
  readonly objects?: readonly string[];
  readonly output: string;
  readonly flags: readonly string[];
  /** Further arguments for the linker. */
  readonly libraries?: readonly string[];
  /** Files to remove if the compilation is interrupted, in this order; directories other than `directory` if they are empty. */
  readonly remains?: readonly string[];
}

/** Written into the directory at the end: 0 or 1. */
const statusName = 'status';

/** The maximum number of C compiler processes per core. */
const unitsPerCore = 4;
/** The compiled file of a unit. */
export const objectOf = (unit: string): string => `${unit}.o`;

/** How often the script looks whether this process still exists, in seconds. */
const watchSeconds = 0.1;

/**
 * The shell script that compiles the units in parallel and links them. If interrupted, it ends the compilers and removes
 * `remains`; it does the same as soon as this process dies, of whatever.
 */
function scriptOf(compiler: CCompiler, compilation: Compilation): string {
  const { directory, units, objects = [], output, flags, libraries = [], remains = [] } = compilation;
  const command = (...words: readonly string[]): string => [compiler.path, ...words].map(quote).join(' ');
  const jobs = cpus().length;
  const compile = units.map((unit, i) => {
    const run = `${command(...commonFlags, ...flags, '-c', unit, '-o', objectOf(unit))} 2>${quote(`${unit}.log`)} & pids="$pids $!"`;
    // Units differ in length: several per core balance the load.
    return (i + 1) % (unitsPerCore * jobs) === 0 ? `${run}\nwait_all` : run;
  });
  // Background jobs of a shell ignore Ctrl-C, so the shell must end them; a driver like gcc does not end its child processes, nor
  // do they theirs. A rank is pinned to its share of the cores, but while it compiles, the other ranks wait for it.
  return `
pids=
failed=0
end() {
  while [ $# -gt 0 ]; do
    end $(cat /proc/$1/task/$1/children 2>/dev/null)
    kill -$signal $1 2>/dev/null
    shift
  done
}
leave() {
  # A second signal, also that of the watcher below, must not end this before it has ended the compilers.
  trap '' INT TERM HUP
  # One may have started without being in the list yet; and one that is about to start loses signals that it can catch.
  children=
  read -r children 2>/dev/null </proc/$$/task/$$/children
  for signal in TERM TERM KILL; do
    end $pids $children
    [ $signal = KILL ] || sleep 0.03
  done
  wait
  cd /
  rm -rf ${quote(directory)}
  ${remains.map(path => `rm -f ${quote(path)} 2>/dev/null || rmdir ${quote(path)} 2>/dev/null`).join('\n  ')}
  exit 130
}
trap leave INT TERM HUP
alive() { ${aliveInShell()}; }
(while alive; do sleep ${watchSeconds}; done; kill $$) &
watcher=$!
command -v taskset >/dev/null && taskset --all-tasks --pid --cpu-list 0-${jobs - 1} $$ >/dev/null 2>&1
wait_all() { for pid in $pids; do wait "$pid" || failed=1; done; pids=; }
${compile.join('\n')}
wait_all
if [ $failed = 0 ]; then
  ${command('-o', output, ...units.map(objectOf), ...objects, ...libraries, ...linkFlags)} 2>link.log & pids=$!
  wait_all
fi
kill $watcher
alive || leave
echo $failed >${statusName}
exit $failed
`;
}

/** Compiles, and blocks until it is done. */
export function compileUnits(compiler: CCompiler, compilation: Compilation): CompileOutcome {
  const { directory } = compilation;
  const run = spawnSync('/bin/sh', ['-c', scriptOf(compiler, compilation)], {
    cwd: directory,
    stdio: 'ignore',
    env: compileEnvironment(directory),
  });
  if (run.signal !== null) return { kind: 'interrupted' };
  return outcomeIn(directory, run.error);
}

/** A compilation in the background. */
export interface BackgroundCompilation {
  readonly isDone: boolean;
  /** Blocks until it is done. */
  wait(): CompileOutcome;
  /** Ends it. */
  cancel(): void;
}

const pollMs = 2;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** A tenth of the time of a process of normal priority that wants the same core. */
const lowPriority = 10;
/** `low`: for a result that no one waits for yet. */
export type CompilePriority = 'normal' | 'low';

/** Compilers inherit the priority of their shell. */
function lower(shell: number): void {
  try {
    setPriority(shell, lowPriority);
  } catch {
    // It has ended, or a sandbox does not allow it.
  }
}

/** Starts a compilation; undefined on systems that do not report the end of a process while this thread is busy. */
export function startCompiling(
  compiler: CCompiler,
  compilation: Compilation,
  priority: CompilePriority = 'normal',
): BackgroundCompilation | undefined {
  const { directory } = compilation;
  if (!existsSync('/proc/self/stat')) return undefined;
  const child = spawn('/bin/sh', ['-c', scriptOf(compiler, compilation)], {
    cwd: directory,
    stdio: 'ignore',
    env: compileEnvironment(directory),
  });
  let failure: Error | undefined;
  child.on('error', error => {
    failure = error;
  });
  if (priority === 'low' && child.pid !== undefined) lower(child.pid);
  child.unref();
  return {
    get isDone() {
      return hasEnded(child);
    },
    wait: () => {
      while (!hasEnded(child)) Atomics.wait(sleeper, 0, 0, pollMs);
      return outcomeIn(directory, failure);
    },
    cancel: () => {
      child.kill();
      // The shell does this, too, unless it was killed before.
      for (const remove of [
        () => rmSync(directory, { recursive: true, force: true }),
        ...(compilation.remains ?? []).map(path => () => removeOne(path)),
      ]) {
        try {
          remove();
        } catch (error) {
          expectFileError(error);
          // A compiler still writes there; in that case the shell still exists, and ends it.
        }
      }
    },
  };
}

function removeOne(path: string): void {
  if (lstatSync(path).isDirectory()) rmdirSync(path);
  else rmSync(path);
}

/** True for zombies too: the event loop has not reaped them yet. */
function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  if (pid === undefined || exitCode !== null || signalCode !== null) return true;
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat === undefined || /^\d+ \(.*\) Z/.test(stat);
}

/** The files in the script's directory, which it removes when it is interrupted. */
function outcomeIn(directory: string, error: Error | undefined): CompileOutcome {
  if (error !== undefined) return { kind: 'failed', output: String(error) };
  if (!existsSync(directory)) return { kind: 'interrupted' };
  const textOf = (name: string): string => readFileSync(join(directory, name), 'utf8');
  const names = readdirSync(directory);
  if (names.includes(statusName) && textOf(statusName).trim() === '0') return { kind: 'ok' };
  const logs = names.filter(name => name.endsWith('.log')).map(textOf);
  return { kind: 'failed', output: logs.join('') };
}

// Compilers find their own parts through PATH; LC_ALL keeps their messages in one language.
function compileEnvironment(directory: string): Record<string, string> {
  return { PATH: readVariable('PATH') ?? '', LC_ALL: 'C', TMPDIR: directory };
}
