// Time from the first line of user code to the first running training step of BERT-base (batch 8, sequence 128, f32, dropout,
// AdamW): with an empty cache (cold), a full cache (warm), and a cache filled for another batch size; each run in its own
// process. With --python, also the time that torch.compile takes for the same step.
//
//   node bench/compile.ts [--rounds 7] [--layers 12] [--python /path/to/python]
import './help.ts';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inheritedVariables } from '../src/base/environment.ts';
import { objectPrefix, readHead } from '../src/runtime/toolchain/kept-objects.ts';
import { bar } from './bars.ts';
import { median } from './peak.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    layers: { type: 'string', default: '12' },
    python: { type: 'string' },
    child: { type: 'boolean', default: false },
    batch: { type: 'string', default: '8' },
  },
});
const config = {
  vocab_size: 30522,
  hidden_size: 768,
  num_hidden_layers: Number(values.layers),
  num_attention_heads: 12,
  intermediate_size: 3072,
  max_position_embeddings: 512,
};
const [batch, sequence] = [Number(values.batch), 128];
const otherBatch = 2 * batch;

/** The measurements of one process, in milliseconds. */
interface Figures {
  /** From the first line of user code until the first step is queued on the device. */
  readonly running: number;
  /** The part of it from the module to a loaded program. */
  readonly compile: number;
  /** Until the first step is done. */
  readonly done: number;
}

async function child(): Promise<void> {
  const { AdamW, BertForSequenceClassification, device, nn, optimizerStep, tensor } = await import('trenio');
  const start = performance.now();
  const dev = device();
  const model = new BertForSequenceClassification(config);
  model.to(dev);
  model.train();
  const optimizer = new AdamW(model.parameters(), { lr: 1e-5 });
  const numbers = (shape: readonly number[], f: (i: number) => number) =>
    tensor(
      Int32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => f(i)),
      { device: dev, shape },
    );
  const inputIds = numbers([batch, sequence], i => (i * 7919) % config.vocab_size);
  const attentionMask = numbers([batch, sequence], () => 1);
  const labels = numbers([batch], i => i % 2);
  const loss = nn.functional.crossEntropy(model.forward({ inputIds, attentionMask }), labels);
  loss.backward();
  optimizerStep(optimizer);
  const running = performance.now() - start;
  loss.item();
  const figures: Figures = { running, compile: dev.metrics.compileMs, done: performance.now() - start };
  console.log(JSON.stringify(figures));
}

function measure(cache: string, size: number): Figures {
  const words = [import.meta.filename, '--child', '--layers', values.layers, '--batch', String(size)];
  const run = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    env: { ...inheritedVariables(), TRENIO_CACHE_DIR: cache, TRENIO_LOG: 'error' },
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as Figures;
}

/** The number of functions that were compiled into a cache. */
function functionsIn(cache: string): number {
  const objects = readdirSync(cache).filter(name => name.startsWith(objectPrefix));
  return objects.reduce((sum, name) => sum + (readHead(join(cache, name))?.functions.length ?? 0), 0);
}

/** Seconds of torch.compile for the same step; undefined if Python lacks torch or transformers. */
function torchCompileSeconds(python: string): number | undefined {
  const settings = JSON.stringify({ config, batch, sequence });
  const run = spawnSync(python, [join(import.meta.dirname, 'peers/torch_compile_time.py'), settings], {
    encoding: 'utf8',
  });
  return run.status === 0 ? Number(run.stdout.trim().split('\n').at(-1)) : undefined;
}

function compare(): void {
  const cold: Figures[] = [];
  const warm: Figures[] = [];
  const other: Figures[] = [];
  let [functions, further] = [0, 0];
  const base = mkdtempSync(join(tmpdir(), 'trenio-bench-'));
  try {
    for (let round = 0; round < Number(values.rounds); round++) {
      const cache = join(base, `${round}`);
      cold.push(measure(cache, batch));
      functions = functionsIn(cache);
      warm.push(measure(cache, batch));
      other.push(measure(cache, otherBatch));
      further = functionsIn(cache) - functions;
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  console.log(
    `BERT-base (${config.num_hidden_layers} layers), batch ${batch} × ${sequence}, f32, median of ${values.rounds}`,
  );
  const line = (name: string, all: readonly Figures[]): void => {
    const of = (key: keyof Figures): string =>
      `${median(all.map(f => f[key]))
        .toFixed(0)
        .padStart(6)} ms`;
    console.log(
      `  ${name.padEnd(8)}  first step running ${of('running')}   compiling ${of('compile')}   first step done ${of('done')}`,
    );
  };
  line('cold', cold);
  line('warm', warm);
  line(`batch ${otherBatch}`, other);
  console.log(`  for batch ${otherBatch}, ${further} functions were compiled; for batch ${batch}, ${functions}`);
  bar({
    what: 'cold start of the BERT-base step',
    unit: 'ms',
    measured: median(cold.map(f => f.running)),
    limit: 3000,
    kind: 'at most',
  });
  bar({
    what: 'warm compile of the BERT-base step',
    unit: 'ms',
    measured: median(warm.map(f => f.compile)),
    limit: 50,
    kind: 'at most',
  });
  if (values.python === undefined) return;
  const seconds = torchCompileSeconds(values.python);
  if (seconds === undefined) console.log(`torch.compile not measured: ${values.python} has no torch and transformers`);
  else {
    console.log(`  torch.compile  ${seconds.toFixed(1)} s until its first step is done`);
    bar({
      what: 'torch.compile against the cold start',
      unit: '× Trenio',
      measured: (1000 * seconds) / median(cold.map(f => f.running)),
      limit: 10,
      kind: 'at least',
    });
  }
}

if (values.child) await child();
else compare();
