// Mutants of files of every format that is read: random edits of small valid files. Each is read in a child process, which must
// end with a typed error or a value: no other error, no end of the process, no file over its budget of time or memory.
//
//   node bench/file-fuzz.ts [--count 1000] [--seed 1] [--format png,tar,…]
import './help.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  AutoTokenizer,
  isTrenioError,
  loadTorchFile,
  readCsv,
  readImage,
  readJsonLines,
  readParquet,
  readSafetensors,
  WebDataset,
} from 'trenio';
import { encodePng } from '../src/base/png.ts';
import { openGguf } from '../src/data/gguf/gguf-file.ts';
import { readNpy } from '../src/data/npy.ts';
import { ChatTemplate } from '../src/data/tokenizers/chat-template.ts';
import { isTarget, rankOf, readLoraConfig } from '../src/models/adapters/lora-config.ts';
import { bar } from './bars.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    format: { type: 'string' },
    child: { type: 'string' },
  },
});
const slowMs = 12_000;
const mostBytes = 3 * 2 ** 30;

const golden = (path: string): string => join(import.meta.dirname, '../test/golden', path);
const all = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of items);
};
/** The files of a folder with this ending, up to 100 KB. */
const files = (folder: string, ending: string): Uint8Array[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(ending))
    .map(name => new Uint8Array(readFileSync(join(folder, name))))
    .filter(({ length }) => length < 100_000);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
function npy(): Uint8Array {
  const header = `${"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".padEnd(117)}\n`;
  return Uint8Array.of(0x93, ...text('NUMPY'), 1, 0, 118, 0, ...text(header), ...new Uint8Array(24));
}
function tar(): Uint8Array {
  const entry = (name: string, content: Uint8Array): Uint8Array => {
    const head = new Uint8Array(512);
    const put = (at: number, value: string): void => head.set(text(value), at);
    put(0, name);
    put(100, '0000644');
    put(124, content.length.toString(8).padStart(11, '0'));
    put(148, '        ');
    put(156, '0');
    put(257, 'ustar\x0000');
    put(
      148,
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
    );
    return Buffer.concat([head, content, new Uint8Array(-content.length & 511)]);
  };
  const parts = [
    entry('a.txt', text('x')),
    entry('a.cls', text('3')),
    entry('a.json', text('{"a": 1}')),
    entry('a.npy', npy()),
  ];
  return Buffer.concat([...parts, new Uint8Array(1024)]);
}

interface Format {
  readonly name: string;
  readonly samples: () => readonly Uint8Array[];
  readonly read: (path: string) => unknown;
}
/** Each format: the name of a file, valid files, and what reads one. */
const formats: Readonly<Record<string, Format>> = {
  png: {
    name: 'a.png',
    samples: () =>
      [1, 3, 4].map(n =>
        encodePng(
          9,
          5,
          n as 1,
          new Uint8Array(45 * n).map((_, i) => i * 7),
        ),
      ),
    read: readImage,
  },
  jpeg: {
    name: 'a.jpg',
    samples: () =>
      Object.values(JSON.parse(readFileSync(golden('jpegs.json'), 'utf8')) as Record<string, string>).map(one =>
        Buffer.from(one, 'base64'),
      ),
    read: readImage,
  },
  tar: { name: 'a.tar', samples: () => [tar()], read: path => all(new WebDataset(path)) },
  parquet: {
    name: 'a.parquet',
    samples: () => files(golden('parquet'), '.parquet'),
    read: path => all(readParquet(path)),
  },
  csv: { name: 'a.csv', samples: () => [text('a,b\n1,"x ""y"""\n2,é\r\n')], read: path => all(readCsv(path)) },
  jsonl: {
    name: 'a.jsonl',
    samples: () => [text('{"a": [1, 2.5, 12345678901234567890], "b": "é\\n"}\n[null, true]\n')],
    read: path => all(readJsonLines(path)),
  },
  npy: { name: 'a.npy', samples: () => [npy()], read: readNpy },
  safetensors: {
    name: 'a.safetensors',
    samples: () => files(golden('lora'), '.safetensors').slice(0, 4),
    read: readSafetensors,
  },
  torch: {
    name: 'a.pt',
    samples: () => files(join(import.meta.dirname, '../src/models/torch-file/goldens'), '.pt'),
    read: loadTorchFile,
  },
  gguf: {
    name: 'a.gguf',
    samples: () => files(golden('gguf'), '.gguf'),
    read: async path => {
      await using file = await openGguf(path);
      for (const tensor of file.tensors.values()) await file.read(tensor);
    },
  },
  tokenizer: {
    name: 'tokenizer.json',
    samples: () => files(golden('tokenizers'), '/tokenizer.json'),
    read: async path => (await AutoTokenizer.fromPretrained(join(path, '..'))).encode("Hello wörld, it's 12345  \n🙂"),
  },
  adapter: {
    name: 'adapter_config.json',
    samples: () => [
      ...files(golden('lora'), 'adapter_config.json').slice(0, 4),
      text(
        '{"target_modules": "(a+)+.*[qv]_proj", "rank_pattern": {"layers.(\\\\d+)+.q": 4}, "layers_pattern": "h|layers"}',
      ),
    ],
    read: async path => {
      const config = await readLoraConfig(join(path, '..'));
      const name = `model.layers.11.${'a'.repeat(40)}.q_proj`;
      return isTarget(config, name, false) && rankOf(config, name);
    },
  },
  template: {
    name: 'chat_template.jinja',
    samples: () => [
      ...files(golden('tokenizers'), '.jinja'),
      text(
        "{% macro m(a) %}{{ '%5d' % a }}{% endmacro %}{% for i in range(9) %}{{ m(i) | indent(3) }}{{ 'x' * 9 }}{% endfor %}",
      ),
    ],
    read: path =>
      new ChatTemplate(readFileSync(path, 'utf8'), path).render({ messages: [{ role: 'user', content: 'Hi' }] }),
  },
};

/** At least 0 and below `limit`: xorshift. */
function randomOf(seed: number): (limit: number) => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return limit => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
const numbers = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];
const words = [
  '',
  '9'.repeat(12),
  '"',
  '{',
  '[',
  ']',
  '}',
  '\\',
  '-1',
  '1e999',
  '(a+)+$',
  '{{',
  '%}',
  '__proto__',
  'null',
  '\0',
];
function mutant(samples: readonly Uint8Array[], random: (limit: number) => number): Uint8Array {
  let bytes = Buffer.from(samples[random(samples.length)]!);
  for (let edits = 1 + random(4); edits > 0; edits--) {
    const at = random(bytes.length + 1);
    // Headers decide most: half of the edits are near the start.
    const place = random(2) === 0 ? at : Math.min(at, random(64));
    const part = samples[random(samples.length)]!;
    const from = random(part.length + 1);
    switch (random(7)) {
      case 0:
        if (place < bytes.length) bytes[place] = random(256);
        break;
      case 1:
        if (place + 4 <= bytes.length) bytes.writeUInt32LE(numbers[random(numbers.length)]!, place);
        break;
      case 2:
        if (place + 4 <= bytes.length) bytes.writeUInt32BE(numbers[random(numbers.length)]!, place);
        break;
      case 3:
        bytes = bytes.subarray(0, at);
        break;
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, place),
          part.subarray(from, from + random(200)),
          bytes.subarray(place),
        ]);
        break;
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + random(40))]);
        break;
      case 6:
        bytes = Buffer.concat([bytes.subarray(0, place), text(words[random(words.length)]!), bytes.subarray(place)]);
    }
  }
  return bytes;
}

/** CPU time, so that other processes do not count. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function runChild(name: string): Promise<void> {
  const { name: fileName, samples, read } = formats[name]!;
  const [valid, random] = [samples(), randomOf(Number(values.seed))];
  const folder = mkdtempSync(join(tmpdir(), 'trenio-fuzz-'));
  const path = join(folder, fileName);
  const counts = { read: 0, refused: 0, untyped: 0, slow: 0 };
  const seen = new Set<string>();
  try {
    for (let i = 0; i < Number(values.count); i++) {
      const bytes = mutant(valid, random);
      writeFileSync(path, bytes);
      const start = cpuMs();
      try {
        await read(path);
        counts.read++;
      } catch (error) {
        if (isTrenioError(error)) counts.refused++;
        else {
          counts.untyped++;
          const { stack = '' } = error as Error;
          if (!seen.has(stack)) console.log(`${name} ${i}: ${stack.split('\n').slice(0, 6).join('\n')}`);
          seen.add(stack);
        }
      }
      if (cpuMs() - start > slowMs) {
        counts.slow++;
        console.log(`${name} ${i}: ${Math.round(cpuMs() - start)} ms`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  process.send!({ ...counts, bytes: process.resourceUsage().maxRSS * 1024 });
}

if (values.child !== undefined) await runChild(values.child);
else {
  const totals = { untyped: 0, slow: 0, ended: 0, heavy: 0 };
  for (const name of values.format?.split(',') ?? Object.keys(formats)) {
    const child = fork(import.meta.filename, ['--child', name, '--count', values.count, '--seed', values.seed]);
    let counts: Record<string, number> | undefined;
    child.on('message', message => {
      counts = message as Record<string, number>;
    });
    const [code, signal] = await once(child, 'exit');
    if (counts === undefined) {
      totals.ended++;
      console.log(`${name}: the process ended with ${code ?? signal}`);
      continue;
    }
    totals.untyped += counts.untyped!;
    totals.slow += counts.slow!;
    if (counts.bytes! > mostBytes) totals.heavy++;
    const { read, refused, untyped, slow, bytes } = counts;
    console.log(
      `${name}: ${read} read, ${refused} refused, ${untyped} untyped, ${slow} slow, at most ${Math.round(bytes! / 2 ** 20)} MiB`,
    );
  }
  for (const [what, measured] of Object.entries(totals))
    bar({ what, unit: 'files', measured, kind: 'at most', limit: 0 });
}
