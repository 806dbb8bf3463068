// Random edits of programs, read and verified: nothing but a TrenioError may come out, and nothing may take long.
//
//   node bench/hlo-fuzz.ts [--count 50000] [--seed 1] [program.mlir …]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isTrenioError } from '../src/base/errors.ts';
import { opSamples } from '../src/hlo/op-samples.ts';
import { moduleOf } from '../src/hlo/program.ts';
import { mutated, randomOf } from '../src/hlo/text/mutations.ts';
import { parseModule, splitChunks } from '../src/hlo/text/parser.ts';
import { printModule } from '../src/hlo/text/printer.ts';
import { verify } from '../src/hlo/verifier.ts';

/** Edits of longer texts tell nothing more, and take longer. */
const longestText = 50_000;
const slowMs = 1000;

const { values, positionals } = parseArgs({
  options: { count: { type: 'string', default: '50000' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const programs = [
  ...opSamples().flatMap(({ func }) => {
    const module = moduleOf(func);
    return [printModule(module), printModule(module, { form: 'generic' })];
  }),
  ...positionals.flatMap(file => splitChunks(readFileSync(file, 'utf8'))),
].filter(text => text.length <= longestText);

const random = randomOf(Number(values.seed));
const totals = { edits: 0, valid: 0, refused: 0, crashed: 0, slow: 0 };
const crashes = new Map<string, { count: number; text: string }>();
let slowest = 0;
const start = performance.now();
for (let i = 0; i < Number(values.count); i++) {
  const text = mutated(random, programs[Math.floor(random() * programs.length)]!);
  const begin = performance.now();
  totals.edits++;
  try {
    const module = parseModule(text);
    verify(module);
    totals.valid++;
  } catch (error) {
    if (isTrenioError(error)) totals.refused++;
    else {
      totals.crashed++;
      const place =
        error instanceof Error ? `${error.message}\n${error.stack?.split('\n').slice(1, 4).join('\n')}` : String(error);
      const seen = crashes.get(place);
      crashes.set(place, { count: (seen?.count ?? 0) + 1, text: seen?.text ?? text });
    }
  }
  const ms = performance.now() - begin;
  slowest = Math.max(slowest, ms);
  if (ms > slowMs) totals.slow++;
}
for (const [place, { count, text }] of crashes) console.log(`${count} times: ${place}\n${text.slice(0, 2000)}\n`);
console.log(
  `${programs.length} programs, ${((performance.now() - start) / 1000).toFixed(1)} s, slowest ${slowest.toFixed(0)} ms`,
);
console.log(totals);
if (totals.crashed > 0 || totals.slow > 0) process.exitCode = 1;
