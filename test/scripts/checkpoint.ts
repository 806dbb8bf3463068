// Trains a small model for two steps and saves a checkpoint of the second step:  checkpoint.ts ROOT STEP
// With --load: loads the newest checkpoint instead, and prints its step.
import {
  AdamW,
  BertForSequenceClassification,
  Checkpointer,
  device,
  full,
  manualSeed,
  nn,
  optimizerStep,
  tensor,
} from 'trenio';

const [root = '', step = '', load] = process.argv.slice(2);
manualSeed(1);
const dev = device();
const model = new BertForSequenceClassification({
  vocab_size: 2000,
  hidden_size: 16,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 32,
  max_position_embeddings: 8,
});
const optimizer = new AdamW(model.parameters(), { lr: 0.01 });
await using checkpointer = new Checkpointer({ directory: root }, { model: model.to(dev), optimizer });
const last = await checkpointer.resume();
if (load === '--load') console.log(`loaded step ${last}`);
else {
  const labels = tensor([0, 1], { dtype: 'i32' });
  nn.functional.crossEntropy(model.forward(full([2, 4], 5, { dtype: 'i32' })), labels).backward();
  optimizerStep(optimizer);
  await checkpointer.save(Number(step));
  await checkpointer.close();
  console.log(`saved step ${step}`);
}
