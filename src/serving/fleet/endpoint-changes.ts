// How endpoints change: the transitions between states, the steps of an update, and when it is rolled back.
import type { Ages } from '../../jobs/ages.ts';
import { type EndpointMover, type EndpointStatus, isInProgress, mayMoveEndpoint } from './endpoint-states.ts';
import type { Fleet, Replica, ServingEndpoint, Update } from './resources.ts';

/** The endpoint is being changed: it can be neither updated nor deleted now. */
export class InProgressError extends Error {}

/** @throws {InProgressError} if a client requests a change of an endpoint that is being changed */
export function movedEndpoint(
  endpoint: ServingEndpoint,
  to: EndpointStatus,
  mover: EndpointMover,
  nowMs: number,
): ServingEndpoint {
  const { status, name } = endpoint;
  if (mover === 'client' && isInProgress(status)) throw new InProgressError(`endpoint ${name} is ${status}`);
  if (!mayMoveEndpoint(status, to, mover))
    throw new Error(`Trenio bug: the ${mover} moved an endpoint from ${status} to ${to}.`);
  return { ...endpoint, status: to, modifiedMs: nowMs };
}

type Change = (one: ServingEndpoint) => ServingEndpoint;

/**
 * The next change of an endpoint with these replicas, if any.
 * @param ages of the steps of updates, by the name of the endpoint
 */
export function nextChange(
  endpoint: ServingEndpoint,
  replicas: readonly Replica[],
  now: () => number,
  ages: Ages,
): Change | 'remove' | undefined {
  const { status, update, fleet } = endpoint;
  switch (status) {
    case 'Deleting':
      return replicas.length > 0 ? undefined : 'remove';
    case 'RollingBack':
      if (replicas.some(one => one.fleet === update?.fleet.id)) return undefined;
      return one => ({ ...movedEndpoint(one, 'InService', 'manager', now()), update: undefined });
    case 'Creating':
    case 'Updating':
      if (update !== undefined) return nextStep(endpoint, update, replicas, now, ages);
      return fleet !== undefined && isComplete(fleet, replicas)
        ? one => movedEndpoint(one, 'InService', 'manager', now())
        : undefined;
    case 'InService':
    case 'Failed':
    case 'UpdateRollbackFailed':
      return undefined;
  }
}

/** The next step of an update. */
function nextStep(
  { name, fleet }: ServingEndpoint,
  update: Update,
  replicas: readonly Replica[],
  now: () => number,
  ages: Ages,
): Change | undefined {
  const failed = replicas.find(one => one.fleet === update.fleet.id && one.status === 'failed');
  if (failed !== undefined) {
    const failureReason = failureOf(failed);
    if (fleet !== undefined) return one => ({ ...movedEndpoint(one, 'RollingBack', 'manager', now()), failureReason });
    return one => ({ ...one, status: 'Failed', update: undefined, failureReason, modifiedMs: now() });
  }
  if (!isComplete(update.fleet, replicas)) return undefined;
  const { step, stepMs, plan } = update;
  if (fleet !== undefined && (step === undefined || ages.of(name, stepMs) < plan.steps[step]!.waitMs)) {
    if (step !== undefined) return undefined;
    return one => ({ ...one, update: { ...update, step: 0, stepMs: now() } });
  }
  if (fleet !== undefined && step! + 1 < plan.steps.length)
    return one => ({ ...one, update: { ...update, step: step! + 1, stepMs: now() } });
  return one => ({
    ...movedEndpoint(one, 'InService', 'manager', now()),
    fleet: update.fleet,
    configName: update.fleet.configName,
    update: undefined,
  });
}

/** Whether each variant has the replicas that it should have, all of them ready. */
const isComplete = (fleet: Fleet, replicas: readonly Replica[]): boolean =>
  fleet.variants.every(({ name, desiredCount }) => {
    const present = replicas.filter(one => one.fleet === fleet.id && one.variant === name && one.status !== 'draining');
    return present.length === desiredCount && present.every(({ status }) => status === 'ready');
  });

/** In SageMaker's wording, which its SDK shows. */
const failureOf = ({ variant, reason }: Replica): string =>
  `The primary container for production variant ${variant} did not pass the ping health check. Please check CloudWatch logs for this endpoint. (${reason})`.slice(
    0,
    1024,
  );
