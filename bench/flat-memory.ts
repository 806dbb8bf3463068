// Memory over 10,000 training steps of a small classifier, with no dispose() anywhere: each step uploads its batch, runs
// forward, backward and the optimizer, and every hundredth step reads its loss. It is a plain loop, with a table created before
// it and the hidden state of the previous step; with the argument `optimizerStep`, it calls that function instead. Prints
// resident memory and the live JavaScript heap over time, and their growth after the first fifth of the steps, when everything
// is compiled and warm.
//
//   node bench/flat-memory.ts [steps] [optimizerStep]
//
// V8 doubles its young generation a few times, by up to 64 MiB at once. That would hide a leak
// or look like one, so the benchmark restarts itself with a young generation of fixed size.
import './help.ts';
import { spawnSync } from 'node:child_process';
import { AdamW, device, formatBytes, manualSeed, nn, optimizerStep, type Tensor, tensor } from 'trenio';

const { gc } = globalThis as { gc?: () => void };
if (gc === undefined) {
  const flags = ['--expose-gc', '--max-semi-space-size=16'];
  const { status } = spawnSync(process.execPath, [...flags, import.meta.filename, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}

const steps = Number(process.argv[2] ?? 10_000);
const isPlain = process.argv[3] !== 'optimizerStep';
const dev = device();
manualSeed(0);

class Net extends nn.Module {
  readonly first = new nn.Linear(16, 32);
  readonly drop = new nn.Dropout(0.1);
  readonly norm = new nn.LayerNorm(32);
  readonly last = new nn.Linear(32, 4);
  override forward(x: Tensor): Tensor {
    return this.last.forward(this.drop.forward(this.norm.forward(this.first.forward(x).gelu())));
  }
}
const model = new Net().to(dev);
const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
const data = new Float32Array(8 * 16).map((_, i) => Math.sin(i));

interface Sample {
  readonly step: number;
  readonly resident: number;
  readonly heap: number;
}
const samples: Sample[] = [];
let total = 0;
const scale = tensor([1, 2, 3, 4]).mul(0.25).tanh();
let before: Tensor | undefined;
console.log(`${steps} steps on ${dev}; sizes after a garbage collection, with a young generation of 16 MiB`);
for (let step = 0; step <= steps; step++) {
  const target = tensor(Int32Array.from({ length: 8 }, (_, i) => (i + step) % 4));
  if (isPlain) optimizer.zeroGrad();
  const output = model.forward(tensor(data, { shape: [8, 16] })).mul(scale);
  const drift = before === undefined ? 0 : output.sub(before).square().mean().mul(1e-3);
  const loss = nn.functional.crossEntropy(output, target).add(drift);
  before = output.detach();
  loss.backward();
  if (isPlain) optimizer.step();
  else optimizerStep(optimizer);
  if (step % 100 === 0) total += loss.item();
  if (step % Math.ceil(steps / 10) === 0) {
    // The loop is synchronous: without a pause, the event loop and finalizers would never run.
    await new Promise(resolve => setImmediate(resolve));
    gc();
    const { rss: resident, heapUsed: heap } = process.memoryUsage();
    samples.push({ step, resident, heap });
    console.log(
      `step ${String(step).padStart(6)}   resident ${formatBytes(resident)}   live heap ${formatBytes(heap)}`,
    );
  }
}
const [warm, last] = [samples[2]!, samples.at(-1)!];
function grown(key: 'resident' | 'heap'): string {
  const bytes = last[key] - warm[key];
  return `${bytes < 0 ? '' : '+'}${formatBytes(bytes)} (${((100 * bytes) / warm[key]).toFixed(1)} %)`;
}
const flat = last.resident < 1.05 * warm.resident && last.heap < 1.05 * warm.heap;
console.log(`mean loss ${(total / (Math.floor(steps / 100) + 1)).toFixed(4)}, ${dev.metrics.compiles} compilations`);
console.log(
  `from step ${warm.step} to ${last.step}: resident ${grown('resident')}, live heap ${grown('heap')}: ${flat ? 'flat' : 'NOT flat'}`,
);
if (!flat) process.exitCode = 1;
