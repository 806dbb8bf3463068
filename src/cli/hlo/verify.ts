// `trenio hlo verify`
import { isTrenioError } from '../../base/errors.ts';
import type { CliContext } from '../command/command.ts';
import type { Input, verifyOptions } from './hlo-options.ts';
import { type ProgramSource, readSources, verifiedProgram } from './programs.ts';

interface Verdict {
  readonly file: string;
  /** The index of the program in the file, from 0; absent if the file is not split. */
  readonly chunk?: number;
  readonly valid: boolean;
  readonly error?: string;
}

export async function verifyFiles(
  { options, positionals }: Input<typeof verifyOptions>,
  { stdout, stderr, cwd }: CliContext,
): Promise<number> {
  let exitCode = 0;
  for (const file of positionals) {
    const split = options['split-input-file'];
    for (const [i, source] of (await readSources(cwd, file, split)).entries()) {
      const verdict: Verdict = { file, ...(split ? { chunk: i } : {}), ...verdictOf(source, file) };
      if (!verdict.valid) exitCode = 1;
      const name = split ? `${file} (program ${i})` : file;
      if (options.json) stdout.write(`${JSON.stringify(verdict)}\n`);
      else if (verdict.valid) stdout.write(`${name}: valid\n`);
      else stderr.write(`${name}: ${verdict.error}\n`);
    }
  }
  return exitCode;
}

function verdictOf(source: ProgramSource, file: string): Pick<Verdict, 'valid' | 'error'> {
  try {
    verifiedProgram(source, file);
    return { valid: true };
  } catch (error) {
    if (isTrenioError(error)) return { valid: false, error: error.message };
    throw error;
  }
}
