// One rank as a process: its command line, its environment, its output, its end. The launcher decides what to do when it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, createWriteStream } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Variables } from '../../base/environment.ts';
import { expectFileError } from '../../base/file-error.ts';
import { exitCodeOfSignal, handlesSaveRequests } from '../../base/interrupted.ts';
import { neighbor } from '../../base/neighbor.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { formatCpuList } from './core-shares.ts';
import { LinePrefixer } from './line-prefixer.ts';
import type { RankActivity } from './rank-watcher.ts';

/** Where lines go, and their prefix. */
export interface PrefixedStream {
  readonly stream: OutputStream;
  /** At the time a line is written. */
  readonly prefix: () => string;
  /** Keeps the bytes unchanged. */
  readonly file?: string | undefined;
}

export interface RankOptions {
  readonly rank: number;
  /** The environment that tells the rank its identity. */
  readonly environment: Readonly<Record<string, string>>;
  readonly script: string;
  readonly args: readonly string[];
  /** Without Node. */
  readonly isProgram: boolean;
  readonly cwd: string;
  readonly variables: Variables;
  /** The CPUs of its share. */
  readonly cpus: readonly number[];
  /** Whether it may only run on these. */
  readonly pin: boolean;
  /** Name of the shared memory; undefined for a single rank. */
  readonly sharedMemory: string | undefined;
  /** Whether it has a thread that answers questions (rank-watcher.ts). */
  readonly watched: boolean;
  /** The file of the socket at which it listens for ranks of other machines. */
  readonly listener: number | undefined;
  /** Where its output goes, line by line; undefined: it writes to our own streams itself. */
  readonly output: { readonly stdout: PrefixedStream; readonly stderr: PrefixedStream } | undefined;
}

export interface RankEnd {
  readonly rank: number;
  readonly pid: number;
  /** 0: success; 128 + n: ended by signal n. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | undefined;
  /** The error of the system if it could not be started. */
  readonly startError: string | undefined;
}

// Enough for the message and the stack of an error.
const LAST_LINES = 30;
/** The interval at which a starting rank is polled until it handles signals. */
const READY_POLL_MS = 50;
// A child of the rank that left its process group may hold the pipes open; the launcher waits at most this long.
const OUTPUT_GRACE_MS = 1000;
/** The thread that answers waits for the main thread twice. */
const ANSWER_MS = 5000;
/** File descriptors after the three standard streams. */
const CHANNEL = 3;
const LISTENER = 4;
/** Next to this file, with the same extension: TypeScript in a checkout, JavaScript in the published package. */
const preload = neighbor(import.meta.url, './rank-preload.ts').href;

export class RankProcess {
  readonly rank: number;
  readonly #child: ChildProcess;
  readonly #stderr: LinePrefixer | undefined;
  readonly #output: Promise<unknown>;
  /** Resolves when the process has ended; its output may still be pending. Never rejects. */
  readonly ended: Promise<RankEnd>;
  #running = true;

  constructor(options: RankOptions) {
    this.rank = options.rank;
    const [command, ...args] = rankCommand(options);
    this.#child = spawn(command!, args, {
      cwd: options.cwd,
      env: rankVariables(options),
      // A separate process group: Ctrl-C reaches it through the launcher, in order, and its children can be ended with it.
      detached: true,
      stdio: [
        ...(options.output ? (['ignore', 'pipe', 'pipe'] as const) : (['inherit', 'inherit', 'inherit'] as const)),
        ...(options.watched ? (['pipe'] as const) : []),
        ...(options.listener === undefined ? [] : [options.listener]),
      ],
    });
    // It ends with the rank.
    this.#channel?.on('error', () => {});
    this.ended = this.#end();
    if (options.output) {
      const { stdout, stderr } = options.output;
      this.#stderr = new LinePrefixer(stderr.prefix, stderr.stream, LAST_LINES);
      this.#output = Promise.all([
        new LinePrefixer(stdout.prefix, stdout.stream).follow(this.#child.stdout!),
        this.#stderr.follow(this.#child.stderr!),
        keep(this.#child.stdout!, stdout.file),
        keep(this.#child.stderr!, stderr.file),
      ]);
    } else {
      this.#output = Promise.resolve();
    }
  }

  get running(): boolean {
    return this.#running;
  }

  get #channel(): Duplex | undefined {
    return (this.#child.stdio[CHANNEL] ?? undefined) as Duplex | undefined;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The current activity of its main thread. Undefined if it does not answer: it is stopped, or starts, or ends. */
  async activity(): Promise<RankActivity | undefined> {
    const channel = this.#channel;
    if (channel === undefined || !this.#running) return undefined;
    const { promise, resolve } = Promise.withResolvers<RankActivity | undefined>();
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS);
    let text = '';
    const onData = (chunk: Buffer): void => {
      text += chunk.toString();
      if (text.endsWith('\n')) resolve(JSON.parse(text) as RankActivity);
    };
    channel.on('data', onData);
    channel.write('?');
    try {
      return await Promise.race([promise, this.ended.then(() => undefined)]);
    } finally {
      clearTimeout(timer);
      channel.off('data', onData);
    }
  }

  /** The end of its standard error output (empty if it wrote to ours). */
  get lastErrorLines(): readonly string[] {
    return this.#stderr?.lastLines ?? [];
  }

  /** Asks it for a checkpoint (SIGUSR1) as soon as it handles the signal, which before would end it or open Node's debugger. */
  async requestSave(): Promise<void> {
    while (this.#running && !handlesSaveRequests(this.pid)) await sleep(READY_POLL_MS);
    if (this.#running) this.kill('SIGUSR1');
  }

  /** Sends a signal to it and its children. */
  kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      expectFileError(error, 'ESRCH');
      // It has already ended.
    }
  }

  /** Waits until everything it wrote has been passed on. */
  async drain(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, OUTPUT_GRACE_MS);
    await Promise.race([this.#output, late.promise]);
    clearTimeout(timer);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    await this.#output;
  }

  async #end(): Promise<RankEnd> {
    const child = this.#child;
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      return {
        rank: this.rank,
        pid: child.pid ?? 0,
        exitCode: signal === null ? (code ?? 1) : exitCodeOfSignal(signal),
        signal: signal ?? undefined,
        startError: undefined,
      };
    } catch (error) {
      return {
        rank: this.rank,
        pid: 0,
        exitCode: 1,
        signal: undefined,
        startError: error instanceof Error ? error.message : String(error),
      };
    } finally {
      this.#running = false;
      // Compilers and the like that it left behind.
      this.kill('SIGKILL');
    }
  }
}

function rankCommand({ script, args, isProgram, cpus, pin, variables }: RankOptions): readonly string[] {
  const node = isProgram ? [] : [process.execPath, ...youngGeneration(variables), '--import', preload];
  const command = [...node, script, ...args];
  const taskset = pin ? findOnPath('taskset', variables.PATH ?? '') : undefined;
  // taskset becomes the program (exec): the process id and the parent stay. Without it only the compute threads are pinned.
  return taskset === undefined ? command : [taskset, '--cpu-list', formatCpuList(cpus), ...command];
}

/**
 * V8's young generation grows to 192 MB in a script that records each step again. With a quarter of it, the objects of a step
 * still die young, and the heap is 100 MB smaller. A setting of the user takes precedence.
 */
const youngGeneration = ({ NODE_OPTIONS = '' }: Variables): readonly string[] =>
  /--max[-_]semi[-_]space[-_]size/.test(NODE_OPTIONS) ? [] : ['--max-semi-space-size=16'];

function rankVariables({
  environment,
  variables,
  cpus,
  pin,
  sharedMemory,
  watched,
  listener,
  output,
}: RankOptions): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = {
    ...variables,
    ...environment,
    // The user's own number of threads takes precedence.
    TRENIO_NUM_THREADS: variables.TRENIO_NUM_THREADS || `${cpus.length}`,
  };
  // Removed instead of inherited, because a script started by `trenio run` may start `trenio run` itself.
  delete result.TRENIO_CPUS;
  delete result.TRENIO_SHM;
  delete result.TRENIO_LAUNCHER_CHANNEL;
  delete result.TRENIO_LAUNCHER_TERMINAL;
  for (const name of ['TRENIO_LAUNCHER_TIMEOUT_MS', 'TRENIO_COMM_TABLE', 'TRENIO_COMM_LISTENER'])
    if (!(name in environment)) delete result[name];
  if (listener !== undefined) result.TRENIO_COMM_LISTENER = `${LISTENER}`;
  if (environment.LOCAL_RANK === '0' && output?.stderr.stream.isTTY === true) result.TRENIO_LAUNCHER_TERMINAL = '1';
  if (watched) result.TRENIO_LAUNCHER_CHANNEL = `${CHANNEL}`;
  if (pin) result.TRENIO_CPUS = formatCpuList(cpus);
  if (sharedMemory !== undefined) result.TRENIO_SHM = sharedMemory;
  return result;
}

/** Writes a copy of a stream to a file. A full disk loses the copy, not the run; the launcher reports it. */
async function keep(source: Readable, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const file = createWriteStream(path, { flags: 'a' });
  const { promise, resolve } = Promise.withResolvers<void>();
  file.once('error', error => {
    process.stderr.write(`trenio run: cannot write ${path}: ${error.message}; the rest of this log is lost\n`);
    resolve();
  });
  file.once('finish', resolve);
  source.on('data', (chunk: Buffer) => {
    if (!file.destroyed) file.write(chunk);
  });
  source.once('close', () => file.end());
  await promise;
}

function findOnPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter(folder => folder !== '')
    .map(folder => join(folder, name))
    .find(file => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch (error) {
        expectFileError(error);
        return false;
      }
    });
}
