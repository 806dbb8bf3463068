// The process that runs one attempt of a training job. Started by the scheduler, and independent of the server from then on.
//
//   node runner-main.ts '{"data": …, "name": …, "token": …, "attempt": …, "ageMs": …, "images": …, "cores": …, "graceMs": …}'
import { runAttempt } from './run-attempt.ts';

await runAttempt(process.argv[2] ?? '');
