// Memory over 10,000 training steps of a small classifier, with no dispose() anywhere: prints the resident size and the
// JavaScript heap as the steps go by, and says whether they stayed flat.
//
//   node bench/flat-memory.ts [steps]
import { AdamW, device, formatBytes, manualSeed, nn, optimizerStep, type Tensor, tensor } from 'trenio';

const steps = Number(process.argv[2] ?? 10_000);
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
  readonly rss: number;
  readonly heap: number;
}
const samples: Sample[] = [];
let total = 0;
console.log(`${steps} steps on ${dev}; sizes after a garbage collection where node runs with --expose-gc`);
for (let step = 0; step <= steps; step++) {
  const target = tensor(Int32Array.from({ length: 8 }, (_, i) => (i + step) % 4));
  const loss = nn.functional.crossEntropy(model.forward(tensor(data, { shape: [8, 16] })), target);
  loss.backward();
  optimizerStep(optimizer);
  if (step % 100 === 0) total += loss.item();
  if (step % Math.ceil(steps / 10) === 0) {
    // The loop is synchronous: without a pause nothing that waits for the event loop, finalisers included, would run.
    await new Promise(resolve => setImmediate(resolve));
    (globalThis as { gc?: () => void }).gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    samples.push({ step, rss, heap: heapUsed });
    console.log(`step ${String(step).padStart(6)}   resident ${formatBytes(rss)}   heap ${formatBytes(heapUsed)}`);
  }
}
const [warm, last] = [samples[Math.floor(samples.length / 2)]!, samples.at(-1)!];
const growth = (last.rss - warm.rss) / warm.rss;
console.log(
  `from step ${warm.step} on the resident size changed by ${(100 * growth).toFixed(1)} %: ${growth < 0.1 ? 'flat' : 'NOT flat'}`,
);
console.log(`mean loss ${(total / (Math.floor(steps / 100) + 1)).toFixed(4)}, ${dev.metrics.compiles} compilations`);
if (growth >= 0.1) process.exitCode = 1;
