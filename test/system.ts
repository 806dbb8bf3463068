// Helpers for whole-system tests: real processes, started through bin/trenio or node, in their own
// folder; normalized output; and a check for leaked processes and shared memory.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = realpathSync(join(import.meta.dirname, '..'));
export const scripts = join(root, 'test', 'scripts');
export const trainExample = join(root, 'examples', 'bert-polarity', 'train.ts');

/** A folder that is removed when the scope ends. */
export function workFolder(): { readonly path: string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'trenio-system-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface StartOptions {
  readonly cwd?: string;
  /** Added to the environment of this process; undefined removes a variable. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** A variable set in every process that this one starts, directly or indirectly. */
const mark = `TRENIO_TEST_MARK_${process.pid}`;

export class Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';

  constructor(command: string, words: readonly string[], { cwd = root, variables = {} }: StartOptions = {}) {
    const { TRENIO_BACKEND: _, TRENIO_DEBUG: __, TRENIO_LOG: ___, ...inherited } = process.env;
    this.child = spawn(command, words, { cwd, env: { ...inherited, ...variables, [mark]: '1' } });
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.ended = once(this.child, 'close').then(([exitCode]) => ({
      exitCode: exitCode as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** The first match in its standard output. Rejects if it exits without one. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match !== null) return match;
      if (this.child.exitCode !== null) throw new Error(`ended without it: ${this.stdout}${this.stderr}`);
      await Promise.race([once(this.child.stdout, 'data'), this.ended]);
    }
  }
}

export const startTrenio = (words: readonly string[], options?: StartOptions): Running =>
  new Running(join(root, 'bin', 'trenio'), words, options);
/** Runs the `trenio` command until it exits. */
export const trenio = (words: readonly string[], options?: StartOptions): Promise<Ended> =>
  startTrenio(words, options).ended;
/** Runs `node script …` until it exits. */
export const node = (words: readonly string[], options?: StartOptions): Promise<Ended> =>
  new Running(process.execPath, words, options).ended;

/** Replaces everything that depends on paths and times. */
export function comparable(text: string, folder?: string): string {
  return (folder === undefined ? text : text.replaceAll(folder, 'FOLDER'))
    .replaceAll(root, 'TRENIO')
    .replaceAll(/(\/examples\/\S+\.ts):\d+:\d+/g, '$1:LINE')
    .replaceAll(/\(process \d+\)/g, '(process N)');
}

/** Leaked processes that were started from here, and their shared memory: both should be empty. Linux only. */
export function leftovers(launcherPid?: number): { readonly processes: string[]; readonly memory: string[] } {
  const list = (folder: string): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return ''; // exited, or owned by another user
    }
  };
  return {
    processes: list('/proc').filter(
      pid => /^\d+$/.test(pid) && read(`/proc/${pid}/environ`).split('\0').includes(`${mark}=1`),
    ),
    memory: list('/dev/shm').filter(name => name.startsWith(`trenio-${launcherPid ?? ''}-`)),
  };
}
