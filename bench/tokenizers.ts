// Tokens of random strings of every script compared with Hugging Face's Python library: ids, and their text with and without
// special tokens. Prints the strings that differ.
//
//   node bench/tokenizers.ts --python ~/venv/bin/python                     those of test/golden, 100,000 strings each
//   node bench/tokenizers.ts --count 1000 --seed 7 ./Qwen3-0.6B --python …    that of a model
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { AutoTokenizer } from 'trenio';
import { goldenPath } from '../test/golden.testing.ts';
import { bar } from './bars.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string', default: 'python3' },
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/tokenizers.ts [DIRECTORY …] [--count 100000] [--seed 1] [--show 5] [--python PYTHON]

  --python   a Python with transformers

  node bench/tokenizers.ts --count 2000 DIRECTORY --python ~/venv/bin/python`);
  process.exit(0);
}

let state = BigInt(values.seed);
/** At least 0 and below `limit`: splitmix64. */
function random(limit: number): number {
  state = (state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
  let z = state;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
  return Number((z ^ (z >> 31n)) >> 11n) % limit;
}
const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;

/** Blocks of Unicode: each 128 code points with at least one character. */
const blocks: number[] = [];
for (let block = 0; block < 0x30000 / 128; block++) {
  const isUsed = Array.from({ length: 128 }, (_, i) => block * 128 + i).some(
    point =>
      (point < 0xd800 || point > 0xdfff) && /[\p{L}\p{N}\p{P}\p{S}\p{M}\p{Z}]/u.test(String.fromCodePoint(point)),
  );
  if (isUsed) blocks.push(block);
}
const words = [
  "I'm",
  'WE’LL',
  'the',
  '<s>',
  '</s>',
  '<|endoftext|>',
  '<|im_start|>',
  '<mask>',
  '[SEP]',
  '▁',
  '<0x41>',
  '  ',
  '\n\n',
  '\r\n',
  '12345',
  'https://a.b/c?d=e',
  'naïve',
  '🙂',
  '👩‍👩‍👧',
];
function text(): string {
  let made = '';
  for (let left = 1 + random(8); left > 0; left--) {
    if (random(3) === 0) made += pick(words);
    else {
      const block = random(2) === 0 ? pick(blocks) : pick([0, 0, 1, 2, 7, 8, 96, 97, 156]);
      for (let length = 1 + random(6); length > 0; length--) {
        const point = block * 128 + random(128);
        if (point < 0xd800 || point > 0xdfff) made += String.fromCodePoint(point);
      }
    }
    made += pick(['', ' ', '', ' ', '\t']);
  }
  return made;
}

const golden = goldenPath('tokenizers');
const folders =
  positionals.length > 0
    ? positionals
    : readdirSync(golden, { withFileTypes: true }).flatMap(entry =>
        entry.isDirectory() ? [join(golden, entry.name)] : [],
      );
for (const folder of folders) {
  const tokenizer = await AutoTokenizer.fromPretrained(folder);
  const texts = Array.from({ length: Number(values.count) }, text);
  const child = spawn(values.python, [join(import.meta.dirname, 'peers/hf_tokens.py'), folder], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  const exited = once(child, 'exit');
  const sending = (async () => {
    for (const one of texts) {
      if (child.exitCode !== null) return;
      if (!child.stdin.write(`${JSON.stringify(one)}\n`)) await Promise.race([once(child.stdin, 'drain'), exited]);
    }
    child.stdin.end();
  })().catch(() => {});
  let [at, differing, ownMs] = [0, 0, 0];
  for await (const line of createInterface({ input: child.stdout })) {
    const one = texts[at++]!;
    const want = JSON.parse(line) as readonly [readonly number[], string, string];
    const start = performance.now();
    const ids = tokenizer.encode(one);
    ownMs += performance.now() - start;
    const got = [ids, tokenizer.decode(want[0]), tokenizer.decode(want[0], { skipSpecialTokens: true })];
    const part = want.findIndex((value, i) => JSON.stringify(value) !== JSON.stringify(got[i]));
    if (part < 0) continue;
    if (differing++ < Number(values.show))
      console.log(
        `  ${['ids', 'text', 'text without special tokens'][part]} of ${JSON.stringify(one)}\n    ${JSON.stringify(got[part])}\n    ${JSON.stringify(want[part])}`,
      );
  }
  await sending;
  if (at !== texts.length) {
    console.log(`  ${folder}: ${values.python} ended after ${at} of ${texts.length} strings; it needs transformers`);
    process.exitCode = 1;
    continue;
  }
  console.log(`${folder}: ${differing} of ${at} strings differ; ${((1000 * ownMs) / at).toFixed(0)} µs to encode one`);
  bar({
    what: `tokens of ${at} strings, ${folder.split('/').at(-1)}`,
    unit: 'strings that differ',
    measured: differing,
    kind: 'at most',
    limit: 0,
  });
}
