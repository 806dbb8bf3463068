// Runs the test suite of the official StableHLO repository with the parser, the verifier, the interpreter and the compiler.
// The bars: 95 % of the executable programs interpreted, 95 % of those also compiled, 95 % of the invalid programs rejected.
//
//   git clone https://github.com/openxla/stablehlo
//   node bench/stablehlo-suite.ts --root stablehlo [--backend interpreter|cpu|both] [--filter REGEX] [--failures 20]
//
// Programs come from testdata and tests; the suite is not part of this repository. The compiler needs a minute or more per
// hundred programs the first time; later they are in the compile cache.
import './help.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inheritedVariables } from '../src/base/environment.ts';
import { TrenioError } from '../src/base/errors.ts';
import { type Execution, execute } from '../src/cli/hlo/backends.ts';
import { compiledGrid, hostOpOf } from '../src/cli/hlo/compiled-grid.ts';
import { withEntry } from '../src/cli/hlo/programs.ts';
import { interpret } from '../src/hlo/interpreter.ts';
import type { Module } from '../src/hlo/program.ts';
import { splitChecks } from '../src/hlo/split-checks.ts';
import { parseModule, splitChunks } from '../src/hlo/text/parser.ts';
import { verify } from '../src/hlo/verifier.ts';
import { forEachOp } from '../src/hlo/walk.ts';
import { Runtime } from '../src/runtime/index.ts';

const { values } = parseArgs({
  options: {
    root: { type: 'string' },
    backend: { type: 'string', default: 'interpreter' },
    filter: { type: 'string', default: '' },
    failures: { type: 'string', default: '20' },
  },
});
const root = join(values.root ?? '', 'stablehlo');
if (values.root === undefined || !existsSync(join(root, 'testdata'))) {
  console.error('pass a checkout of https://github.com/openxla/stablehlo with --root');
  process.exit(2);
}
const filter = new RegExp(values.filter);

interface Program {
  readonly id: string;
  readonly text: string;
}
/** The programs in the files of a folder, without those disabled upstream. */
function programsOf(folder: string, name: RegExp = /\.mlir$/): readonly Program[] {
  return readdirSync(join(root, folder))
    .filter(file => name.test(file) && filter.test(`${folder}/${file}`))
    .sort()
    .flatMap(file => {
      const text = readFileSync(join(root, folder, file), 'utf8');
      if (/RUN-DISABLED/.test(text.slice(0, 400))) return [];
      const chunks = splitChunks(text).map((chunk, i) => ({ id: `${folder}/${file}#${i}`, text: chunk }));
      return chunks.filter(chunk => /^[^/\n]*func/m.test(chunk.text));
    });
}

interface Tally {
  passed: number;
  total: number;
  readonly failures: string[];
}
const newTally = (): Tally => ({ passed: 0, total: 0, failures: [] });
function count(tally: Tally, id: string, run: () => void): boolean {
  tally.total++;
  try {
    run();
    tally.passed++;
    return true;
  } catch (error) {
    const kind = error instanceof TrenioError ? error.code : `uncaught ${String(error)}`;
    tally.failures.push(`${id}: ${kind} ${error instanceof Error ? error.message.split('\n')[0] : ''}`);
    return false;
  }
}
const show = (name: string, { passed, total }: Tally): void =>
  console.log(`${name.padEnd(44)} ${passed} of ${total} (${((100 * passed) / Math.max(1, total)).toFixed(2)} %)`);

const runtime = new Runtime();
const execution = (backend: Execution['backend']): Execution => ({
  backend,
  runtime,
  stderr: { write: () => true } as unknown as Execution['stderr'],
  maxLoopSteps: 1_000_000,
});

const read = (program: Program): Module => {
  const module = parseModule(program.text, { file: program.id });
  verify(module);
  return module;
};
/** Needs features of the suite's own interpreter: functions run as processes of a grid, probes. */
function needsInterpreter(module: Module): boolean {
  let found = false;
  for (const func of module.functions)
    forEachOp(func.body, op => {
      if (op.name.startsWith('interpreter.')) found = true;
    });
  return found;
}

const executable = ['testdata', 'testdata/quantized', 'tests/interpret', 'tests/interpret/chlo', 'tests/math'].flatMap(
  folder => programsOf(folder),
);
const interpreted = newTally();
const compiled = newTally();
/** Programs with several processes: those that are compiled and run as ranks, and those that cannot be. */
const onRanks = newTally();
const unfit: string[] = [];
let done = 0;
for (const program of executable) {
  const module = (): Module => withEntry(read(program), 'suite');
  const passes = count(interpreted, program.id, () => {
    execute(module(), [], execution('interpreter'));
  });
  if (passes && values.backend !== 'interpreter') {
    if (!needsInterpreter(module())) {
      count(compiled, program.id, () => {
        const split = splitChecks(module());
        split.judge(execute(split.module, [], execution('cpu')));
      });
    } else {
      let [ran, reason] = [false, 'it has only probes or prints' as string | undefined];
      const onRanksOf = compiledGrid(inheritedVariables());
      const runGrid = (...args: Parameters<typeof onRanksOf>) => {
        const hostOp = hostOpOf(args[0], args[1]);
        ran = true;
        reason = hostOp && `${hostOp} exchanges data with the host`;
        return hostOp === undefined ? onRanksOf(...args) : undefined;
      };
      const isRight = count(onRanks, program.id, () => {
        interpret(module(), [], { runGrid });
      });
      if (isRight && (!ran || reason !== undefined)) {
        onRanks.passed--;
        onRanks.total--;
        unfit.push(`${program.id}: ${reason}`);
      }
    }
  }
  if (++done % 200 === 0) process.stderr.write(`\r${done} of ${executable.length}`);
}
process.stderr.write('\r');

const refused = newTally();
const accepted = newTally();
for (const program of programsOf('tests', /^(ops_|verify_|future_type|print_types_invalid)\w*\.mlir$/)) {
  if (/expected-error/.test(program.text)) {
    count(refused, program.id, () => {
      try {
        read(program);
      } catch (error) {
        if (error instanceof TrenioError) return;
        throw error;
      }
      throw new Error('accepted');
    });
  } else count(accepted, program.id, () => read(program));
}
const parsed = newTally();
for (const program of programsOf('testdata/dynamic')) count(parsed, program.id, () => read(program));

show('executed by the interpreter', interpreted);
if (values.backend !== 'interpreter') {
  show('compiled, of those the interpreter passes', compiled);
  show('compiled, with processes as ranks', onRanks);
  console.log(`${'several processes, but cannot run as ranks'.padEnd(44)} ${unfit.length}`);
  for (const reason of unfit) console.log(`  ${reason}`);
}
show('invalid programs rejected', refused);
show('valid programs accepted', accepted);
show('programs with dynamic shapes read and verified', parsed);
for (const { failures } of [interpreted, compiled, onRanks, refused, accepted, parsed])
  for (const failure of failures.slice(0, Number(values.failures))) console.log(`  ${failure}`);
runtime.close();
