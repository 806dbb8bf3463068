// One training step of BERT-base (110 M parameters, batch 8, sequence 128, f32, dropout on, AdamW): its time, memory and
// share of the machine's multiply-add peak, and the ratio to PyTorch on the same machine, steps of the two in turn.
//
//   node bench/bert-base.ts [--rounds 7] [--python /path/to/python]      the Python needs torch and transformers
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { AdamW, BertForSequenceClassification, device, formatBytes, nn, optimizerStep, tensor } from 'trenio';
import { hostTarget } from '../src/compiler/index.ts';
import { costOfModule, type Module } from '../src/hlo/index.ts';
import { literal } from '../src/hlo/literal.ts';
import { compileWithRuntime, median, peakSampler, peakSource } from './peak.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    python: { type: 'string', default: 'python3' },
    layers: { type: 'string', default: '12' },
  },
});
const rounds = Number(values.rounds);
const [batch, sequence] = [8, 128];
const config = {
  vocab_size: 30522,
  hidden_size: 768,
  num_hidden_layers: Number(values.layers),
  num_attention_heads: 12,
  intermediate_size: 3072,
  max_position_embeddings: 512,
};

interface Peer {
  readonly name: string;
  /** Milliseconds of one step, and the most memory the peer ever had. */
  step(): Promise<{ readonly ms: number; readonly peakBytes: number }>;
  end(): void;
}

async function startTorch(): Promise<Peer | undefined> {
  const script = join(import.meta.dirname, 'peers/torch_bert.py');
  const settings = JSON.stringify({ config, batch, sequence, threads: availableParallelism() });
  const child: ChildProcessWithoutNullStreams = spawn(values.python, [script, settings]);
  child.on('error', () => {});
  child.stderr.resume();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) return undefined;
  const { ready } = JSON.parse(first.value) as { ready: string };
  return {
    name: `PyTorch ${ready}`,
    step: async () => {
      child.stdin.write('step\n');
      return JSON.parse((await lines.next()).value as string) as { ms: number; peakBytes: number };
    },
    end: () => child.stdin.end(),
  };
}

/** Multiply flops of the largest program the device was asked to compile. */
const programs: Module[] = [];
const dev = device();
const compile = dev.backend.compile.bind(dev.backend);
dev.backend.compile = module => {
  programs.push(module);
  return compile(module);
};

const model = new BertForSequenceClassification(config);
model.to(dev);
model.train();
const optimizer = new AdamW(model.parameters(), { lr: 1e-5 });
const ids = literal(
  'i32',
  [batch, sequence],
  Array.from({ length: batch * sequence }, (_, i) => (i * 7919) % config.vocab_size),
);
const mask = literal('i32', [batch, sequence], new Array<number>(batch * sequence).fill(1));
const labels = literal(
  'i32',
  [batch],
  Array.from({ length: batch }, (_, i) => i % 2),
);

function step(): number {
  const start = performance.now();
  const inputs = { inputIds: tensor(ids, { device: dev }), attentionMask: tensor(mask, { device: dev }) };
  const loss = nn.functional.crossEntropy(model.forward(inputs), tensor(labels, { device: dev }));
  loss.backward();
  optimizerStep(optimizer);
  loss.item();
  return performance.now() - start;
}

const firstMs = step();
const target = hostTarget();
const native = compileWithRuntime(peakSource(target), target);
const peakOf = peakSampler(native, target);
const workers = availableParallelism();
const runtime = native.open(workers);
const multiplyFlops = Math.max(...programs.map(module => costOfModule(module).byOp.get('dot_general')?.flops ?? 0));
const torch = await startTorch();
if (torch === undefined)
  console.log(`PyTorch not measured: ${values.python} has no torch and transformers (--python names another)`);

const ours: number[] = [];
const theirs: number[] = [];
const peaks: number[] = [];
let torchBytes = 0;
for (let round = 0; round < rounds; round++) {
  peaks.push(peakOf(runtime, workers));
  ours.push(step());
  if (torch !== undefined) {
    const { ms, peakBytes } = await torch.step();
    theirs.push(ms);
    torchBytes = peakBytes;
  }
}
torch?.end();

const peak = median(peaks);
const ms = median(ours);
const peakRss = Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1024;
console.log(`BERT-base step, batch ${batch} × ${sequence}, f32, ${workers} threads, median of ${rounds}`);
console.log(
  `  Trenio           ${ms.toFixed(0)} ms (${Math.min(...ours).toFixed(0)} … ${Math.max(...ours).toFixed(0)}), ${formatBytes(peakRss)} resident at most`,
);
console.log(`  first step       ${firstMs.toFixed(0)} ms, compilation included: ${dev.explain()}`);
console.log(
  `  multiplies       ${(multiplyFlops / 1e9).toFixed(0)} GFLOP; peak ${peak.toFixed(0)} GFLOP/s; the whole step reaches ${((100 * multiplyFlops) / (ms * 1e6) / peak).toFixed(1)} % of it`,
);
if (torch !== undefined) {
  const theirMs = median(theirs);
  console.log(
    `  ${torch.name.padEnd(16)} ${theirMs.toFixed(0)} ms, ${formatBytes(torchBytes)} resident at most; Trenio is ${(theirMs / ms).toFixed(2)} × as fast`,
  );
}
