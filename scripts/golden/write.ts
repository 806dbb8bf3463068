// Writes the golden values of rows: their samples are run by PyTorch (version 2.13), with gradients.
//
//   PYTHON=/path/to/python node scripts/golden/write.ts [names of rows …]
//
// Without names, those of all rows. Python needs torch; nothing else in this project does.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Golden, goldenFile, readGolden } from '../../src/tensor/surface/golden.testing.ts';
import { rows } from '../../src/tensor/surface/index.ts';
import { snakeCase } from '../../src/tensor/surface/params.ts';
import { argumentsOf, samplesOf } from '../../src/tensor/surface/samples.testing.ts';

const names = process.argv.slice(2);
const chosen = names.length === 0 ? rows : rows.filter(row => names.includes(row.name));
const unknown = names.filter(name => !rows.some(row => row.name === name));
if (unknown.length > 0) throw new Error(`no rows are named ${unknown.join(', ')}`);

const requests = chosen.map(row => ({
  name: row.name,
  torch: row.torch[0]!,
  gradient: row.gradient !== 'none',
  signs: row.freeSigns,
  uncompared: row.uncompared,
  cases: row.variants.flatMap((variant, i) =>
    samplesOf(row, i).map(sample => ({
      variant: i,
      arguments: argumentsOf(row, variant, sample),
      spelling: Object.fromEntries(
        Object.entries(variant.params).map(([name, param]) => [name, param.torch ?? snakeCase(name)]),
      ),
      self: row.self,
      places: Object.entries(variant.params).flatMap(([name, param]) => (param.byNameOnly ? [] : [name])),
      variadic: Object.entries(variant.params).flatMap(([name, param]) => (param.isVariadic ? [name] : [])),
    })),
  ),
}));
const python = spawnSync(process.env.PYTHON ?? 'python3', [fileURLToPath(new URL('run.py', import.meta.url))], {
  input: JSON.stringify(requests),
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
if (python.status !== 0) throw new Error(python.stderr);
const answers = JSON.parse(python.stdout) as readonly ({ readonly name: string } & Golden)[];
const golden = names.length === 0 ? new Map<string, Golden>() : readGolden();
for (const { name, torch, cases } of answers) golden.set(name, { torch, cases });
const lines = [...golden]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .flatMap(([row, { torch, cases }]) => [{ row, torch }, ...cases].map(entry => JSON.stringify(entry)));
writeFileSync(goldenFile, `${lines.join('\n')}\n`);
console.log(`wrote ${answers.length} rows to test/golden/pytorch/rows.jsonl`);
