// `trenio run`: starts N ranks of one script on this machine, each on its share of the cores, and sees that they end
// together. Not a cluster: one machine; Slurm places ranks on several.
//
//            ┌─ rank 0 ─┐   stdout, stderr, line by line        a rank fails, or we are told to stop:
//   launcher ┼─ rank 1 ─┼─▶ [rank 1] …                            signal → grace → SIGKILL, memory marked dead,
//            └─ …      ─┘   shared memory: gradients              its last lines shown, its exit code ours
//
// Ranks die with the launcher even if it is killed (rank-preload.ts). The contract of the environment is torchrun's.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { Interrupted } from '../../base/interrupted.ts';
import type { OutputStream } from '../../base/output-stream.ts';
import { type CpuPlace, shareCores } from './core-shares.ts';
import { type PrefixedStream, type RankEnd, RankProcess } from './rank-process.ts';

/** The launcher's view of the memory through which the ranks all-reduce gradients. */
export interface RankMemory {
  readonly name: string;
  /** Wakes every rank that waits for another: it gets an error instead of waiting for ever. */
  markDead(): void;
  /** Takes the name away. Ranks that are attached keep what they have. May be called twice. */
  unlink(): void;
}

export interface LaunchRanksOptions {
  /** A path, relative to cwd. */
  readonly script: string;
  readonly args: readonly string[];
  readonly ranks: number;
  /** Each rank on its own cores only. */
  readonly pin: boolean;
  readonly cwd: string;
  readonly variables: Variables;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** A single rank's output goes through `stdout` and `stderr` too, instead of straight to this process's own streams. */
  readonly capture?: boolean;
  /** Aborting it (with an `Interrupted`) ends the ranks. */
  readonly signal: AbortSignal;
  /** The CPUs to share out. */
  readonly cpus: readonly CpuPlace[];
  readonly createMemory: (ranks: number) => Promise<RankMemory>;
  /** How long a rank may take to exit after the signal. */
  readonly graceMs?: number;
}

/** How a launch ended. */
export interface LaunchResult {
  /** Of the first rank that failed, or of the signal that ended us; 0 if all went well. */
  readonly exitCode: number;
  /** The error of the rank that failed. Undefined if it was the only one and exited by itself: it has printed its error. */
  readonly failure: TrenioError<'RANK_FAILED'> | undefined;
}

const DEFAULT_GRACE_MS = 5000;
/** How long to look for the rank that another one reported as lost, before blaming the reporting rank. */
const LOST_PEER_MS = 1000;
const PREFIX_COLOURS = [36, 33, 35, 32, 34, 31];

/** Runs the script to its end on all ranks. @throws {SCRIPT_NOT_FOUND} before anything is started */
export async function launchRanks(options: LaunchRanksOptions): Promise<LaunchResult> {
  const script = checkScript(options.script, options.cwd);
  const shares = shareCores(options.cpus, options.ranks);
  if (options.ranks > options.cpus.length) {
    options.stderr.write(
      `trenio run: ${options.ranks} ranks share ${options.cpus.length} CPU${options.cpus.length === 1 ? '' : 's'} and will slow each other down; use at most ${options.cpus.length}\n`,
    );
  }
  const single = options.ranks === 1;
  const memory = single ? undefined : await options.createMemory(options.ranks);
  const ranks: RankProcess[] = [];
  // The last resort, for a second Ctrl-C and for bugs: no process or memory is left behind.
  const lastResort = (): void => {
    for (const rank of ranks) rank.kill('SIGKILL');
    memory?.unlink();
  };
  process.once('exit', lastResort);
  try {
    for (const [rank, cpus] of shares.entries()) {
      ranks.push(
        new RankProcess({
          rank,
          worldSize: options.ranks,
          script,
          args: options.args,
          cwd: options.cwd,
          variables: options.variables,
          cpus,
          pin: options.pin,
          sharedMemory: memory?.name,
          output:
            single && options.capture !== true
              ? undefined
              : { stdout: prefixed(options.stdout, rank, options), stderr: prefixed(options.stderr, rank, options) },
        }),
      );
    }
    return await supervise(ranks, memory, options);
  } finally {
    lastResort();
    process.off('exit', lastResort);
  }
}

/** Waits for the ranks; at the first failure, or when told to stop, stops the others. */
async function supervise(
  ranks: readonly RankProcess[],
  memory: RankMemory | undefined,
  options: LaunchRanksOptions,
): Promise<LaunchResult> {
  const stop = Promise.withResolvers<RankEnd | Interrupted>();
  const onAbort = (): void => {
    const { reason } = options.signal;
    stop.resolve(reason instanceof Interrupted ? reason : new Interrupted('SIGTERM'));
  };
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  for (const rank of ranks) {
    void rank.ended.then(end => {
      // A rank that exits successfully leaves the shared memory by itself; ranks that wait for it notice that.
      if (end.exitCode !== 0) stop.resolve(end);
    });
  }
  const cause = await Promise.race([Promise.all(ranks.map(rank => rank.ended)), stop.promise]);
  options.signal.removeEventListener('abort', onAbort);
  const blamed = cause instanceof Interrupted || Array.isArray(cause) ? undefined : await rootCause(cause, ranks);
  const running = ranks.filter(rank => rank.running);
  await endRanks(
    running,
    cause instanceof Interrupted ? forwarded(cause) : 'SIGTERM',
    memory,
    options.graceMs ?? DEFAULT_GRACE_MS,
  );
  await Promise.all(ranks.map(rank => rank.drain()));
  if (cause instanceof Interrupted) return { exitCode: cause.exitCode, failure: undefined };
  if (blamed === undefined) return { exitCode: 0, failure: undefined };
  const failed = blamed;
  // A single rank writes to our own streams: its error is already there, and a second message would hide it.
  const saidItself = ranks.length === 1 && failed.signal === undefined && failed.startError === undefined;
  if (saidItself) return { exitCode: failed.exitCode, failure: undefined };
  return { exitCode: failed.exitCode, failure: describeFailure(failed, ranks, running.length) };
}

/** A rank that reports the loss of another one is not to blame: the lost one is exiting too. */
async function rootCause(failed: RankEnd, ranks: readonly RankProcess[]): Promise<RankEnd> {
  const lostAnother = async ({ rank }: RankEnd): Promise<boolean> => {
    await ranks[rank]?.drain();
    return ranks[rank]?.lastErrorLines.some(line => line.includes('[PEER_LOST]')) ?? false;
  };
  if (!(await lostAnother(failed))) return failed;
  const found = Promise.withResolvers<RankEnd>();
  const giveUp = setTimeout(() => found.resolve(failed), LOST_PEER_MS);
  for (const rank of ranks) {
    void rank.ended.then(async end => {
      if (end.exitCode !== 0 && !(await lostAnother(end))) found.resolve(end);
    });
  }
  const blamed = await found.promise;
  clearTimeout(giveUp);
  return blamed;
}

async function endRanks(
  running: readonly RankProcess[],
  signal: NodeJS.Signals,
  memory: RankMemory | undefined,
  graceMs: number,
): Promise<void> {
  // First the signal, then the mark: a rank without a handler is gone before it could complain about its neighbour.
  for (const rank of running) rank.kill(signal);
  if (running.length > 0) memory?.markDead();
  const kill = setTimeout(() => {
    for (const rank of running) if (rank.running) rank.kill('SIGKILL');
  }, graceMs);
  await Promise.all(running.map(rank => rank.ended));
  clearTimeout(kill);
}

/** The ranks get what we got; a reader that went away (SIGPIPE) is for them a plain request to end. */
function forwarded({ signal }: Interrupted): NodeJS.Signals {
  return signal === 'SIGPIPE' ? 'SIGTERM' : signal;
}

function describeFailure(failed: RankEnd, ranks: readonly RankProcess[], ended: number): TrenioError<'RANK_FAILED'> {
  const how =
    failed.startError !== undefined
      ? `could not be started: ${failed.startError}`
      : failed.signal !== undefined
        ? `(process ${failed.pid}) was ended by ${failed.signal}`
        : `(process ${failed.pid}) ended with exit code ${failed.exitCode}`;
  const lastLines = ranks[failed.rank]?.lastErrorLines ?? [];
  return new TrenioError('RANK_FAILED', {
    rank: failed.rank,
    worldSize: ranks.length,
    how,
    lastLines,
    others: ended,
    signal: failed.signal,
  });
}

function checkScript(script: string, cwd: string): string {
  const path = resolve(cwd, script);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new TrenioError('SCRIPT_NOT_FOUND', { path, problem: 'there is no such file' });
  if (!stat.isFile()) throw new TrenioError('SCRIPT_NOT_FOUND', { path, problem: 'it is not a file' });
  return path;
}

/** The prefix is coloured on a terminal, plain in a file. */
function prefixed(stream: OutputStream, rank: number, { variables, ranks }: LaunchRanksOptions): PrefixedStream {
  if (ranks === 1) return { stream, prefix: '' };
  const plain = `[rank ${rank}] `;
  if (stream.isTTY !== true || readVariable('NO_COLOR', variables) !== undefined) return { stream, prefix: plain };
  return { stream, prefix: `\u001b[${PREFIX_COLOURS[rank % PREFIX_COLOURS.length]!}m${plain}\u001b[0m` };
}
