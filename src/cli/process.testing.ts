// For tests: the `trenio` command as a real process.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inheritedVariables } from '../base/environment.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

export interface Finished {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class CliProcess {
  readonly child: ChildProcessWithoutNullStreams;
  stdout = '';
  stderr = '';
  readonly finished: Promise<Finished>;

  constructor(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.child = spawn(process.execPath, [main, ...words], { env: { ...inheritedVariables(), ...environment } });
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.finished = once(this.child, 'close').then(([exitCode, signal]) => ({
      exitCode,
      signal,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** Waits until its standard output contains the given number of matches and returns them. Rejects if it exits before. */
  async outputs(pattern: RegExp, count: number): Promise<readonly RegExpExecArray[]> {
    for (;;) {
      const matches = [...this.stdout.matchAll(pattern)];
      if (matches.length >= count) return matches;
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`ended too early: ${this.stdout}${this.stderr}`);
      await Promise.race([once(this.child.stdout, 'data'), this.finished]);
    }
  }
}

export function trenio(...words: string[]): Promise<Finished> {
  return new CliProcess(words).finished;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process has ended. */
export async function gone(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise(resolve => setTimeout(resolve, 10));
}

/** The shared memory of a launcher. */
export function segmentsOf(pid: number): readonly string[] {
  try {
    return readdirSync('/dev/shm').filter(name => name.startsWith(`trenio-${pid}-`));
  } catch {
    return [];
  }
}
