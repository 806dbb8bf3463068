// Thread scaling: the time of a training step with one and with several threads, on an idle machine and with a process
// that keeps one core busy. Steps are interleaved; each configuration has its own process.
//
//   node bench/threads.ts --help
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { AdamW, BertForSequenceClassification, device, nn, optimizerStep, type Tensor, tensor } from 'trenio';
import { TrenioError } from '../src/base/errors.ts';
import { literal } from '../src/hlo/literal.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    threads: { type: 'string', default: `${availableParallelism()}` },
    model: { type: 'string', default: 'bert,small,mlp' },
    json: { type: 'boolean', default: false },
    steps: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`node bench/threads.ts [--rounds 7] [--threads ${availableParallelism()}] [--model bert,small,mlp] [--json]

  --model     bert (BERT-base with 2 layers), small (BERT of 4 layers, 256 wide), mlp (64 wide), or several of them
  --threads   how many are compared with one
  --rounds    number of measurements of each
  --json      rows as JSON

  node bench/threads.ts --model mlp --rounds 15
  node bench/threads.ts --threads 4 --json > threads.json`);
  process.exit(0);
}

interface Model {
  readonly name: string;
  /** Steps per sample. */
  readonly repeat: number;
  make(): () => Tensor;
}
function bert(hidden: number, layers: number, batch: number, sequence: number, vocabulary: number): () => Tensor {
  const dev = device();
  const model = new BertForSequenceClassification({
    vocab_size: vocabulary,
    hidden_size: hidden,
    num_hidden_layers: layers,
    num_attention_heads: hidden / 64,
    intermediate_size: 4 * hidden,
    max_position_embeddings: sequence,
  });
  model.to(dev);
  model.train();
  const optimizer = new AdamW(model.parameters(), { lr: 1e-5 });
  const ids = literal(
    'i32',
    [batch, sequence],
    Array.from({ length: batch * sequence }, (_, i) => (i * 7919) % vocabulary),
  );
  const labels = Int32Array.from({ length: batch }, (_, i) => i % 2);
  return () => {
    const output = model.forward({ inputIds: tensor(ids, { device: dev }) });
    const loss = nn.functional.crossEntropy(output, tensor(labels, { device: dev }));
    loss.backward();
    optimizerStep(optimizer);
    return loss;
  };
}
function mlp(): () => Tensor {
  const dev = device();
  const layers = [new nn.Linear(64, 64), new nn.ReLU(), new nn.Linear(64, 64), new nn.ReLU(), new nn.Linear(64, 10)];
  const model = new nn.Sequential(...layers).to(dev);
  const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
  const x = Float32Array.from({ length: 64 * 64 }, (_, i) => Math.sin(i));
  const data = literal('f32', [64, 64], [...x]);
  const labels = Int32Array.from({ length: 64 }, (_, i) => i % 10);
  return () => {
    const output = model.forward(tensor(data, { device: dev }));
    const loss = nn.functional.crossEntropy(output, tensor(labels, { device: dev }));
    loss.backward();
    optimizerStep(optimizer);
    return loss;
  };
}
const models: Readonly<Record<string, Model>> = {
  bert: { name: 'BERT-base with 2 layers, 8 × 128', repeat: 1, make: () => bert(768, 2, 8, 128, 30522) },
  small: { name: 'BERT of 4 layers, 256 wide, 8 × 64', repeat: 4, make: () => bert(256, 4, 8, 64, 8000) },
  mlp: { name: 'MLP, 64 wide, batch 64', repeat: 100, make: mlp },
};

function modelNamed(name: string): Model {
  const model = Object.hasOwn(models, name) ? models[name] : undefined;
  if (model !== undefined) return model;
  const choices = Object.keys(models).join(', ');
  throw new TrenioError('BAD_ARGUMENT', {
    command: 'bench/threads.ts',
    argument: '--model',
    got: name,
    expected: choices,
  });
}

/** Runs in its own process: measures a sample for each input line. */
async function sampleSteps({ make, repeat }: Model): Promise<void> {
  const step = make();
  for (let i = 0; i < 2; i++) step().item();
  console.log('ready');
  for await (const _ of createInterface({ input: process.stdin })) {
    const start = performance.now();
    let loss = step();
    for (let i = 1; i < repeat; i++) loss = step();
    loss.item();
    console.log((performance.now() - start) / repeat);
  }
}

interface Sampler {
  sample(): Promise<number>;
  end(): void;
}
async function startSampler(model: string, threads: number): Promise<Sampler> {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [import.meta.filename, '--steps', model], {
    env: { ...process.env, TRENIO_NUM_THREADS: `${threads}` },
  });
  child.stderr.pipe(process.stderr);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    sample: async () => {
      child.stdin.write('\n');
      return Number((await lines.next()).value);
    },
    end: () => child.stdin.end(),
  };
}

async function main(): Promise<void> {
  const threads = Number(values.threads);
  const rows: Record<string, string | number>[] = [];
  for (const name of values.model.split(',')) {
    const model = modelNamed(name);
    const samplers = [await startSampler(name, 1), await startSampler(name, threads)];
    for (const beside of ['nothing', 'a busy process']) {
      const busy = beside === 'nothing' ? undefined : spawn(process.execPath, ['-e', 'for (;;);']);
      const times: number[][] = [[], []];
      for (let round = 0; round < Number(values.rounds); round++)
        for (const [i, sampler] of samplers.entries()) times[i]!.push(await sampler.sample());
      busy?.kill();
      const [one, several] = times.map(median) as [number, number];
      const ratios = times[0]!.map((t, i) => t / times[1]![i]!);
      rows.push({
        model: model.name,
        beside,
        '1 thread, ms': one.toFixed(3),
        [`${threads} threads, ms`]: several.toFixed(3),
        'times as fast': median(ratios).toFixed(2),
        range: `${Math.min(...ratios).toFixed(2)} … ${Math.max(...ratios).toFixed(2)}`,
      });
      if (!values.json) process.stderr.write(`${model.name}, beside ${beside}: ${median(ratios).toFixed(2)}\n`);
    }
    for (const sampler of samplers) sampler.end();
  }
  console.log(values.json ? JSON.stringify(rows) : formatRows(rows));
}

const formatRows = (rows: readonly Record<string, string | number>[]): string => {
  const heads = Object.keys(rows[0]!);
  const widths = heads.map(head => Math.max(head.length, ...rows.map(row => `${row[head]}`.length)));
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell, i) => `${cell}`.padEnd(widths[i]!)).join('  ');
  return [line(heads), ...rows.map(row => line(heads.map(head => row[head]!)))].join('\n');
};

if (values.steps !== undefined) await sampleSteps(modelNamed(values.steps));
else await main();
