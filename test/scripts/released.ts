// Reads what a step has forgotten, and before that what it keeps.
import { nn, ones, optimizerStep, SGD } from 'trenio';

const layer = new nn.Linear(4, 2);
const optimizer = new SGD(layer.parameters(), { lr: 0.1 });
const hidden = ones([3, 4]).mul(2);
const loss = layer.forward(hidden).mean();
loss.backward();
optimizerStep(optimizer);
console.log(`the loss is ${Number.isFinite(loss.item()) ? 'a number' : loss.item()}`);
console.log(hidden.toArray());
