// Slurm preempts and requeues a training job repeatedly: are its final weights bit-identical to those of an uninterrupted run?
//
//     node bench/requeue-drill.ts                      30 preemptions of BERT pre-training on two nodes
//     node bench/requeue-drill.ts --preemptions 3 --steps 40
import './help.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { smallCluster } from '../src/clusters/example-config.testing.ts';

const { values } = parseArgs({
  options: { preemptions: { type: 'string', default: '30' }, steps: { type: 'string', default: '4000' } },
});
const preemptions = Number(values.preemptions);
const root = join(import.meta.dirname, '..');
const trenio = join(root, 'bin/trenio');
const work = mkdtempSync(join(tmpdir(), 'trenio-drill-'));
const at = (name: string): string => join(work, name);
const environment = { ...process.env, XDG_DATA_HOME: work, TRENIO_CACHE_DIR: at('cache'), TRENIO_NUM_THREADS: '1' };
const run = (...words: readonly string[]): string =>
  execFileSync(trenio, words, { cwd: work, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const slurm = (...words: readonly string[]): string => run('cluster', 'shell', '-n', 'drill', ...words).trim();
const logOf = (job: string): string => {
  try {
    return readFileSync(at(`${job}/log_ph1_f32_0_2`), 'utf8');
  } catch {
    return ''; // it has not started
  }
};

writeFileSync(at('cluster.yaml'), smallCluster(1));
run('cluster', 'create-cluster', '-n', 'drill', '-c', at('cluster.yaml'));
try {
  slurm(
    'scontrol',
    'create',
    'PartitionName=urgent',
    'Nodes=spare-st-trn1-[1-2]',
    'PriorityTier=100',
    'PreemptMode=OFF',
  );
  const shape = ['--layers', '1', '--hidden', '16', '--max-length', '32', '--batch-size', '1', '--global-batch', '4'];
  const train = (output: string): string =>
    `srun ${trenio} run ${join(root, 'examples/bert-large-pretraining/train.ts')} ${shape.join(' ')} --steps ${values.steps} --output ${output}`;
  const submit = (output: string): string =>
    slurm(
      'sbatch',
      '--parsable',
      '--partition=spare',
      '-N2',
      '--exclusive',
      '--requeue',
      `--output=${output}.out`,
      '--wrap',
      train(output),
    );
  const ended = async (id: string): Promise<string> => {
    for (;;) {
      const state = /JobState=(\w+)/.exec(slurm('scontrol', 'show', 'job', id))![1]!;
      if (!['PENDING', 'RUNNING', 'COMPLETING', 'CONFIGURING', 'PREEMPTED', 'REQUEUED'].includes(state)) return state;
      await sleep(1000);
    }
  };
  console.log(`undisturbed: ${await ended(submit('whole'))}`);
  const id = submit('drill');
  const steps = (): number => logOf('drill').match(/ step \d+\//g)?.length ?? 0;
  const starts = (): number => logOf('drill').match(/phase 1 on/g)?.length ?? 0;
  const isOver = (): boolean => /JobState=(COMPLETED|FAILED|CANCEL\w+)/.test(slurm('scontrol', 'show', 'job', id));
  let done = 0;
  while (done < preemptions && !isOver()) {
    const before = steps();
    // Each attempt makes at least one step.
    while ((starts() <= done || steps() <= before) && !isOver()) await sleep(200);
    if (isOver()) break;
    slurm('srun', '--partition=urgent', '-N2', '--exclusive', 'true');
    done++;
    console.log(`preemption ${done}, after ${steps()} logged steps`);
  }
  const state = await ended(id);
  const restarts = /Restarts=(\d+)/.exec(slurm('scontrol', 'show', 'job', id))![1];
  const diff = spawnSync(trenio, ['checkpoints', 'diff', at('whole/checkpoints'), at('drill/checkpoints')], {
    encoding: 'utf8',
    env: environment,
  });
  console.log(diff.stdout.trim());
  console.log(
    `${state} after ${restarts} restarts, ${done} preemptions; ${diff.status === 0 ? 'the same bits' : 'DIFFERENT'}`,
  );
  if (state !== 'COMPLETED') console.log(readFileSync(at('drill.out'), 'utf8').slice(-4000));
  if (diff.status !== 0 || state !== 'COMPLETED' || done < preemptions) process.exitCode = 1;
} finally {
  run('cluster', 'delete-cluster', '-n', 'drill');
  rmSync(work, { recursive: true, force: true });
}
