// The process that runs a batch transform job. Started by the server, and independent of it from then on.
//
//   node transform-main.ts '{"data": …, "name": …, "images": …, "cores": …, "serveProgram": …}'
import { join } from 'node:path';
import { z } from 'zod';
import { ObjectStore } from '../../objects/object-store.ts';
import { unsteppedClock } from '../clocks.ts';
import { readImages } from '../images.ts';
import { LogStore } from '../logs/log-store.ts';
import { removeEmptyOutput } from '../runner-scheduler.ts';
import { JobStore } from '../store/job-store.ts';
import { hiddenFromJobs, programVariables } from '../training/sandbox.ts';
import { TransformRunner } from './transform-runner.ts';

const argumentsSchema = z.strictObject({
  data: z.string(),
  name: z.string(),
  images: z.string().optional(),
  cores: z.number(),
  serveProgram: z.string(),
});
export type TransformArguments = z.infer<typeof argumentsSchema>;

const { data, name, images, cores, serveProgram } = argumentsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const jobs = new JobStore(data);
const job = jobs.transform.get(name);
if (job?.runner !== undefined && job.runner.process === undefined) {
  const logs = new LogStore(data);
  const objects = new ObjectStore(join(data, 'objects'));
  const folder = join(data, 'transforms');
  await new TransformRunner(
    {
      jobs,
      objects,
      logs,
      findImage: readImages(images),
      name,
      folder,
      cores,
      inherited: programVariables(),
      hidden: hiddenFromJobs(data),
      serveProgram,
      now: unsteppedClock(),
    },
    job,
  ).run();
  logs.close();
  objects.close();
  removeEmptyOutput(folder, name);
}
jobs.close();
