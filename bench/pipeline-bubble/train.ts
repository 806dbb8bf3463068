// Stages that sleep. Arguments: the schedule, the number of micro-batches, the milliseconds of a pass.
//
//   y = x · w' + (detached x · u) · w',  w' = w after sleeping
//
// w' depends on no batch, so each program that needs it computes it: the forward pass, the gradient of x, and that of u each
// sleep once, and a whole backward pass does so once for both.
import {
  initDeviceMesh,
  loadOperator,
  manualSeed,
  nn,
  ones,
  optimizerStep,
  pipeline,
  SGD,
  type Tensor,
} from '../../src/index.ts';
import { type ScheduleName, schedules } from '../../src/transforms/pipeline/schedules.ts';

const [name, microBatches, ms] = process.argv.slice(2) as [ScheduleName, string, string];
const sleep = loadOperator({
  name: 'sleep',
  source: new URL('./sleep.cpp', import.meta.url),
  inputs: ['f32'],
  outputs: ['f32'],
  numbers: 1,
  shape: ([x]) => [x!],
  gradient: ({ cotangents: [g] }) => [g],
});
class Sleeper extends nn.Module {
  readonly w = new nn.Parameter(ones([8]));
  readonly u = new nn.Parameter(ones([8]));
  override forward(x: Tensor): Tensor {
    const w = sleep(this.w, Number(ms)) as Tensor;
    return x.mul(w).add(x.detach().mul(this.u).mul(w));
  }
}
manualSeed(1);
const mesh = initDeviceMesh();
const stages = mesh.size('pp') * schedules[name].stagesPerRank;
const layers = Array.from({ length: stages }, () => new Sleeper());
const cuts = layers.slice(1).map((_, i) => `${i + 1}`);
const model = pipeline(new nn.Sequential(...layers), mesh, {
  schedule: name,
  microBatches: Number(microBatches),
  cuts,
});
const optimizer = new SGD(model.parameters(), { lr: 1e-9 });
for (let step = 0; step < 8; step++) {
  model
    .forward(ones([Number(microBatches), 8]))
    .sum()
    .backward();
  optimizerStep(optimizer);
}
