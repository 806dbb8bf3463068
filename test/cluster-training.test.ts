// Pre-training BERT on a cluster of virtual nodes: compiled by a separate job, trained on one and on two nodes with the same
// losses, preempted by Slurm and resumed bit-identically.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canMakeClusters, smallCluster } from '../src/clusters/example-config.testing.ts';
import { readRunResults } from '../src/jobs/run-results.ts';
import { type Ended, root, scripts, trenio, workFolder } from './system.ts';

const command = join(root, 'bin/trenio');
const script = join(root, 'examples/bert-large-pretraining/train.ts');
const tiny = ['--layers', '1', '--hidden', '16', '--max-length', '32', '--predictions', '5', '--steps', '6'];
const shape = [...tiny, '--batch-size', '1', '--global-batch', '4', '--optimizer', 'lamb'].join(' ');

// Not skipped if CI is set: .ci/run installs the requirements.
describe.skipIf(!canMakeClusters() && process.env.CI === undefined)(
  'training on a cluster',
  { timeout: 600_000 },
  () => {
    const folder = workFolder();
    const at = (...names: readonly string[]): string => join(folder.path, ...names);
    const variables = { XDG_DATA_HOME: folder.path, TRENIO_CACHE_DIR: at('cache'), TRENIO_NUM_THREADS: '1' };
    const cluster = (...words: readonly string[]): Promise<Ended> =>
      trenio(['cluster', ...words], { variables, cwd: folder.path });
    const slurm = async (...words: readonly string[]): Promise<string> => {
      const { stdout, stderr, exitCode } = await cluster('shell', '-n', 'demo', ...words);
      expect(exitCode, stderr + stdout).toBe(0);
      return stdout.trim();
    };
    /** The output of a job, once it has ended. */
    const batch = async (nodes: number, name: string, wrapped: string): Promise<string> => {
      const options = ['--wait', '--exclusive', '--open-mode=truncate', `--nodes=${nodes}`, `--output=${at(name)}`];
      await slurm('sbatch', ...options, '--wrap', wrapped);
      return readFileSync(at(name), 'utf8');
    };
    const losses = (file: string): readonly string[] =>
      readFileSync(at(file), 'utf8').match(/step \d+\/\d+ loss \S+/g)!;

    beforeAll(async () => {
      writeFileSync(at('cluster.yaml'), smallCluster(4));
      const { exitCode, stderr } = await cluster('create-cluster', '-n', 'demo', '-c', at('cluster.yaml'));
      expect(exitCode, stderr).toBe(0);
    });
    afterAll(async () => {
      const { exitCode, stderr } = await cluster('delete-cluster', '-n', 'demo');
      expect(exitCode, stderr).toBe(0);
      folder[Symbol.dispose]();
    });

    test('two nodes precompile the graphs of a script; the training then compiles nothing, and its losses match those of one node', async () => {
      const said = await batch(
        2,
        'compile.out',
        `srun ${command} compile --parallel 1 ${script} ${shape} --output two`,
      );
      expect(said.match(/(\d+) programs? found: .* 0 failed/g), said).toHaveLength(2);
      const compiled = readdirSync(at('cache')).toSorted();
      // The compile run, in which tensors read as zeros, leaves nothing in the job directory.
      expect(readdirSync(folder.path)).not.toContain('two');

      await batch(2, 'two.out', `srun ${command} run ${script} ${shape} --output two`);
      expect(readdirSync(at('cache')).toSorted()).toEqual(compiled);
      expect(readdirSync(at('two')).toSorted()).toEqual([
        'checkpoints',
        'log_ph1_f32_0_2',
        'log_ph1_f32_1_2',
        'model',
        'results.json',
        'run.json',
      ]);
      expect(await readRunResults(at('two/results.json'))).toMatchObject({
        batchSize: 1,
        worldSize: 2,
        gradientAccumulation: 2,
        steps: 6,
        // Of the nodes' instance type.
        costUsd: expect.any(Number),
        configuration: { nodes: 2, globalBatch: 4, phase: '1', optimizer: 'lamb' },
      });
      await batch(1, 'one.out', `srun ${command} run ${script} ${shape} --output one`);
      expect(losses('two/log_ph1_f32_1_2')).toHaveLength(6);
      expect(losses('two/log_ph1_f32_0_2')).toEqual(losses('one/log_ph1_f32_0_1'));
    });

    test('a run that is preempted three times is bit-identical to an uninterrupted one', async () => {
      const killed = join(scripts, 'killed.ts');
      const options = '--steps=60 --every=1000';
      const alone = await trenio(['run', killed, at('alone'), ...options.split(' ')], { variables });
      const expected = /final \w+/.exec(alone.stdout)![0];
      const { partition, nodes } = { partition: 'spare', nodes: 'spare-st-trn1-[1-2]' };
      await slurm(
        'scontrol',
        'create',
        'PartitionName=urgent',
        `Nodes=${nodes}`,
        'PriorityTier=100',
        'PreemptMode=OFF',
      );
      // Slow until it has been preempted three times: its steps last for 90 s, so that each preemption comes before the last.
      writeFileSync(
        at('job.sh'),
        `#!/bin/sh
[ "\${SLURM_RESTART_COUNT:-0}" -lt 3 ] && slow=--slow=1500
srun ${command} run --nproc_per_node=1 ${killed} ${at('drill')} ${options} $slow
`,
      );
      const words = [
        '--parsable',
        `--partition=${partition}`,
        '-N2',
        '--exclusive',
        '--requeue',
        `--output=${at('drill.out')}`,
      ];
      const id = await slurm('sbatch', ...words, at('job.sh'));
      const said = (): string => {
        try {
          return readFileSync(at('drill.out'), 'utf8');
        } catch {
          return ''; // the job has not started
        }
      };
      const starts = (): number => said().match(/\[rank 0\] from step/g)?.length ?? 0;
      for (let preemptions = 1; preemptions <= 3; preemptions++) {
        while (starts() < preemptions) await sleep(50);
        await slurm('srun', '--partition=urgent', '-N2', '--exclusive', 'true');
      }
      while (!said().includes('final')) {
        const state = /JobState=(\w+)/.exec(await slurm('scontrol', 'show', 'job', id))![1]!;
        if (state === 'FAILED' || state.startsWith('CANCEL')) throw new Error(`${state}: ${said()}`);
        await sleep(200);
      }
      // The other rank may be preempted before it says so.
      expect(starts(), said()).toBe(4);
      expect(said(), said()).toContain(expected);
      expect(await slurm('scontrol', 'show', 'job', id)).toContain('Restarts=3');
    });
  },
);
