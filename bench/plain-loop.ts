// A plain PyTorch-style loop compared with one that calls `optimizerStep`: the step time of three models, interleaved
// in one process, as medians and their ratio. Both run the same program, so this compares the cost of recording,
// lookup and bookkeeping. Exits with 1 if a ratio is above 1.02.
//
//   node bench/plain-loop.ts [rounds]
//
// Also measured, without a bar: the loss read before or after backward(), which makes two programs.
import './help.ts';
import {
  AdamW,
  BertForSequenceClassification,
  device,
  type Module,
  manualSeed,
  nn,
  optimizerStep,
  randint,
  randn,
  type Tensor,
} from 'trenio';

const rounds = Number(process.argv[2] ?? 300);
const maxRatio = 1.02;
const { crossEntropy } = nn.functional;

class Cnn extends nn.Module {
  readonly first = new nn.Conv2d(3, 16, 3, { padding: 1 });
  readonly second = new nn.Conv2d(16, 32, 3, { padding: 1, stride: 2 });
  readonly norm = new nn.BatchNorm2d(32);
  readonly last = new nn.Linear(32, 10);
  override forward(x: Tensor): Tensor {
    return this.last.forward(
      this.norm
        .forward(this.second.forward(this.first.forward(x).relu()))
        .relu()
        .mean([2, 3]),
    );
  }
}
interface Workload {
  readonly model: Module;
  readonly loss: () => Tensor;
}
const images = randn([16, 3, 32, 32]);
const pixels = randn([64, 784]);
const ids = randint(0, 1000, [8, 32]);
const [classes, labels, signs] = [randint(0, 10, [16]), randint(0, 10, [64]), randint(0, 2, [8])];
const workloads: Readonly<Record<string, () => Workload>> = {
  MLP: () => {
    const [first, second, last] = [new nn.Linear(784, 512), new nn.Linear(512, 512), new nn.Linear(512, 10)];
    const model = new nn.Sequential(first, new nn.ReLU(), second, new nn.ReLU(), last).to(device());
    return { model, loss: () => crossEntropy(model.forward(pixels), labels) };
  },
  'small BERT': () => {
    const model = new BertForSequenceClassification({
      vocab_size: 1000,
      hidden_size: 128,
      num_hidden_layers: 2,
      num_attention_heads: 2,
      intermediate_size: 512,
      max_position_embeddings: 64,
    })
      .to(device())
      .train();
    return { model, loss: () => crossEntropy(model.forward({ inputIds: ids }), signs) };
  },
  CNN: () => {
    const model = new Cnn().to(device());
    return { model, loss: () => crossEntropy(model.forward(images), classes) };
  },
};
const loops = ['optimizerStep', 'plain', 'read before backward', 'read after backward'] as const;
type Loop = (typeof loops)[number];

/** A step of this loop; returns its loss. */
function stepOf(loop: Loop, workload: () => Workload): () => number {
  manualSeed(0);
  const { model, loss: lossOf } = workload();
  const optimizer = new AdamW(model.parameters(), { lr: 1e-4 });
  return () => {
    if (loop !== 'optimizerStep') optimizer.zeroGrad();
    const loss = lossOf();
    if (loop === 'read before backward') loss.item();
    loss.backward();
    if (loop === 'read after backward') loss.item();
    if (loop === 'optimizerStep') optimizerStep(optimizer);
    else optimizer.step();
    return loss.item();
  };
}
const median = (xs: readonly number[]): number => [...xs].sort((a, b) => a - b)[xs.length >> 1]!;

let worst = 0;
for (const [name, workload] of Object.entries(workloads)) {
  const { compiles } = device().metrics;
  const made = loops.map(loop => stepOf(loop, workload));
  const losses = made.map(step => {
    manualSeed(0); // dropout
    return [step(), step(), step(), step()].join();
  });
  const same = losses.every(text => text === losses[0]);
  const times = loops.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let k = 0; k < loops.length; k++) {
      const i = (k + round) % loops.length;
      const start = performance.now();
      made[i]!();
      times[i]!.push(performance.now() - start);
    }
  }
  const medians = times.map(median);
  const ratios = medians.map(ms => ms / medians[0]!);
  worst = Math.max(worst, ratios[1]!);
  if (process.argv.includes('--explain')) console.log(device().explain());
  const columns = loops.map((loop, i) => `${loop} ${medians[i]!.toFixed(3)} ms (${ratios[i]!.toFixed(3)})`).join('   ');
  console.log(
    `${name.padEnd(10)} ${columns}   ${device().metrics.compiles - compiles} compilations, losses ${same ? 'equal' : 'DIFFER'}`,
  );
  if (!same) process.exitCode = 1;
}
console.log(`worst ratio of the plain loop to optimizerStep: ${worst.toFixed(3)}; the bar is ${maxRatio}`);
if (worst > maxRatio) process.exitCode = 1;
