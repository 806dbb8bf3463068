// Forward passes of an ONNX model in onnxruntime-node, for bench/inference.ts.
import { readFileSync } from 'node:fs';
import ort from 'onnxruntime-node';
import { serve, settings } from './protocol.js';

const { file, batch, sequence, threads, vocabulary } = settings;
const session = await ort.InferenceSession.create(file, {
  intraOpNumThreads: threads,
  graphOptimizationLevel: 'all',
});
const shape = [batch, sequence];
const ids = BigInt64Array.from({ length: batch * sequence }, (_, i) => BigInt((i * 7919) % vocabulary));
const feeds = {
  ids: new ort.Tensor('int64', ids, shape),
  mask: new ort.Tensor('int64', new BigInt64Array(batch * sequence).fill(1n), shape),
};
const { version } = JSON.parse(
  readFileSync(new URL('./node_modules/onnxruntime-node/package.json', import.meta.url), 'utf8'),
);
await serve(`onnxruntime-node ${version}`, async () => {
  const { logits } = await session.run(feeds);
  return logits.data[0];
});
