// The process that runs a processing job. Started by the server, and independent of it from then on.
//
//   node processing-main.ts '{"data": …, "name": …, "images": …, "cores": …, "graceMs": …}'
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ObjectStore } from '../../objects/object-store.ts';
import { unsteppedClock } from '../clocks.ts';
import { readImages } from '../images.ts';
import { LogStore } from '../logs/log-store.ts';
import { removeEmptyOutput } from '../runner-scheduler.ts';
import { JobStore } from '../store/job-store.ts';
import { hiddenFromJobs, programVariables } from '../training/sandbox.ts';
import { ProcessingRunner } from './processing-runner.ts';

const argumentsSchema = z.strictObject({
  data: z.string(),
  name: z.string(),
  images: z.string().optional(),
  cores: z.number(),
  graceMs: z.number().optional(),
});
export type ProcessingArguments = z.infer<typeof argumentsSchema>;

const { name, images, cores, graceMs, ...args } = argumentsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const data = realpathSync(args.data);
const jobs = new JobStore(data);
const job = jobs.processing.get(name);
if (job?.runner !== undefined && job.runner.process === undefined) {
  const logs = new LogStore(data);
  const objects = new ObjectStore(join(data, 'objects'));
  const folder = join(data, 'processing');
  const findImage = readImages(images);
  const environment = programVariables();
  const hidden = hiddenFromJobs(data);
  await new ProcessingRunner(
    {
      jobs,
      objects,
      logs,
      findImage,
      folder,
      coresPerHost: cores,
      environment,
      hidden,
      now: unsteppedClock(),
      graceMs,
    },
    job,
  ).run();
  logs.close();
  objects.close();
  removeEmptyOutput(folder, name);
}
jobs.close();
