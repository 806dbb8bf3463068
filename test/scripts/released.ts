// Reads a value of an earlier step that can no longer be computed, because the optimizer has changed its inputs;
// before that, it reads a loss, which is kept.
import { nn, ones, optimizerStep, SGD } from 'trenio';

const layer = new nn.Linear(4, 2);
const optimizer = new SGD(layer.parameters(), { lr: 0.1 });
let scaled = ones([2, 4]);
let loss = ones([]);
for (let step = 0; step < 3; step++) {
  scaled = layer.weight.mul(2);
  loss = scaled.matmul(ones([4, 3])).mean();
  loss.backward();
  optimizerStep(optimizer);
}
console.log(`the loss is ${Number.isFinite(loss.item()) ? 'a number' : loss.item()}`);
console.log(scaled.toArray());
