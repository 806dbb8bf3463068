// Programs exported from JAX, with XLA's results (written by test/interop): read as text and as bytecode, interpreted and
// compiled, they must give the same results.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readNpy } from '../src/data/files/npy.ts';
import { readBytecode } from '../src/hlo/bytecode/read.ts';
import { interpret } from '../src/hlo/interpreter.ts';
import type { Literal } from '../src/hlo/literal.ts';
import { type Module, mainOf, tensorTypeOf, type Value } from '../src/hlo/program.ts';
import { parseModule } from '../src/hlo/text/parser.ts';
import { verify } from '../src/hlo/verifier.ts';
import { defaultRuntime, runModule } from '../src/runtime/index.ts';
import { goldenPath } from './golden.testing.ts';
import { difference } from './interop/compare.ts';

const golden = goldenPath('jax');

function programsIn(folder: string): readonly Module[] {
  const text = join(folder, 'program.mlir');
  return [
    ...(existsSync(text) ? [parseModule(readFileSync(text, 'utf8'), { file: text })] : []),
    readBytecode(readFileSync(join(folder, 'program.mlir.bc'))),
  ];
}
const arrays = (folder: string, prefix: string, values: readonly Value[]): Promise<readonly Literal[]> =>
  Promise.all(values.map((value, i) => readNpy(join(folder, `${prefix}${i}.npy`), tensorTypeOf(value))));
const problems = (got: readonly Literal[], expected: readonly Literal[]): readonly string[] =>
  expected.flatMap((want, i) => {
    const problem = difference(got[i]!, want);
    return problem === undefined ? [] : [`result ${i}: ${problem}`];
  });

describe.each(readdirSync(golden))('%s', name => {
  const folder = join(golden, name);
  test('is read, verified and interpreted', async () => {
    for (const module of programsIn(folder)) {
      verify(module);
      const { args, results } = mainOf(module).body;
      const outputs = interpret(module, await arrays(folder, 'in', args));
      expect(problems(outputs, await arrays(folder, 'out', results))).toEqual([]);
    }
  });
  test('is compiled', async () => {
    const module = programsIn(folder)[0]!;
    const { args, results } = mainOf(module).body;
    const outputs = runModule(module, await arrays(folder, 'in', args), defaultRuntime().backend('cpu'));
    expect(problems(outputs, await arrays(folder, 'out', results))).toEqual([]);
  });
});
