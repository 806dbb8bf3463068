// Random programs through the compiler: each must compile to C or be rejected with a typed error, with known and with unknown
// sizes. Some are also run: the compiled
// code and the kernels, interpreted from the data from which the C is printed, must match the interpreter; with known sizes, and
// with sizes that the program knows only when it runs.
//
//   node bench/random-programs.ts [--count 5000] [--ops 24] [--seed 0] [--run 0]
//
// --ops: maximum number of ops; --run: number of programs run in all three ways. Prints failing seeds; exit code 1 if there are
// any.
import './help.ts';
import { parseArgs } from 'node:util';
import { compileToC, targetOf } from '../src/compiler/index.ts';
import { disagreements, dynamicDisagreements, withUnknownSizes } from '../src/compiler/testing/random-batch.testing.ts';
import { moduleOf } from '../src/hlo/program.ts';
import { randomChoices } from '../src/hlo/random-choices.testing.ts';
import { randomProgram } from '../src/hlo/random-program.testing.ts';
import { verify } from '../src/hlo/verifier.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '5000' },
    ops: { type: 'string', default: '24' },
    seed: { type: 'string', default: '0' },
    run: { type: 'string', default: '0' },
  },
});
const [count, mostOps, first, run] = [values.count, values.ops, values.seed, values.run].map(Number) as [
  number,
  number,
  number,
  number,
];
const programOf = (seed: number) => randomProgram(randomChoices(seed, mostOps));
const targets = (['avx512', 'avx2', 'amx', 'neon', 'generic'] as const).map(name => targetOf(name));
const inModule = 40;

/** Seeds by failure. The generator only produces programs that the compiler must accept. */
const failures = new Map<string, number[]>();
const fail = (what: string, seed: number): void => void failures.set(what, [...(failures.get(what) ?? []), seed]);
let ops = 0;
for (let seed = first; seed < first + count; seed++) {
  const { func } = programOf(seed);
  const module = moduleOf(func);
  ops += module.functions[0]!.body.ops.length;
  try {
    verify(module);
    compileToC(module, targets[seed % targets.length]!);
    withUnknownSizes(func);
  } catch (error) {
    fail(String(error).split('\n')[0]!.replaceAll(/%\d+/g, '%…'), seed);
  }
}
for (let seed = first; seed < first + run; seed += inModule) {
  const programs = Array.from({ length: Math.min(inModule, first + run - seed) }, (_, i) => programOf(seed + i));
  try {
    for (const problem of [...disagreements(programs, true), ...dynamicDisagreements(programs)])
      fail(`of the module from ${seed} on, ${problem}`, seed);
  } catch (error) {
    // The C compiler, for one, may refuse what was printed.
    const lines = String(error).split('\n');
    fail(lines.find(line => /\berror:/.test(line)) ?? lines[0]!, seed);
  }
}
process.stdout.write(
  `${count} programs of up to ${ops} ops compiled to C, ${run} run, ${failures.size} kinds of failure\n`,
);
for (const [what, seeds] of failures)
  process.stdout.write(`${seeds.length} times: ${what}\n  seeds ${seeds.slice(0, 10).join(', ')}\n`);
process.exitCode = failures.size === 0 ? 0 : 1;
