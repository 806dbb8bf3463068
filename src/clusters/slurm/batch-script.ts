// The batch script of a training job, written to be readable.

export interface BatchJob {
  readonly name: string;
  readonly nodes: number;
  readonly queue: string | undefined;
  /** Ranks per node: a number, `auto` or `gpu`. */
  readonly ranksPerNode: string;
  /** The mesh of the ranks of all nodes: `dp_shard=4,tp=2`. */
  readonly layout: string | undefined;
  /** In Slurm's format: `1:00:00`. */
  readonly time: string | undefined;
  readonly reservation: string | undefined;
  /** The arguments that run the command of this package. */
  readonly trenio: readonly string[];
  readonly script: string;
  readonly args: readonly string[];
}

/** After the first launcher has ended, the others end within their grace times. */
const WAIT_SECONDS = 60;
const POLL_SECONDS = 10;

/** `srun` starts one `trenio run` on each node, which finds the others by SLURM_ variables. */
export function batchScript(job: BatchJob): string {
  const { name, nodes, queue, ranksPerNode, layout, time, reservation, trenio, script, args } = job;
  const directives = [
    `--job-name=${name}`,
    `--nodes=${nodes}`,
    '--ntasks-per-node=1',
    '--exclusive',
    ...(queue === undefined ? [] : [`--partition=${queue}`]),
    ...(time === undefined ? [] : [`--time=${time}`]),
    ...(reservation === undefined ? [] : [`--reservation=${reservation}`]),
    // Requeued after a preemption or the loss of a node; the output is appended to the same file.
    '--requeue',
    '--open-mode=append',
    `--output=${name}-%j.out`,
  ];
  const options = [`--nproc-per-node=${ranksPerNode}`, ...(layout === undefined ? [] : [`--layout=${layout}`])];
  const command = [...trenio, 'run', ...options, script, ...args].map(quoted).join(' ');
  return [
    '#!/bin/bash',
    ...directives.map(one => `#SBATCH ${one}`),
    '',
    '# trenio run ends all ranks when one fails. Its exit code 75, after SIGTERM or the loss of a node, requeues the job; with',
    '# --kill-on-bad-exit, Slurm would kill the other nodes when the first one exits with it.',
    `srun --wait=${WAIT_SECONDS} ${command} &`,
    'step=$! seen= missing=0',
    '# A node that has lost its network cannot report the end of its task, and srun would wait for it forever.',
    'while kill -0 "$step" 2>/dev/null; do',
    `  sleep ${POLL_SECONDS} & wait -n`,
    '  steps=$(squeue -h -s -j "$SLURM_JOB_ID" -o %i 2>/dev/null) || continue',
    '  case "$steps" in *.[0-9]*) seen=yes missing=0 ;; *) missing=$((missing + 1)) ;; esac',
    `  if [ -n "$seen" ] && [ "$missing" -gt ${WAIT_SECONDS / POLL_SECONDS} ]; then`,
    '    echo "srun still waits for a step that has ended: the job is requeued" >&2',
    '    kill -KILL "$step"',
    '    exit 75',
    '  fi',
    'done',
    'wait "$step"',
    'code=$?',
    '# 143: SIGTERM came before trenio run had started.',
    '[ "$code" != 143 ] || code=75',
    'exit "$code"',
    '',
  ].join('\n');
}

const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
