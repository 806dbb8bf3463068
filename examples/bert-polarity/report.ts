// Writes progress, the checkpoint, the table of results and results.json. Only rank 0 prints and writes; on other ranks, every
// method does nothing.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  type BertForSequenceClassification,
  formatResultTable,
  formatSettingChanges,
  type MeasuredRun,
  pricePerHour,
  type RunFolder,
  type RunRecord,
  rank,
  resultRows,
  resultTableJson,
  runMachine,
  type Tensor,
  TrainingProgress,
  toDollars,
  version,
  type WordPieceTokenizer,
  worldSize,
  writeRunResults,
} from 'trenio';
import type { Options } from './options.ts';
import type { Reviews } from './reviews.ts';

interface Run {
  readonly model: BertForSequenceClassification;
  readonly reviews: Reviews;
  readonly totalSteps: number;
  /** The number of steps before the run was resumed. */
  readonly firstStep: number;
  /** Over all ranks and micro-steps. */
  readonly sequencesPerStep: number;
}

export class Report {
  readonly #options: Options;
  readonly #main = rank() === 0;
  readonly #startedAt = new Date(performance.timeOrigin);
  #progress: TrainingProgress | undefined;
  #run: Run | undefined;
  #trainingStartMs = 0;
  /** Time spent in evaluations and checkpoints, which is not training. */
  #otherMs = 0;
  #pausedAtMs: number | undefined;
  #step = 0;
  /** The loss of an earlier step: reading it does not wait for the step that was just queued. */
  #unread: Tensor | undefined;
  #losses: number[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  get #checkpoint(): string {
    return join(this.#options.output, 'checkpoint');
  }

  get #results(): string {
    return join(this.#options.output, 'results.json');
  }

  /** Whether a run has completed in this folder. */
  get isFinished(): boolean {
    return existsSync(this.#results);
  }

  /** Why the output folder is not writable; undefined if it is. Known before training instead of after an epoch. */
  obstacle(): string | undefined {
    let folder = resolve(this.#options.output);
    while (!existsSync(folder)) folder = dirname(folder);
    if (!statSync(folder).isDirectory()) return `${folder} is a file, not a folder`;
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      return `${folder} is not writable`;
    }
    return undefined;
  }

  /** Reports what `--resume` found or `--start-over` moved. */
  began(run: RunFolder, { changes, keptIn }: RunRecord): void {
    if (!this.#main) return;
    if (keptIn !== undefined) console.log(`the files of the previous run are in ${keptIn}`);
    if (run.from === undefined) return;
    for (const { directory, error } of run.from.damaged)
      console.error(`${directory} is damaged and was skipped: ${error.message.split('\n')[0]}`);
    console.log(`resuming run ${run.id} from ${run.from.directory}`);
    if (changes.length > 0) console.log(`changed settings:\n${formatSettingChanges(changes)}`);
  }

  begin(run: Run): void {
    this.#run = run;
    this.#step = run.firstStep;
    this.#trainingStartMs = performance.now();
    if (!this.#main) return;
    const { totalSteps, firstStep, sequencesPerStep } = run;
    this.#progress = new TrainingProgress({ totalSteps, firstStep, perStep: { sequences: sequencesPerStep } });
    const { config } = run.model;
    console.log(
      `${describeModel(run.model)}, ${config.num_attention_heads} heads, vocabulary ${config.vocab_size}: ${millions(run.model)} M parameters`,
    );
    console.log(
      `${run.reviews.training.length} reviews to train on (${run.reviews.trainingName}), ${run.reviews.validation.length} to validate (${run.reviews.validationName})`,
    );
    console.log(
      `${worldSize()} rank${worldSize() === 1 ? '' : 's'}, ${run.sequencesPerStep} sequences per step, ${run.totalSteps} steps`,
    );
  }

  /** To be called after a step has been queued. */
  step(step: number, loss: Tensor): void {
    this.#step = step;
    if (!this.#main || this.#run === undefined) return;
    const isRead = step % 10 === 1 || step === this.#run.totalSteps;
    if (isRead) {
      this.#readLoss();
      this.#unread = loss;
    }
    this.#progress?.step(step, isRead ? this.#losses.at(-1) : undefined);
  }

  evaluated(step: number, accuracy: number): void {
    if (!this.#main) return;
    this.#progress?.print(`step ${step}: validation accuracy ${accuracy.toFixed(4)}`);
  }

  /** The time until `resume` does not count as training. */
  pause(): void {
    this.#pausedAtMs ??= performance.now();
    this.#progress?.pause();
  }
  resume(): void {
    if (this.#pausedAtMs !== undefined) this.#otherMs += performance.now() - this.#pausedAtMs;
    this.#pausedAtMs = undefined;
    this.#progress?.resume();
  }

  /** Saves the files needed to deploy the weights; checkpoints include them. */
  async saveDescription(model: BertForSequenceClassification, tokenizer: WordPieceTokenizer): Promise<string[]> {
    if (!this.#main) return [];
    await model.saveConfig(this.#checkpoint);
    await tokenizer.save(this.#checkpoint);
    return ['config.json', 'tokenizer.json', 'tokenizer_config.json'].map(name => join(this.#checkpoint, name));
  }

  /** Writes the model to the folder from which it is deployed. */
  async saveModel(model: BertForSequenceClassification): Promise<void> {
    await model.savePretrained(this.#checkpoint);
  }

  /** Writes results.json and prints the table. */
  async finish(validationAccuracy: number): Promise<void> {
    const { model, reviews, sequencesPerStep, firstStep } = this.#run!;
    this.#readLoss();
    this.#progress?.done();
    const options = this.#options;
    const info = runMachine(worldSize());
    const machine = options.machine ?? info.name;
    const usdPerHour = pricePerHour(options.pricePerHour, machine);
    const trainingSeconds = (performance.now() - this.#trainingStartMs - this.#otherMs) / 1000;
    const run: MeasuredRun = {
      model: describeModel(model),
      machine,
      usdPerHour,
      iterationsPerSecond: (this.#step - firstStep) / trainingSeconds,
      validationAccuracy,
      billableSeconds: performance.now() / 1000,
    };
    const rows = resultRows([run]);
    const table = resultTableJson(rows);
    await writeRunResults(this.#results, {
      model: run.model,
      configuration: JSON.parse(JSON.stringify({ ...options, model: model.config })) as Record<string, never>,
      dataSet: {
        training: reviews.trainingName,
        validation: reviews.validationName,
        trainingExamples: reviews.training.length,
        validationExamples: reviews.validation.length,
      },
      batchSize: options.batchSize,
      worldSize: worldSize(),
      gradientAccumulation: options.gradientAccumulation,
      steps: this.#step,
      epochs: (this.#step * sequencesPerStep) / reviews.training.length,
      throughput: {
        iterationsPerSecond: run.iterationsPerSecond,
        sequencesPerSecond: run.iterationsPerSecond * sequencesPerStep,
      },
      accuracy: { validation: validationAccuracy },
      loss: { first: this.#losses[0] ?? null, last: this.#losses.at(-1) ?? null },
      seconds: { billable: run.billableSeconds, training: trainingSeconds },
      machine: { name: machine, cpu: info.cpu, threads: info.threads, memoryBytes: info.memoryBytes },
      usdPerHour: usdPerHour === undefined ? null : toDollars(usdPerHour),
      costUsd: table[0]?.costUsd ?? null,
      table: [...table],
      startedAt: this.#startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      versions: { trenio: version, node: process.versions.node },
    });
    console.log(`\n${formatResultTable(rows)}\n\n${this.#caveats(model, reviews)}\n`);
    console.log(`checkpoint: ${this.#checkpoint}\nresults:    ${this.#results}`);
  }

  /** Differences between the rows of the table that forbid comparing them. */
  #caveats(model: BertForSequenceClassification, reviews: Reviews): string {
    const differences = [
      `This run trains ${millions(model)} M parameters; BERT-base has 110 M, so compare steps/s only between its rows.`,
    ];
    if (reviews.areSynthetic)
      differences.push(
        'Its reviews are synthetic: the accuracy says nothing about real ones. The published 0.984 is on reviews from Amazon.',
      );
    return differences.join('\n');
  }
  #readLoss(): void {
    if (this.#unread === undefined) return;
    const loss = this.#unread.item();
    this.#losses.push(loss);
    if (Number.isFinite(loss)) return;
    // All later losses will be NaN too.
    this.#progress?.done();
    console.error(`The loss is ${loss}: the training has diverged. Try a smaller --learning-rate or a smaller --clip.`);
    process.exit(1);
  }
}

function describeModel({ config }: BertForSequenceClassification): string {
  return `BERT, ${config.num_hidden_layers} layers of ${config.hidden_size}`;
}

function millions(model: BertForSequenceClassification): string {
  return (model.parameters().reduce((sum, p) => sum + p.numel(), 0) / 1e6).toFixed(2);
}
