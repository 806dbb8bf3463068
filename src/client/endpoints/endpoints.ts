// The client's operations on endpoints.
import { setTimeout as sleep } from 'node:timers/promises';
import { TrenioError } from '../../base/errors.ts';
import type { TaskProgress } from '../../base/task-progress.ts';
import type { JobServerClient } from '../job-server.ts';

const PAUSE_MS = 250;

/** @throws {DEPLOYMENT_FAILED} */
export async function waitUntilInService(
  { services }: JobServerClient,
  name: string,
  progress: TaskProgress,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const endpoint = await services.sagemaker('DescribeEndpoint', { EndpointName: name }, signal);
    const { EndpointStatus: status, FailureReason: reason } = endpoint;
    if (status === 'InService') return;
    if (status === 'Failed' || status === 'OutOfService' || status === 'UpdateRollbackFailed')
      throw new TrenioError('DEPLOYMENT_FAILED', { endpoint: name, status, reason: reason ?? 'without a reason' });
    progress.update({ what: `endpoint ${name}`, detail: status });
    await sleep(PAUSE_MS, undefined, { signal });
  }
}
