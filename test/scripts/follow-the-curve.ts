// Trains a small BERT on the rank's share of global batches of 16, in plain user code, and prints the losses of
// that share as one line of JSON.  --dropout P
import { parseArgs } from 'node:util';
import {
  AdamW,
  BertForSequenceClassification,
  type Collate,
  DataLoader,
  DeviceLoader,
  device,
  manualSeed,
  nn,
  optimizerStep,
  rank,
} from 'trenio';

const { values } = parseArgs({ options: { dropout: { type: 'string', default: '0' } } });
const dropout = Number(values.dropout);
const [steps, globalBatch, length, vocabulary] = [50, 16, 8, 40] as const;
manualSeed(11);
const dev = device();

// 100 sequences of 3 to 8 tokens; those of class 1 have higher tokens.
const items = Array.from({ length: 100 }, (_, i) => ({
  tokens: Array.from({ length: 3 + (i % 6) }, (_, k) => 1 + ((i * 7 + k * k * 3) % 25) + 14 * (i % 2)),
  label: i % 2,
}));
type Item = (typeof items)[number];
const padded = (tokens: readonly number[]): number[] => Array.from({ length }, (_, k) => tokens[k] ?? 0);
const collate: Collate<Item, { inputIds: number[][]; attentionMask: number[][]; target: Int32Array }> = batch => ({
  inputIds: batch.map(item => padded(item.tokens)),
  attentionMask: batch.map(item => padded(item.tokens.map(() => 1))),
  target: Int32Array.from(batch, item => item.label),
});
const loader = new DataLoader<Item, Awaited<ReturnType<typeof collate>>>(
  { length: items.length, get: i => items[i]! },
  {
    batchSize: globalBatch / dev.mesh.size('data'),
    collateFn: collate,
    shuffle: true,
    seed: 5,
    dropLast: true,
    mesh: dev.mesh,
  },
);

const model = new BertForSequenceClassification({
  vocab_size: vocabulary,
  hidden_size: 16,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 32,
  max_position_embeddings: length,
  hidden_dropout_prob: dropout,
  attention_probs_dropout_prob: dropout,
}).to(dev);
const optimizer = new AdamW(model.parameters(), { lr: 3e-3 });

const losses: number[] = [];
while (losses.length < steps) {
  for await (const { inputIds, attentionMask, target } of new DeviceLoader(loader, dev)) {
    const output = model.forward({ inputIds: inputIds.to('i32'), attentionMask: attentionMask.to('i32') });
    const loss = nn.functional.crossEntropy(output, target);
    loss.backward();
    optimizerStep(optimizer);
    losses.push(loss.item());
    if (losses.length === steps) break;
  }
}
console.log(JSON.stringify({ rank: rank(), losses }));
