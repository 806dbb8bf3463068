// `trenio run` as a function: the ranks of a script on this machine, from a script that wants to do something afterwards.
import { inheritedVariables, isEagerMode, readVariable, type Variables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { Interrupted, type InterruptSignal } from '../base/interrupted.ts';
import type { OutputStream } from '../base/output-stream.ts';
import { type LaunchResult, launchRanks, type RankMemory } from './launcher.ts';
import { machineCpus } from './machine-cpus.ts';
import { removeStaleSegments } from './stale-segments.ts';

export interface LaunchOptions {
  /** A TypeScript or JavaScript file, relative to `cwd`. */
  readonly script: string;
  /** What it gets as its arguments. */
  readonly args?: readonly string[];
  /** How many ranks; 'auto': one a core, or one if they shall run on the interpreter. Default 1. */
  readonly nprocPerNode?: number | 'auto';
  /** Keep each rank on its own cores. Default true, where the system can. */
  readonly pin?: boolean;
  readonly cwd?: string;
  readonly variables?: Variables;
  readonly stdout?: OutputStream;
  readonly stderr?: OutputStream;
  /** A single rank's output goes through `stdout` and `stderr` too: it has no terminal of its own then. Default false. */
  readonly capture?: boolean;
  /** Aborting it ends the ranks. Without one, SIGINT and SIGTERM of this process end them. */
  readonly signal?: AbortSignal;
}

/** More cannot share memory. */
export const MAX_RANKS = 4096;

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
  const { places, canPin } = machineCpus();
  const variables = options.variables ?? inheritedVariables();
  const stderr = options.stderr ?? process.stderr;
  const signals = options.signal === undefined ? untilSignalled() : undefined;
  try {
    const result = await launchRanks({
      script: options.script,
      args: options.args ?? [],
      ranks: countRanks(
        options.nprocPerNode ?? 1,
        places.length,
        readVariable('TRENIO_BACKEND', variables)?.split(':')[0] === 'interpreter' || isEagerMode(variables),
      ),
      pin: (options.pin ?? true) && canPin,
      cpus: places,
      cwd: options.cwd ?? process.cwd(),
      variables,
      stdout: options.stdout ?? process.stdout,
      stderr,
      capture: options.capture ?? false,
      signal: options.signal ?? signals!.signal,
      createMemory: ranks => createMemory(ranks, variables),
    });
    // The failure is the script's: its own stack is in the text, ours would say nothing.
    if (result.failure !== undefined) stderr.write(`trenio run: ${result.failure.message}\n`);
    return result;
  } finally {
    signals?.stop();
  }
}

function countRanks(wanted: number | 'auto', cores: number, interpreted: boolean): number {
  if (wanted === 'auto') return interpreted ? 1 : cores;
  // Here rather than in each rank: the shared memory of several needs the C compiler that is missing where one interprets.
  if (interpreted && wanted > 1) {
    const instead = 'start a single rank, or leave TRENIO_BACKEND=interpreter and TRENIO_EAGER out';
    throw new TrenioError('UNSUPPORTED', { what: `a run of ${wanted} ranks`, where: 'the interpreter', instead });
  }
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_RANKS) return wanted;
  throw new TrenioError('INVALID_OPTION', {
    what: 'launch',
    option: 'nprocPerNode',
    got: String(wanted),
    expected: `a whole number from 1 to ${MAX_RANKS}, or 'auto'`,
  });
}

/** What makes shared memory is loaded only if there are several ranks. */
async function createMemory(ranks: number, variables: Variables): Promise<RankMemory> {
  const { createLaunchMemory } = await import('../runtime/comm/launch-memory.ts');
  removeStaleSegments();
  return createLaunchMemory(ranks, variables);
}

/** A signal that is aborted when this process is told to end, until `stop`. */
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
