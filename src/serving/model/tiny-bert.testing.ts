// For tests: a checkpoint of a BERT that is small enough to load, compile and run quickly. Its weights are random.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BertForSequenceClassification } from '../../models/bert.ts';
import { manualSeed } from '../../tensor/index.ts';

const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'a', 'good', 'bad', 'book', 'very', '##s'];

export interface Checkpoint extends AsyncDisposable {
  readonly folder: string;
  readonly model: BertForSequenceClassification;
}

/** The folder is removed at the end of its `await using`. */
export async function tinyCheckpoint(): Promise<Checkpoint> {
  const folder = await mkdtemp(join(tmpdir(), 'tiny-bert-'));
  await writeFile(join(folder, 'vocab.txt'), `${vocabulary.join('\n')}\n`);
  manualSeed(7);
  const model = new BertForSequenceClassification({
    vocab_size: vocabulary.length,
    hidden_size: 16,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    intermediate_size: 32,
    max_position_embeddings: 40,
    // Large, so that different texts have different predictions.
    initializer_range: 0.5,
    num_labels: 2,
    id2label: { 0: 'negative', 1: 'positive' },
    label2id: { negative: 0, positive: 1 },
  });
  await model.savePretrained(folder);
  return { folder, model, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
