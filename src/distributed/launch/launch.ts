// `trenio run` as a function: the ranks of a script on this machine, for scripts that continue afterwards.
import { inheritedVariables, isEagerMode, readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { Interrupted, type InterruptSignal } from '../../base/interrupted.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { MAX_LOCAL_RANKS } from '../../runtime/execution/rank-info.ts';
import { type LaunchResult, launchRanks, type RankMemory } from './launcher.ts';
import { machineCpus } from './machine-cpus.ts';
import { removeStaleSegments } from './stale-segments.ts';

/** Options of `launch`. */
export interface LaunchOptions {
  /** A TypeScript or JavaScript file, relative to `cwd`. */
  readonly script: string;
  /** What it gets as its arguments. */
  readonly args?: readonly string[];
  /** How many ranks; 'auto': one for each core, as far as the backend supports several. Default 1. */
  readonly nprocPerNode?: number | 'auto';
  /** Keep each rank on its own cores. Default true, where the system can. */
  readonly pin?: boolean;
  /** The working directory of the ranks. Default: that of this process. */
  readonly cwd?: string;
  /** The environment variables of the ranks. Default: those of this process. */
  readonly variables?: Variables;
  /** Where the output of the ranks is written. Default: standard output. */
  readonly stdout?: OutputStream;
  /** Where the errors of the ranks are written. Default: standard error. */
  readonly stderr?: OutputStream;
  /** A single rank's output goes through `stdout` and `stderr` too: it has no terminal then. Default false. */
  readonly capture?: boolean;
  /** Aborting it ends the ranks. Without one, SIGINT and SIGTERM of this process end them. */
  readonly signal?: AbortSignal;
}

/**
 * Runs the script to its end on all ranks. If one fails, the others are ended, what it said is written to stderr, and its
 * exit code is the result's.
 * @throws {SCRIPT_NOT_FOUND}
 * @throws {INVALID_OPTION}
 * @throws {UNSUPPORTED}
 * @throws {SHARED_MEMORY_FAILED}
 * @throws {NO_C_COMPILER}
 * @throws {BAD_ENVIRONMENT}
 */
export async function launch(options: LaunchOptions): Promise<LaunchResult> {
  const { cpus, canPin } = machineCpus();
  const variables = options.variables ?? inheritedVariables();
  const stderr = options.stderr ?? process.stderr;
  const signals = options.signal === undefined ? untilSignalled() : undefined;
  try {
    const result = await launchRanks({
      script: options.script,
      args: options.args ?? [],
      ranks: await countRanks(options.nprocPerNode ?? 1, cpus.length, variables),
      pin: (options.pin ?? true) && canPin,
      cpus,
      cwd: options.cwd ?? process.cwd(),
      variables,
      stdout: options.stdout ?? process.stdout,
      stderr,
      capture: options.capture ?? false,
      signal: options.signal ?? signals!.signal,
      createMemory: ranks => createMemory(ranks, variables),
    });
    // The failure is in the script: its stack is part of the text, and ours is not useful.
    if (result.failure !== undefined) stderr.write(`trenio run: ${result.failure.message}\n`);
    return result;
  } finally {
    signals?.stop();
  }
}

async function countRanks(wanted: number | 'auto', cores: number, variables: Variables): Promise<number> {
  const backend = isEagerMode(variables) ? 'interpreter' : readVariable('TRENIO_BACKEND', variables);
  // The default backend runs any number of ranks. Others are looked up, which loads all backends.
  if (backend !== undefined && wanted !== 1) {
    const { registeredBackends, tooManyRanks } = await import('../../runtime/backends/all.ts');
    const entry = registeredBackends().find(({ name }) => name === backend.split(':')[0]);
    if (wanted === 'auto') return Math.min(cores, entry?.maxRanks ?? cores);
    // Refused before the shared memory of several ranks is made: that needs a C compiler, which may be missing here.
    if (entry !== undefined && wanted > entry.maxRanks) throw tooManyRanks(entry, wanted);
  }
  if (wanted === 'auto') return cores;
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_LOCAL_RANKS) return wanted;
  throw new TrenioError('INVALID_OPTION', {
    what: 'launch',
    option: 'nprocPerNode',
    got: String(wanted),
    expected: `a whole number from 1 to ${MAX_LOCAL_RANKS}, or 'auto'`,
  });
}

/** What makes shared memory is loaded only if there are several ranks. */
async function createMemory(ranks: number, variables: Variables): Promise<RankMemory> {
  const { createLaunchMemory } = await import('../../runtime/comm/launch-memory.ts');
  removeStaleSegments();
  return createLaunchMemory(ranks, variables);
}

/** A signal that is aborted when this process is told to exit, until `stop`. */
function untilSignalled(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    // The second one means now; the ranks die with us.
    if (controller.signal.aborted) process.exit(new Interrupted(signal as InterruptSignal).exitCode);
    controller.abort(new Interrupted(signal as InterruptSignal));
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
