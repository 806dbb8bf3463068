// The human-readable files of a run: a log for each node, and results.json. The loss of a step is the mean over all its
// micro-batches on all ranks, summed in a fixed order, so it is bit-identical for any number of nodes.
import { appendFileSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  allReduceSum,
  type BertForPreTraining,
  device,
  formatSettingChanges,
  isMain,
  localRank,
  pricePerHour,
  type RunResults,
  rank,
  runMachine,
  type SettingChange,
  type Tensor,
  toDollars,
  version,
  writeRunResults,
} from 'trenio';
import type { Corpus } from './documents.ts';
import type { Options } from './options.ts';

export interface Run {
  readonly options: Options;
  readonly corpus: Corpus;
  readonly model: BertForPreTraining;
  readonly examples: number;
  readonly ranks: number;
  readonly accumulation: number;
  /** Steps of the run before it was resumed. */
  readonly firstStep: number;
  readonly stepsPerEpoch: number;
  readonly changes: readonly SettingChange[];
}

interface Unread {
  readonly step: number;
  readonly losses: readonly Tensor[];
  readonly learningRate: number;
}

/** Whether `trenio compile` or `trenio plan` traces the script; losses are zeros then, and nothing is written. */
const isTrial = (process.env.TRENIO_COMPILE_ONLY ?? process.env.TRENIO_TRACE_ONLY) !== undefined;

export class Report implements Disposable {
  readonly #run: Run;
  readonly #startedAt = new Date(performance.timeOrigin);
  readonly #log: string | undefined;
  readonly #nodes: number;
  #unread: Unread | undefined;
  #step: number;
  #losses: number[] = [];
  /** The first step compiles, so throughput is measured from its end. */
  #warmAt: { readonly step: number; readonly times: Times } | undefined;
  #communication: RunResults['communication'];
  readonly #beganMs = performance.now();

  constructor(run: Run) {
    this.#run = run;
    this.#step = run.firstStep;
    const { node, nodes } = placeOf(run.ranks);
    this.#nodes = nodes;
    const { options, model, changes } = run;
    this.#log =
      localRank() === 0 && !isTrial
        ? join(options.output, `log_ph${options.phase}_${options.precision}_${node}_${nodes}`)
        : undefined;
    if (this.#log !== undefined) mkdirSync(options.output, { recursive: true });
    const parameters = model.parameters().reduce((sum, p) => sum + p.numel(), 0);
    this.#say(
      `phase ${options.phase} on ${hostname()}, node ${node} of ${nodes}, ${run.ranks} ranks: ${options.layers} layers of ${options.hidden}, ${(parameters / 1e6).toFixed(2)} M parameters, ${options.optimizer}, ${options.precision}`,
    );
    this.#say(
      `${this.#sequencesPerStep} sequences of ${options.maxLength} tokens per step: ${run.accumulation} micro-batches of ${options.batchSize} on each of ${run.ranks} ranks; ${run.examples} examples from ${run.corpus.documents.length} documents, ${run.stepsPerEpoch} steps per epoch`,
    );
    if (run.firstStep > 0) this.#say(`resumed from the checkpoint of step ${run.firstStep}`);
    if (changes.length > 0) this.#say(`changed settings:\n${formatSettingChanges(changes)}`);
  }

  get #sequencesPerStep(): number {
    const { options, ranks, accumulation } = this.#run;
    return options.batchSize * ranks * accumulation;
  }

  /** Call this after queueing a step. The loss of the previous step is read now, while this one runs. */
  step(step: number, losses: readonly Tensor[], learningRate: number): void {
    this.flush();
    this.#unread = { step, losses, learningRate };
  }

  /** Reads the loss of the last step. Every rank must call it. */
  flush(): void {
    if (this.#unread === undefined) return;
    const { step, losses, learningRate } = this.#unread;
    this.#unread = undefined;
    const loss = meanOf(losses, this.#run.ranks);
    this.#warmAt ??= { step, times: timesNow() };
    this.#step = step;
    this.#losses.push(loss);
    const rate = this.#rate(performance.now());
    const speed = rate === undefined ? '' : ` ${(rate * this.#sequencesPerStep).toFixed(1)} sequences/s`;
    this.#say(`step ${step}/${this.#run.options.steps} loss ${loss} lr ${learningRate.toExponential(3)}${speed}`);
    if (Number.isFinite(loss)) return;
    console.error(`The loss is ${loss}: the training has diverged. Try a smaller --learning-rate.`);
    process.exit(1);
  }

  /** Sums what the ranks have spent on communication since the first step. Every rank must call it after the last one. */
  measureCommunication(): void {
    const { step, times } = this.#warmAt ?? { step: this.#step, times: timesNow() };
    const now = timesNow();
    const [ms = 0, cpuMs = 0, waitMs = 0, collectiveCpuMs = 0] = allReduceSum([
      now.ms - times.ms,
      now.cpuMs - times.cpuMs,
      now.collectiveMs - times.collectiveMs,
      now.collectiveCpuMs - times.collectiveCpuMs,
    ]);
    if (this.#step === step) return;
    const isBetweenHosts = this.#nodes > 1 || this.#run.ranks === 1;
    this.#communication = {
      ...(isBetweenHosts ? { share: collectiveCpuMs / cpuMs } : {}),
      waitShare: Math.min(1, waitMs / ms),
      cpuMs: cpuMs / (this.#run.ranks * (this.#step - step)),
    };
  }

  async finish(): Promise<void> {
    const { options, corpus, model, ranks, accumulation, examples, firstStep, stepsPerEpoch } = this.#run;
    const machine = runMachine(ranks);
    // Nodes of a cluster have the price of their instance type.
    const instanceType = process.env.TRENIO_INSTANCE_TYPE;
    const usdPerHour = pricePerHour(undefined, instanceType ?? machine.name);
    const now = performance.now();
    const seconds = { billable: now / 1000, training: (now - this.#beganMs) / 1000 };
    const iterationsPerSecond = this.#rate(now) ?? (this.#step - firstStep) / seconds.training;
    await writeRunResults(join(options.output, 'results.json'), {
      model: `BERT pre-training, ${options.layers} layers of ${options.hidden}`,
      configuration: JSON.parse(
        JSON.stringify({
          ...options,
          model: model.config,
          nodes: this.#nodes,
          globalBatch: this.#sequencesPerStep,
          job: process.env.SLURM_JOB_ID ?? null,
        }),
      ) as Record<string, never>,
      dataSet: { training: corpus.name, validation: null, trainingExamples: examples, validationExamples: 0 },
      batchSize: options.batchSize,
      worldSize: ranks,
      gradientAccumulation: accumulation,
      steps: this.#step,
      epochs: this.#step / stepsPerEpoch,
      throughput: { iterationsPerSecond, sequencesPerSecond: iterationsPerSecond * this.#sequencesPerStep },
      ...(this.#communication === undefined ? {} : { communication: this.#communication }),
      accuracy: { validation: null },
      loss: { first: this.#losses[0] ?? null, last: this.#losses.at(-1) ?? null },
      seconds,
      machine: { name: machine.name, cpu: machine.cpu, threads: machine.threads, memoryBytes: machine.memoryBytes },
      usdPerHour: usdPerHour === undefined ? null : toDollars(usdPerHour),
      costUsd:
        instanceType === undefined || usdPerHour === undefined
          ? null
          : Number(((toDollars(usdPerHour) * this.#nodes * seconds.billable) / 3600).toFixed(6)),
      startedAt: this.#startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      versions: { trenio: version, node: process.versions.node },
    });
    this.#say(`results: ${join(options.output, 'results.json')}`);
  }

  [Symbol.dispose](): void {
    this.#unread = undefined;
  }

  /** Steps per second since the first one. */
  #rate(now: number): number | undefined {
    if (this.#warmAt === undefined || this.#step === this.#warmAt.step) return undefined;
    return (this.#step - this.#warmAt.step) / ((now - this.#warmAt.times.ms) / 1000);
  }

  #say(line: string): void {
    if (this.#log !== undefined) appendFileSync(this.#log, `${new Date().toISOString()} ${line}\n`);
    if (isMain()) console.log(line);
  }
}

/** Times since the start of this process, in milliseconds. */
interface Times {
  readonly ms: number;
  /** The processor time of all threads. */
  readonly cpuMs: number;
  /** The time in which steps waited for collectives. */
  readonly collectiveMs: number;
  /** The processor time of collectives. */
  readonly collectiveCpuMs: number;
}
function timesNow(): Times {
  const { collectiveMs, collectiveCpuMs } = device().metrics;
  const { user, system } = process.cpuUsage();
  return { ms: performance.now(), cpuMs: (user + system) / 1000, collectiveMs, collectiveCpuMs };
}

/** The index of this rank's node, and the number of nodes, each of which has a rank whose local rank is 0. */
function placeOf(ranks: number): { readonly node: number; readonly nodes: number } {
  const own = rank();
  const first = allReduceSum(Array.from({ length: ranks }, (_, r) => (r === own && localRank() === 0 ? 1 : 0)));
  const count = (until: number): number => first.slice(0, until).reduce((sum, one) => sum + one, 0);
  return { node: Math.max(0, count(own + 1) - 1), nodes: count(ranks) };
}

/** The mean over the micro-batches of all ranks, in the order of a single rank that has all of them. */
function meanOf(losses: readonly Tensor[], ranks: number): number {
  const all = new Array<number>(ranks * losses.length).fill(0);
  for (const [i, loss] of losses.entries()) all[rank() * losses.length + i] = loss.item();
  return allReduceSum(all).reduce((sum, loss) => sum + loss, 0) / all.length;
}
