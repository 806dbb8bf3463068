// `trenio` commands against a job server of the tests, without a process.
import { stripVTControlCharacters } from 'node:util';
import type { TestServer } from '../api/aws/aws-server.testing.ts';
import type { Variables } from '../base/environment.ts';
import { runCli } from './cli.ts';
import { commands } from './commands.ts';

class Output {
  text = '';
  write(text: string): boolean {
    this.text += text;
    return true;
  }
  once(): this {
    return this;
  }
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `trenio WORDS` in the server's folder of files. */
export async function runTrenio(
  server: TestServer,
  words: readonly string[],
  { columns, variables = server.variables() }: { readonly columns?: number; readonly variables?: Variables } = {},
): Promise<Ran> {
  const [stdout, stderr] = [new Output(), new Output()] as const;
  const stream = (output: Output) => ({
    ...(columns === undefined ? {} : { columns }),
    write: (text: string) => output.write(text),
    once: () => output.once(),
  });
  const code = await runCli(words, {
    stdin: process.stdin,
    stdout: stream(stdout),
    stderr: stream(stderr),
    cwd: server.files,
    environment: variables,
    signal: new AbortController().signal,
    endAtOnce: async () => {},
    commands,
  });
  return { code, stdout: stripVTControlCharacters(stdout.text), stderr: stripVTControlCharacters(stderr.text) };
}
