// A module with a function whose gradient is written by hand: one-bit weights (Courbariaux et al. 2016). The forward pass uses
// their signs; the backward pass passes the gradient through unchanged (straight-through estimator).
//
//   node examples/custom-module/train.ts
import { AdamW, autograd, manualSeed, nn, ones, randn, type Tensor, tensor } from 'trenio';

class Sign extends autograd.Function {
  static override forward(context: autograd.FunctionContext, x: Tensor): Tensor {
    context.saveForBackward(x);
    return x.sign();
  }
  static override backward(context: autograd.FunctionContext, gradient: Tensor): Tensor {
    const [x] = context.savedTensors;
    return gradient.mul(x!.abs().le(1)); // a weight beyond ±1 does not grow further
  }
}

class BinaryLinear extends nn.Module {
  weight: nn.Parameter;
  scale: nn.Parameter;
  constructor(inFeatures: number, outFeatures: number) {
    super();
    this.weight = new nn.Parameter(randn([outFeatures, inFeatures]).mul(0.1));
    this.scale = new nn.Parameter(ones([outFeatures]).mul(0.1));
  }
  override forward(x: Tensor): Tensor {
    return nn.functional.linear(x, Sign.apply(this.weight)).mul(this.scale);
  }
}

// Classify points on two interleaved rings.
manualSeed(1);
const points = randn([512, 2]).toArray() as number[][];
const inputs = tensor(points);
const labels = tensor(points.map(([x, y]) => (Math.hypot(x!, y!) % 1 < 0.5 ? 0 : 1)));

const model = new nn.Sequential(
  new nn.Linear(2, 64),
  new nn.BatchNorm1d(64),
  new nn.Tanh(),
  new BinaryLinear(64, 64),
  new nn.BatchNorm1d(64),
  new nn.Tanh(),
  new nn.Linear(64, 2),
);
console.log(String(model));
const optimizer = new AdamW(model.parameters(), { lr: 1e-2 });
const criterion = new nn.CrossEntropyLoss();
for (let step = 1; step <= 300; step++) {
  const logits = model(inputs);
  const loss = criterion(logits, labels);
  optimizer.zeroGrad();
  loss.backward();
  optimizer.step();
  if (step % 100 === 0) {
    const right = logits.argmax(1).eq(labels).float().mean().item();
    console.log(`step ${step}: loss ${loss.item().toFixed(3)}, accuracy ${(100 * right).toFixed(1)} %`);
  }
}
