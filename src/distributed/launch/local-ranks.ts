// The ranks of one attempt on this machine: started together, each on its share of the cores, watched, and ended together.
//
//            ┌─ rank 0 ─┐   stdout, stderr, line by line        a rank fails, or we are told to stop:
//   launcher ┼─ rank 1 ─┼─▶ [rank 1] …                            signal → grace → SIGKILL, memory marked dead,
//            └─ …      ─┘   shared memory: gradients              its last lines kept for the report
//
// Ranks die with the launcher even if it is killed (rank-preload.ts). The contract of the environment is torchrun's.
import { cpus as availableCpus, hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIfThere } from '../../base/file-error.ts';
import { processStat } from '../../base/process-stat.ts';
import { type AttemptPlace, firstRank, usesNetwork, worldSize } from './attempt-place.ts';
import { type CpuPlace, shareCores } from './core-shares.ts';
import { EXIT_REQUEUE } from './exit-requeue.ts';
import { describeLate, type LateRank, lateRanks } from './late-ranks.ts';
import type { RankFailure } from './messages.ts';
import { rankEnvironment, waitLimit } from './rank-environment.ts';
import { type LogFiles, type LogSettings, logFilesOf } from './rank-logs.ts';
import { type RankOutputOptions, rankOutputs } from './rank-output.ts';
import { type RankEnd, RankProcess } from './rank-process.ts';
import { type StoppedWatch, watchStopped } from './stopped-ranks.ts';

/** The launcher's view of the memory through which the ranks of this machine all-reduce gradients. */
export interface RankMemory {
  readonly name: string;
  /** Wakes every rank that waits for another: it gets an error instead of waiting forever. */
  markDead(): void;
  /** Removes the name. Attached ranks keep their mappings. May be called twice. */
  unlink(): void;
}

/** The settings that are the same for every attempt. */
export interface LocalRanksOptions extends RankOutputOptions {
  /** An absolute path. */
  readonly script: string;
  readonly args: readonly string[];
  readonly isProgram: boolean;
  /** Each rank on its own cores only. */
  readonly pin: boolean;
  readonly cwd: string;
  /** The CPUs to distribute. */
  readonly cpus: readonly CpuPlace[];
  readonly createMemory: (ranks: number) => Promise<RankMemory>;
  /** Opens a socket at which ranks of other machines reach one of this one. */
  readonly listen: (address: string) => Promise<{ readonly file: number; readonly port: number }>;
  readonly role: string;
  readonly logs: LogSettings;
  readonly maxRestarts: number;
}

/** The time to look for the rank that another one reported as lost, before blaming the reporting rank. */
const LOST_PEER_MS = 1000;
/** For ranks whose grace period is over, which then get an error for their collectives. */
const LATE_EXIT_MS = 1000;

export interface StopOptions {
  /** The time they have to end by themselves before the signal. */
  readonly patienceMs?: number;
  /** The time they have to end after it. */
  readonly graceMs: number;
  readonly canMeet?: boolean;
}

export class LocalRanks {
  readonly #ranks: readonly RankProcess[];
  readonly #memory: RankMemory | undefined;
  readonly #place: AttemptPlace;
  readonly #logs: readonly LogFiles[];
  readonly #stopped: StoppedWatch & Disposable;
  readonly #memoryKills = memoryKills();
  /** The failure of the rank that failed first; undefined if all succeeded. */
  readonly outcome: Promise<RankFailure | undefined>;
  readonly #lastResort = (): void => this.kill();

  private constructor(
    ranks: readonly RankProcess[],
    memory: RankMemory | undefined,
    place: AttemptPlace,
    logs: readonly LogFiles[],
    { variables, stderr }: LocalRanksOptions,
  ) {
    this.#ranks = ranks;
    this.#memory = memory;
    this.#place = place;
    this.#logs = logs;
    // For a second Ctrl-C and for bugs: no process or memory is left behind.
    process.once('exit', this.#lastResort);
    this.#stopped = watchStopped({
      // A single rank may be stopped and continued like any other program.
      ranks: worldSize(place) > 1 ? ranks : [],
      isWholeRun: worldSize(place) === ranks.length,
      // A collective that waits for the rank ends the run first: its error says more.
      limitMs: waitLimit(variables),
      stateOf: pid => processStat(pid)?.state,
      say: text => stderr.write(`trenio run: ${text}\n`),
    });
    this.outcome = this.#watch();
    void this.outcome.then(() => this.#stopped[Symbol.dispose]());
  }

  /** @throws {SHARED_MEMORY_FAILED} @throws {NO_C_COMPILER} @throws {WRITE_FAILED} */
  static async start(options: LocalRanksOptions, place: AttemptPlace, shared?: RankMemory): Promise<LocalRanks> {
    const count = place.nodes[place.groupRank]!.ranks;
    const memory = shared ?? (count === 1 ? undefined : await options.createMemory(count));
    const first = firstRank(place);
    const logs: LogFiles[] = [];
    const ranks: RankProcess[] = [];
    const outputs = rankOutputs(options, place);
    try {
      for (const [localRank, cpus] of sharesOf(options.cpus, place).entries()) {
        const files = logFilesOf(options.logs, place.restarts, localRank);
        logs.push(files);
        ranks.push(
          new RankProcess({
            rank: first + localRank,
            environment: rankEnvironment(options, place, localRank, files),
            script: options.script,
            args: options.args,
            isProgram: options.isProgram,
            cwd: options.cwd,
            variables: options.variables,
            cpus,
            pin: options.pin,
            sharedMemory: memory?.name,
            watched: worldSize(place) > 1,
            listener: usesNetwork(place) ? place.listeners?.[localRank] : undefined,
            output: outputs(first + localRank, files),
          }),
        );
      }
    } catch (error) {
      for (const rank of ranks) rank.kill('SIGKILL');
      memory?.unlink();
      throw error;
    }
    return new LocalRanks(ranks, memory, place, logs, options);
  }

  /** Forwards a signal to the ranks, which handle it themselves. */
  signal(signal: NodeJS.Signals): void {
    for (const rank of this.#ranks) {
      if (signal === 'SIGUSR1') void rank.requestSave();
      else if (rank.running) rank.kill(signal);
    }
  }

  /**
   * Ends them: by themselves, then with the signal, then with SIGKILL. Afterwards no processes are left.
   * `canMeet`: no rank is lost, so that they can take a step together and save their state.
   */
  async stop(
    signal: NodeJS.Signals,
    { patienceMs = 0, graceMs, canMeet = false }: StopOptions,
  ): Promise<{ readonly requeue: boolean }> {
    const all = Promise.all(this.#ranks.map(rank => rank.ended));
    if (patienceMs > 0) await within(all, patienceMs);
    const running = this.#ranks.filter(rank => rank.running);
    // First the signal, then the mark: a rank without a handler ends before it can report the loss of another.
    for (const rank of running) rank.kill(signal);
    // One that is stopped would not see the signal until it is continued.
    for (const rank of running) if (processStat(rank.pid)?.state === 'T') rank.kill('SIGCONT');
    // Ranks that save their state first need each other for the last step, until one of them ends.
    const meets = canMeet && running.length === this.#ranks.length;
    if (meets) await within(Promise.race(running.map(rank => rank.ended)), graceMs);
    if (running.length > 0) this.#memory?.markDead();
    const isLate = meets && running.every(rank => rank.running);
    await within(all, isLate ? Math.min(graceMs, LATE_EXIT_MS) : graceMs);
    for (const rank of this.#ranks) if (rank.running) rank.kill('SIGKILL');
    const ends = await all;
    await Promise.all(this.#ranks.map(rank => rank.drain()));
    this.kill();
    process.off('exit', this.#lastResort);
    return { requeue: ends.some(end => end.exitCode === EXIT_REQUEUE) };
  }

  /** The current activities of these ranks. */
  activities(ranks: readonly number[]): Promise<readonly LateRank[]> {
    const asked = this.#ranks.filter(({ rank, running }) => running && ranks.includes(rank));
    return Promise.all(
      asked.map(async rank => {
        const state = processStat(rank.pid)?.state;
        return describeLate(rank.rank, state, state === 'T' ? undefined : await rank.activity());
      }),
    );
  }

  /** Kills them at once. */
  kill(): void {
    for (const rank of this.#ranks) rank.kill('SIGKILL');
    this.#memory?.unlink();
  }

  async #watch(): Promise<RankFailure | undefined> {
    const failed = Promise.withResolvers<RankEnd>();
    for (const rank of this.#ranks) {
      void rank.ended.then(end => {
        // A rank that exits successfully detaches from the shared memory; ranks that wait for it notice that.
        if (end.exitCode !== 0) failed.resolve(end);
      });
    }
    const first = await Promise.race([Promise.all(this.#ranks.map(rank => rank.ended)), failed.promise]);
    if (!('exitCode' in first)) {
      await Promise.all(this.#ranks.map(rank => rank.drain()));
      return undefined;
    }
    return this.#describe(await this.#rootCause(first));
  }

  #local(end: RankEnd): RankProcess {
    return this.#ranks[end.rank - firstRank(this.#place)]!;
  }

  async #lostAnother(end: RankEnd): Promise<boolean> {
    await this.#local(end).drain();
    return this.#local(end).lastErrorLines.some(line => line.includes('[PEER_LOST]'));
  }

  /** A rank that reports the loss of another one is not the cause: the lost one is also exiting. */
  async #rootCause(failed: RankEnd): Promise<RankEnd> {
    if (!(await this.#lostAnother(failed))) return failed;
    const found = Promise.withResolvers<RankEnd>();
    const giveUp = setTimeout(() => found.resolve(failed), LOST_PEER_MS);
    for (const rank of this.#ranks) {
      void rank.ended.then(async end => {
        if (end.exitCode !== 0 && !(await this.#lostAnother(end))) found.resolve(end);
      });
    }
    const blamed = await found.promise;
    clearTimeout(giveUp);
    return blamed;
  }

  /** The kernel counts the processes that it ends when a machine or a control group has no memory left. */
  #byKernel({ signal }: RankEnd): string {
    return signal === 'SIGKILL' && memoryKills() > this.#memoryKills
      ? ' by the kernel, which had no memory left for it (see its control group, --mem of Slurm, or the size of the machine)'
      : '';
  }

  async #describe(end: RankEnd): Promise<RankFailure> {
    const running = this.#ranks.filter(rank => rank.running).length;
    const rank = this.#local(end);
    await rank.drain();
    const { nodes, groupRank } = this.#place;
    const logs = this.#logs[end.rank - firstRank(this.#place)]!;
    const error = readErrorFile(logs.error);
    // A rank that ended itself, as rank-watcher.ts does, has left the reason in its error file.
    const stoppedLauncher =
      end.signal === 'SIGKILL' ? /the launcher \(process \d+\) was stopped [^"]*/.exec(error ?? '') : null;
    const stopped =
      stoppedLauncher === null ? this.#stopped.ended.get(end.rank) : `has ended, as ${stoppedLauncher[0]}`;
    const how =
      end.startError !== undefined
        ? `could not be started: ${end.startError}`
        : stopped !== undefined
          ? `(process ${end.pid}) ${stopped}`
          : end.signal !== undefined
            ? `(process ${end.pid}) was ended by ${end.signal}${this.#byKernel(end)}`
            : `(process ${end.pid}) ended with exit code ${end.exitCode}`;
    const elsewhere = nodes.reduce((sum, node, i) => sum + (i === groupRank ? 0 : node.ranks), 0);
    return {
      rank: end.rank,
      host: nodes[groupRank]!.host,
      pid: end.pid,
      how,
      exitCode: end.exitCode,
      signal: stopped === undefined ? end.signal : undefined,
      lastLines: rank.lastErrorLines,
      others: running + elsewhere,
      logFile: logs.stderr,
      error,
      lostPeer: await this.#lostAnother(end),
      late: lateRanks(rank.lastErrorLines),
      lateRanks: [],
      // A single rank writes to our own streams: its error is already there, and a second message would hide it.
      saidItself:
        worldSize(this.#place) === 1 &&
        end.signal === undefined &&
        end.startError === undefined &&
        logs.stderr === undefined,
    };
  }
}

/** The cores of each rank that is started here. */
function sharesOf(cpus: readonly CpuPlace[], { nodes, groupRank, site }: AttemptPlace): readonly (readonly number[])[] {
  if (site === undefined) return shareCores(cpus, nodes[groupRank]!.ranks);
  // srun and mpirun may have bound each task to its own cores; those are all its.
  const isBound = cpus.length < availableCpus().length;
  return [isBound ? cpus.map(({ cpu }) => cpu) : shareCores(cpus, site.localRanks)[site.localRank]!];
}

const memoryKills = (): number => Number(/^oom_kill (\d+)/m.exec(readIfThere('/proc/vmstat') ?? '')?.[1] ?? 0);

function readErrorFile(file: string): string | undefined {
  // The rank may not have written one, because it was killed or is not a Trenio script.
  return readIfThere(file);
}

/** Waits for a promise, but no longer than this. */
export async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  const late = new AbortController();
  // Only `late` can reject it.
  const timeout = sleep(ms, undefined, { signal: late.signal }).catch(() => {});
  await Promise.race([promise, timeout]);
  late.abort();
}

/** The name of this machine in messages. */
export const thisHost = (): string => hostname();
