// `trenio compile`: compiles the programs of a script before it trains. Like Neuron's neuron_parallel_compile, it collects
// the programs in a trial run and compiles them side by side.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { expectFileError } from '../../base/file-error.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { reasonOf } from '../../base/read-file.ts';
import { formatTable } from '../../base/table.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { formatDuration } from '../../base/units.ts';
import type { CompiledProgram, CompiledScript } from '../../distributed/launch/compile-script.ts';
import { type CliContext, defineCommand } from '../command/command.ts';
import { countRanks, ranksOption } from './ranks-option.ts';

const MAX_PARALLEL = 256;
/** Each process takes a few hundred megabytes for a large program, and more of them rarely have work. */
const DEFAULT_PARALLEL = 4;

export const compileCommand = defineCommand({
  name: 'compile',
  summary: 'Compile the programs of a training script ahead of time, without training.',
  description: [
    'Runs the script without executing its programs, and compiles them in several processes from the first one on: tensors read as',
    'zeros, and Trenio writes no checkpoints or results. Files that the script itself writes will contain zeros. The script is',
    'stopped after N executions without a new program, if it has not ended; programs that come later, or that depend on trained',
    'values, are not found. A DeviceLoader returns only the first batches of each shape in an epoch, so that a shorter last batch',
    'and the evaluation after it are reached quickly. The output of the script goes to standard error.',
    '',
    'For several ranks, pass the same --nproc-per-node as to trenio run. The script is then run once per rank, without the ranks',
    'waiting for each other. A program that several ranks share is counted once.',
    '',
    'Several machines with the same kind of processor can share the work: start the command on each, with a TRENIO_CACHE_DIR that',
    'all of them see, also over NFS. Each takes programs that no other has claimed; the claim of a process that ended is taken over.',
    'As tasks of srun or mpirun, the machines compile the programs of a training run on all of them.',
    '',
    'Exits with 1 if a program could not be compiled or the script failed. Ctrl-C removes unfinished entries.',
  ].join('\n'),
  positionals: [
    {
      name: 'script',
      description: 'A TypeScript or JavaScript file; or a shell script or command that calls trenio run.',
      required: true,
    },
  ],
  rest: { name: 'args', description: 'Arguments of the script.' },
  options: {
    parallel: {
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: MAX_PARALLEL,
      description: `Compile in N processes, which share the cores. Default: one for each core, ${DEFAULT_PARALLEL} at most.`,
    },
    'nproc-per-node': ranksOption,
    steps: {
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: 1_000_000_000,
      default: 100,
      description: 'Stop the script after this many executions without a new program.',
    },
    json: {
      kind: 'flag',
      description: 'One JSON object: {"found", "compiled", "cached", "failed", "seconds", "programs", …}.',
    },
  },
  examples: [
    { command: 'trenio compile train.ts', explanation: 'trenio run train.ts then starts without compiling' },
    { command: 'trenio compile --parallel 8 train.ts', explanation: 'eight processes' },
    {
      command: 'trenio compile --nproc_per_node=4 train.ts --batch-size 16',
      explanation: 'the programs of four ranks',
    },
    {
      command: 'trenio compile --steps 2000 train.ts',
      explanation: 'covers an epoch of 2,000 steps without a DeviceLoader, and the evaluation after it',
    },
    {
      command: 'srun --nodes=4 --ntasks-per-node=1 env TRENIO_CACHE_DIR=/shared/trenio trenio compile train.ts',
      explanation: 'four machines compile the programs of `srun --nodes=4 … trenio run train.ts`',
    },
  ],
  run: async ({ options, positionals: [script], rest }, context) => {
    if (isProgram(resolve(context.cwd, script!))) return runProgram(script!, rest, context);
    const parallel = options.parallel ?? Math.min(DEFAULT_PARALLEL, availableParallelism());
    const [{ compileScript }, { currentJob }, { checkTasks, launchOfJob }] = await Promise.all([
      import('../../distributed/launch/compile-script.ts'),
      import('../../distributed/launch/job.ts'),
      import('./run-options.ts'),
    ]);
    const job = currentJob(context.environment);
    if (job !== undefined) checkTasks('compile', job, options['nproc-per-node']);
    const started = performance.now();
    using progress = new TaskProgress({ stream: context.stderr, quiet: options.json });
    const output: OutputStream = {
      write: text => {
        progress.write(text);
        return true;
      },
      once: () => undefined,
    };
    const compiled = await compileScript(script!, rest, {
      nprocPerNode: countRanks('compile', options['nproc-per-node']),
      job: job === undefined ? undefined : launchOfJob(job),
      parallel,
      steps: options.steps,
      cwd: context.cwd,
      variables: context.environment,
      output,
      signal: context.signal,
      onProgress: ({ isTracing, found, ready, running }) =>
        progress.update(
          isTracing
            ? { what: `running ${script} without training`, detail: `${ready} of ${found} programs compiled` }
            : { what: 'compiling', done: ready, total: found, unit: 'programs', detail: running.join(', ') },
        ),
    });
    progress.done();
    const summary = summaryOf(compiled, parallel, (performance.now() - started) / 1000);
    context.stdout.write(`${options.json ? JSON.stringify(summary) : describeSummary(summary)}\n`);
    return summary.failed > 0 || summary.runtimeError !== null ? 1 : summary.scriptExitCode;
  },
});

/** A script of a shell, as the first bytes say, or a command: no file here. */
function isProgram(path: string): boolean {
  if (!isFile(path)) return !existsSync(path) && !basename(path).includes('.');
  const [first = ''] = readFileSync(path, 'latin1').split('\n', 1);
  return first.startsWith('#!') && !first.includes('node');
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch (error) {
    expectFileError(error);
    // A loop of links, a name that is too long: reading the script reports it.
    return false;
  }
}

/** Runs it with each `trenio run` in it as `trenio compile`. */
async function runProgram(program: string, args: readonly string[], context: CliContext): Promise<number> {
  const path = resolve(context.cwd, program);
  const child = spawn(isFile(path) ? path : program, args, {
    cwd: context.cwd,
    env: { ...context.environment, TRENIO_RUN_COMPILES: '1' },
    stdio: 'inherit',
    signal: context.signal,
    killSignal: 'SIGTERM',
  });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } catch (error) {
    if (context.signal.aborted) throw error;
    throw new TrenioError('SCRIPT_NOT_FOUND', { path, problem: reasonOf(error) });
  }
}

export interface CompileSummary {
  /** Different programs that the script needs. */
  readonly found: number;
  /** How many were compiled now, how many were in the cache (or were compiled by another process meanwhile), how many failed. */
  readonly compiled: number;
  readonly cached: number;
  readonly failed: number;
  /** How many processes compiled, and how long the command took. */
  readonly parallel: number;
  readonly seconds: number;
  /** The sum over the programs. */
  readonly compileMs: number;
  readonly programs: readonly CompiledProgram[];
  /** Why the library that runs programs could not be compiled. */
  readonly runtimeError: string | null;
  /** The number of executions without a new program after which the script was stopped; null if it ended normally. */
  readonly stoppedAfter: number | null;
  readonly scriptExitCode: number;
}

function summaryOf(
  { programs, runtimeError, stoppedAfter, scriptExitCode }: CompiledScript,
  parallel: number,
  seconds: number,
): CompileSummary {
  const failed = programs.filter(program => program.error !== undefined).length;
  const cached = programs.filter(program => program.fromCache).length;
  return {
    found: programs.length,
    compiled: programs.length - failed - cached,
    cached,
    failed,
    parallel,
    seconds,
    compileMs: programs.reduce((sum, program) => sum + program.compileMs, 0),
    programs,
    runtimeError: runtimeError ?? null,
    stoppedAfter: stoppedAfter ?? null,
    scriptExitCode,
  };
}

/** Exported for its test. */
function describeSummary(summary: CompileSummary): string {
  const { found, compiled, cached, failed, parallel, seconds, programs, runtimeError, stoppedAfter, scriptExitCode } =
    summary;
  const all = [...new Set(programs.flatMap(({ ranks }) => ranks))];
  const rows = programs.map(({ name, ops, kernels, compileMs: ms, fromCache: known, error, ranks }) => [
    ranks.length === all.length ? name : `${name} (rank${ranks.length === 1 ? '' : 's'} ${ranks.join(', ')})`,
    `${ops}`,
    `${kernels}`,
    formatDuration(ms / 1000),
    error === undefined ? (known ? 'from the cache' : 'compiled') : 'failed',
  ]);
  const headers = ['program', 'ops', 'kernels', 'time', 'result'].map((header, i) =>
    i >= 1 && i <= 3 ? ({ header, align: 'right' } as const) : { header },
  );
  const time = `in ${formatDuration(seconds)} with ${parallel} ${parallel === 1 ? 'process' : 'processes'}`;
  return [
    ...(rows.length === 0 ? [] : [formatTable(headers, rows), '']),
    ...programs.flatMap(({ name, error }) => (error === undefined ? [] : [`${name}: ${error}`, ''])),
    ...(runtimeError === null ? [] : [`the runtime: ${runtimeError}`, '']),
    `${found} ${found === 1 ? 'program' : 'programs'} found: ${compiled} compiled, ${cached} from the cache, ${failed} failed, ${time}`,
    ...(stoppedAfter === null
      ? []
      : [`stopped after ${stoppedAfter} executions without a new program; use --steps to continue longer`]),
    ...(scriptExitCode === 0
      ? []
      : [`the script failed with exit code ${scriptExitCode}: programs after that point are missing`]),
  ].join('\n');
}
