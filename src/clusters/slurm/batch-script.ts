// The batch script of a training job, written to be readable.

export interface BatchJob {
  readonly name: string;
  readonly nodes: number;
  readonly queue: string | undefined;
  /** Ranks per node: a number, `auto` or `gpu`. */
  readonly ranksPerNode: string;
  /** In Slurm's format: `1:00:00`. */
  readonly time: string | undefined;
  readonly reservation: string | undefined;
  /** The arguments that run the command of this package. */
  readonly trenio: readonly string[];
  readonly script: string;
  readonly args: readonly string[];
}

/** `srun` starts one `trenio run` on each node, which finds the others by SLURM_ variables. */
export function batchScript(job: BatchJob): string {
  const { name, nodes, queue, ranksPerNode, time, reservation, trenio, script, args } = job;
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
  const command = [...trenio, 'run', `--nproc-per-node=${ranksPerNode}`, script, ...args].map(quoted).join(' ');
  return [
    '#!/bin/bash',
    ...directives.map(one => `#SBATCH ${one}`),
    '',
    '# trenio run ends all ranks when one fails. Its exit code 75 is a checkpoint after SIGTERM, and requeues the job;',
    '# with --kill-on-bad-exit, Slurm would kill the other nodes when the first one exits with it.',
    `srun ${command}`,
    '',
  ].join('\n');
}

const quoted = (word: string): string => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
