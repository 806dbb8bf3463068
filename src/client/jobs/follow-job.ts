// Follows a job until it ends: prints its lines, and below them its current activity. A progress line that the job itself prints
// (`step 12/100  loss 0.5 …`) becomes part of that line.
import { setTimeout as sleep } from 'node:timers/promises';
import { ProgressLine, type ProgressMedium, type ProgressStream } from '../../base/progress.ts';
import { formatDuration } from '../../base/units.ts';
import type { JobServerClient } from '../job-server.ts';
import { JobLog, type LogLine } from './job-log.ts';
import { isEnded, type TrainingJobInfo } from './training-job-info.ts';
import { describeJob } from './training-jobs.ts';

export interface FollowOptions {
  readonly stream: ProgressStream;
  readonly medium?: ProgressMedium | undefined;
  /** Print the lines of the job. */
  readonly logs: boolean;
  readonly signal?: AbortSignal | undefined;
}

const PAUSE_MS = 500;
/** A progress line in the format of `TrainingProgress`. */
const ownProgress = /^step \d+\/\d+ /;

/** @throws the reason of the signal; the job continues */
export async function followJob(
  server: JobServerClient,
  name: string,
  { stream, medium, logs, signal }: FollowOptions,
): Promise<TrainingJobInfo> {
  const line = new ProgressLine({
    stream,
    nowMs: () => performance.now(),
    ...(medium === undefined ? {} : { medium }),
  });
  const log = new JobLog(server, name);
  let latest = '';
  try {
    for (;;) {
      // The state is read first, because the lines of an ended job are complete.
      const job = await describeJob(server, name, signal);
      for await (const one of logs ? log.read(signal) : []) {
        if (ownProgress.test(one.message)) latest = one.message;
        else line.print(formatLogLine(one, job.instanceCount));
      }
      if (isEnded(job.status)) return job;
      line.update(progressText(job, latest));
      await sleep(PAUSE_MS, undefined, { signal });
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    line.clear();
  }
}

/** Lines name the host if there are several. */
export const formatLogLine = ({ host, message }: LogLine, hosts: number): string =>
  hosts > 1 ? `${host} | ${message}` : message;

function progressText({ name, secondaryStatus, createdAt, metrics }: TrainingJobInfo, latest: string): string {
  const values = Object.entries(metrics).map(([metric, value]) => `${metric} ${Number(value.toPrecision(4))}`);
  return [
    `${name}: ${secondaryStatus}`,
    formatDuration((Date.now() - createdAt.getTime()) / 1000),
    ...(latest === '' ? values : [latest]),
  ].join('  ');
}
