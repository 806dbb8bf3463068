// Pre-trains BERT: masked tokens and next sentence, in the two phases of the paper, on one machine or on the nodes of a cluster.
//
//   trenio run --nproc_per_node=2 examples/bert-large-pretraining/train.ts [options]      --help lists them
//   sbatch --exclusive --nodes=16 --wrap "srun trenio run train.ts --global-batch 16384"
//
// Every rank runs this file, and writes its share of the checkpoints. Rank 0 writes results.json and the model; the first rank of
// each node writes the log of the node.
import { join } from 'node:path';
import {
  AdamW,
  BertForPreTraining,
  bertPretrainingLoss,
  Checkpointer,
  DataLoader,
  DeviceLoader,
  device,
  getLinearScheduleWithWarmup,
  isMain,
  manualSeed,
  openRun,
  optim,
  optimizerStep,
  type Tensor,
} from 'trenio';
import { readCorpus } from './documents.ts';
import { PretrainingExamples } from './examples.ts';
import { writeIncluded } from './included.ts';
import { accumulationOf, readOptions, refuse } from './options.ts';
import { Report } from './report.ts';
import { beginOf, runSettings } from './settings.ts';

const options = readOptions(process.argv.slice(2));
manualSeed(options.seed);
const dev = device();
const ranks = dev.mesh.size('data');
const accumulation = accumulationOf(options, ranks);
await writeIncluded();
const corpus = await readCorpus(options.data, options.vocab);

const run = await openRun(options.output, {
  begin: beginOf(options),
  files: ['checkpoints', 'model', 'results.json'],
  choices: { resume: '--resume', elsewhere: '--output DIR', startOver: '--start-over' },
});
dev.gradientAccumulationSteps = accumulation;

// The data: a step's global batch is the same set of sequences for any number of ranks.
const dataset = new PretrainingExamples(corpus, {
  length: options.maxLength,
  predictions: options.predictions,
  seed: options.seed,
});
const loader = new DataLoader(dataset, {
  batchSize: options.batchSize,
  shuffle: true,
  seed: options.seed,
  dropLast: true,
  gradientAccumulationSteps: accumulation,
  mesh: dev.mesh,
});
const stepsPerEpoch = loader.length / accumulation;

// The model: that of the first phase, or a new one.
const dropout = { hidden_dropout_prob: options.dropout, attention_probs_dropout_prob: options.dropout };
const model =
  options.init === undefined
    ? new BertForPreTraining({
        ...dropout,
        vocab_size: corpus.tokenizer.vocabularySize,
        hidden_size: options.hidden,
        num_hidden_layers: options.layers,
        num_attention_heads: options.heads,
        intermediate_size: 4 * options.hidden,
        max_position_embeddings: Math.max(512, options.maxLength),
        pad_token_id: corpus.tokenizer.vocabulary.padId,
      })
    : await BertForPreTraining.fromPretrained(options.init, { config: dropout });
const { max_position_embeddings: positions, vocab_size: tokens } = model.config;
if (positions < options.maxLength) refuse(`--max-length is ${options.maxLength}: the model has ${positions} positions`);
if (tokens !== corpus.tokenizer.vocabularySize)
  refuse(`--vocab has ${corpus.tokenizer.vocabularySize} tokens: the model of --init has ${tokens}`);
if (options.precision === 'bf16') {
  model.to('bf16');
  dev.setRounding({ mode: 'stochastic', seed: options.seed });
}
model.to(dev);
model.train();

// No weight decay for biases and norms.
const named = [...model.namedParameters()];
const isPlain = (name: string): boolean => name.endsWith('bias') || name.includes('LayerNorm');
const groups = [
  { params: named.filter(([name]) => !isPlain(name)).map(([, p]) => p), weightDecay: options.weightDecay },
  { params: named.filter(([name]) => isPlain(name)).map(([, p]) => p), weightDecay: 0 },
];
const optimizer = new (options.optimizer === 'lamb' ? optim.LAMB : AdamW)(groups, { lr: options.learningRate });
const schedule = getLinearScheduleWithWarmup(optimizer, {
  numWarmupSteps: Math.round(options.warmup * options.steps),
  numTrainingSteps: options.steps,
});

// Start at step 0, or resume.
let step = run.from?.step ?? 0;
const { changes } = await run.record(...runSettings(options, corpus, { ranks, accumulation }));
const checkpointer = new Checkpointer(
  { directory: run.checkpoints, every: options.saveEvery, keep: 2, run: run.id },
  { model, optimizer, schedule },
);
if (run.from !== undefined) {
  await checkpointer.resume(run.from);
  loader.skipTo(step * accumulation);
}
using report = new Report({
  options,
  corpus,
  model,
  examples: dataset.length,
  ranks,
  accumulation,
  firstStep: step,
  stepsPerEpoch,
  changes,
});

while (step < options.steps) {
  let losses: Tensor[] = [];
  for await (const { inputs, labels, nextSentence } of new DeviceLoader(loader, dev)) {
    const output = model.forward(inputs);
    const { predictionLogits, seqRelationshipLogits } = output;
    const loss = bertPretrainingLoss(
      { predictionLogits: predictionLogits.float(), seqRelationshipLogits: seqRelationshipLogits.float() },
      labels,
      nextSentence.reshape(-1),
    );
    // The mean of its micro-batch: optimizerStep divides by the number of micro-batches.
    loss.backward();
    losses.push(loss);
    if (losses.length < accumulation) {
      dev.markStep();
      continue;
    }
    optimizerStep(optimizer, { maxGradNorm: 1 });
    report.step(++step, losses, schedule.getLastLr()[0]!);
    schedule.step();
    losses = [];
    await checkpointer.step(step);
    if (step % stepsPerEpoch === 0 || step === options.steps) break;
  }
}
report.flush();
report.measureCommunication();
await checkpointer.save(step);
await checkpointer.close();
if (isMain()) {
  const folder = join(options.output, 'model');
  await model.savePretrained(folder);
  await corpus.tokenizer.save(folder);
  await report.finish();
}
