// The process that runs one attempt of a job. Started by the scheduler, and independent of the server from then on.
//
//   node runner-main.ts '{"kind": …, "data": …, "name": …, "token": …, "images": …, "cores": …}'
import { runJob } from './run-job.ts';

await runJob(process.argv[2] ?? '');
