// All programs of process replay, in the order in which they are recorded.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hlo } from 'trenio';
import { goldenPath } from '../../test/golden.testing.ts';
import { convolutionPrograms } from './convolution-programs.ts';
import { dynamicPrograms } from './dynamic-programs.ts';
import { modelPrograms } from './models.ts';
import { randomPrograms } from './random-programs.ts';
import type { ProgramSet, ReplayProgram } from './replay-program.ts';

const golden = goldenPath('jax');

/** A program exported from JAX, as text, or as bytecode if there is no text. */
function jaxModule(name: string): hlo.Module {
  const text = join(golden, name, 'program.mlir');
  if (existsSync(text)) return hlo.parseModule(readFileSync(text, 'utf8'), { file: `${name}.mlir` });
  return hlo.readBytecode(readFileSync(join(golden, name, 'program.mlir.bc')));
}

const jaxPrograms: readonly ReplayProgram[] = readdirSync(golden)
  .sort()
  .map(name => ({
    name: `jax-${name.replaceAll('_', '-')}`,
    sets: ['all', 'fast'],
    modules: () => [jaxModule(name)],
  }));

const programs: readonly ReplayProgram[] = [
  ...modelPrograms,
  ...jaxPrograms,
  ...dynamicPrograms,
  ...convolutionPrograms,
  ...randomPrograms,
];

export const programsOf = (set: ProgramSet): readonly ReplayProgram[] =>
  programs.filter(each => each.sets.includes(set));

/** The programs of one of them, by name. */
export function modulesOf(name: string): readonly hlo.Module[] {
  const found = programs.find(each => each.name === name);
  if (found === undefined) throw new Error(`process replay has no program ${name}`);
  return found.modules();
}
