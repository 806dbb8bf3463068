// Every environment variable that Trenio reads, one row each; environment.ts reads them. docs/environment.md is generated from
// this table; environment.test.ts keeps the two equal.
import { isIP } from 'node:net';
import { constants } from 'node:os';
import { parseCpuList } from './cpu-list.ts';
import { parseLayout } from './layout-text.ts';
import { neuronFlagsExpected, parseNeuronFlags } from './neuron-flags.ts';
import { parseRankTable } from './rank-table.ts';

/** How one variable is documented and parsed. */
export interface Row<T> {
  readonly description: string;
  /** Describes the behavior when the variable is unset or empty. */
  readonly default: string;
  /** The valid values, for the documentation and for the error about a bad value. */
  readonly expected: string;
  /** The value, or undefined if the text is invalid. */
  parse(text: string): T | undefined;
}
const row = <T>(r: Row<T>): Row<T> => r;

const text = (value: string): string => value;
function oneOf<const T extends string>(values: readonly T[]) {
  return { expected: values.join(', '), parse: (value: string): T | undefined => values.find(v => v === value) };
}
function integer(min: number, max = Number.MAX_SAFE_INTEGER) {
  const expected = max === Number.MAX_SAFE_INTEGER ? `an integer, ${min} or more` : `an integer in [${min}, ${max}]`;
  const parse = (value: string): number | undefined => {
    const n = Number(value);
    return /^\d+$/.test(value) && n >= min && n <= max ? n : undefined;
  };
  return { expected, parse };
}
const flag = {
  expected: '0 or 1',
  parse: (value: string): boolean | undefined => (value === '1' ? true : value === '0' ? false : undefined),
};

/** Which of SIGHUP, SIGINT and SIGTERM are in a signal set in the kernel's format: bit n − 1 for signal n. */
function parseSignalSet(digits: string): readonly NodeJS.Signals[] | undefined {
  if (!/^[0-9a-fA-F]{1,32}$/.test(digits)) return undefined;
  const set = BigInt(`0x${digits}`);
  const names = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  return names.filter(name => (set >> BigInt(constants.signals[name] - 1)) & 1n);
}

export const environmentTable = {
  CC: row({
    description: 'The C compiler for generated code: a name on PATH, or a path.',
    default: 'the first of gcc, clang and cc on PATH',
    expected: 'a command, without arguments',
    parse: text,
  }),
  PATH: row({
    description: 'The directories that are searched for commands.',
    default: 'no command is found',
    expected: 'directories, separated by colons',
    parse: text,
  }),
  TRENIO_BACKEND: row({
    description:
      'The backend of `device()`: `cpu` compiles to native code. Without a C compiler: `kernels` runs the same kernels as WebAssembly, on one core; `interpreter` evaluates op by op. `cpu:1` is another device of the same backend.',
    default: 'cpu',
    expected: 'the name of a device',
    parse: text,
  }),
  TRENIO_TIERS: row({
    description:
      'When a program runs that is not in the cache: `auto` runs a small one as WebAssembly, in this process, while it is compiled in the background, if both give the same bits; `wait` compiles it first.',
    default: 'auto',
    ...oneOf(['auto', 'wait']),
  }),
  TRENIO_EAGER: row({
    description:
      'Run each tensor op immediately on the reference interpreter, so that a debugger can inspect values. Slow.',
    default: '0',
    ...flag,
  }),
  NEURON_USE_EAGER_DEBUG_MODE: row({
    description: 'The same as TRENIO_EAGER, under the name used by scripts for Trainium.',
    default: '0',
    ...flag,
  }),
  NEURON_CC_FLAGS: row({
    description:
      'Flags of the Neuron compiler. Trenio reads `--auto-cast` and `--auto-cast-type`, which choose the type for f32 multiplies, and ignores the rest.',
    default: '`--auto-cast none --auto-cast-type bf16`',
    expected: neuronFlagsExpected,
    parse: parseNeuronFlags,
  }),
  NEURON_RT_STOCHASTIC_ROUNDING_EN: row({
    description: 'Use stochastic rounding wherever a step converts floats to a lower precision.',
    default: '0',
    ...flag,
  }),
  NEURON_RT_STOCHASTIC_ROUNDING_SEED: row({
    description: 'The seed of stochastic rounding.',
    default: '0',
    ...integer(0),
  }),
  TRENIO_EAGER_STOP: row({
    description:
      'In eager debug mode, stop at the first op that returns NaN (`nan`), or NaN or infinity (`nonfinite`).',
    default: 'never',
    ...oneOf(['never', 'nan', 'nonfinite']),
  }),
  TRENIO_MAX_LOOP_STEPS: row({
    description: 'The maximum number of iterations of a `while` loop, so that an endless loop becomes an error.',
    default: 'no limit',
    ...integer(1),
  }),
  TRENIO_CACHE_DIR: row({
    description: 'The directory of compiled programs. It can be deleted at any time and shared between processes.',
    default: '`$XDG_CACHE_HOME/trenio`, or `~/.cache/trenio`',
    expected: 'a directory',
    parse: text,
  }),
  TRENIO_CACHE_MAX_BYTES: row({
    description: 'The maximum size of the cache directory. Beyond it, the least recently used entries are removed.',
    default: '4294967296 (4 GiB)',
    ...integer(0),
  }),
  TRENIO_CACHE_SHARED: row({
    description:
      'Who else may write to the cache directory. `none`: compiled code is loaded only from files and directories that are owned by the user or root and not writable by others. `group`: members of the group that owns the directory are trusted, and new entries are group-writable; for a cache shared by a team.',
    default: 'none',
    ...oneOf(['none', 'group']),
  }),
  TRENIO_ISA: row({
    description:
      'Compile for this instruction set instead of the best one of the CPU. It is an error if the CPU does not support it, or, for `amx`, if the system does not allow it.',
    default: 'the best one that the CPU supports',
    ...oneOf(['amx', 'avx512', 'avx2', 'sve', 'neon', 'generic']),
  }),
  TRENIO_WINOGRAD: row({
    description:
      'Compute convolutions of f32 with 3×3 weights with a quarter of the multiplications (Winograd) where that is faster. `0` sums all products: slower, with a quarter to a third of the rounding error.',
    default: '1',
    ...flag,
  }),
  TRENIO_BUCKET_BYTES: row({
    description:
      'The size of the buckets in which ranks all-reduce gradients while the rest of the backward pass runs. The same on all ranks; results do not depend on it.',
    default: '26214400; 1048576 on one host',
    ...integer(1),
  }),
  TRENIO_INSTANCE_TYPE: row({
    description: 'The instance type of the node, for the cost in results.json. Set for jobs of clusters.',
    default: 'none',
    expected: 'any text',
    parse: text,
  }),
  TRENIO_RUN_COMPILES: row({
    description:
      '`trenio run` compiles the programs of its script, like `trenio compile`. Set for shell scripts by `trenio compile`.',
    default: '0',
    ...flag,
  }),
  TRENIO_COMPILE_ONLY: row({
    description:
      'Write the programs of the script to this folder, to be compiled by other processes, without running them. Set by `trenio compile`.',
    default: 'programs run',
    expected: 'a folder',
    parse: text,
  }),
  TRENIO_COMPILE_STEPS: row({
    description:
      'With TRENIO_COMPILE_ONLY or TRENIO_TRACE_ONLY, exit after this many executions without a new program. Set by `trenio compile` and `trenio plan`.',
    default: '100',
    ...integer(1),
  }),
  TRENIO_TRACE_ONLY: row({
    description:
      'Write the programs of the script to this folder without compiling or running them. Set by `trenio plan`.',
    default: 'programs run',
    expected: 'a folder',
    parse: text,
  }),
  TRENIO_TRACE_RANKS: row({
    description:
      'With TRENIO_TRACE_ONLY, the number of ranks of the run of which this process is the first. Set by `trenio plan`.',
    default: '1',
    ...integer(1),
  }),
  TRENIO_STEP_REPORT: row({
    description:
      'Write the times of each program to this file, as JSON, while the script runs. Set by `trenio run --plan`.',
    default: 'none',
    expected: 'a file',
    parse: text,
  }),
  TRENIO_EXPLAIN_COMMS: row({
    description:
      'At the end of the script, rank 0 prints what each rank sends in a training step, by line of the script. Set by `trenio run --explain-comms`.',
    default: '0',
    ...flag,
  }),
  TRENIO_PROGRAM_RECORD: row({
    description:
      'Write the training programs of the script to this folder, as text, when they are compiled. Set by `trenio server` for its jobs.',
    default: 'none',
    expected: 'a folder',
    parse: text,
  }),
  TRENIO_OBSERVE: row({
    description:
      'Record the activity of this process in a small file in memory, for `trenio top` and `trenio monitor`. It is removed when the process ends.',
    default: '1',
    ...flag,
  }),
  TRENIO_OBSERVE_DIR: row({
    description: 'The directory of these files. It must be private to the user; the tools must see the same one.',
    default: '`/dev/shm/trenio-observe-UID`, or the same in the system’s temporary directory',
    expected: 'a directory',
    parse: text,
  }),
  NEURON_PROCESS_TAG: row({
    description: 'A name for this process in `trenio top` and `trenio monitor`.',
    default: 'none',
    expected: 'anything',
    parse: text,
  }),
  AWS_ENDPOINT_URL: row({
    description: 'The address of the job server, for `Estimator`, `trenio jobs` and related commands.',
    default: 'the `trenio server` that runs on this machine',
    expected: 'an address such as http://127.0.0.1:7070',
    parse: text,
  }),
  AWS_ACCESS_KEY_ID: row({
    description: 'The access key for the job server.',
    default: 'the key of the `trenio server` that runs on this machine',
    expected: 'the id of a key',
    parse: text,
  }),
  AWS_SECRET_ACCESS_KEY: row({
    description: 'The secret of AWS_ACCESS_KEY_ID.',
    default: 'the key of the `trenio server` that runs on this machine',
    expected: 'a secret',
    parse: text,
  }),
  AWS_REGION: row({
    description: 'The region in requests to the job server, and in the name of the default bucket.',
    default: 'AWS_DEFAULT_REGION, else us-east-1',
    expected: 'the name of a region',
    parse: text,
  }),
  AWS_DEFAULT_REGION: row({
    description: 'The region if AWS_REGION is not set.',
    default: 'us-east-1',
    expected: 'the name of a region',
    parse: text,
  }),
  XDG_CACHE_HOME: row({
    description: 'The parent of the default cache directory (XDG base directory specification).',
    default: '`~/.cache`',
    expected: 'a directory',
    parse: text,
  }),
  SLURM_CONF: row({
    description: 'The slurm.conf that `trenio cluster create-cluster --provider existing` registers.',
    default: '/etc/slurm/slurm.conf',
    expected: 'a file',
    parse: text,
  }),
  SHELL: row({
    description: 'The shell that `trenio cluster shell` starts.',
    default: '/bin/sh',
    expected: 'a program',
    parse: text,
  }),
  TRENIO_KEY_FILE: row({
    description:
      'The file with the key that encrypts the secrets of access keys in the folders of job servers; made on first use.',
    default: '`trenio/server.key` in `XDG_CONFIG_HOME`',
    expected: 'a file outside of the folders of servers',
    parse: text,
  }),
  XDG_CONFIG_HOME: row({
    description: 'The parent of the folder with the key of job servers (XDG base directory specification).',
    default: '`~/.config`',
    expected: 'a directory',
    parse: text,
  }),
  XDG_DATA_HOME: row({
    description:
      'The parent of the default folders of `trenio server` and `trenio cluster` (XDG base directory specification).',
    default: '`~/.local/share`',
    expected: 'a directory',
    parse: text,
  }),
  SAGEMAKER_BIND_TO_PORT: row({
    description:
      'The port on which a serving container listens; `trenio server` sets it for each replica of an endpoint.',
    default: '8080',
    ...integer(1),
  }),
  TRENIO_SERVE_SOCKET: row({
    description:
      'A Unix socket on which the serving program of the image `trenio` listens, instead of a port that every user of the machine can reach; `trenio server` sets it for each replica of an endpoint.',
    default: 'none: SAGEMAKER_BIND_TO_PORT',
    expected: 'an absolute path',
    parse: text,
  }),
  TRENIO_SERVE_MAX_BATCH: row({
    description:
      'The maximum number of items in one batch of an endpoint (the image `trenio`); 1 turns batching off. Set it in the Environment of CreateModel.',
    default: '8',
    ...integer(1),
  }),
  TRENIO_PROFILE: row({
    description:
      'Time each kernel of compiled steps, and print a table to standard error at exit, slowest kernels first.',
    default: '0',
    ...flag,
  }),
  TRENIO_PROFILE_FOLDER: row({
    description: 'Write a profile of each rank to this folder. Set by `trenio profile run`.',
    default: 'none',
    expected: 'a directory',
    parse: text,
  }),
  TRENIO_PROFILE_STEPS: row({
    description: 'Steps to skip and then to record, for TRENIO_PROFILE_FOLDER.',
    default: '5,20',
    expected: 'two numbers, such as 5,20',
    parse: value => {
      const match = /^(\d{1,9}),([1-9]\d{0,8})$/.exec(value);
      return match === null ? undefined : { wait: Number(match[1]), active: Number(match[2]) };
    },
  }),
  TRENIO_NUM_THREADS: row({
    description: 'The number of threads that compute a step. Results are bit-identical for any number.',
    default: 'the number of CPUs in TRENIO_CPUS, or of those available to this process',
    ...integer(1, 1024),
  }),
  TRENIO_CPUS: row({
    description: 'The CPUs to pin threads to, one CPU per thread. `trenio run` sets it for each rank.',
    default: 'the CPUs available to this process; threads are pinned only if there is one for each CPU',
    expected: 'a list such as 0,2-5',
    parse: parseCpuList,
  }),
  TRENIO_LAYOUT: row({
    description:
      'How the ranks are arranged: the mesh of `initDeviceMesh()` without sizes. Set by `trenio run --layout`.',
    default: 'all ranks on the axis `data`',
    expected: 'axes and their sizes, such as dp_shard=2,tp=2',
    parse: parseLayout,
  }),
  RANK: row({
    description: 'The rank of this process. Set by `trenio run`.',
    default: '0',
    ...integer(0),
  }),
  LOCAL_RANK: row({
    description: 'The rank of this process among those on this machine. Set by `trenio run`.',
    default: '0',
    ...integer(0),
  }),
  WORLD_SIZE: row({
    description: 'The number of ranks. Set by `trenio run`.',
    default: '1',
    ...integer(1),
  }),
  LOCAL_WORLD_SIZE: row({
    description: 'The number of ranks on this machine. Set by `trenio run`.',
    default: '1',
    ...integer(1),
  }),
  SLURM_JOB_ID: row({
    description:
      'The id of the job. Set by Slurm; `trenio run` learns from this variable and the next ones which task of the job it is.',
    default: 'none',
    ...integer(0),
  }),
  SLURM_STEP_ID: row({
    description: 'The id of the job step. Set by `srun`.',
    default: 'none',
    ...integer(0),
  }),
  SLURM_PROCID: row({
    description: 'The index of this task. Set by `srun`.',
    default: 'none',
    ...integer(0),
  }),
  SLURM_STEP_NUM_TASKS: row({
    description: 'The number of tasks. Set by `srun`.',
    default: 'none',
    ...integer(1),
  }),
  SLURM_STEP_NUM_NODES: row({
    description: 'The number of nodes. Set by `srun`.',
    default: 'none',
    ...integer(1),
  }),
  SLURM_STEP_NODELIST: row({
    description: 'The names of the nodes. Set by `srun`.',
    default: 'none',
    expected: 'a list such as node[01-03,7]',
    parse: text,
  }),
  SLURM_STEP_TASKS_PER_NODE: row({
    description: 'The number of tasks of each node. Set by `srun`.',
    default: 'none',
    expected: 'a list such as 2(x3),1',
    parse: text,
  }),
  SLURM_NODEID: row({
    description: 'The index of this node. Set by `srun`.',
    default: 'none',
    ...integer(0),
  }),
  OMPI_COMM_WORLD_RANK: row({
    description: 'The rank of this process. Set by `mpirun` of Open MPI.',
    default: 'none',
    ...integer(0),
  }),
  OMPI_COMM_WORLD_SIZE: row({
    description: 'The number of processes. Set by `mpirun` of Open MPI.',
    default: 'none',
    ...integer(1),
  }),
  OMPI_COMM_WORLD_LOCAL_SIZE: row({
    description: 'The number of processes on this machine. Set by `mpirun` of Open MPI.',
    default: 'none',
    ...integer(1),
  }),
  OMPI_MCA_orte_hnp_uri: row({
    description: 'The address of `mpirun` of Open MPI. Set by `mpirun`.',
    default: 'none',
    expected: 'any text',
    parse: text,
  }),
  PMIX_NAMESPACE: row({
    description: 'The job of a PMIx server, such as `mpirun` of Open MPI.',
    default: 'none',
    expected: 'any text',
    parse: text,
  }),
  PMI_RANK: row({
    description: 'The rank of this process. Set by `mpiexec` of MPICH.',
    default: 'none',
    ...integer(0),
  }),
  PMI_SIZE: row({
    description: 'The number of processes. Set by `mpiexec` of MPICH.',
    default: 'none',
    ...integer(1),
  }),
  MPI_LOCALNRANKS: row({
    description: 'The number of processes on this machine. Set by `mpiexec` of MPICH.',
    default: 'none',
    ...integer(1),
  }),
  MASTER_ADDR: row({
    description: 'The host of the rendezvous and its store. Set by `trenio run`.',
    default: 'none',
    expected: 'a host name or an address',
    parse: text,
  }),
  MASTER_PORT: row({
    description: 'The port of the rendezvous and its store. Set by `trenio run`.',
    default: 'none',
    ...integer(1, 65_535),
  }),
  TORCHELASTIC_RUN_ID: row({
    description: 'The name of the run (`--rdzv-id`). Set by `trenio run`.',
    default: 'none',
    expected: 'any text',
    parse: text,
  }),
  TRENIO_RDZV_SECRET: row({
    description:
      'The secret that the launchers of a run on several machines share. `trenio run` sets it for its ranks.',
    default:
      'the file `--rdzv-conf secret_file=FILE`, or `rendezvous.secret` in the cache directory, created at first use',
    expected: '16 characters or more',
    parse: value => (value.length >= 16 ? value : undefined),
  }),
  TRENIO_RDZV_ATTEMPT: row({
    description:
      'The number of times the ranks of a run were started, so that each attempt has its own keys in the store. Set by `trenio run`.',
    default: '0',
    ...integer(0),
  }),
  OMPI_COMM_WORLD_LOCAL_RANK: row({
    description: 'The rank among those on this host if `mpirun` of Open MPI has started it. Set by MPI.',
    default: 'none',
    ...integer(0),
  }),
  MPI_LOCALRANKID: row({
    description: 'The rank among those on this host if `mpiexec` of MPICH has started it. Set by MPI.',
    default: 'none',
    ...integer(0),
  }),
  SLURM_LOCALID: row({
    description: 'The index of this task among the tasks of the step on this node. Set by `srun`.',
    default: 'none',
    ...integer(0),
  }),
  PMIX_RANK: row({
    description: 'The rank of this process if `srun --mpi=pmix` has started it. Set by MPI.',
    default: 'none',
    ...integer(0),
  }),
  TRENIO_TRANSPORT: row({
    description: 'The transport between ranks on different hosts.',
    default: 'mpi if an MPI job started the ranks and mpicc exists, else tcp',
    ...oneOf(['tcp', 'mpi']),
  }),
  TRENIO_COMM_TIMEOUT: row({
    description:
      'Seconds that a collective waits for other ranks before the run ends with an error that names those that did not arrive. A rank that is stopped (SIGSTOP) for that long while others run is ended, too.',
    default: '1800; 0: no limit',
    ...integer(0, 1_000_000_000),
  }),
  TRENIO_COMM_ADDRESS: row({
    description: 'The address at which ranks on other hosts reach the ranks on this host.',
    default: 'the local address of the connection to the host of the rendezvous',
    expected: 'an IPv4 or IPv6 address',
    parse: value => (isIP(value) === 0 ? undefined : value),
  }),
  TRENIO_COMM_TABLE: row({
    description: 'The addresses at which the ranks of a run on several hosts listen. Set by `trenio run`.',
    default: 'none: all ranks are on this host',
    expected: '`rank host process address port` of every rank, separated by `;`',
    parse: parseRankTable,
  }),
  TRENIO_COMM_LISTENER: row({
    description: 'The file descriptor of the socket on which this rank listens. Set by `trenio run`.',
    default: 'none: the rank opens one at its address of TRENIO_COMM_TABLE',
    ...integer(0, 1_000_000),
  }),
  TRENIO_SHM: row({
    description:
      'The name of the shared memory through which the ranks on this machine communicate. Set by `trenio run`.',
    default: 'none: a single rank',
    expected: 'a name such as /trenio-1234-5678',
    parse: value => (/^\/[\w.-]{1,200}$/.test(value) ? value : undefined),
  }),
  TRENIO_LOG: row({
    description: 'The lowest severity of messages written to standard error.',
    default: 'warn',
    ...oneOf(['debug', 'info', 'warn', 'error', 'silent']),
  }),
  TRENIO_LAUNCHER_CHANNEL: row({
    description:
      'The file descriptor through which `trenio run` asks a rank for its current activity. Set by `trenio run`.',
    default: 'none',
    ...integer(3, 1_000_000),
  }),
  TRENIO_LAUNCHER_PID: row({
    description:
      'The process id of the `trenio run` that started this process; the process exits when it does. Set by `trenio run`.',
    default: 'none',
    ...integer(1),
  }),
  TRENIO_LAUNCHER_TERMINAL: row({
    description:
      'Whether `trenio run` writes to a terminal: a rank then reports long compilations. Set by `trenio run`, for one rank of each machine.',
    default: '0',
    ...flag,
  }),
  TRENIO_LAUNCHER_TIMEOUT_MS: row({
    description:
      'In a run of several ranks, a rank exits if its launcher has been stopped (SIGSTOP) for this long. Set by `trenio run`.',
    default: 'none',
    ...integer(1),
  }),
  TORCHELASTIC_ERROR_FILE: row({
    description:
      'The file to which a rank writes its uncaught error, as JSON in the format of torch. `trenio run` sets it for its ranks, and copies the error of the first failing rank to the file named by its own variable.',
    default: 'none',
    expected: 'a file',
    parse: text,
  }),
  TRENIO_IGNORED_SIGNALS: row({
    description:
      'The signals that were ignored when the `trenio` command was started, in the format of SigIgn in /proc/self/status. They stay ignored. Set by the command itself.',
    default: 'none',
    expected: 'hexadecimal digits',
    parse: parseSignalSet,
  }),
  npm_config_user_agent: row({
    description:
      'Set by npm, npx, pnpm and yarn for the commands they start. A `trenio` command exits when the package manager that started it exits.',
    default: 'none',
    expected: 'anything',
    parse: text,
  }),
  TRENIO_DEBUG: row({
    description: 'Print the stack trace of an error below its message.',
    default: '0',
    ...flag,
  }),
  CI: row({
    description: 'Set by continuous-integration services: progress is then printed line by line, even on a terminal.',
    default: 'none',
    expected: 'anything',
    parse: text,
  }),
  TERM: row({
    description:
      'The kind of terminal. `dumb`: the terminal cannot rewrite a line, so progress is printed line by line.',
    default: 'a terminal that can',
    expected: 'anything',
    parse: text,
  }),
  JPY_PARENT_PID: row({
    description:
      'Set by Jupyter for its kernels: progress is then rewritten in place, even if the output is not a terminal.',
    default: 'none',
    expected: 'anything',
    parse: text,
  }),
  NO_COLOR: row({
    description: 'Disable colors on a terminal (https://no-color.org).',
    default: 'colors on a terminal',
    expected: 'anything',
    parse: text,
  }),
} as const;
