// `trenio hlo graph`
import { basename, extname, resolve } from 'node:path';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import type { CliContext } from '../command/command.ts';
import { pageOf } from './graph/page.ts';
import { drawModule } from './graph/svg.ts';
import type { graphOptions, Input } from './hlo-options.ts';
import { readProgram } from './programs.ts';

const name = 'hlo graph';

export async function drawProgram(
  { options: { output }, positionals: [file] }: Input<typeof graphOptions>,
  { cwd }: CliContext,
): Promise<number> {
  const kind = output === undefined ? undefined : extname(output).toLowerCase();
  if (output === undefined || (kind !== '.svg' && kind !== '.html')) {
    throw new TrenioError('BAD_ARGUMENT', {
      command: name,
      argument: '--output',
      got: output === undefined ? 'not given' : `'${output}'`,
      expected: 'a file ending in .svg or .html',
    });
  }
  const module = await readProgram(cwd, file!);
  const text = kind === '.svg' ? drawModule(module).svg : pageOf(module, basename(file!));
  await writeFileAtomically(resolve(cwd, output), [text]);
  return 0;
}
