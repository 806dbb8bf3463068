// Runs tuning jobs: starts their training jobs, reads their results, and stops unpromising ones early.
//
//   read the training jobs ─► stop some early ─► done? ─► next configuration, stored as planned ─► create its training job
//
// Everything is in the store. A trial is stored before its training job is created, under the name that the job will have: a
// server that was killed in between creates it then, and no configuration runs twice.

import { createHash } from 'node:crypto';
import { Ages } from '../ages.ts';
import type { Clocks } from '../clocks.ts';
import type { Loop } from '../loops.ts';
import type { MetricStore } from '../metrics/metric-store.ts';
import type { JobStore } from '../store/job-store.ts';
import { isFinal, statusOf } from '../training/state-machine.ts';
import { bracketOf, type Curve, hyperbandEnds, medianEnds, rungsOf } from './early-stopping.ts';
import { randomOf } from './random.ts';
import { nextPoint } from './search.ts';
import { configurationAt, gridSize } from './search-space.ts';
import { bestTrial, hasEnded, lossOf, notImproving, type Trial, type TuningJob } from './tuning-job.ts';

/** How training jobs are created and stopped. */
export interface TrialLauncher {
  /** @throws {Error} if the job is rejected */
  create(tuning: TuningJob, trial: Trial): void;
  stop(job: string): void;
}

export interface TunerOptions {
  readonly jobs: JobStore;
  readonly metrics: MetricStore;
  readonly launcher: TrialLauncher;
  readonly clocks: Clocks;
  readonly log: (line: string) => void;
}

// Brackets are sampled from a separate stream.
const BRACKET_STREAM = 2 ** 40;

export class Tuner implements Loop {
  readonly name = 'the tuner';
  readonly everyMs = 1000;
  readonly #options: TunerOptions;
  readonly #ages: Ages;

  constructor(options: TunerOptions) {
    this.#options = options;
    this.#ages = new Ages(options.clocks);
  }

  /** Checks once all tuning jobs that have not ended. */
  tick(): void {
    const { jobs, log } = this.#options;
    for (const { name } of jobs.tuning.active()) {
      try {
        this.#advance(name);
      } catch (error) {
        // An error in one job does not hold up the others.
        log(`the tuning job ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
    }
  }

  #advance(name: string): void {
    const {
      jobs,
      launcher,
      clocks: { wall: now },
    } = this.#options;
    let tuning = this.#refreshed(name);
    if (tuning === undefined) return;
    this.#endEarly(tuning);
    const ending = tuning.ending ?? this.#ending(tuning);
    if (ending === undefined) {
      tuning = this.#plan(tuning);
      for (const trial of tuning.trials) if (trial.status === 'planned') this.#create(tuning, trial);
      return;
    }
    const running = tuning.trials.filter(trial => !hasEnded(trial) && trial.status !== 'planned');
    for (const { job } of running) launcher.stop(job);
    jobs.tuning.update(name, job => ({
      ...job,
      ending,
      ...(running.length > 0
        ? { status: ending === 'Stopped' ? 'Stopping' : job.status }
        : {
            status: ending,
            endedMs: now(),
            modifiedMs: now(),
            trials: job.trials.filter(one => one.status !== 'planned'),
          }),
      failureReason: ending === 'Failed' ? (job.failureReason ?? 'No training job succeeded.') : undefined,
    }));
  }

  /** The tuning job with the current state of its training jobs. */
  #refreshed(name: string): TuningJob | undefined {
    const {
      jobs,
      clocks: { wall: now },
    } = this.#options;
    return jobs.tuning.update(name, tuning => {
      const trials = tuning.trials.map((trial): Trial => {
        if (hasEnded(trial)) return trial;
        const job = jobs.training.get(trial.job);
        if (job === undefined) {
          if (trial.status === 'planned') return trial;
          return { ...trial, status: 'Failed', failureReason: 'The training job was deleted.', endMs: now() };
        }
        return {
          ...trial,
          status: statusOf(job.secondary),
          value: isFinal(job.secondary)
            ? job.finalMetrics.find(one => one.name === tuning.spec.objective.metric)?.value
            : undefined,
          failureReason: job.failureReason,
          startMs: job.trainingStartMs,
          endMs: isFinal(job.secondary) ? (job.trainingEndMs ?? now()) : undefined,
        };
      });
      const isSame = trials.every((trial, i) => trial.status === tuning.trials[i]!.status);
      return isSame ? undefined : { ...tuning, trials, modifiedMs: now() };
    });
  }

  #endEarly(tuning: TuningJob): void {
    const { jobs, launcher } = this.#options;
    const { spec, trials } = tuning;
    if (spec.hyperband === undefined && !spec.stopsEarly) return;
    const running = trials.filter(({ status }) => status === 'InProgress');
    if (running.length === 0) return;
    const curves = new Map(trials.map(trial => [trial, this.#curve(tuning, trial)]));
    for (const trial of running) {
      if (jobs.training.get(trial.job)?.secondary !== 'Training') continue;
      const others = trials.filter(
        one => one !== trial && (spec.hyperband === undefined || one.bracket === trial.bracket),
      );
      const otherCurves = others.map(one => curves.get(one)!);
      const curve = curves.get(trial)!;
      const ends =
        spec.hyperband === undefined
          ? medianEnds(curve, otherCurves)
          : hyperbandEnds(
              curve,
              otherCurves,
              rungsOf(trial.bracket, spec.hyperband.minResource, spec.hyperband.maxResource),
            );
      if (ends) launcher.stop(trial.job);
    }
  }

  #curve({ spec }: TuningJob, { job }: Trial): Curve {
    const { values } = this.#options.metrics.points(job, spec.objective.metric);
    return Array.from(values, value => lossOf(spec, value));
  }

  /** The outcome of a tuning job that ends now; undefined: it continues. */
  #ending(tuning: TuningJob): 'Completed' | 'Failed' | undefined {
    const { name, spec, trials, createdMs } = tuning;
    const best = bestTrial(tuning);
    const isLast = trials.length >= limitOf(tuning) && trials.every(hasEnded);
    const isLate =
      spec.maxRuntimeSeconds !== undefined && this.#ages.of(name, createdMs) > spec.maxRuntimeSeconds * 1000;
    const isReached =
      spec.target !== undefined && best !== undefined && lossOf(spec, best.value!) <= lossOf(spec, spec.target);
    const isStuck = spec.maxNotImproving !== undefined && notImproving(tuning) >= spec.maxNotImproving;
    if (!(isLast || isLate || isReached || isStuck)) return undefined;
    return isLast && best === undefined ? 'Failed' : 'Completed';
  }

  /** The tuning job with as many new trials as may run now. */
  #plan({ name }: TuningJob): TuningJob {
    const {
      jobs,
      clocks: { wall: now },
    } = this.#options;
    return jobs.tuning.update(name, tuning => {
      const { spec } = tuning;
      const trials = [...tuning.trials];
      while (trials.length < limitOf(tuning) && trials.filter(one => !hasEnded(one)).length < spec.maxParallel) {
        const found = trials
          // A job without a value provides no information about its configuration, but the configuration is not tried again.
          .map(one => ({ point: one.point, value: one.value === undefined ? undefined : lossOf(spec, one.value) }));
        const point = nextPoint(spec.strategy, spec.space, found, spec.seed);
        if (point === undefined) break;
        trials.push({
          job: trialName(tuning, trials.length),
          point,
          hyperparameters: configurationAt(spec.space, point),
          bracket: spec.hyperband === undefined ? 0 : this.#bracket(tuning, trials.length),
          status: 'planned',
          value: undefined,
          failureReason: undefined,
          createdMs: now(),
          startMs: undefined,
          endMs: undefined,
        });
      }
      return trials.length === tuning.trials.length ? undefined : { ...tuning, trials, modifiedMs: now() };
    })!;
  }

  #bracket({ spec: { seed, hyperband } }: TuningJob, trial: number): number {
    return bracketOf(randomOf(seed, BRACKET_STREAM + trial).uniform(), hyperband!.minResource, hyperband!.maxResource);
  }

  #create(tuning: TuningJob, trial: Trial): void {
    const { jobs, launcher } = this.#options;
    try {
      if (jobs.training.get(trial.job) === undefined) launcher.create(tuning, trial);
    } catch (error) {
      // An error that would affect each of its jobs, such as a missing image or missing data.
      jobs.tuning.update(tuning.name, job => ({
        ...job,
        ending: 'Failed',
        failureReason: `ClientError: ${error instanceof Error ? error.message : String(error)}`,
      }));
      return;
    }
    jobs.tuning.update(tuning.name, job => ({
      ...job,
      trials: job.trials.map(one => (one.job === trial.job ? { ...one, status: 'InProgress' } : one)),
    }));
  }
}

const limitOf = ({ spec }: TuningJob): number =>
  spec.maxJobs ?? (spec.strategy === 'Grid' ? gridSize(spec.space) : Number.POSITIVE_INFINITY);

/** As SageMaker names them: `NAME-001-0a1b2c3d`. */
function trialName({ name, createdMs }: TuningJob, index: number): string {
  const digest = createHash('sha256').update(`${name} ${createdMs} ${index}`).digest('hex').slice(0, 8);
  return `${name}-${String(index + 1).padStart(3, '0')}-${digest}`;
}
