// Tiny random checkpoints with varied options, made by transformers (bench/peers/hf_variants.py), read here: logits, features and
// generated tokens compared with what transformers computed. Prints the variants that differ or are refused.
//
//   ~/venv/bin/python bench/peers/hf_variants.py /tmp/variants
//   node bench/variants.ts /tmp/variants [--only mbart] [--device interpreter]
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { device, setDefaultDevice } from 'trenio';
import { differences } from '../src/models/variants.testing.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    device: { type: 'string', default: 'interpreter' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help || positionals.length !== 1) {
  console.log(`Usage: node bench/variants.ts DIRECTORY [--only PART] [--device interpreter]

  DIRECTORY   what bench/peers/hf_variants.py has written
  --only      the variants whose names contain PART
  --device    interpreter, or cpu: compiled, slower for models this small

  node bench/variants.ts /tmp/variants --only llama-rope`);
  process.exit(values.help ? 0 : 1);
}

setDefaultDevice(device(values.device));
const root = positionals[0]!;
const names = readdirSync(root).filter(name => name.includes(values.only));
let equal = 0;
const problems: string[] = [];
for (const [i, name] of names.entries()) {
  const found = await differences(join(root, name)).catch((error: unknown) => [
    (error as Error).message.split('\n')[0]!,
  ]);
  if (found.length === 0) equal++;
  else problems.push(`${name}: ${found.join('; ')}`);
  if (found.length > 0) console.log(problems.at(-1));
  if (process.stderr.isTTY) process.stderr.write(`\r${i + 1} of ${names.length}`);
}
console.log(`${equal} of ${names.length} variants are equal to transformers'`);
process.exitCode = problems.length === 0 ? 0 : 1;
