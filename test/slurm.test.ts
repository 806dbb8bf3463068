// Under a real Slurm on two virtual hosts: trenio run as tasks of srun, scripts that srun starts through PMIx and PMI-2, and a
// batch job that is asked to stop, requeued, and resumed bit-identically.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canStartSlurm, SlurmCluster } from '../src/distributed/launch/slurm.testing.ts';
import { mpichPath } from '../src/runtime/comm/mpich.testing.ts';
import { type Ended, Running, root, scripts, trenio, workFolder } from './system.ts';

const trenioCommand = join(root, 'bin', 'trenio');
const script = join(scripts, 'killed.ts');
const finalOf = ({ stdout, stderr }: Ended): string => /final (\w+)/.exec(stdout)?.[1] ?? stderr;

// Not skipped if CI is set: .ci/run installs Slurm.
describe.skipIf(!canStartSlurm() && process.env.CI === undefined)('Slurm', () => {
  let cluster: SlurmCluster;
  const folder = workFolder();
  /** The output of an uninterrupted run. */
  let expected: string;
  const variables = { TRENIO_NUM_THREADS: '1', TRENIO_LOG: 'error' };
  beforeAll(async () => {
    const alone = trenio(['run', script, join(folder.path, 'alone'), '--steps=12'], { variables });
    cluster = await SlurmCluster.start(2);
    expected = finalOf(await alone);
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const start = (words: readonly string[], more: Readonly<Record<string, string>> = {}): Running => {
    const [enter = '', ...place] = cluster.controller.enter;
    return new Running(enter, [...place, ...words], { variables: { ...variables, ...cluster.variables, ...more } });
  };
  const expectNothingLeft = (): void => {
    for (const host of cluster.network.hosts) {
      const { processes, memory } = host.leftovers();
      expect(processes.filter(line => !/^\S*(munged|slurmctld|slurmd|slurmstepd|: slurmscriptd)/.test(line))).toEqual(
        [],
      );
      expect(memory).toEqual([]);
    }
  };

  test('one task per host: its trenio run starts two ranks', async () => {
    const words = ['srun', '-N2', '--ntasks-per-node=1', trenioCommand, 'run', '--nproc_per_node=2', '--no-pin'];
    const end = await start([...words, script, join(folder.path, 'nodes'), '--steps=12']).ended;
    expect(finalOf(end)).toBe(expected);
    expect(end.exitCode).toBe(0);
    expectNothingLeft();
  });

  test('two tasks per host are four ranks; killing one ends the step even without --kill-on-bad-exit', async () => {
    const words = ['srun', '-N2', '--ntasks-per-node=2', '--kill-on-bad-exit=0', trenioCommand, 'run', '--no-pin'];
    const running = start([...words, script, join(folder.path, 'endless'), '--steps=1000000', '--every=1000000']);
    await running.says(/\[rank 3\] from step 0/);
    const [, host] = cluster.network.hosts;
    const [pid] = host!.execute('pgrep', '-f', 'rank-preload').trim().split('\n');
    host!.signal(Number(pid), 'SIGKILL');
    const { exitCode, stderr } = await running.ended;
    expect(exitCode).toBe(137);
    expect(stderr).toMatch(/rank [23] of 4 on host2 \(process \d+\) was ended by SIGKILL/);
    expectNothingLeft();
  });

  /** A script started without trenio run: ranks connect through MPI, even if one of them starts late. */
  const sums = `
    import { defaultRuntime } from '${new URL('../src/runtime/index.ts', import.meta.url)}';
    import { literal, toNumbers } from '${new URL('../src/hlo/literal.ts', import.meta.url)}';
    if (process.env.SLURM_PROCID === '1') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    const runtime = defaultRuntime();
    const { rank, worldSize } = runtime.ranks;
    let wrong = 0;
    for (const n of [1, 5000, 300000]) {
      const own = literal('f32', [n], Float32Array.from({ length: n }, (_, i) => rank + (i % 1000)));
      toNumbers(runtime.allReduce(own, 'add')).forEach((x, i) => { if (x !== 4 * (i % 1000) + 6) wrong++; });
    }
    console.log('rank ' + rank + ' of ' + worldSize + ': ' + wrong + ' wrong');`;
  test.each(['pmix', 'pmi2'])('srun --mpi=%s starts a script', async mpi => {
    const file = join(folder.path, 'sums.ts');
    writeFileSync(file, sums);
    const path = mpi === 'pmi2' ? { PATH: `${mpichPath(folder.path)}:${process.env.PATH}` } : {};
    const words = ['srun', `--mpi=${mpi}`, '-N2', '--ntasks-per-node=2', process.execPath, file];
    const { exitCode, stdout, stderr } = await start(words, path).ended;
    expect(stdout.trim().split('\n').toSorted(), stderr).toEqual(
      [0, 1, 2, 3].map(rank => `rank ${rank} of 4: 0 wrong`),
    );
    expect(exitCode).toBe(0);
    expectNothingLeft();
  });

  test('a batch job that is asked to stop saves, is requeued, and resumes bit-identically', async () => {
    const [batch, output, checkpoints] = ['job.sh', 'job.log', 'batch'].map(name => join(folder.path, name));
    const run = `srun --ntasks-per-node=1 ${trenioCommand} run --nproc_per_node=2 --no-pin`;
    // Before the requeue steps are slow, so that the signal comes before the last one.
    const text = `#!/bin/sh
      [ -z "$SLURM_RESTART_COUNT" ] && slow=--slow=400
      ${run} ${script} ${checkpoints} --steps=12 --every=1000 $slow
      exit $?`;
    writeFileSync(batch!, text, { mode: 0o755 });
    const submitted = start(['sbatch', '--parsable', '-N2', '--requeue', `--output=${output}`, batch!]);
    const id = (await submitted.ended).stdout.trim();
    const said = (): string => {
      try {
        return readFileSync(output!, 'utf8');
      } catch {
        return ''; // the job has not started
      }
    };
    while (!said().includes('from step 0')) await sleep(50);
    cluster.command('scancel', '--signal=USR1', id);
    const job = (): string => cluster.command('scontrol', 'show', 'job', id).stdout;
    while (!/final/.test(said())) await sleep(50);
    expect(said()).toMatch(/step \d+ is saved in \S+; exiting as requested/);
    expect(said()).toMatch(/from step [1-9]\d*\n/);
    expect(/final (\w+)/.exec(said())![1]).toBe(expected);
    while (!/JobState=COMPLETED/.test(job())) await sleep(50);
    expect(job()).toContain('Restarts=1');
    expectNothingLeft();
  });
});
