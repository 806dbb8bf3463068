// Slurm preempts a training job at random moments, from the first second of each start: is it requeued each time, and are its
// final weights bit-identical to those of an uninterrupted run? Run it as root, and as another user.
//
//     node bench/requeue-drill.ts                      30 preemptions of BERT pre-training on two nodes
//     node bench/requeue-drill.ts --preemptions 3 --steps 40 --seed 2 --span 4
import './help.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { smallCluster } from '../src/clusters/example-config.testing.ts';

const { values } = parseArgs({
  options: {
    preemptions: { type: 'string', default: '30' },
    steps: { type: 'string', default: '4000' },
    seed: { type: 'string', default: '1' },
    // Seconds after a start within which a preemption comes.
    span: { type: 'string', default: '12' },
  },
});
const preemptions = Number(values.preemptions);
const root = join(import.meta.dirname, '..');
const trenio = join(root, 'bin/trenio');
const work = mkdtempSync(join(tmpdir(), 'trenio-drill-'));
const at = (name: string): string => join(work, name);
const environment = { ...process.env, XDG_DATA_HOME: work, TRENIO_CACHE_DIR: at('cache'), TRENIO_NUM_THREADS: '1' };
const run = (...words: readonly string[]): string =>
  execFileSync(trenio, words, { cwd: work, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const slurm = (program: string, ...words: readonly string[]): string =>
  execFileSync(program, words, {
    cwd: work,
    env: { ...environment, SLURM_CONF: at('trenio/clusters/drill/etc/slurm.conf') },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
let seed = Number(values.seed);
/** Uniform in [0, 1): a linear congruential generator is enough for moments. */
const random = (): number => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return seed / 2 ** 32;
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
  const field = (name: string): string =>
    new RegExp(`\\b${name}=(\\S+)`).exec(slurm('scontrol', 'show', 'job', id))?.[1] ?? '';
  const waitFor = async (test: () => boolean): Promise<boolean> => {
    while (!test()) {
      if (/^(COMPLETED|FAILED|CANCEL|TIMEOUT|NODE_FAIL)/.test(field('JobState'))) return false;
      await sleep(100);
    }
    return true;
  };
  let done = 0;
  while (done < preemptions) {
    if (!(await waitFor(() => field('JobState') === 'RUNNING' && Number(field('Restarts')) === done))) break;
    const moment = random() ** 2 * Number(values.span);
    await sleep(1000 * moment);
    slurm('srun', '--partition=urgent', '-N2', '--exclusive', 'true');
    if (!(await waitFor(() => Number(field('Restarts')) > done))) break;
    done++;
    console.log(`preemption ${done}, ${moment.toFixed(2)} s after the start: requeued`);
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
