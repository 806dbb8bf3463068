// Trains a BERT review classifier, evaluates it after each epoch, saves the best one, and reports time and cost.
//
//   trenio run --nproc_per_node=2 examples/bert-polarity/train.ts [options]      --help lists them
//
// Every rank runs this file, and writes its share of the checkpoints. Rank 0 prints, and writes results.json.
import { join } from 'node:path';
import {
  AdamW,
  BertForSequenceClassification,
  Checkpointer,
  classificationCollate,
  DataLoader,
  DeviceLoader,
  device,
  getLinearScheduleWithWarmup,
  isMain,
  manualSeed,
  nn,
  openRun,
  optimizerStep,
  readBertConfig,
} from 'trenio';
import { evaluate } from './evaluate.ts';
import { readOptions, refuse } from './options.ts';
import { Report } from './report.ts';
import { loadData } from './reviews.ts';
import { runSettings } from './settings.ts';

const options = readOptions(process.argv.slice(2));
const report = new Report(options);
const obstacle = report.obstacle();
if (obstacle !== undefined) refuse(`--output: ${obstacle}`);
const run = await openRun(options.output, {
  begin: options.resume ? 'resume' : options.startOver ? 'start-over' : 'new',
  choices: { resume: '--resume', elsewhere: '--output DIR', startOver: '--start-over' },
});
manualSeed(options.seed);
const dev = device();
const accumulation = options.gradientAccumulation;
dev.gradientAccumulationSteps = accumulation;

// The data.
const positions = options.model && (await readBertConfig(join(options.model, 'config.json'))).max_position_embeddings;
const maxLength = options.maxLength ?? (positions ? Math.min(positions, 128) : 48);
if (positions && maxLength > positions) refuse(`--max-length: the model has ${positions} positions, got ${maxLength}`);
const reviews = await loadData(options, maxLength);
const { tokenizer } = reviews;
const loaderOptions = {
  batchSize: options.batchSize,
  collateFn: classificationCollate(tokenizer, { maxLength, padToMultipleOf: Math.ceil(maxLength / 2) }),
  mesh: dev.mesh,
};
const trainLoader = new DataLoader(reviews.training, {
  ...loaderOptions,
  shuffle: true,
  seed: options.seed,
  dropLast: true,
  groupByLength: true,
  gradientAccumulationSteps: accumulation,
});
const validationLoader = new DataLoader(reviews.validation, { ...loaderOptions, dropLast: false, fillLast: true });

// The model: loaded, or new.
const labels = { id2label: { 0: 'negative', 1: 'positive' }, label2id: { negative: 0, positive: 1 } };
const model =
  options.model === undefined
    ? new BertForSequenceClassification({
        ...labels,
        vocab_size: tokenizer.vocabularySize,
        hidden_size: options.hidden,
        num_hidden_layers: options.layers,
        num_attention_heads: options.heads,
        intermediate_size: options.intermediate ?? 4 * options.hidden,
        hidden_dropout_prob: options.dropout,
        attention_probs_dropout_prob: options.dropout,
        max_position_embeddings: maxLength,
        pad_token_id: tokenizer.vocabulary.padId,
      })
    : await BertForSequenceClassification.fromPretrained(options.model, { config: { ...labels, num_labels: 2 } });
model.to(dev);
model.train();

// Parameter groups: no weight decay for biases and normalization.
const named = [...model.namedParameters()];
const isPlain = (name: string): boolean => name.endsWith('.bias') || name.includes('LayerNorm');
const learningRate = options.learningRate ?? (options.model === undefined ? 1e-3 : 3e-5);
const optimizer = new AdamW(
  [
    { params: named.filter(([name]) => !isPlain(name)).map(([, p]) => p), weightDecay: options.weightDecay },
    { params: named.filter(([name]) => isPlain(name)).map(([, p]) => p), weightDecay: 0 },
  ],
  { lr: learningRate },
);
const stepsPerEpoch = trainLoader.length / accumulation;
const totalSteps = Math.min(options.steps ?? Number.POSITIVE_INFINITY, options.epochs * stepsPerEpoch);
const schedule = getLinearScheduleWithWarmup(optimizer, {
  numWarmupSteps: Math.round(options.warmup * totalSteps),
  numTrainingSteps: totalSteps,
});
const lossFn = nn.functional.crossEntropy;

// Start at step 0, or resume from a checkpoint.
const progress = { best: -1 };
let step = run.from?.step ?? 0;
if (run.from !== undefined && step >= totalSteps && report.isFinished) {
  refuse(
    `--resume: the run in ${options.output} is complete, all ${step} steps; to continue, increase --epochs or --steps`,
  );
}
const settings = runSettings(options, model.config, reviews, { learningRate, maxLength, mesh: dev.mesh });
report.began(run, await run.record(...settings));
const files = await report.saveDescription(model, tokenizer);
const checkpointer = new Checkpointer(
  { directory: run.checkpoints, every: options.saveEvery, keep: 2, run: run.id, files },
  { model, optimizer, schedule, progress },
);
if (run.from !== undefined) {
  await checkpointer.resume(run.from);
  // The checkpoint has its own weight decay; --weight-decay overrides it.
  optimizer.paramGroups[0]!.weightDecay = options.weightDecay;
  trainLoader.skipTo(step * accumulation);
}
report.begin({
  model,
  reviews,
  totalSteps,
  firstStep: step,
  sequencesPerStep: options.batchSize * dev.mesh.size('data') * accumulation,
});

// The loop.
while (step < totalSteps) {
  let micro = 0;
  for await (const [data, target] of new DeviceLoader(trainLoader, dev)) {
    const output = model.forward(data);
    const loss = lossFn(output, target);
    // The mean of its micro-batch: optimizerStep divides by the number of micro-batches.
    loss.backward();
    if (++micro % accumulation !== 0) {
      dev.markStep();
      continue;
    }
    optimizerStep(optimizer, { maxGradNorm: options.clip });
    schedule.step();
    report.step(++step, loss);
    await checkpointer.step(step);
    if (step % stepsPerEpoch === 0 || step === totalSteps) break;
  }
  report.pause();
  const accuracy = await evaluate(model, validationLoader, dev);
  report.evaluated(step, accuracy);
  if (accuracy > progress.best) {
    progress.best = accuracy;
    if (isMain()) await report.saveModel(model);
  }
  await checkpointer.save(step);
  report.resume();
}
await checkpointer.close();
if (isMain()) await report.finish(progress.best);
