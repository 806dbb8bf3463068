// A small run that is killed and resumed: trains a classifier with dropout along the axis data, and saves a checkpoint every few
// steps.
//   killed.ts DIRECTORY --steps N --every N   Prints a hash of its final state.
//   --slow MS: waits after each step  --micro N: micro-batches of a global batch  --format f32|bf16: of the parameters
//   --losses: prints the losses of each rank
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  AdamW,
  Checkpointer,
  device,
  getLinearScheduleWithWarmup,
  isMain,
  manualSeed,
  nn,
  optimizerStep,
  rank,
  tensor,
} from 'trenio';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '40' },
    every: { type: 'string', default: '1' },
    slow: { type: 'string', default: '0' },
    width: { type: 'string', default: '64' },
    micro: { type: 'string', default: '4' },
    format: { type: 'string', default: 'f32' },
    losses: { type: 'boolean', default: false },
  },
});
console.log('begun');
manualSeed(3);
const dev = device();
const ranks = dev.mesh.size('data');
// The number of micro-batches per step does not depend on the number of ranks.
dev.gradientAccumulationSteps = Number(values.micro) / ranks;
const width = Number(values.width);
const model = new nn.Sequential(
  new nn.Linear(16, width),
  new nn.Dropout(0.2),
  new nn.Linear(width, width),
  new nn.Linear(width, 3),
);
if (values.format === 'bf16') model.to('bf16');
const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
const scheduler = getLinearScheduleWithWarmup(optimizer, { numWarmupSteps: 5, numTrainingSteps: Number(values.steps) });
const user = { losses: [] as number[] };
const checkpointer = new Checkpointer(
  { directory: positionals[0]!, every: Number(values.every), keep: 2 },
  { model, optimizer, scheduler, user },
);
let step = await checkpointer.resume();
const own: number[] = [];
console.log(`from step ${step}`);
while (step < Number(values.steps)) {
  const losses: number[] = [];
  for (let i = 0; i < dev.gradientAccumulationSteps; i++) {
    const micro = dev.mesh.coordinate('data') * dev.gradientAccumulationSteps + i;
    const x = Float32Array.from({ length: 8 * 16 }, (_, k) => Math.sin(step * 31 + micro * 7 + k));
    const y = Int32Array.from({ length: 8 }, (_, k) => (step + micro + k) % 3);
    const input = tensor(x, { shape: [8, 16], dtype: values.format === 'bf16' ? 'bf16' : 'f32' });
    const loss = nn.functional.crossEntropy(model.forward(input).float(), tensor(y));
    loss.backward();
    dev.markStep();
    losses.push(loss.item());
  }
  optimizerStep(optimizer, { maxGradNorm: 1 });
  scheduler.step();
  if (ranks === 1) user.losses.push(...losses);
  own.push(...losses);
  await checkpointer.step(++step);
  if (values.slow !== '0') await sleep(Number(values.slow));
}
await checkpointer.close();
if (values.losses) console.log(JSON.stringify({ rank: rank(), losses: own }));
const hash = createHash('sha256');
for (const { data } of [...model.stateDict().values(), ...optimizer.stateDict().tensors.values()])
  hash.update(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
if (isMain()) console.log(`final ${hash.digest('hex').slice(0, 16)}`);
