// Random chat templates, and files of templates, compared with transformers: text and errors must agree. Prints the differences.
//
//   node bench/chat-templates.ts --python ~/venv/bin/python                1,000 random templates
//   node bench/chat-templates.ts --python … templates/*.jinja              these, with four conversations each
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Template } from '../src/data/templates/template.ts';
import { bar } from './bars.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/chat-templates.ts [FILE …] [--count 1000] [--seed 1] [--show 10] [--python PYTHON]

  --python   a Python with transformers

  node bench/chat-templates.ts --count 5000 --seed 7 --python ~/venv/bin/python`);
  process.exit(0);
}

interface Line {
  readonly template: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly text?: string;
}
const peer = join(import.meta.dirname, 'peers/hf_templates.py');
const { stdout, stderr, status } = spawnSync(values.python, [peer, values.seed, values.count, ...positionals], {
  encoding: 'utf8',
  maxBuffer: 1 << 30,
});
if (status !== 0) {
  console.error(`${stderr}\n${values.python} failed; it needs transformers`);
  process.exit(1);
}
const lines = JSON.parse(readFileSync(stdout.trim(), 'utf8')) as readonly Line[];
let differing = 0;
for (const { template, variables, text } of lines) {
  let got: string | undefined;
  let problem = '';
  try {
    got = new Template(template).render({ ...variables, big: 12345678901234567890123n });
  } catch (error) {
    problem = (error as Error).message;
  }
  if (got === text || differing++ >= Number(values.show)) continue;
  console.log(`  ${JSON.stringify(template)}\n    ${JSON.stringify(got ?? problem)}\n    ${JSON.stringify(text)}`);
}
console.log(`${differing} of ${lines.length} templates differ`);
bar({ what: `${lines.length} templates`, unit: 'that differ', measured: differing, kind: 'at most', limit: 0 });
