// The script of the training jobs: BERT learns the polarity of reviews. It runs on every core of every instance, started by
// `trenio run`, and uses only what SageMaker provides to every job: folders in SM_… variables, hyperparameters as options.
//
//   SM_CHANNEL_TRAIN       train.csv, validation.csv, vocab.txt
//   SM_MODEL_DIR           the trained model, which the job server packs as model.tar.gz
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  AdamW,
  allReduceSum,
  BertForSequenceClassification,
  classificationCollate,
  DataLoader,
  DeviceLoader,
  device,
  getLinearScheduleWithWarmup,
  ignoredLabel,
  isMain,
  loadReviews,
  manualSeed,
  nn,
  noGrad,
  optimizerStep,
  TokenizedReviews,
  TrainingProgress,
  WordPieceTokenizer,
  worldSize,
} from 'trenio';

const number = { type: 'string' } as const;
const { values } = parseArgs({
  options: { steps: number, 'batch-size': number, hidden: number, layers: number, 'learning-rate': number },
});
const [steps, batch] = [Number(values.steps ?? 300), Number(values['batch-size'] ?? 32)];
const [hidden, layers] = [Number(values.hidden ?? 64), Number(values.layers ?? 2)];
const [data, output] = [process.env.SM_CHANNEL_TRAIN, process.env.SM_MODEL_DIR];
if (data === undefined || output === undefined) throw new Error('run this script as a training job (README.md)');
manualSeed(1);
const dev = device();

// The data: the global batch is the same on any number of ranks.
const maxLength = 48;
const tokenizer = await WordPieceTokenizer.fromVocabFile(join(data, 'vocab.txt'));
const examples = async (file: string) =>
  TokenizedReviews.from(await loadReviews(join(data, file)), tokenizer, { maxLength });
const loading = {
  batchSize: Math.max(1, batch / worldSize()),
  collateFn: classificationCollate(tokenizer, { maxLength, padToMultipleOf: maxLength }),
  mesh: dev.mesh,
};
const training = new DataLoader(await examples('train.csv'), { ...loading, shuffle: true, seed: 1, dropLast: true });
const validation = new DataLoader(await examples('validation.csv'), { ...loading, dropLast: false, fillLast: true });

// The model.
const model = new BertForSequenceClassification({
  id2label: { 0: 'negative', 1: 'positive' },
  label2id: { negative: 0, positive: 1 },
  vocab_size: tokenizer.vocabularySize,
  hidden_size: hidden,
  num_hidden_layers: layers,
  num_attention_heads: 2,
  intermediate_size: 4 * hidden,
  max_position_embeddings: maxLength,
  pad_token_id: tokenizer.vocabulary.padId,
});
model.to(dev);
model.train();
const optimizer = new AdamW(model.parameters(), { lr: Number(values['learning-rate'] ?? 2e-3) });
const schedule = getLinearScheduleWithWarmup(optimizer, { numWarmupSteps: steps / 10, numTrainingSteps: steps });
const lossFn = nn.functional.crossEntropy;

// The loop.
const progress = isMain()
  ? new TrainingProgress({ totalSteps: steps, perStep: { sequences: batch }, stream: process.stdout })
  : undefined;
const began = performance.now();
let step = 0;
while (step < steps) {
  for await (const [input, target] of new DeviceLoader(training, dev)) {
    const loss = lossFn(model.forward(input), target);
    loss.backward();
    optimizerStep(optimizer, { maxGradNorm: 1 });
    schedule.step();
    step++;
    progress?.step(step, step % 10 === 0 || step === steps ? loss.item() : undefined);
    if (step === steps) break;
  }
}
progress?.done();
const seconds = (performance.now() - began) / 1000;

// The accuracy on held-out reviews: each rank classifies its share.
model.eval();
let [right, counted] = [0, 0];
for await (const [input, target] of new DeviceLoader(validation.epoch(0), dev)) {
  const predicted = noGrad(() => model.forward(input).argmax(1)).toArray() as number[];
  (target.toArray() as number[]).forEach((label, i) => {
    if (label === ignoredLabel) return;
    counted++;
    if (predicted[i] === label) right++;
  });
}
[right = 0, counted = 1] = allReduceSum([right, counted], { group: dev.mesh.group('data') });
if (isMain()) {
  // The job server finds its metrics in these lines.
  console.log(`iterations/s ${(steps / seconds).toFixed(3)}`);
  console.log(`validation accuracy ${(right / counted).toFixed(4)}`);
  await model.savePretrained(output);
  await tokenizer.save(output);
}
