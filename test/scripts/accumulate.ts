// Trains on the rank's share of global batches of 4 micro-batches, as a user would write it, and prints the loss of
// each of its micro-batches and hashes of the final parameters and moments as one line of JSON.
//   --model bert|gpt|convolutions  --steps N  --batch N: items per micro-batch  --hidden N  --layers N: of bert
//   --marked: each micro-batch is a separate step  --clip: clip gradients by norm
//   --format f32|bf16|master|half|scaled|cast: the type of parameters, and of multiplies  --stochastic: rounding
//   --look: only rank 0 reads losses within the step, and all ranks evaluate every fourth step
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  AdamW,
  autocast,
  BertForSequenceClassification,
  DataLoader,
  DeviceLoader,
  device,
  GradScaler,
  isMain,
  manualSeed,
  nn,
  noGrad,
  optimizerStep,
  rank,
  type Tensor,
} from 'trenio';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'bert' },
    marked: { type: 'boolean', default: false },
    steps: { type: 'string', default: '12' },
    clip: { type: 'boolean', default: false },
    batch: { type: 'string', default: '3' },
    hidden: { type: 'string', default: '32' },
    layers: { type: 'string', default: '2' },
    format: { type: 'string', default: 'f32' },
    stochastic: { type: 'boolean', default: false },
    look: { type: 'boolean', default: false },
  },
});
const steps = Number(values.steps);
const [batchSize, hidden] = [Number(values.batch), Number(values.hidden)];
const [microBatches, length, vocabulary] = [4, 8, 40] as const;
manualSeed(11);
const dev = device();
const accumulation = microBatches / dev.mesh.size('data');
dev.gradientAccumulationSteps = accumulation;
if (values.stochastic) dev.setRounding({ mode: 'stochastic', seed: 5 });
if (values.format === 'cast') dev.setAutoCast({ mode: 'all', type: 'bf16' });

const items = Array.from({ length: 100 }, (_, i) => ({
  tokens: Array.from({ length }, (_, k) => 1 + ((i * 7 + k * k * 3) % 25) + 14 * (i % 2)),
  label: i % 2,
}));
const loader = new DataLoader(
  { length: items.length, get: i => items[i]! },
  {
    batchSize,
    collateFn: batch => ({
      inputIds: batch.map(item => item.tokens),
      target: Int32Array.from(batch, item => item.label),
    }),
    shuffle: true,
    seed: 5,
    dropLast: true,
    mesh: dev.mesh,
    gradientAccumulationSteps: accumulation,
  },
);

class Convolutions extends nn.Module {
  readonly first = new nn.Conv2d(1, 6, 3, { padding: 1 });
  readonly second = new nn.Conv2d(6, 12, 3, { padding: 1 });
  readonly norm = new nn.LayerNorm(12 * 4 * 4);
  readonly dropout = new nn.Dropout(0.2);
  readonly last = new nn.Linear(12 * 4 * 4, 2);

  /** [rows, 8] tokens, converted to images [rows, 1, 8, 8]. */
  forward(tokens: Tensor): Tensor {
    const x = tokens.to('f32').div(vocabulary);
    const image = x.unsqueeze(-1).mul(x.unsqueeze(1)).unsqueeze(1);
    const second = this.second.forward(this.first.forward(image).relu()).gelu();
    const pooled = nn.functional.maxPool2d(second, 2);
    return this.last.forward(this.dropout.forward(this.norm.forward(pooled.flatten(1))));
  }
}
const bert = (): BertForSequenceClassification =>
  new BertForSequenceClassification({
    vocab_size: vocabulary,
    hidden_size: hidden,
    num_hidden_layers: Number(values.layers),
    num_attention_heads: 2,
    intermediate_size: 2 * hidden,
    max_position_embeddings: length,
  });
/** A decoder block with causal attention. */
class Gpt extends nn.Module {
  readonly tokens = new nn.Embedding(vocabulary, hidden);
  readonly norm = new nn.LayerNorm(hidden);
  readonly qkv = new nn.Linear(hidden, 3 * hidden);
  readonly projection = new nn.Linear(hidden, hidden);
  readonly up = new nn.Linear(hidden, 4 * hidden);
  readonly down = new nn.Linear(4 * hidden, hidden);
  readonly dropout = new nn.Dropout(0.1);
  readonly last = new nn.Linear(hidden, 2);

  /** [rows, length] tokens; [rows, 2] logits of the last position. */
  forward(tokens: Tensor): Tensor {
    const x = this.tokens.forward(tokens);
    const heads = this.qkv
      .forward(this.norm.forward(x))
      .reshape(-1, length, 3, 4, hidden / 4)
      .permute(2, 0, 3, 1, 4);
    const [q, k, v] = [0, 1, 2].map(i => heads.select(0, i)) as [Tensor, Tensor, Tensor];
    const attended = nn.functional.scaledDotProductAttention(q, k, v, { isCausal: true });
    const y = x.add(
      this.dropout.forward(this.projection.forward(attended.transpose(1, 2).reshape(-1, length, hidden))),
    );
    const z = y.add(this.down.forward(this.up.forward(y).gelu('tanh')));
    return this.last.forward(z.select(1, length - 1));
  }
}
const model = { bert, gpt: () => new Gpt(), convolutions: () => new Convolutions() }[
  values.model as 'bert' | 'gpt' | 'convolutions'
]();
model.to(dev);
model.train();
if (values.format === 'bf16' || values.format === 'master') model.to('bf16');
if (values.format === 'half') model.to('f16');
const optimizer = new AdamW(model.parameters(), {
  lr: 3e-3,
  masterWeights: values.format === 'master',
  stateType: values.format === 'bf16' ? 'bf16' : 'f32',
});
const scaler = values.format === 'scaled' ? new GradScaler({ initScale: 2 ** 20, growthInterval: 3 }) : undefined;

function forward(inputIds: Tensor): Tensor {
  const ids = inputIds.to('i32');
  const run = (): Tensor =>
    model instanceof BertForSequenceClassification ? model.forward({ inputIds: ids }) : model.forward(ids);
  return scaler === undefined ? run() : autocast(run, { dtype: 'f16' });
}
/** Ranks share the evaluation, so each has fewer batches. */
async function evaluate(): Promise<void> {
  model.eval();
  let batches = 8 / dev.mesh.size('data');
  for await (const { inputIds } of new DeviceLoader(loader.epoch(100), dev)) {
    noGrad(() => forward(inputIds).float().argmax(-1).sum()).item();
    if (--batches === 0) break;
  }
  model.train();
}

const losses: Tensor[] = [];
let step = 0;
while (step < steps) {
  let micro = 0;
  for await (const { inputIds, target } of new DeviceLoader(loader, dev)) {
    const loss = nn.functional.crossEntropy(forward(inputIds).float(), target);
    if (values.look && isMain() && step % 3 === 1) loss.item();
    (scaler?.scale(loss) ?? loss).backward();
    if (values.look && isMain() && step % 3 === 2) loss.item();
    losses.push(loss);
    if (++micro % accumulation !== 0) {
      if (values.marked) dev.markStep();
      continue;
    }
    optimizerStep(optimizer, { scaler, maxGradNorm: values.clip ? 0.5 : undefined });
    if (values.look && step % 4 === 0) await evaluate();
    if (++step === steps) break;
  }
}

const hash = (tensors: Iterable<Uint8Array>): string => {
  const sum = createHash('sha256');
  for (const data of tensors) sum.update(data);
  return sum.digest('hex').slice(0, 16);
};
const state = optimizer.stateDict();
console.log(
  JSON.stringify({
    rank: rank(),
    losses: losses.map(loss => loss.item()),
    parameters: hash([...model.parameters()].map(p => p.data as unknown as Uint8Array)),
    moments: hash([...state.tensors].map(([, { data }]) => data as unknown as Uint8Array)),
    skipped: scaler?.stateDict().skipped,
    compiles: dev.metrics.compiles,
  }),
);
