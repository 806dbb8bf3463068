// The thread of server-commands.ts: runs commands of the console and sends back their output.
import { Readable } from 'node:stream';
import { parentPort } from 'node:worker_threads';
import { inheritedVariables } from '../../base/environment.ts';
import { invariant } from '../../base/errors.ts';
import { runCli } from '../cli.ts';
import { consoleCommands, type StoredProgram } from './console-commands.ts';

export interface Question {
  readonly id: number;
  readonly words: readonly string[];
  readonly program: StoredProgram | undefined;
}
export interface Answer {
  readonly id: number;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

invariant(parentPort !== null, 'this file is a worker thread');
const port = parentPort;
let previous: Promise<void> = Promise.resolve();
port.on('message', (question: Question) => {
  previous = previous.then(() => answer(question));
});

async function answer({ id, words, program }: Question): Promise<void> {
  const out = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof out) => ({
    write: (text: string) => {
      out[name] += text;
      return true;
    },
    once: () => undefined,
  });
  const exitCode = await runCli(words, {
    stdin: Readable.from([]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    cwd: process.cwd(),
    environment: inheritedVariables(),
    signal: new AbortController().signal,
    endAtOnce: async () => {},
    commands: consoleCommands(program),
  });
  port.postMessage({ id, exitCode, ...out } satisfies Answer);
}
