// `trenio hlo partition`
import { resolve } from 'node:path';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { printModule } from '../../hlo/text/printer.ts';
import { partitionPasses } from '../../transforms/partition/index.ts';
import type { CliContext } from '../command/command.ts';
import type { Input, partitionOptions } from './hlo-options.ts';
import { readProgram } from './programs.ts';

export async function partitionProgram(
  { options: { output, after = partitionPasses.at(-1)!.name }, positionals: [file] }: Input<typeof partitionOptions>,
  { stdout, cwd }: CliContext,
): Promise<number> {
  const last = partitionPasses.findIndex(pass => pass.name === after);
  if (last < 0)
    throw new TrenioError('BAD_ARGUMENT', {
      command: 'hlo partition',
      argument: '--after',
      got: `'${after}'`,
      expected: `one of ${partitionPasses.map(pass => pass.name).join(', ')}`,
    });
  const module = partitionPasses.slice(0, last + 1).reduce((m, pass) => pass.run(m), await readProgram(cwd, file!));
  const text = printModule(module);
  if (output === undefined) stdout.write(text);
  else await writeFileAtomically(resolve(cwd, output), [text]);
  return 0;
}
