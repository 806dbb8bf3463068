// `trenio run` as a function: the ranks of a script on this machine, and on others that take part in the same run, for
// scripts that continue afterwards.
import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inheritedVariables, isEagerMode, readVariable, type Variables } from '../../base/environment.ts';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { Interrupted, type InterruptSignal, takeSaveRequest } from '../../base/interrupted.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { reasonOf } from '../../base/read-file.ts';
import { removeEndedRings } from '../../observe/ring-directory.ts';
import { MAX_LOCAL_RANKS } from '../../runtime/execution/rank-info.ts';
import { runsWithoutCompiler } from '../../runtime/toolchain/c-compiler.ts';
import { cacheDirectory } from '../../runtime/toolchain/cache-directory.ts';
import { formatEndpoint, parseEndpoint } from '../rendezvous/endpoint.ts';
import { findSecret, newSecret } from '../rendezvous/secret.ts';
import { errorFileText, writeErrorFile } from './error-file.ts';
import { EXIT_REQUEUE, exitCodeOf } from './exit-requeue.ts';
import { removeStaleLogs, removeStaleSegments } from './left-behind.ts';
import type { RankMemory } from './local-ranks.ts';
import { machineCpus } from './machine-cpus.ts';
import type { Ending, RankFailure } from './messages.ts';
import { type NodeResult, runNode } from './node.ts';
import { makeLogs, NO_STREAMS, type StreamChoice } from './rank-logs.ts';
import type { RendezvousBackend, RunSettings } from './run-settings.ts';
import { startingProgress } from './starting-progress.ts';

/** Where and how the launchers of a run on several machines meet. */
export interface RendezvousOptions {
  /** `host:port`, the same on all machines. */
  readonly endpoint: string;
  /** `static`: node rank 0 hosts it. `c10d`, the default: a launcher on the machine of the endpoint. */
  readonly backend?: RendezvousBackend;
  /** The name of the run. Default: `none`. */
  readonly id?: string;
  /** The index of this machine, from 0; required if the backend is static. */
  readonly nodeRank?: number | undefined;
  /** Whether this launcher hosts the rendezvous. Default: if it runs on the machine of the endpoint. */
  readonly isHost?: boolean | undefined;
  /** A file with the secret that all launchers of the run share. */
  readonly secretFile?: string | undefined;
  /** How long to try to reach the endpoint. Default 60. */
  readonly connectSeconds?: number | undefined;
  /** How long to wait for enough nodes. Default 600. */
  readonly joinSeconds?: number | undefined;
  /** With a range of nodes: how long to wait for more when there are enough. Default 10. */
  readonly lastCallSeconds?: number | undefined;
  /** Default 1. */
  readonly heartbeatSeconds?: number | undefined;
  /** A launcher that is silent for this long is lost. Default 5. */
  readonly heartbeatTimeoutSeconds?: number | undefined;
}

/** Options of `launch`. */
export interface LaunchOptions {
  /** A TypeScript or JavaScript file, relative to `cwd`. */
  readonly script: string;
  /** Its arguments. */
  readonly args?: readonly string[];
  /** The number of ranks; 'auto': one per core, or one if the backend supports no more or there is no C compiler. Default 1. */
  readonly nprocPerNode?: number | 'auto';
  /** The number of machines, each with its launcher. Default 1. */
  readonly nnodes?:
    | number
    | {
        /** The minimum number of machines with which the run starts and continues. */
        readonly min: number;
        /** The maximum number of machines. */
        readonly max: number;
      };
  /** Needed with several machines. */
  readonly rendezvous?: RendezvousOptions | undefined;
  /** The maximum number of times that the ranks are restarted after a failure. Default 0. */
  readonly maxRestarts?: number;
  /** Every launcher has one rank, as `srun` and `mpirun` start them; several on a machine share memory. Default false. */
  readonly oneRankEach?: boolean;
  /** ROLE_NAME of the ranks. Default `default`. */
  readonly role?: string;
  /** Keep output and error files of the ranks in a new folder there. */
  readonly logDir?: string | undefined;
  /** The output that goes only to files. */
  readonly redirects?: StreamChoice;
  /** The output that also goes to files. */
  readonly tee?: StreamChoice;
  /** Local ranks whose output is shown. Default: all. */
  readonly localRanksFilter?: readonly number[] | undefined;
  /** Seconds until ranks that were asked to end are killed. Default 5; after a signal 30, enough for a checkpoint. */
  readonly shutdownSeconds?: number | undefined;
  /** The script is run as a program, such as a shell script, without Node. Default false. */
  readonly isProgram?: boolean | undefined;
  /** Pin each rank to separate cores. Default true, if the system supports it. */
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

/** How a launch ended. */
export interface LaunchResult {
  /**
   * The exit code of the first rank that failed, or that of the signal that ended the launcher; 0 for success, 75 if the ranks
   * ask for a restart.
   */
  readonly exitCode: number;
  /** The error of the rank that failed. Undefined if it was the only one and exited by itself: it has printed its error. */
  readonly failure: TrenioError<'RANK_FAILED'> | undefined;
  /** Why the run ended; undefined if all went well. */
  readonly reason: string | undefined;
  /** The number of times that all ranks were restarted. */
  readonly restarts: number;
  /** The machines of the last attempt, in the order of their group ranks. */
  readonly nodes: readonly {
    /** Its name. */
    readonly host: string;
    /** The number of its ranks. */
    readonly ranks: number;
  }[];
  /** The rank of this machine in the last attempt; undefined if none has started. */
  readonly groupRank: number | undefined;
  /** The rank that failed first. */
  readonly failedRank:
    | {
        /** Its rank among all. */
        readonly rank: number;
        /** The machine that it ran on. */
        readonly host: string;
        /** Its log file; undefined without a log directory. */
        readonly logFile: string | undefined;
      }
    | undefined;
}

const DEFAULT_GRACE_MS = 5000;
/** The grace period after SIGTERM and similar signals: enough for a checkpoint. */
const SIGNAL_GRACE_MS = 30_000;

/**
 * Runs the script to its end on all ranks. If one fails, the others are ended everywhere; the ranks are started again as often
 * as `maxRestarts` allows. Then the rank's message is written to stderr, and its exit code is the result.
 * @throws {SCRIPT_NOT_FOUND}
 * @throws {INVALID_OPTION}
 * @throws {UNSUPPORTED}
 * @throws {SHARED_MEMORY_FAILED}
 * @throws {NO_C_COMPILER}
 * @throws {BAD_ENVIRONMENT}
 * @throws {WRITE_FAILED}
 * @throws {RENDEZVOUS_SECRET}
 * @throws {RENDEZVOUS_UNREACHABLE}
 * @throws {RENDEZVOUS_REFUSED}
 * @throws {PORT_IN_USE}
 * @throws {CANNOT_LISTEN}
 * @example
 * ```ts no-run
 * const { exitCode } = await launch({ script: 'train.ts', nprocPerNode: 2 });
 * ```
 */
export async function launch(options: LaunchOptions): Promise<LaunchResult> {
  const { cpus, canPin } = machineCpus();
  const variables = options.variables ?? inheritedVariables();
  const stderr = options.stderr ?? process.stderr;
  const cwd = options.cwd ?? process.cwd();
  const script = checkScript(options.script, cwd);
  const settings = settingsOf(options, variables);
  const localRanks = await countRanks(options.nprocPerNode ?? 1, cpus.length, variables);
  const say = (line: string): void => void stderr.write(`trenio run: ${line}\n`);
  if (localRanks > cpus.length)
    say(
      `${localRanks} ranks share ${cpus.length} CPU${cpus.length === 1 ? '' : 's'} and will slow each other down; use at most ${cpus.length}`,
    );
  const { redirects = NO_STREAMS, tee = NO_STREAMS, logDir, localRanksFilter } = options;
  const graceMs = options.shutdownSeconds === undefined ? undefined : 1000 * options.shutdownSeconds;
  const shown = localRanksFilter === undefined ? undefined : new Set(localRanksFilter);
  removeStaleLogs();
  const logs = makeLogs({ logDir, run: settings.run, cwd, redirects, tee, shown });
  const signals = options.signal === undefined ? untilSignaled() : undefined;
  let forward: ((signal: NodeJS.Signals) => void) | undefined;
  let isSaveRequested = takeSaveRequest();
  const onUser = (name: NodeJS.Signals): void => {
    if (forward === undefined) isSaveRequested = true;
    else forward(name);
  };
  // Asks a training script for a checkpoint; without a listener it would start Node's debugger in the launcher.
  process.on('SIGUSR1', onUser);
  process.once('exit', logs.remove);
  try {
    const signal = options.signal ?? signals!.signal;
    if (!settings.isAlone || localRanks > 1) await prepareLibrary(variables, signal);
    // A single rank writes straight to the terminal.
    const streams = { stdout: options.stdout ?? process.stdout, stderr };
    using starting =
      settings.isAlone && localRanks > 1 ? startingProgress(localRanks, streams.stdout, stderr) : undefined;
    const result = await runNode({
      settings,
      localRanks,
      signal,
      graceMs: graceMs ?? DEFAULT_GRACE_MS,
      signalGraceMs: graceMs ?? SIGNAL_GRACE_MS,
      say: line => {
        starting?.[Symbol.dispose]();
        say(line);
      },
      onRunning: given => {
        forward = given;
        if (isSaveRequested) given('SIGUSR1');
        isSaveRequested = false;
      },
      ranks: {
        script,
        args: options.args ?? [],
        isProgram: options.isProgram ?? false,
        pin: (options.pin ?? true) && canPin,
        cpus,
        cwd,
        variables,
        ...streams,
        ...starting,
        capture: options.capture ?? false,
        createMemory: ranks => createMemory(ranks, variables),
        listen: address => listen(address, variables),
        role: options.role ?? 'default',
        logs,
        maxRestarts: settings.maxRestarts,
      },
    });
    starting?.[Symbol.dispose]();
    return report(result, settings, logDir !== undefined, variables, say);
  } finally {
    process.off('SIGUSR1', onUser);
    process.off('exit', logs.remove);
    logs.remove();
    removeEndedRings(variables);
    signals?.stop();
  }
}

function report(
  { ending, restarts, place }: NodeResult,
  settings: RunSettings,
  keepsLogs: boolean,
  variables: Variables,
  say: (line: string) => void,
): LaunchResult {
  const nodes = (place?.nodes ?? []).map(({ host, ranks }) => ({ host, ranks }));
  const failure = failureOf(ending, nodes, restarts, keepsLogs);
  const exitCode = exitCodeOf(ending, variables);
  // The failure is in the script: its stack is part of the text, and ours is not useful.
  if (exitCode === EXIT_REQUEUE)
    say(
      `the run is to be started again: exit code ${EXIT_REQUEUE}${ending.reason === undefined ? '' : ` (${ending.reason})`}`,
    );
  else if (failure !== undefined) say(failure.message);
  else if (ending.reason !== undefined && ending.failure === undefined && !settings.isAlone)
    say(`the run has ended: ${ending.reason}`);
  const errorFile = readVariable('TORCHELASTIC_ERROR_FILE', variables);
  if (ending.failure !== undefined && errorFile !== undefined) {
    const { error, lastLines, rank, how } = ending.failure;
    writeErrorFile(errorFile, error ?? errorFileText(`rank ${rank} ${how}`, lastLines.join('\n'), Date.now() / 1000));
  }
  return {
    exitCode,
    failure,
    reason: ending.reason,
    restarts,
    nodes,
    groupRank: place?.groupRank,
    failedRank: ending.failure && {
      rank: ending.failure.rank,
      host: ending.failure.host,
      logFile: keepsLogs ? ending.failure.logFile : undefined,
    },
  };
}

function failureOf(
  { failure }: Ending,
  nodes: LaunchResult['nodes'],
  restarts: number,
  keepsLogs: boolean,
): TrenioError<'RANK_FAILED'> | undefined {
  if (failure === undefined || failure.saidItself) return undefined;
  const { rank, how, lastLines, others, signal, host, logFile, lateRanks }: RankFailure = failure;
  return new TrenioError('RANK_FAILED', {
    rank,
    worldSize: nodes.reduce((sum, node) => sum + node.ranks, 0),
    how,
    lastLines,
    lateRanks,
    others,
    signal,
    host: nodes.length > 1 ? host : undefined,
    restarts: restarts === 0 ? undefined : restarts,
    logFile: keepsLogs ? logFile : undefined,
  });
}

/** @throws {INVALID_OPTION} @throws {RENDEZVOUS_SECRET} @throws {BAD_ENVIRONMENT} */
function settingsOf(options: LaunchOptions, variables: Variables): RunSettings {
  const { nnodes = 1, rendezvous, maxRestarts = 0 } = options;
  const { min, max } = typeof nnodes === 'number' ? { min: nnodes, max: nnodes } : nnodes;
  const invalid = (option: string, got: unknown, expected: string): TrenioError =>
    new TrenioError('INVALID_OPTION', { what: 'launch', option, got: String(got), expected });
  const isCount = (n: number, least: number): boolean => Number.isSafeInteger(n) && n >= least;
  if (!isCount(min, 1) || !isCount(max, min))
    throw invalid('nnodes', `${min}:${max}`, 'N, or MIN:MAX with MIN from 1 to MAX');
  if (!isCount(maxRestarts, 0)) throw invalid('maxRestarts', maxRestarts, 'an integer, 0 or more');
  const isAlone = max === 1;
  if (!isAlone && rendezvous === undefined)
    throw invalid('rendezvous', 'none', 'the endpoint at which the launchers of several machines meet');
  const endpoint = parseEndpoint(rendezvous?.endpoint ?? '127.0.0.1:0');
  if (endpoint === undefined) throw invalid('rendezvous.endpoint', rendezvous?.endpoint, 'HOST:PORT');
  if (!isAlone && endpoint.port === 0)
    throw invalid('rendezvous.endpoint', rendezvous?.endpoint, 'a port that all machines know, not 0');
  const backend = rendezvous?.backend ?? 'c10d';
  const nodeRank = rendezvous?.nodeRank;
  if (!isAlone && backend === 'static' && nodeRank === undefined)
    throw invalid('rendezvous.nodeRank', 'none', `a number from 0 to ${max - 1}, as the backend is static`);
  if (nodeRank !== undefined && !(isCount(nodeRank, 0) && nodeRank < max))
    throw invalid('rendezvous.nodeRank', nodeRank, `a number from 0 to ${max - 1}`);
  const ms = (name: string, seconds: number | undefined, otherwise: number): number => {
    if (seconds === undefined) return otherwise * 1000;
    if (Number.isFinite(seconds) && seconds > 0 && seconds <= 1e6) return seconds * 1000;
    throw invalid(`rendezvous.${name}`, seconds, 'a positive number of seconds');
  };
  const beatMs = ms('heartbeatSeconds', rendezvous?.heartbeatSeconds, 1);
  const lostMs = ms('heartbeatTimeoutSeconds', rendezvous?.heartbeatTimeoutSeconds, 5);
  if (lostMs < 2 * beatMs)
    throw invalid(
      'rendezvous.heartbeatTimeoutSeconds',
      lostMs / 1000,
      `at least twice heartbeatSeconds, ${beatMs / 1000}`,
    );
  return {
    minNodes: min,
    maxNodes: max,
    nodeRank,
    maxRestarts,
    backend,
    run: rendezvous?.id ?? 'none',
    endpoint,
    endpointText: formatEndpoint(endpoint),
    secret: isAlone
      ? newSecret()
      : findSecret({
          variables,
          file: rendezvous?.secretFile,
          defaultFile: join(cacheDirectory(variables), 'rendezvous.secret'),
        }),
    isHost: rendezvous?.isHost,
    isAlone,
    oneRankEach: options.oneRankEach ?? false,
    connectMs: ms('connectSeconds', rendezvous?.connectSeconds, 60),
    joinMs: ms('joinSeconds', rendezvous?.joinSeconds, 600),
    lastCallMs: ms('lastCallSeconds', rendezvous?.lastCallSeconds, 10),
    beatMs,
    lostMs,
  };
}

/** The path of the script. @throws {SCRIPT_NOT_FOUND} */
export function checkScript(script: string, cwd: string): string {
  const path = resolve(cwd, script);
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
    if (isFile) accessSync(path, constants.R_OK);
  } catch (cause) {
    throw new TrenioError('SCRIPT_NOT_FOUND', { path, problem: reasonOf(cause) }, { cause });
  }
  if (!isFile) throw new TrenioError('SCRIPT_NOT_FOUND', { path, problem: 'it is not a file' });
  return path;
}

async function countRanks(wanted: number | 'auto', cores: number, variables: Variables): Promise<number> {
  const backend = isEagerMode(variables) ? 'interpreter' : readVariable('TRENIO_BACKEND', variables);
  // Several ranks share memory through native code.
  if (wanted === 'auto' && runsWithoutCompiler(variables)) return 1;
  // The default backend runs any number of ranks. Others are looked up, which loads all backends.
  if (backend !== undefined && wanted !== 1) {
    const { registeredBackends, tooManyRanks } = await import('../../runtime/backends/all.ts');
    const entry = registeredBackends().find(({ name }) => name === backend.split(':')[0]);
    if (wanted === 'auto') return Math.min(cores, entry?.maxRanks ?? cores);
    // Rejected before the shared memory of several ranks is created: that needs a C compiler, which may be missing here.
    if (entry !== undefined && wanted > entry.maxRanks) throw tooManyRanks(entry, wanted);
  }
  if (wanted === 'auto') return cores;
  if (Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_LOCAL_RANKS) return wanted;
  throw new TrenioError('INVALID_OPTION', {
    what: 'launch',
    option: 'nprocPerNode',
    got: String(wanted),
    expected: `an integer from 1 to ${MAX_LOCAL_RANKS}, or 'auto'`,
  });
}

/** The code for shared memory is loaded only if there are several ranks. */
async function createMemory(ranks: number, variables: Variables): Promise<RankMemory> {
  const { createLaunchMemory } = await import('../../runtime/comm/launch-memory.ts');
  removeStaleSegments();
  return createLaunchMemory(ranks, variables);
}

/** Compiles what `createMemory` and `listen` need, before the rendezvous, where others wait for an answer. */
async function prepareLibrary(variables: Variables, signal: AbortSignal): Promise<void> {
  const { prepareLaunchLibrary } = await import('../../runtime/comm/launch-memory.ts');
  try {
    await prepareLaunchLibrary(variables, signal);
  } catch (error) {
    // `listenersForRanks` does not need it; `createMemory` reports it.
    if (!isTrenioError(error, 'NO_C_COMPILER')) throw error;
  }
}

/** Loaded only if there are several machines. */
async function listen(
  address: string,
  variables: Variables,
): Promise<{ readonly file: number; readonly port: number }> {
  return (await import('../../runtime/comm/listen-for-ranks.ts')).listenForRanks(address, variables);
}

/** An AbortSignal that is aborted when this process gets a signal to exit, until `stop`. */
function untilSignaled(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    // The second signal ends the launcher at once; the ranks die with it.
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
