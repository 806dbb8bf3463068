// A script that trains a model of hardly any numbers: calibration runs it to see what a process takes besides its numbers.
// Its argument: how many blocks the model has.

// What a script has loaded that imports the package, as far as it lies below this folder.
import '../../data/index.ts';
import '../../models/index.ts';
import * as nn from '../../nn/index.ts';
import { AdamW } from '../../optim/index.ts';
import { optimizerStep } from '../../parallel/optimizer-step.ts';
import { device, tensor } from '../../tensor/index.ts';

const width = 8;
const blocks = Number(process.argv[2] ?? 1);
const layers = Array.from({ length: blocks }, () => [
  new nn.LayerNorm(width),
  new nn.Linear(width, width),
  new nn.GELU(),
]);
const model = new nn.Sequential(...layers.flat()).to(device());
const optimizer = new AdamW(model.parameters(), { lr: 1e-4 });
const numbers = Float32Array.from({ length: 4 * width }, (_, i) => Math.sin(i));
for (let step = 0; step < 12; step++) {
  const loss = model.forward(tensor(numbers, { shape: [4, width] })).sum();
  loss.backward();
  optimizerStep(optimizer);
  loss.item();
}
