// The job that this process belongs to, read from the environment that a scheduler or an MPI launcher has set: the number of
// processes (tasks), the index of this one, and their hosts. Slurm (srun), Open MPI (mpirun), MPICH (mpiexec).
//
// `trenio run` then needs no options. With one task per machine, each task launches --nproc_per_node ranks. With several tasks
// per machine, each task launches one rank, which has the number of the task; the ranks of a machine share memory.
import { spawnSync } from 'node:child_process';
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { parseHostList, parseTaskCounts } from './host-list.ts';

export interface Job {
  readonly kind: 'Slurm' | 'Open MPI' | 'MPICH';
  readonly task: number;
  readonly tasks: number;
  /** The number of tasks on this machine. */
  readonly localTasks: number;
  /** The address of task 0, as reached from the others. */
  readonly firstHost: string;
  /** The same for all tasks, and for no other job of the user at this time. */
  readonly id: string;
}

/** How long Slurm may take to answer. */
const SLURM_MS = 30_000;

/** The job of several tasks that this process belongs to, if any. @throws {BAD_ENVIRONMENT} @throws {JOB_UNCLEAR} */
export function currentJob(variables: Variables): Job | undefined {
  const job = slurmStep(variables) ?? openMpi(variables) ?? mpich(variables);
  return job === undefined || job.tasks === 1 ? undefined : job;
}

/** A port that all tasks of a job derive identically, below the ephemeral port range. */
export function jobPort({ id }: Job): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 10_000;
  return 20_000 + hash;
}

function slurmStep(variables: Variables): Job | undefined {
  // A batch script is not a step: its trenio run runs alone. srun sets SLURM_STEP_NUM_TASKS.
  const step = readVariable('SLURM_STEP_ID', variables);
  const task = readVariable('SLURM_PROCID', variables);
  const tasks = readVariable('SLURM_STEP_NUM_TASKS', variables);
  if (step === undefined || task === undefined || tasks === undefined) return undefined;
  const nodes = readVariable('SLURM_STEP_NUM_NODES', variables) ?? 1;
  const node = readVariable('SLURM_NODEID', variables) ?? 0;
  const hosts = listOf('SLURM_STEP_NODELIST', parseHostList, variables);
  const counts = listOf('SLURM_STEP_TASKS_PER_NODE', parseTaskCounts, variables);
  const localTasks = counts?.[node] ?? (nodes === 1 ? tasks : undefined);
  const first = hosts?.[0];
  const firstHost =
    nodes === 1
      ? '127.0.0.1'
      : (readVariable('MASTER_ADDR', variables) ?? (first === undefined ? undefined : slurmAddress(first, variables)));
  if (localTasks === undefined || firstHost === undefined)
    throw new TrenioError('JOB_UNCLEAR', {
      job: 'Slurm',
      problem: 'srun has not set SLURM_STEP_NODELIST or SLURM_STEP_TASKS_PER_NODE',
    });
  const id = `slurm-${readVariable('SLURM_JOB_ID', variables) ?? 0}.${step}`;
  return { kind: 'Slurm', task, tasks, localTasks, firstHost, id };
}

/** The address by which Slurm reaches a node, whose name may be unknown outside of Slurm. Its name if Slurm does not answer. */
function slurmAddress(node: string, variables: Variables): string {
  const options = { encoding: 'utf8', env: variables, timeout: SLURM_MS } as const;
  const { stdout } = spawnSync('scontrol', ['-o', 'show', 'node', node], options);
  return /\bNodeAddr=([^\s(]+)/.exec(stdout ?? '')?.[1] ?? node;
}

function listOf<T>(
  name: 'SLURM_STEP_NODELIST' | 'SLURM_STEP_TASKS_PER_NODE',
  parse: (text: string) => readonly T[] | undefined,
  variables: Variables,
): readonly T[] | undefined {
  const value = readVariable(name, variables);
  if (value === undefined) return undefined;
  const list = parse(value);
  if (list !== undefined) return list;
  throw new TrenioError('BAD_ENVIRONMENT', { name, value, expected: 'a list as Slurm writes it' });
}

function openMpi(variables: Variables): Job | undefined {
  const task = readVariable('OMPI_COMM_WORLD_RANK', variables);
  const tasks = readVariable('OMPI_COMM_WORLD_SIZE', variables);
  if (task === undefined || tasks === undefined) return undefined;
  const localTasks = readVariable('OMPI_COMM_WORLD_LOCAL_SIZE', variables) ?? tasks;
  // `1234.0;tcp://10.0.0.1,192.168.0.1:45678`: where mpirun runs, which is the machine of task 0 as a rule.
  const manager = /tcp:\/\/([\d.]+)/.exec(readVariable('OMPI_MCA_orte_hnp_uri', variables) ?? '')?.[1];
  const firstHost = localTasks === tasks ? '127.0.0.1' : (readVariable('MASTER_ADDR', variables) ?? manager);
  if (firstHost === undefined) throw noFirstHost('Open MPI');
  const id = `mpi-${readVariable('PMIX_NAMESPACE', variables) ?? process.ppid}`;
  return { kind: 'Open MPI', task, tasks, localTasks, firstHost, id };
}

function mpich(variables: Variables): Job | undefined {
  const task = readVariable('PMI_RANK', variables);
  const tasks = readVariable('PMI_SIZE', variables);
  if (task === undefined || tasks === undefined) return undefined;
  const localTasks = readVariable('MPI_LOCALNRANKS', variables) ?? tasks;
  const isLocal = localTasks === tasks;
  const firstHost = isLocal ? '127.0.0.1' : readVariable('MASTER_ADDR', variables);
  if (firstHost === undefined) throw noFirstHost('MPICH');
  // On one machine all tasks have the same parent; across several, MPICH provides no name for the job.
  return { kind: 'MPICH', task, tasks, localTasks, firstHost, id: isLocal ? `mpi-${process.ppid}` : 'mpi' };
}

const noFirstHost = (job: string): TrenioError =>
  new TrenioError('JOB_UNCLEAR', { job, problem: 'it does not specify on which machine task 0 runs (MASTER_ADDR)' });
