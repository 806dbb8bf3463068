// A training step (Adam) of a multi-layer perceptron in TensorFlow.js on its WebAssembly backend, for bench/models.ts.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as tf from '@tensorflow/tfjs';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { serve, settings } from './protocol.js';

setWasmPaths(`${join(dirname(fileURLToPath(import.meta.resolve('@tensorflow/tfjs-backend-wasm'))))}/`);
await tf.setBackend('wasm');
await tf.ready();
const { sizes, batch } = settings;
const layers = sizes.slice(1).map((outputs, i) => ({
  w: tf.variable(tf.randomNormal([sizes[i], outputs], 0, 1 / Math.sqrt(sizes[i]))),
  b: tf.variable(tf.zeros([outputs])),
}));
const x = tf.randomNormal([batch, sizes[0]]);
const labels = tf
  .oneHot(
    tf.tensor1d(
      Array.from({ length: batch }, (_, i) => i % sizes.at(-1)),
      'int32',
    ),
    sizes.at(-1),
  )
  .toFloat();
const optimizer = tf.train.adam(1e-3);

await serve(`tfjs ${tf.version.tfjs} ${tf.getBackend()}`, async () => {
  const loss = tf.tidy(() =>
    optimizer.minimize(() => {
      let y = x;
      for (const [i, { w, b }] of layers.entries()) {
        y = y.matMul(w).add(b);
        if (i < layers.length - 1) y = y.relu();
      }
      return tf.losses.softmaxCrossEntropy(labels, y);
    }, true),
  );
  const [value] = await loss.data();
  loss.dispose();
  return value;
});
