// For the tests of this folder: real processes that run a few lines of its code.
import { type ChildProcess, spawn } from 'node:child_process';
import { inheritedVariables } from '../base/environment.ts';

export interface Outcome {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface Child {
  readonly process: ChildProcess;
  readonly outcome: Promise<Outcome>;
}

/** `script` with its relative imports resolved as those of the module `from` (its `import.meta.url`). */
export const resolveImports = (from: string, script: string): string =>
  script.replaceAll(/from '(\.[\w./-]+)'/g, (_, file) => `from '${new URL(file, from)}'`);

/** The file descriptor of the file that `startProcess` passes to a child. */
export const GIVEN_FILE = 3;

/** Runs `script` as if it were in the module `from` (its `import.meta.url`), in a separate process group. */
export function startScript(
  from: string,
  script: string,
  variables: Readonly<Record<string, string>> = {},
  file?: number,
): Child {
  const located = resolveImports(from, script);
  return startProcess(['--no-warnings', '--input-type=module-typescript', '-e', located], variables, file);
}

/** Runs Node with these arguments in a separate process group, which inherits `file` as its file 3. */
export function startProcess(
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  file?: number,
): Child {
  const child = spawn(process.execPath, words, {
    env: { ...inheritedVariables(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe', ...(file === undefined ? [] : [file])],
    detached: true,
  });
  // A test that times out must not leave it running.
  const kill = (): void => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
  };
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]!.setEncoding('utf8').on('data', text => {
      texts[name] += text;
    });
  }
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, ...texts }));
  });
  return { process: child, outcome };
}

/** Resolves when the condition holds. Limited only by the time limit of the test. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 5));
}
