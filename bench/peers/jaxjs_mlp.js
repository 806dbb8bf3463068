// A training step (AdamW) of a multi-layer perceptron in jax-js on its WebAssembly backend, for bench/models.ts. A use
// of an array gives it up there, unless it is a use of its `.ref`.
import { defaultDevice, init, jit, nn, numpy as np, random, valueAndGrad } from '@jax-js/jax';
import { serve, settings } from './protocol.js';

await init('wasm');
defaultDevice('wasm');
const { sizes, batch } = settings;
const count = sizes.length - 1;
let key = 0;
const normal = (shape, scale) => random.normal(random.key(key++), shape).mul(scale);
// Weights and biases, alternating.
let parameters = sizes
  .slice(1)
  .flatMap((outputs, i) => [normal([sizes[i], outputs], 1 / Math.sqrt(sizes[i])), np.zeros([outputs])]);
let first = parameters.map(p => np.zeros(p.shape));
let second = parameters.map(p => np.zeros(p.shape));
const x = normal([batch, sizes[0]], 1);
const labels = nn.oneHot(np.array(Int32Array.from({ length: batch }, (_, i) => i % sizes.at(-1))), sizes.at(-1));

const lossOf = (p, input, target) => {
  let y = input;
  for (let i = 0; i < count; i++) {
    y = np.dot(y, p[2 * i]).add(p[2 * i + 1]);
    if (i < count - 1) y = nn.relu(y);
  }
  return np.sum(nn.logSoftmax(y, -1).mul(target)).mul(-1 / batch);
};
const [lr, b1, b2, decay] = [1e-3, 0.9, 0.999, 0.01];
const step = jit((p, m, v, scale1, scale2, input, target) => {
  const [loss, grads] = valueAndGrad(lossOf)(
    p.map(x => x.ref),
    input,
    target,
  );
  const m2 = m.map((m, i) => m.mul(b1).add(grads[i].ref.mul(1 - b1)));
  const v2 = v.map((v, i) => v.mul(b2).add(grads[i].ref.mul(grads[i]).mul(1 - b2)));
  const p2 = p.map((p, i) => {
    const update = m2[i].ref.mul(scale1.ref).div(np.sqrt(v2[i].ref.mul(scale2.ref)).add(1e-8));
    return p.mul(1 - lr * decay).sub(update.mul(lr));
  });
  scale1.dispose?.();
  scale2.dispose?.();
  return [loss, p2, m2, v2];
});

let t = 0;
await serve('jax-js 0.1.25 wasm', async () => {
  t++;
  const [scale1, scale2] = [1 / (1 - b1 ** t), 1 / (1 - b2 ** t)].map(s => np.array(s));
  const [loss, p, m, v] = step(parameters, first, second, scale1, scale2, x.ref, labels.ref);
  [parameters, first, second] = [p, m, v];
  return (await loss.data())[0];
});
