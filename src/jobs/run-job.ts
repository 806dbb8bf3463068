// Runs one attempt of a job in a separate process: opens the stores in the server's folder, and runs it.
import { realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ObjectStore } from '../objects/object-store.ts';
import { unsteppedClock } from './clocks.ts';
import { readImages } from './images.ts';
import { attemptName } from './job.ts';
import { type KindName, kindNames, runnerFolders } from './kind.ts';
import { LogStore } from './logs/log-store.ts';
import { MetricStore, USAGE_FOLDER } from './metrics/metric-store.ts';
import { LockLostError } from './own-job.ts';
import { ProcessingRunner } from './processing/processing-runner.ts';
import type { RunnerSetting } from './runner-setting.ts';
import { JobStore } from './store/job-store.ts';
import type { HostEngine } from './training/host-engine.ts';
import { hiddenFromJobs, programVariables } from './training/sandbox.ts';
import { TrainingRunner } from './training/training-runner.ts';
import { TransformRunner } from './transform/transform-runner.ts';

const argumentsSchema = z.strictObject({
  kind: z.enum(kindNames),
  data: z.string(),
  name: z.string(),
  token: z.string(),
  images: z.string().optional(),
  cores: z.number(),
  ageMs: z.number().default(0),
  memoryGb: z.number().optional(),
  graceMs: z.number().optional(),
  serveProgram: z.string().optional(),
});
export type RunnerArguments = z.input<typeof argumentsSchema>;

interface Runner {
  /** Returns when the outcome is stored; leaves no processes or files behind. */
  run(): Promise<void>;
}

const runners: Readonly<Record<KindName, (setting: RunnerSetting) => Runner>> = {
  training: setting => new TrainingRunner(setting),
  processing: setting => new ProcessingRunner(setting),
  transform: setting => new TransformRunner(setting),
};

/**
 * @param text `RunnerArguments` as JSON
 * @param engine runs its hosts; undefined: this machine
 */
export async function runJob(text: string, engine?: HostEngine): Promise<void> {
  const { kind, name, token, images, cores, memoryGb, ...args } = argumentsSchema.parse(JSON.parse(text));
  const data = realpathSync(args.data);
  const jobs = new JobStore(data);
  const job = jobs[kind].get(name);
  if (job?.runner?.token === token) {
    const folder = join(data, runnerFolders[kind], attemptName(job));
    const output = `${folder}.log`;
    const logs = new LogStore(data);
    const metrics = new MetricStore(data);
    const usage = new MetricStore(join(data, USAGE_FOLDER));
    const objects = new ObjectStore(join(data, 'objects'));
    const setting: RunnerSetting = {
      ...{ jobs, logs, metrics, usage, objects, folder, output, name, token, engine },
      findImage: readImages(images),
      ageMs: args.ageMs,
      coresPerHost: cores,
      memoryGbPerHost: memoryGb,
      environment: programVariables(),
      hidden: hiddenFromJobs(data),
      serveProgram: args.serveProgram,
      graceMs: args.graceMs,
      now: unsteppedClock(),
      wallNow: Date.now,
    };
    try {
      await runners[kind](setting).run();
    } catch (error) {
      if (!(error instanceof LockLostError)) throw error;
    }
    for (const store of [logs, metrics, usage, objects]) store.close();
    // The runner's own output, of interest only if it failed.
    if (statSync(output, { throwIfNoEntry: false })?.size === 0) rmSync(output, { force: true });
  }
  jobs.close();
}
