// The place of a launcher in a job, and options that set it aside.
import { expect, test } from 'vitest';
import { runWords } from '../run-cli.testing.ts';
import { readPlace, runOptions } from './run-options.ts';
import { acceptedOptions, notesOnAccepted, wordsFromVariables } from './torchrun-options.ts';

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

test("torchrun's variables stand for options", () => {
  const variables = {
    PET_NPROC_PER_NODE: '2',
    PET_NNODES: '1',
    PET_RDZV_ENDPOINT: '',
    PET_STANDALONE: '1',
    PET_NO_PYTHON: '0',
  };
  expect(wordsFromVariables(runOptions, variables)).toEqual(['--nproc-per-node=2', '--nnodes=1', '--standalone']);
  expect(() => wordsFromVariables(runOptions, { PET_STANDALONE: 'yes' })).toThrow('PET_STANDALONE');
});

test('options without effect are accepted and named, with the values that torchrun accepts', () => {
  const given = { 'numa-binding': 'node', 'run-path': true, 'rdzv-conf': 'timeout=5,keep_alive_interval=5' };
  expect(notesOnAccepted(given).map(note => note.split(' has no')[0])).toEqual([
    '--numa-binding',
    '--run-path',
    '--rdzv-conf keep_alive_interval',
  ]);
  expect(notesOnAccepted(Object.fromEntries(Object.keys(acceptedOptions).map(name => [name, undefined])))).toEqual([]);
  for (const bad of [{ 'start-method': 'thread' }, { 'monitor-interval': '0' }, { 'numa-binding': 'core' }])
    expect(() => notesOnAccepted(bad)).toThrow('expected');
});

test.each([
  ['--rdzv-endpoint=', /there is no such file/],
  [
    '–nproc_per_node=2',
    /'–nproc_per_node=2' is an en dash \(U\+2013\), as web pages print it, expected hyphens: --nproc_per_node=2/,
  ],
  ['—m', /an em dash .*, expected hyphens: -m/],
])('%s', async (word, expected) => {
  const { stderr } = await runWords(['run', word, 'absent.ts', '–for-the-script']);
  expect(stderr).toMatch(expected);
});
