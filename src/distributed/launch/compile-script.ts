// The programs of a script, compiled without training: the script runs with a device that writes each program to a folder and
// returns zeros (runtime/backends/collecting/), and processes compile them side by side, from the first one on.
//
//   script ─▶ ranks, TRENIO_COMPILE_ONLY=folder ─▶ folder/report.jsonl + program-RANK-N ─▶ CompileWorkers ─▶ the compile cache
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variables } from '../../base/environment.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { type CollectedLine, type Compiled, CompileWorkers, collectedFile } from '../../runtime/index.ts';
import { type LaunchOptions, launch } from './launch.ts';

export interface CompileScriptOptions {
  readonly nprocPerNode: number | 'auto';
  /**
   * The other machines of a job: its ranks then have the rank numbers and the world size of the training run. They do not wait
   * for each other, and each machine compiles what its own ranks need and no other has claimed.
   */
  readonly job?: Pick<LaunchOptions, 'nnodes' | 'oneRankEach' | 'rendezvous'> | undefined;
  /** The number of compiling processes. */
  readonly parallel: number;
  /** The script is ended after this many executions in a row without a new program. */
  readonly steps: number;
  readonly cwd: string;
  readonly variables: Variables;
  /** The destination of the script's output. */
  readonly output: OutputStream;
  readonly signal: AbortSignal;
  readonly onProgress: (state: CompileState) => void;
}

/** The progress. */
export interface CompileState {
  /** Whether the script still runs and may need more programs. */
  readonly isTracing: boolean;
  readonly found: number;
  readonly ready: number;
  /** Names of programs that are being compiled. */
  readonly running: readonly string[];
}

export interface CompiledProgram extends Omit<Compiled, 'kind'> {
  readonly name: string;
  readonly ops: number;
  /** The ranks that need the program. */
  readonly ranks: readonly number[];
}
export interface CompiledScript {
  /** In the order in which they were found. */
  readonly programs: readonly CompiledProgram[];
  /** Why the library that runs programs could not be compiled. */
  readonly runtimeError: string | undefined;
  /** The number of executions without a new program after which the script was stopped; undefined if it ended normally. */
  readonly stoppedAfter: number | undefined;
  readonly scriptExitCode: number;
}

interface Found {
  readonly name: string;
  readonly ops: number;
  readonly ranks: number[];
  readonly compiled: Promise<Compiled>;
}

const pollMs = 50;
const progressMs = 200;

/** @throws {SCRIPT_NOT_FOUND}; the signal's reason if it is aborted */
export async function compileScript(
  script: string,
  args: readonly string[],
  { nprocPerNode, job, parallel, steps, cwd, variables, output, signal, onProgress }: CompileScriptOptions,
): Promise<CompiledScript> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-compile-'));
  const workers = new CompileWorkers(parallel, variables);
  const found = new Map<string, Found>();
  let runtime: Promise<Compiled> | undefined;
  let stoppedAfter: number | undefined;
  let isTracing = true;
  let ready = 0;

  const take = (line: CollectedLine): void => {
    if (line.kind === 'stopped') stoppedAfter = Math.max(stoppedAfter ?? 0, line.executions);
    else if (line.kind === 'runtime') runtime ??= workers.compile({ file: undefined, name: 'the runtime' });
    else {
      const known = found.get(line.key);
      // One rank's file is enough.
      if (known !== undefined) known.ranks.push(line.rank);
      else {
        const { key, name, ops, rank, file } = line;
        const compiled = workers.compile({ file: join(folder, file), name });
        void compiled.then(() => ready++);
        found.set(key, { name, ops, ranks: [rank], compiled });
      }
    }
  };
  const report = new ReportReader(join(folder, collectedFile));
  const follow = setInterval(() => report.read().forEach(take), pollMs);
  const tell = setInterval(
    () => onProgress({ isTracing, found: found.size, ready, running: workers.running }),
    progressMs,
  );
  const interrupted = Promise.withResolvers<never>();
  interrupted.promise.catch(() => {});
  const interrupt = (): void => interrupted.reject(signal.reason);
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    const { exitCode } = await launch({
      script,
      args,
      nprocPerNode,
      ...job,
      cwd,
      variables: { ...variables, TRENIO_COMPILE_ONLY: folder, TRENIO_COMPILE_STEPS: String(steps) },
      stdout: output,
      stderr: output,
      capture: true,
      signal,
    });
    signal.throwIfAborted();
    report.read().forEach(take);
    isTracing = false;
    const programs = Promise.all(
      [...found.values()].map(async ({ compiled, ranks, ...program }): Promise<CompiledProgram> => {
        const { kind: _, ...result } = await compiled;
        return { ...program, ...result, ranks: ranks.sort((a, b) => a - b) };
      }),
    );
    return {
      programs: await Promise.race([programs, interrupted.promise]),
      runtimeError: (await Promise.race([runtime, interrupted.promise]))?.error,
      stoppedAfter,
      scriptExitCode: exitCode,
    };
  } finally {
    signal.removeEventListener('abort', interrupt);
    clearInterval(follow);
    clearInterval(tell);
    await workers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the lines that were appended to a file since the last call. */
class ReportReader {
  readonly #file: string;
  #lines = 0;

  constructor(file: string) {
    this.#file = file;
  }

  read(): readonly CollectedLine[] {
    let text: string;
    try {
      text = readFileSync(this.#file, 'utf8');
    } catch {
      return []; // no program yet
    }
    // The text after the last line break is still being written.
    const lines = text.split('\n').slice(0, -1);
    const fresh = lines.slice(this.#lines);
    this.#lines = lines.length;
    return fresh.map(line => JSON.parse(line) as CollectedLine);
  }
}
