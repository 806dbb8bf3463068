// A script that trains a tiny model: calibration runs it to measure the memory of a process without its tensors.
// Its arguments: the number of blocks, the number of steps, and `anew` to record each step again.

// Imports the whole package, as a user's script does, instead of the folders below this one.
import { AdamW, compile, device, nn, optimizerStep, type Tensor, tensor } from 'trenio';

const width = 8;
const [blocks, steps] = process.argv.slice(2, 4).map(Number) as [number, number];
const isAnew = process.argv[4] === 'anew';
const layers = Array.from({ length: blocks }, () => [
  new nn.LayerNorm(width),
  new nn.Linear(width, width),
  new nn.GELU(),
]);
const model = new nn.Sequential(...layers.flat()).to(device());
const optimizer = new AdamW(model.parameters(), { lr: 1e-4 });
const numbers = Float32Array.from({ length: 4 * width }, (_, i) => Math.sin(i));
const forward = (input: Tensor): Tensor => {
  const loss = model.forward(input).sum();
  loss.backward();
  return loss;
};
const compiled = compile((input: Tensor) => {
  const loss = forward(input);
  optimizer.step();
  optimizer.zeroGrad();
  return loss;
});
for (let step = 0; step < steps; step++) {
  const input = tensor(numbers, { shape: [4, width] });
  const loss = isAnew ? forward(input) : compiled(input);
  if (isAnew) optimizerStep(optimizer);
  loss.item();
}
