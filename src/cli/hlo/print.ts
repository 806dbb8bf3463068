// `trenio hlo print`
import { resolve } from 'node:path';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { printModule } from '../../hlo/text/printer.ts';
import type { CliContext } from '../command/command.ts';
import type { Input, printOptions } from './hlo-options.ts';
import { readProgram } from './programs.ts';

export async function printProgram(
  { options: { output, generic }, positionals: [file] }: Input<typeof printOptions>,
  { stdout, cwd }: CliContext,
): Promise<number> {
  const text = printModule(await readProgram(cwd, file!), { form: generic ? 'generic' : 'pretty' });
  if (output === undefined) stdout.write(text);
  else await writeFileAtomically(resolve(cwd, output), [text]);
  return 0;
}
