// The states of an endpoint, in SageMaker's terms, and which party may make each transition.
//
//   Creating ──► InService ◄──► Updating ──► RollingBack ──► InService
//      │             │                            │
//      └──► Failed ──┴──► Deleting, removed    └──► UpdateRollbackFailed
//
// Clients create, update and delete; the endpoint manager makes all other transitions, as replicas become ready or fail.

const endpointStatuses = [
  'Creating',
  'InService',
  'Updating',
  'RollingBack',
  'UpdateRollbackFailed',
  'Failed',
  'Deleting',
] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

export type EndpointMover = 'client' | 'manager';

const moves: Readonly<Record<EndpointStatus, Partial<Record<EndpointStatus, EndpointMover>>>> = {
  Creating: { InService: 'manager', Failed: 'manager' },
  InService: { Updating: 'client', Deleting: 'client' },
  Updating: { InService: 'manager', RollingBack: 'manager' },
  RollingBack: { InService: 'manager', UpdateRollbackFailed: 'manager' },
  UpdateRollbackFailed: { Updating: 'client', Deleting: 'client' },
  Failed: { Updating: 'client', Deleting: 'client' },
  Deleting: {},
};

export const mayMoveEndpoint = (from: EndpointStatus, to: EndpointStatus, mover: EndpointMover): boolean =>
  moves[from][to] === mover;

/** Whether a change is in progress: clients can neither update nor delete the endpoint now. */
export const isInProgress = (status: EndpointStatus): boolean => !('Deleting' in moves[status]);
