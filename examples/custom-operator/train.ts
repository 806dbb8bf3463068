// A layer whose activation is written in C++, compiled by the system's compiler, and called inside the training step.
//
//   node examples/custom-operator/train.ts
import { AdamW, loadOperator, manualSeed, nn, optimizerStep, randn, type Tensor, tensor } from 'trenio';

const same = ([x]: readonly (readonly number[])[]): readonly (readonly number[])[] => [x!];
const swishGradient = loadOperator({
  name: 'swish_gradient',
  source: new URL('./swish_gradient.cpp', import.meta.url),
  inputs: ['f32', 'f32'],
  outputs: ['f32'],
  numbers: 1,
  shape: same,
});
const swish = loadOperator({
  name: 'swish',
  source: new URL('./swish.cpp', import.meta.url),
  inputs: ['f32'],
  outputs: ['f32'],
  numbers: 1,
  shape: same,
  gradient: ({ inputs: [x], cotangents: [g], numbers: [beta] }) => [swishGradient(x!, g!, beta!) as Tensor],
});

class Net extends nn.Module {
  readonly first = new nn.Linear(2, 32);
  readonly second = new nn.Linear(32, 1);
  override forward(x: Tensor): Tensor {
    return this.second.forward(swish(this.first.forward(x), 1.5) as Tensor);
  }
}

// Learn x · y from points in a square.
manualSeed(1);
const net = new Net();
const optimizer = new AdamW(net.parameters(), { lr: 0.02 });
const points = randn([256, 2]).toArray() as number[][];
const x = tensor(points);
const target = tensor(points.map(([a, b]) => [a! * b!]));
for (let step = 1; step <= 300; step++) {
  const loss = net.forward(x).sub(target).pow(2).mean();
  loss.backward();
  optimizerStep(optimizer);
  if (step % 100 === 0) console.log(`step ${step}: loss ${loss.item().toFixed(4)}`);
}
