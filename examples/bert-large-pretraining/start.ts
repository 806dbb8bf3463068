// The complete job on a cluster on this machine: a price for the real one, a cluster of virtual nodes, a job that compiles every
// graph, both training phases as batch jobs, and their results; then the cluster is deleted.
//
//   npm run example:bert-large                options: --nodes N (16), --steps N (20), --keep (cluster and job directories)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readRunResults } from 'trenio';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '16' },
    steps: { type: 'string', default: '20' },
    keep: { type: 'boolean', default: false },
  },
});
const nodes = Number(values.nodes);
if (![1, 2, 4, 8, 16].includes(nodes)) {
  console.error(`--nodes is '${values.nodes}', expected 1, 2, 4, 8 or 16: 32 micro-batches are divided among them`);
  process.exit(2);
}
const here = import.meta.dirname;
const trenio = join(here, '../../bin/trenio');
const folder = mkdtempSync(join(tmpdir(), 'bert-large-'));
const name = `bert-${process.pid}`;
/** A small BERT: two layers of 32, one rank per node. */
const environment = {
  ...process.env,
  TRENIO: trenio,
  NPROC: '1',
  PRECISION: 'f32',
  STEPS: values.steps,
  SHAPE: '--layers 2 --hidden 32 --batch-size 1',
  TRENIO_NUM_THREADS: '1',
};

function run(words: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr } = spawnSync(trenio, words, {
    cwd: folder,
    env: { ...environment, ...more },
    encoding: 'utf8',
  });
  if (status === 0) return stdout.trim();
  throw new Error(`trenio ${words.join(' ')} failed with exit code ${status}:\n${stderr}${stdout}`);
}
const slurm = (words: readonly string[], more?: Readonly<Record<string, string>>): string =>
  run(['cluster', 'shell', '-n', name, ...words], more);

/** sbatch --exclusive --nodes=16 --wrap "srun ./run_….sh" */
function batch(script: string, action: 'compile' | 'run', output: string, more: Readonly<Record<string, string>> = {}) {
  const wrapped = `srun ${join(here, script)} ${action}`;
  const started = performance.now();
  console.log(`sbatch --exclusive --nodes=${nodes} --wrap "srun ./${script} ${action}"`);
  try {
    slurm(['sbatch', '--wait', '--exclusive', `--nodes=${nodes}`, `--output=${output}.out`, '--wrap', wrapped], {
      OUTPUT: join(folder, output),
      ...more,
    });
  } catch (error) {
    console.error(readFileSync(join(folder, `${output}.out`), 'utf8'));
    throw error;
  }
  console.log(`  ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

/** The last lines of a file. */
const tail = (path: string, count: number): string =>
  readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count).join('\n');

spawnSync(process.execPath, [join(here, 'price.ts')], { stdio: 'inherit' });
console.log(`\nA cluster of ${nodes} virtual nodes on this machine…`);
writeFileSync(
  join(folder, 'cluster.yaml'),
  readFileSync(join(here, 'cluster.yaml'), 'utf8').replaceAll(/(M(?:in|ax)Count): 16/g, `$1: ${nodes}`),
);
run(['cluster', 'create-cluster', '-n', name, '-c', join(folder, 'cluster.yaml')]);
try {
  console.log(slurm(['sinfo']));
  const first = 'run_dp_bert_large_pretrain_bf16_s128.sh';
  const second = 'run_dp_bert_large_pretrain_bf16_s512.sh';
  batch(first, 'compile', 'compiled');
  console.log(tail(join(folder, 'compiled.out'), 1));
  batch(first, 'run', 'phase1');
  const init = { INIT: join(folder, 'phase1/model'), GRAD_ACCUM_USTEPS: '32' };
  batch(second, 'run', 'phase2', init);
  for (const phase of ['phase1', 'phase2']) {
    const { configuration, loss, throughput, steps, communication } = await readRunResults(
      join(folder, phase, 'results.json'),
    );
    console.log(
      `${phase}: ${steps} steps of ${String(configuration.globalBatch)} sequences on ${String(configuration.nodes)} nodes, loss ${loss.first?.toFixed(3)} → ${loss.last?.toFixed(3)}, ${throughput.sequencesPerSecond.toFixed(1)} sequences/s, ${(100 * (communication?.share ?? 0)).toFixed(1)} % of the processor time in communication`,
    );
  }
} finally {
  if (values.keep) console.log(`The cluster ${name} and ${folder} are kept.`);
  else {
    run(['cluster', 'delete-cluster', '-n', name]);
    rmSync(folder, { recursive: true, force: true });
    console.log('Cluster deleted.');
  }
}
