import { expect, test } from 'vitest';
import { CANCELED, stateOf } from './slurm-hosts.ts';

test.each([
  [
    'JobState=PENDING Reason=Resources PreemptTime=None',
    { kind: 'waiting', reason: "in the cluster's queue: waits until enough nodes are free" },
  ],
  ['JobState=CONFIGURING Reason=None', { kind: 'waiting', reason: 'its nodes in the cluster are starting' }],
  ['JobState=RUNNING PreemptTime=None NodeList=a-[1-2]', { kind: 'ready' }],
  ['JobState=COMPLETED PreemptTime=None', { kind: 'ready' }],
  // The exit code of the program decides.
  ['JobState=FAILED Reason=NonZeroExitCode PreemptTime=None', { kind: 'ready' }],
  // Between SIGTERM and SIGKILL, and afterwards.
  ['JobState=RUNNING PreemptTime=2026-11-23T06:46:04', { kind: 'preempted' }],
  ['JobState=FAILED PreemptTime=2026-11-23T06:46:04', { kind: 'preempted' }],
  ['JobState=PREEMPTED', { kind: 'preempted' }],
  [`JobState=${CANCELED} PreemptTime=None`, { kind: 'canceled' }],
  [
    'JobState=NODE_FAIL PreemptTime=None NodeList=a-1',
    { kind: 'lost', reason: 'Slurm ended the job: NODE_FAIL on a-1' },
  ],
  ['JobState=TIMEOUT NodeList=a-1', { kind: 'lost', reason: 'Slurm ended the job: TIMEOUT on a-1' }],
])('%s', (record, state) => {
  expect(stateOf(record)).toEqual(state);
});
