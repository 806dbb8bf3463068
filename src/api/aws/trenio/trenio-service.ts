// The server's own service, for its command and its console: signed like the others, with `trenio` as the service of the scope
// and `X-Amz-Target: Trenio.<Operation>`.
//
//   InterruptTrainingJob {TrainingJobName}      interrupts a spot job; no output
//   DescribeTrainingJobCost {TrainingJobName}   its claimed, predicted and measured cost (job-cost-reply.ts)
//   DescribeTrainingJobIsolation {TrainingJobName}   SharedWithMachine: sentences, or null before its first attempt
//   DescribeProcessingJobCost {ProcessingJobName}   its cost

import type { JobStore } from '../../../jobs/store/job-store.ts';
import { interruptTrainingJob } from '../../../jobs/training/interruption.ts';
import { statusOf } from '../../../jobs/training/state-machine.ts';
import { AwsError } from '../aws-error.ts';
import { trenio } from '../models/trenio.ts';
import { JsonService } from '../protocols/json-service.ts';
import { notFound } from '../sagemaker/not-found.ts';
import { describeJobCost, describeProcessingCost } from './job-cost-reply.ts';

export interface TrenioServiceOptions {
  readonly account: string;
  readonly jobs: JobStore;
  readonly now: () => number;
}

export const trenioService = ({ account, jobs, now }: TrenioServiceOptions): JsonService<typeof trenio> =>
  new JsonService({
    name: 'trenio',
    account,
    model: trenio,
    operations: {
      DescribeTrainingJobCost: ({ TrainingJobName: name }) => {
        const job = jobs.training.get(name);
        if (job === undefined) throw notFound();
        return describeJobCost(job, now());
      },
      DescribeTrainingJobIsolation: ({ TrainingJobName: name }) => {
        const job = jobs.training.get(name);
        if (job === undefined) throw notFound();
        return { TrainingJobName: name, SharedWithMachine: job.shared ?? null };
      },
      DescribeProcessingJobCost: ({ ProcessingJobName: name }) => {
        const job = jobs.processing.get(name);
        if (job === undefined) throw notFound();
        return describeProcessingCost(job, now());
      },
      InterruptTrainingJob: ({ TrainingJobName: name }) => {
        const outcome = interruptTrainingJob(jobs, name, now());
        switch (outcome) {
          case 'interrupted':
            return undefined;
          case 'no such job':
            throw notFound();
          case 'not spot':
            throw refused(
              `The training job ${name} does not use managed spot training; only spot instances can be interrupted.`,
            );
          case 'not running': {
            const job = jobs.training.get(name);
            throw refused(
              `The training job ${name} is in status ${job && statusOf(job.secondary)} (${job?.secondary}); only a job that is downloading or training can be interrupted.`,
            );
          }
        }
      },
    },
  });

const refused = (message: string): AwsError => new AwsError('ValidationException', message);
