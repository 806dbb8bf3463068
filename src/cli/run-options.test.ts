// The place of a launcher in a job, and options that set it aside.
import { expect, test } from 'vitest';
import { readPlace } from './run-options.ts';

const none = {
  'nproc-per-node': '2',
  nnodes: undefined,
  'node-rank': undefined,
  'rdzv-endpoint': undefined,
  'rdzv-backend': undefined,
  'rdzv-id': undefined,
  'rdzv-conf': undefined,
  'master-addr': undefined,
  'master-port': undefined,
  standalone: false,
};
/** The environment of a step with one task on each of two nodes. */
const slurm = {
  SLURM_JOB_ID: '7',
  SLURM_STEP_ID: '0',
  SLURM_PROCID: '1',
  SLURM_STEP_NUM_TASKS: '2',
  SLURM_STEP_NUM_NODES: '2',
  SLURM_NODEID: '1',
  SLURM_STEP_NODELIST: 'node[3-4]',
  SLURM_STEP_TASKS_PER_NODE: '1(x2)',
};

test('--standalone runs on this machine only, in a job of several tasks too', () => {
  const alone = { oneRankEach: false, nprocPerNode: 2, nnodes: { min: 1, max: 1 }, rendezvous: undefined };
  expect(readPlace({ ...none, standalone: true }, slurm)).toEqual(alone);
  expect(readPlace(none, {})).toEqual(alone);
  expect(readPlace(none, slurm)).toMatchObject({ nnodes: 2, rendezvous: { nodeRank: 1, id: 'slurm-7.0' } });
});
