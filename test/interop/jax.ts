// Exchanges programs between JAX and Trenio in both directions and compares the results:
//
//   JAX → Trenio   export_programs.py exports training steps, control flow, linear algebra, random numbers … as text and
//                  as bytecode; both must give the same program here, which runs on the interpreter and compiled
//   Trenio → JAX   training steps recorded here are printed; JAX's parser reads them and XLA runs them (run_programs.py)
//
//   node test/interop/jax.ts --python /path/to/python [--only NAME] [--keep DIRECTORY]
//
// Python needs jax 0.10 and numpy. Not part of `npm test`, which does not need Python.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readNpy } from '../../src/data/files/npy.ts';
import { readBytecode } from '../../src/hlo/bytecode/read.ts';
import { interpret } from '../../src/hlo/interpreter.ts';
import type { Literal } from '../../src/hlo/literal.ts';
import { type Module, mainOf, tensorTypeOf } from '../../src/hlo/program.ts';
import { parseModule } from '../../src/hlo/text/parser.ts';
import { printModule } from '../../src/hlo/text/printer.ts';
import { verify } from '../../src/hlo/verifier.ts';
import { defaultRuntime, runModule } from '../../src/runtime/index.ts';
import { difference } from './compare.ts';
import { recordedPrograms } from './recorded-programs.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
});
const directory = values.keep ?? mkdtempSync(join(tmpdir(), 'trenio-jax-'));
let passed = 0;
let failed = 0;
function report(name: string, problems: readonly string[]): void {
  if (problems.length === 0) passed++;
  else failed++;
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}${problems.map(p => `\n       ${p}`).join('')}`);
}
function python(script: string, ...args: readonly string[]): void {
  const run = spawnSync(values.python, [join(import.meta.dirname, script), ...args], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`${script} failed: ${run.stderr || run.error}`);
}

const runCompiled = (module: Module, inputs: readonly Literal[]): readonly Literal[] =>
  runModule(module, inputs, defaultRuntime().backend('cpu'));

async function arrays(
  folder: string,
  prefix: string,
  types: readonly (Literal['type'] | undefined)[],
): Promise<Literal[]> {
  const found: Literal[] = [];
  for (let i = 0; existsSync(join(folder, `${prefix}${i}.npy`)); i++)
    found.push(await readNpy(join(folder, `${prefix}${i}.npy`), types[i]));
  return found;
}

/** The difference between the results of one way to run the program and the expected ones, or the error if it fails. */
function compared(way: string, run: () => readonly Literal[], expected: readonly Literal[]): readonly string[] {
  try {
    const results = run();
    if (results.length !== expected.length) return [`${way}: ${results.length} results, expected ${expected.length}`];
    return results.flatMap((result, i) => {
      const problem = difference(result, expected[i]!);
      return problem === undefined ? [] : [`${way}: result ${i}: ${problem}`];
    });
  } catch (error) {
    return [`${way}: ${error instanceof Error ? error.message.split('\n')[0] : error}`];
  }
}

async function fromJax(): Promise<void> {
  const exported = join(directory, 'exported');
  if (!existsSync(exported)) python('export_programs.py', exported);
  for (const name of readdirSync(exported)) {
    if (values.only !== undefined && name !== values.only) continue;
    const folder = join(exported, name);
    try {
      const file = join(folder, 'program.mlir');
      const module = parseModule(readFileSync(file, 'utf8'), { file });
      verify(module);
      const { args, results } = mainOf(module).body;
      const inputs = await arrays(folder, 'in', args.map(tensorTypeOf));
      const expected = await arrays(folder, 'out', results.map(tensorTypeOf));
      const binary = readBytecode(readFileSync(join(folder, 'program.mlir.bc')));
      verify(binary);
      report(`from JAX: ${name}`, [
        ...compared('interpreter', () => interpret(module, inputs), expected),
        ...compared('compiled', () => runCompiled(module, inputs), expected),
        ...compared('bytecode, interpreter', () => interpret(binary, inputs), expected),
      ]);
    } catch (error) {
      report(`from JAX: ${name}`, [String(error).split('\n')[0]!]);
    }
  }
}

async function toJax(): Promise<void> {
  const { writeNpy } = await import('../../src/data/files/npy.ts');
  const { writeFileSync } = await import('node:fs');
  const folder = join(directory, 'recorded');
  const programs = recordedPrograms();
  for (const { name, module, inputs } of programs) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'program.mlir'), printModule(module));
    for (const [i, input] of inputs.entries()) await writeNpy(join(folder, name, `in${i}.npy`), input);
  }
  python('run_programs.py', folder);
  for (const { name, results } of programs) {
    const theirs = await arrays(
      join(folder, name),
      'out',
      results.map(r => r.type),
    );
    report(
      `to JAX: ${name}`,
      compared('XLA', () => theirs, results),
    );
  }
}

try {
  await fromJax();
  if (values.only === undefined) await toJax();
} finally {
  if (values.keep === undefined) rmSync(directory, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
