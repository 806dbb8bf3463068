// Throughput of DataLoader with 0, 1 and 2 workers: a folder of JPEG images with transforms, and tokenization of JSON Lines,
// compared with PyTorch's DataLoader (the same files, transforms and workers; Pillow, and the tokenizer of Hugging Face in Rust)
// and with the floor: reading the files, and decoding or tokenizing alone, on all cores.
//
//   node bench/data-loader.ts                        all, without PyTorch
//   node bench/data-loader.ts --python python3       with PyTorch
//   node bench/data-loader.ts --rounds 7 --images 400
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  Compose,
  DataLoader,
  ImageFolder,
  IterableDataset,
  Normalize,
  RandomCrop,
  readImage,
  ToTensor,
  trainWordPiece,
} from '../src/data/index.ts';
import { tokenize } from './data-loader-items.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    epochs: { type: 'string', default: '2' },
    images: { type: 'string', default: '200' },
    lines: { type: 'string', default: '6000' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(
    'Usage: node bench/data-loader.ts [--python PYTHON] [--rounds 5] [--epochs 2] [--images 200] [--lines 6000]',
  );
  process.exit(0);
}
const cores = availableParallelism();
const root = mkdtempSync(join(tmpdir(), 'trenio-bench-data-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));

const images = join(root, 'images');
const jsonl = join(root, 'texts.jsonl');
const vocabulary = join(root, 'vocab.txt');
process.env.BENCH_VOCABULARY = vocabulary;
await writeData(Number(values.images), Number(values.lines));

type Seconds = () => Promise<number>;
interface Contender {
  readonly name: string;
  readonly seconds: Seconds;
}
async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}
const transform = new Compose([new RandomCrop(224), new ToTensor(), new Normalize([0.5], [0.25])]);
const epochs = Number(values.epochs);
const loaders = (
  make: (numWorkers: number) => AsyncIterable<unknown> & Pick<DataLoader<unknown>, 'close'>,
): Contender[] =>
  [0, 1, 2].map(numWorkers => ({
    name: `Trenio, ${numWorkers} workers`,
    seconds: async () => {
      const loader = make(numWorkers);
      const seconds = await timed(async () => {
        for (let epoch = 0; epoch < epochs; epoch++) for await (const _ of loader);
      });
      await loader.close();
      return seconds / epochs;
    },
  }));
const peers = (kind: string): Contender[] =>
  values.python === undefined
    ? []
    : [0, 1, 2].map(numWorkers => ({
        name: `PyTorch, ${numWorkers} workers`,
        seconds: async () => {
          const settings = JSON.stringify({ kind, images, jsonl, vocabulary, numWorkers, epochs });
          const file = join(import.meta.dirname, 'peers/torch_data.py');
          return (
            JSON.parse(execFileSync(values.python!, [file, settings], { encoding: 'utf8' })) as { seconds: number }
          ).seconds;
        },
      }));
const files = readdirSync(join(images, 'a')).map(name => join(images, 'a', name));
const lines = readFileSync(jsonl, 'utf8').trim().split('\n');
const floor = (name: string, run: () => Promise<unknown>, threads: number): Contender => ({
  name,
  seconds: async () => (await timed(run)) / threads,
});

await report(
  `image folder: ${files.length} JPEG files of 256 × 256, random crops of 224, normalized, batches of 32`,
  files.length,
  [
    floor('reading the files', async () => files.map(file => readFileSync(file).length), 1),
    floor(
      `decoding alone, on ${cores} cores`,
      async () => {
        for (const file of files) await readImage(file);
      },
      cores,
    ),
    ...loaders(
      numWorkers =>
        new DataLoader(new ImageFolder(images, { transform }), { batchSize: 32, shuffle: true, numWorkers }),
    ),
    ...peers('images'),
  ],
);
await report(`JSON Lines: ${lines.length} texts as WordPiece tokens, batches of 64 × 128`, lines.length, [
  floor('reading the lines', async () => readFileSync(jsonl, 'utf8').split('\n').length, 1),
  floor(
    `tokenizing alone, on ${cores} cores`,
    async () => {
      for (const line of lines) tokenize(JSON.parse(line) as { text: string });
    },
    cores,
  ),
  ...loaders(
    numWorkers =>
      new DataLoader(IterableDataset.fromJson<{ text: string }>(jsonl).map(tokenize), { batchSize: 64, numWorkers }),
  ),
  ...peers('texts'),
]);

async function report(title: string, items: number, contenders: readonly Contender[]): Promise<void> {
  const seconds = contenders.map((): number[] => []);
  // Interleaved, so that other load affects all of them equally.
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [i, contender] of contenders.entries()) seconds[i]!.push(await contender.seconds());
  const rates = seconds.map(all => items / median(all));
  const limit = rates[1]!;
  console.log(`\n${title}`);
  contenders.forEach(({ name }, i) => {
    const share = i < 2 ? '' : `  ${((100 * rates[i]!) / limit).toFixed(0).padStart(3)} % of the floor`;
    const peer = contenders.findIndex(other => other.name === name.replace('Trenio', 'PyTorch'));
    const ratio = name.startsWith('Trenio') && peer >= 0 ? `  ${(rates[i]! / rates[peer]!).toFixed(2)} × PyTorch` : '';
    console.log(`  ${name.padEnd(34)} ${rates[i]!.toFixed(0).padStart(9)} items/s${share}${ratio}`);
  });
}

async function writeData(imageCount: number, lineCount: number): Promise<void> {
  const { default: jpeg } = await import('jpeg-js');
  const [width, height] = [256, 256];
  mkdirSync(join(images, 'a'), { recursive: true });
  for (let n = 0; n < imageCount; n++) {
    const data = Buffer.alloc(width * height * 4, 255);
    for (let i = 0; i < width * height; i++)
      for (let c = 0; c < 3; c++)
        data[4 * i + c] = 128 + 90 * Math.sin((i % width) / (9 + c + (n % 7))) * Math.cos(i / width / (7 + (n % 11)));
    writeFileSync(join(images, 'a', `${n}.jpg`), jpeg.encode({ data, width, height }, 90).data);
  }
  const words = Array.from(
    { length: 4000 },
    (_, i) => `${'bcdfghklmnprst'[i % 14]}${'aeiou'[i % 5]}${(i * 7919).toString(36)}`,
  );
  let state = 1;
  const next = (): number => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state;
  };
  const texts = Array.from({ length: lineCount }, () =>
    Array.from({ length: 60 }, () => words[next() % words.length]).join(' '),
  );
  writeFileSync(jsonl, texts.map(text => `${JSON.stringify({ text })}\n`).join(''));
  writeFileSync(vocabulary, `${trainWordPiece(texts.slice(0, 500), { size: 3000 }).join('\n')}\n`);
}
