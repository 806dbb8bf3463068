// Slurm's reasons for waiting jobs, in readable words. https://slurm.schedmd.com/job_reason_codes.html

const reasons: Readonly<Record<string, string>> = {
  None: 'Slurm has not considered it yet',
  Priority: 'earlier jobs in the queue wait for the same nodes',
  Resources: 'waits until enough nodes are free',
  Dependency: 'waits for another job to end',
  DependencyNeverSatisfied: 'the job that it waits for has failed: it will not start',
  BeginTime: 'starts at a set time, or in a few seconds after it was requeued',
  JobHeldUser: 'held by its owner; scontrol release lets it go on',
  JobHeldAdmin: 'held by an administrator; scontrol release lets it go on',
  JobLaunchFailure: 'could not be started on a node, and is held',
  Licenses: 'waits for a license',
  NodeDown: 'a node that it needs is down',
  PartitionDown: 'its queue is closed',
  PartitionInactive: 'its queue is closed',
  PartitionNodeLimit: 'requests more nodes than its queue has',
  PartitionTimeLimit: 'requests more time than its queue allows',
  ReqNodeNotAvail: 'a node that it needs is down, drained or reserved',
  Reservation: 'waits for its reservation to begin',
  ReservationDeleted: 'its reservation was deleted: it will not start',
  Cleaning: 'was requeued, and its last run is being cleaned up',
  BadConstraints: 'no node can satisfy its requirements',
  NodeFail: 'lost a node, and is restarted',
};

/** @param reason as squeue prints it: `Resources`, `ReqNodeNotAvail, UnavailableNodes:a-1` */
export function describeReason(reason: string): string {
  const [word = '', ...more] = reason.split(/[,(]\s*/);
  const known = reasons[word.trim()];
  if (known === undefined) return /^launch failed/.test(reason) ? reasons.JobLaunchFailure! : reason;
  const nodes = /UnavailableNodes:([^)\s]+)/.exec(more.join(','))?.[1];
  return nodes === undefined ? known : `${known}: ${nodes}`;
}

/** The state of a node in one word, from Slurm's flags. */
export type NodeWord = 'idle' | 'busy' | 'off' | 'starting' | 'stopping' | 'drained' | 'down';

export function nodeWord(states: readonly string[]): NodeWord {
  const has = (...names: readonly string[]): boolean => names.some(name => states.includes(name));
  if (has('powering_down')) return 'stopping';
  if (has('powered_down', 'power_down')) return 'off';
  if (has('powering_up')) return 'starting';
  if (has('down', 'not_responding', 'fail', 'error', 'inval')) return 'down';
  if (has('drain', 'drained', 'draining')) return 'drained';
  return has('allocated', 'mixed', 'completing') ? 'busy' : 'idle';
}
