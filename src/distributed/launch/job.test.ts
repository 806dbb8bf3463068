// Environment variables of Slurm, Open MPI and MPICH, as recorded from real jobs.
import { describe, expect, test } from 'vitest';
import { parseHostList, parseTaskCounts } from './host-list.ts';
import { currentJob, jobPort } from './job.ts';

describe('lists of hosts', () => {
  test.each([
    ['node1', ['node1']],
    ['node[01-03,7],login', ['node01', 'node02', 'node03', 'node7', 'login']],
    ['rack[1-2]n[8-9]', ['rack1n8', 'rack1n9', 'rack2n8', 'rack2n9']],
    ['a[098-101].b', ['a098.b', 'a099.b', 'a100.b', 'a101.b']],
  ])('%s', (text, names) => expect(parseHostList(text)).toEqual(names));

  test.each(['', 'a,,b', 'a[', 'a[1', 'a]1[', 'a[[1]]', 'a[2-1]', 'a[1-999999999]', 'a[x]', 'a b', 'a[1-400][1-400]'])(
    '%j is none',
    text => expect(parseHostList(text)).toBeUndefined(),
  );

  test('counts of tasks', () => {
    expect(parseTaskCounts('2(x3),1')).toEqual([2, 2, 2, 1]);
    for (const text of ['', '2(x', 'x', '1(x999999)']) expect(parseTaskCounts(text)).toBeUndefined();
  });
});

const slurm = {
  SLURM_JOB_ID: '7',
  SLURM_STEP_ID: '0',
  SLURM_PROCID: '3',
  SLURM_STEP_NUM_TASKS: '5',
  SLURM_STEP_NUM_NODES: '2',
  SLURM_NODEID: '1',
  SLURM_STEP_NODELIST: 'node[3-4]',
  SLURM_STEP_TASKS_PER_NODE: '3,2',
};

describe('the job of this process', () => {
  test('a step of Slurm', () => {
    expect(currentJob(slurm)).toEqual({
      kind: 'Slurm',
      task: 3,
      tasks: 5,
      localTasks: 2,
      firstHost: 'node3',
      id: 'slurm-7.0',
    });
    expect(currentJob({ ...slurm, MASTER_ADDR: '10.0.0.9' })?.firstHost).toBe('10.0.0.9');
  });

  test('a batch script, or a step of one task, is not a job of several tasks', () => {
    expect(currentJob({ SLURM_JOB_ID: '7', SLURM_PROCID: '0' })).toBeUndefined();
    expect(
      currentJob({ ...slurm, SLURM_PROCID: '0', SLURM_STEP_NUM_TASKS: '1', SLURM_STEP_NUM_NODES: '1' }),
    ).toBeUndefined();
  });

  test('Open MPI on two machines, and MPICH on one', () => {
    const openMpi = {
      OMPI_COMM_WORLD_RANK: '1',
      OMPI_COMM_WORLD_SIZE: '4',
      OMPI_COMM_WORLD_LOCAL_SIZE: '2',
      OMPI_MCA_orte_hnp_uri: '2718.0;tcp://10.9.0.1,192.168.0.1:45678',
      PMIX_NAMESPACE: '2718',
    };
    expect(currentJob(openMpi)).toMatchObject({
      task: 1,
      tasks: 4,
      localTasks: 2,
      firstHost: '10.9.0.1',
      id: 'mpi-2718',
    });
    const mpich = { PMI_RANK: '1', PMI_SIZE: '2', MPI_LOCALNRANKS: '2' };
    expect(currentJob(mpich)).toMatchObject({
      kind: 'MPICH',
      task: 1,
      tasks: 2,
      localTasks: 2,
      firstHost: '127.0.0.1',
    });
  });

  test('missing variables and invalid lists are errors', () => {
    expect(() => currentJob({ PMI_RANK: '1', PMI_SIZE: '2', MPI_LOCALNRANKS: '1' })).toThrow('MASTER_ADDR');
    expect(() => currentJob({ ...slurm, SLURM_STEP_NODELIST: 'node[' })).toThrow('SLURM_STEP_NODELIST');
    expect(() => currentJob({ ...slurm, SLURM_STEP_NODELIST: '' })).toThrow('cannot determine the position');
  });

  test('all tasks compute one port', () => {
    const port = jobPort(currentJob(slurm)!);
    expect(jobPort(currentJob({ ...slurm, SLURM_PROCID: '0' })!)).toBe(port);
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(30_000);
  });
});
