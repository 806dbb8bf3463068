// The options with which commands find the job server, and their use.
import type { JobServerClient } from '../client/job-server.ts';
import type { ConnectionOptions } from '../client/wire/connection.ts';
import type { CliContext, Options } from './command/command.ts';

export const serverOptions = {
  data: {
    kind: 'text',
    placeholder: 'DIR',
    description: 'The folder of a server on this machine. Default: AWS_ENDPOINT_URL, else the default folder.',
  },
} as const satisfies Options;

export const jsonOption = { kind: 'flag', description: 'Print JSON.' } as const;

/** Where the server is, as options of an `Estimator`. */
export async function connectionOf(
  { data }: { readonly data: string | undefined },
  { environment, cwd }: CliContext,
): Promise<ConnectionOptions> {
  const [{ findConnection }, { resolve }] = await Promise.all([
    import('../client/wire/connection.ts'),
    import('node:path'),
  ]);
  return findConnection(data === undefined ? {} : { data: resolve(cwd, data) }, environment);
}

export async function connectTo(
  options: { readonly data: string | undefined },
  context: CliContext,
): Promise<JobServerClient> {
  const { JobServerClient } = await import('../client/job-server.ts');
  return JobServerClient.connect(await connectionOf(options, context));
}

/** `name=value` words as a record. @throws {BAD_ARGUMENT} */
export async function pairsOf(
  command: string,
  option: string,
  words: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const { TrenioError } = await import('../base/errors.ts');
  return Object.fromEntries(
    words.map(word => {
      const at = word.indexOf('=');
      if (at < 1)
        throw new TrenioError('BAD_ARGUMENT', {
          command,
          argument: `--${option}`,
          got: `'${word}'`,
          expected: 'NAME=VALUE',
        });
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}
