import { expect, test } from 'vitest';
import { rankInfo, unconnectedTasks } from './ranks.ts';

test('without variables it is a single rank', () => {
  const single = { rank: 0, worldSize: 1, localRank: 0, localWorldSize: 1, segment: undefined, network: undefined };
  expect(rankInfo({})).toMatchObject(single);
});
test('reads the variables that trenio run sets', () => {
  const variables = { RANK: '1', WORLD_SIZE: '2', LOCAL_RANK: '1', LOCAL_WORLD_SIZE: '2', TRENIO_SHM: '/trenio-1-a' };
  expect(rankInfo(variables)).toMatchObject({
    rank: 1,
    worldSize: 2,
    localRank: 1,
    localWorldSize: 2,
    segment: '/trenio-1-a',
    network: undefined,
    timeoutSeconds: 1800,
  });
});
const twoHosts = {
  WORLD_SIZE: '2',
  LOCAL_WORLD_SIZE: '1',
  TRENIO_RDZV_SECRET: 'the secret of a test',
  TRENIO_COMM_TABLE: '0 a 1 10.0.0.1 4000;1 b 2 10.0.0.2 4000',
};
test('ranks on two hosts reach each other over TCP', () => {
  expect(rankInfo({ ...twoHosts, RANK: '1', LOCAL_RANK: '0' })).toMatchObject({
    rank: 1,
    localRank: 0,
    segment: undefined,
    network: { kind: 'tcp', table: [{ host: 'a' }, { host: 'b', address: '10.0.0.2', port: 4000 }] },
  });
});
test.each([
  ['a rank beyond the world', { RANK: '2', WORLD_SIZE: '2', TRENIO_SHM: '/a' }, 'BAD_ENVIRONMENT'],
  ['several ranks without shared memory', { RANK: '0', WORLD_SIZE: '2' }, 'BAD_ENVIRONMENT'],
  ['more local ranks than ranks', { WORLD_SIZE: '2', LOCAL_WORLD_SIZE: '3', TRENIO_SHM: '/a' }, 'BAD_ENVIRONMENT'],
  ['a local rank beyond its world', { WORLD_SIZE: '2', LOCAL_RANK: '2', TRENIO_SHM: '/a' }, 'BAD_ENVIRONMENT'],
  ['several hosts without addresses', { WORLD_SIZE: '4', LOCAL_WORLD_SIZE: '2', TRENIO_SHM: '/a' }, 'BAD_ENVIRONMENT'],
  ['several hosts without a secret', { ...twoHosts, TRENIO_RDZV_SECRET: '' }, 'BAD_ENVIRONMENT'],
  ['a host that does not match its rank', { ...twoHosts, LOCAL_WORLD_SIZE: '2', TRENIO_SHM: '/a' }, 'BAD_ENVIRONMENT'],
])('%s', (_, variables, code) => {
  expect(() => rankInfo(variables)).toThrow(expect.objectContaining({ code }));
});

test('a task of an MPI or Slurm job that was not started as a rank is recognized', () => {
  const tasks = { SLURM_STEP_ID: '0', SLURM_PROCID: '1', SLURM_STEP_NUM_TASKS: '4' };
  expect(unconnectedTasks(tasks)).toBe(4);
  expect(unconnectedTasks({ ...tasks, WORLD_SIZE: '1' })).toBeUndefined();
  expect(unconnectedTasks({ SLURM_STEP_NUM_TASKS: '1' })).toBeUndefined();
  expect(unconnectedTasks({})).toBeUndefined();
});
