// Writes the golden values of rows: their samples are run by PyTorch (version 2.13), with gradients.
//
//   PYTHON=/path/to/python node scripts/golden/write.ts [names of rows …]
//
// Without names, those of all rows. Python needs torch; nothing else in this project does.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rows } from '../../src/tensor/surface/index.ts';
import { snakeCase } from '../../src/tensor/surface/params.ts';
import { argumentsOf } from '../../src/tensor/surface/samples.testing.ts';

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
    variant.samples.map(sample => ({
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
mkdirSync(new URL('../../test/golden/pytorch/', import.meta.url), { recursive: true });
const answers = JSON.parse(python.stdout) as readonly { readonly name: string; readonly cases: readonly unknown[] }[];
for (const { name, cases, ...head } of answers) {
  const lines = cases.map(entry => `    ${JSON.stringify(entry)}`).join(',\n');
  const fields = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`);
  const text = `{\n${fields.join('')}  "cases": [\n${lines}\n  ]\n}\n`;
  writeFileSync(new URL(`../../test/golden/pytorch/${name}.json`, import.meta.url), text);
}
console.log(`wrote ${answers.length} files to test/golden/pytorch`);
