// Fuzzing: random edits and injected code strings in text programs and portable artifacts, each
// read, verified, printed and compiled. Checks that there is no crash, no untyped error, no slow program, and that
// no injected text ends up in the generated code; a sample goes through the C compiler.
//
//   node bench/hlo-fuzz.ts [--count 100000] [--seed 1] [--compile 200] [program.mlir …]
import './help.ts';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compileWithC, corpusOf, hostileProgram, open } from '../src/compiler/testing/fuzz.testing.ts';
import { randomOf } from '../src/hlo/text/mutations.testing.ts';
import { splitChunks } from '../src/hlo/text/parser.ts';
import { goldenPath } from '../test/golden.testing.ts';

const slowMs = 1000;

const { values, positionals } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    compile: { type: 'string', default: '200' },
  },
  allowPositionals: true,
});
const count = Number(values.count);
const corpus = corpusOf(
  goldenPath('jax'),
  positionals.flatMap(file => splitChunks(readFileSync(file, 'utf8'))),
);
const random = randomOf(Number(values.seed));
const totals = { programs: 0, artifacts: 0, refused: 0, valid: 0, compiled: 0, crashed: 0, slow: 0, readByC: 0 };
const crashes = new Map<string, { count: number; source: string | Uint8Array }>();
let slowest = 0;

/** CPU time of this process, so that other processes do not count. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const timed = (source: string | Uint8Array): number => {
  const begin = cpuMs();
  try {
    open(source);
  } catch {
    // already counted when it was first opened
  }
  return cpuMs() - begin;
};
const crashed = (error: unknown, source: string | Uint8Array): void => {
  totals.crashed++;
  const lines = error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 8) : [String(error)];
  const place = lines.map(line => line.slice(0, 300)).join('\n');
  const key =
    lines
      .filter(line => /^ +at /.test(line))
      .slice(0, 3)
      .join('\n') || place;
  const seen = crashes.get(key);
  crashes.set(key, { count: (seen?.count ?? 0) + 1, source: seen?.source ?? source });
  if (seen === undefined) console.log(`${place}\n${show(source)}\n`);
};
const show = (source: string | Uint8Array): string =>
  typeof source === 'string'
    ? JSON.stringify(source.slice(0, 3000))
    : Buffer.from(source).toString('base64').slice(0, 3000);

const start = performance.now();
for (let i = 0; i < count; i++) {
  const source = hostileProgram(random, corpus);
  totals.programs++;
  if (typeof source !== 'string') totals.artifacts++;
  const begin = cpuMs();
  try {
    const { stage, program } = open(source);
    totals[stage]++;
    const due = (i * Number(values.compile)) / count > totals.readByC;
    if (program !== undefined && due) {
      totals.readByC++;
      compileWithC(program);
      continue;
    }
  } catch (error) {
    crashed(error, source);
  }
  let ms = cpuMs() - begin;
  // A garbage collection may have caused it: only programs that are slow again count.
  for (let again = 0; ms > slowMs && again < 2; again++) ms = Math.min(ms, timed(source));
  slowest = Math.max(slowest, ms);
  if (ms > slowMs) {
    totals.slow++;
    console.log(`${ms.toFixed(0)} ms: ${show(source)}\n`);
  }
  if ((i + 1) % 10_000 === 0)
    console.log(
      `${i + 1} in ${((performance.now() - start) / 1000).toFixed(0)} s, slowest ${slowest.toFixed(0)} ms`,
      totals,
    );
}
for (const [place, { count: times }] of crashes) console.log(`${times} times: ${place}`);
console.log(
  `${corpus.texts.length} texts and ${corpus.artifacts.length} artifacts, ${((performance.now() - start) / 1000).toFixed(1)} s, slowest ${slowest.toFixed(0)} ms`,
);
console.log(totals);
if (totals.crashed > 0 || totals.slow > 0) process.exitCode = 1;
