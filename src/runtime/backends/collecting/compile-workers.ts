// The processes of `trenio compile`, and which program each compiles next.
//
//   add ─▶ queue ─▶ idle worker ─▶ compiled, or failed
//            ▲            │
//            └── held ────┘   another process that shares the cache compiles it: continue with the others, then wait for it
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Variables } from '../../../base/environment.ts';
import { neighbor } from '../../../base/neighbor.ts';
import type { CompileReply, CompileTask } from './compile-worker.ts';

export type Compiled = Extract<CompileReply, { kind: 'compiled' }>;

export interface CompileJob {
  /** A program's file; undefined for the library that runs programs. */
  readonly file: string | undefined;
  /** A name for display. */
  readonly name: string;
}
interface Waiting extends CompileJob {
  readonly mayWait: boolean;
  readonly resolve: (compiled: Compiled) => void;
}
interface CompileProcess {
  readonly child: ChildProcess;
  job: Waiting | undefined;
}

/** The file next to this one, with the same extension: TypeScript in a checkout, JavaScript in the published package. */
const file = fileURLToPath(neighbor(import.meta.url, './compile-worker.ts'));
/** A process that gets the signal may be planning a large program, which takes a few seconds. */
const graceMs = 10_000;
const againMs = 1000;

export class CompileWorkers {
  readonly #count: number;
  readonly #variables: Variables;
  readonly #workers: CompileProcess[] = [];
  readonly #queue: Waiting[] = [];
  #isClosed = false;

  constructor(count: number, variables: Variables) {
    this.#count = count;
    this.#variables = variables;
  }

  /** Names of the programs that are being compiled. */
  get running(): readonly string[] {
    return this.#workers.flatMap(({ job }) => (job === undefined ? [] : [job.name]));
  }

  /** Never rejects: a failure is an error in the result. */
  compile(job: CompileJob): Promise<Compiled> {
    return new Promise(resolve => {
      this.#queue.push({ ...job, mayWait: false, resolve });
      this.#next();
    });
  }

  /** Ends the processes and their compilations, and removes partial results. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#workers.map(({ child }) => end(child)));
  }

  #next(): void {
    while (this.#queue.length > 0 && !this.#isClosed) {
      let worker = this.#workers.find(({ job }) => job === undefined);
      if (worker === undefined && this.#workers.length < this.#count) worker = this.#start();
      if (worker === undefined) return;
      const job = this.#queue.shift()!;
      worker.job = job;
      const { file: path, mayWait } = job;
      const task: CompileTask = path === undefined ? { kind: 'runtime' } : { kind: 'program', file: path, mayWait };
      worker.child.send(task, () => {}); // if it has ended, `exit` reports it
    }
  }

  #start(): CompileProcess {
    const cores = Math.max(1, Math.ceil(cpus().length / this.#count));
    const child = spawn(process.execPath, [file, `${cores}`], {
      env: this.#variables,
      // A separate process group: Ctrl-C reaches it, and its C compiler, through the command.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const worker: CompileProcess = { child, job: undefined };
    child.on('message', (reply: CompileReply) => {
      const job = worker.job!;
      worker.job = undefined;
      if (reply.kind === 'held') this.#queue.push({ ...job, mayWait: true });
      else job.resolve(reply);
      this.#next();
    });
    const died = (reason: string): void => {
      this.#workers.splice(this.#workers.indexOf(worker), 1);
      const hint = 'if the system killed it because memory ran out, use a smaller --parallel';
      const error = `the process that compiled it ended (${reason}); ${hint}`;
      worker.job?.resolve({ kind: 'compiled', kernels: 0, fromCache: false, compileMs: 0, error });
      this.#next();
    };
    child.once('error', error => died(error.message));
    child.once('exit', (code, signal) => died(signal ?? `exit code ${code}`));
    this.#workers.push(worker);
    return worker;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, 'exit');
  const kill = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, signal);
    } catch {
      // The process has ended, and with it its group.
    }
  };
  kill('SIGTERM');
  // Once more, for a C compiler that was started after the first signal.
  const again = setInterval(() => kill('SIGTERM'), againMs);
  const last = setTimeout(() => kill('SIGKILL'), graceMs);
  await exited;
  clearInterval(again);
  clearTimeout(last);
}
