// Runs one attempt of a training job in a separate process: opens the stores in the server's folder, and runs it.
import { realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { newSecret } from '../../distributed/rendezvous/secret.ts';
import { ObjectStore } from '../../objects/object-store.ts';
import { unsteppedClock } from '../clocks.ts';
import { readImages } from '../images.ts';
import { LogStore } from '../logs/log-store.ts';
import { MetricStore, USAGE_FOLDER } from '../metrics/metric-store.ts';
import { JobStore } from '../store/job-store.ts';
import type { HostEngine } from './host-engine.ts';
import { JobRunner } from './job-runner.ts';
import { hiddenFromJobs, programVariables } from './sandbox.ts';

const argumentsSchema = z.strictObject({
  data: z.string(),
  name: z.string(),
  token: z.string(),
  attempt: z.int(),
  /** The age of the job when the attempt starts. */
  ageMs: z.number(),
  images: z.string().optional(),
  cores: z.number(),
  memoryGb: z.number().optional(),
  graceMs: z.number().optional(),
});
export type RunnerArguments = z.infer<typeof argumentsSchema>;

/**
 * @param text `RunnerArguments` as JSON
 * @param engine runs its hosts; undefined: this machine
 */
export async function runAttempt(text: string, engine?: HostEngine): Promise<void> {
  const { name, token, attempt, ageMs, images, cores, memoryGb, graceMs, ...args } = argumentsSchema.parse(
    JSON.parse(text),
  );
  const data = realpathSync(args.data);
  const output = join(data, 'runs', `${name}-${attempt}.log`);
  const jobs = new JobStore(data);
  const job = jobs.training.get(name);
  if (job?.runner?.token === token) {
    const logs = new LogStore(data);
    const metrics = new MetricStore(data);
    const usage = new MetricStore(join(data, USAGE_FOLDER));
    const objects = new ObjectStore(join(data, 'objects'));
    const runner = new JobRunner(
      {
        jobs,
        logs,
        metrics,
        usage,
        objects,
        findImage: readImages(images),
        folder: join(data, 'runs', `${name}-${attempt}`),
        output,
        name,
        token,
        ageMs,
        coresPerHost: cores,
        memoryGbPerHost: memoryGb,
        // Hosts that do not share their home folder start a run of several machines with it.
        environment: { ...programVariables(), TRENIO_RDZV_SECRET: newSecret() },
        hidden: hiddenFromJobs(data),
        now: unsteppedClock(),
        wallNow: Date.now,
        graceMs,
        engine,
      },
      job,
    );
    await runner.run();
    logs.close();
    metrics.close();
    usage.close();
    objects.close();
    // The runner's own output, of interest only if it failed.
    if (statSync(output, { throwIfNoEntry: false })?.size === 0) rmSync(output);
  }
  jobs.close();
}
