// For tests: a command line that runs in this process, with its output as text.
import { Readable } from 'node:stream';
import { runCli } from './cli.ts';
import type { CliContext } from './command/command.ts';
import { commands } from './commands.ts';

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `trenio WORDS` with this standard input; by default without any, in `/`, with no environment variables. */
export async function runWords(
  words: readonly string[],
  { stdin = '', ...options }: Partial<Omit<CliContext, 'stdin' | 'stdout' | 'stderr'>> & { stdin?: string } = {},
): Promise<Outcome> {
  const out = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      out[name] += text;
      return true;
    },
    once: () => undefined,
  });
  const exitCode = await runCli(words, {
    cwd: '/',
    environment: {},
    signal: new AbortController().signal,
    endAtOnce: async () => {},
    commands,
    ...options,
    stdin: Readable.from([stdin]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  return { exitCode, ...out };
}
