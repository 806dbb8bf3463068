// Reading programs of 10 MB: many ops, large constants as bytes, large constants as decimal numbers. Each is read and verified in
// its own process, so that their memory can be measured separately.
//
//   node bench/hlo-parse.ts [program.mlir …]
import './help.ts';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildFunc } from '../src/hlo/builder.ts';
import { moduleOf } from '../src/hlo/program.ts';
import { parseModule } from '../src/hlo/text/parser.ts';
import { printModule } from '../src/hlo/text/printer.ts';
import { tensorType } from '../src/hlo/types.ts';
import { verify } from '../src/hlo/verifier.ts';

const bytes = 10e6;

/** Repeated network layers with the most frequent ops of a training step. */
function manyOps(): string {
  const matrix = tensorType('f32', [64, 64]);
  const layers = 8;
  const func = buildFunc('main', [matrix, matrix], (b, [input, weights]) => {
    let x = input!;
    for (let i = 0; i < layers; i++) {
      const y = b.dotGeneral(x, weights!, {
        lhsBatchingDimensions: [],
        rhsBatchingDimensions: [],
        lhsContractingDimensions: [1],
        rhsContractingDimensions: [0],
      });
      const mean = b.broadcastInDim(b.sum(y, [1]), [0], [64, 64]);
      const centered = b.subtract(y, b.multiply(mean, b.like(y, 1 / 64)));
      const positive = b.compare('GT', centered, b.like(y, 0));
      x = b.add(x, b.select(positive, b.unary('tanh', centered), b.transpose(centered, [1, 0])));
    }
    return [x];
  });
  const text = printModule(moduleOf(func));
  const body = text.slice(text.indexOf('\n') + 1, text.lastIndexOf('}'));
  const copies = Math.ceil(bytes / body.length);
  return `module {\n${Array.from({ length: copies }, (_, i) => body.replace('@main', `@f${i}`)).join('')}}\n`;
}
/** One function with two constants, whose text is returned by `elements`. */
function twoConstants(elements: string, count: number): string {
  const type = `tensor<${count}xf32>`;
  const constant = `stablehlo.constant dense<${elements}> : ${type}\n`;
  return `func.func @main() -> ${type} {\n%0 = ${constant}%1 = ${constant}return %1 : ${type}\n}\n`;
}
const programs: Readonly<Record<string, () => string>> = {
  'many ops': manyOps,
  bytes: () => twoConstants(`"0x${'AB12CD3F'.repeat(bytes / 16)}"`, bytes / 16),
  numbers: () => {
    const count = Math.floor(bytes / 24);
    return twoConstants(`[${Array.from({ length: count }, (_, i) => Math.sin(i).toFixed(8)).join(', ')}]`, count);
  },
};

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
if (values.only === undefined) {
  for (const name of [...Object.keys(programs), ...positionals]) {
    const { status } = spawnSync(process.execPath, [import.meta.filename, '--only', name], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
} else {
  const text = programs[values.only]?.() ?? readFileSync(values.only, 'utf8');
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const module = parseModule(text);
  const read = performance.now();
  verify(module);
  const end = performance.now();
  const peak = process.resourceUsage().maxRSS * 1024;
  const mb = (n: number): string => `${(n / 1e6).toFixed(1)} MB`;
  console.log(
    `${values.only}: ${mb(text.length)}, read ${(read - start).toFixed(0)} ms, verified ${(end - read).toFixed(0)} ms, peak memory ${mb(peak)} (${mb(before)} before)`,
  );
}
