// Keeps a cluster's processes running: munged, slurmctld and the nodes. One process per cluster, started by create-cluster.
//
//   a daemon has ended       it is restarted, also while a command of Slurm waits for it
//   a node has ended         it is reported to Slurm as down, so its jobs are requeued immediately; then the node is replaced
//   a request by Slurm       dynamic nodes are started or stopped
//   the supervisor ended     all processes continue; the next supervisor adopts them by their identities
import { existsSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  formatIdentity,
  identityOf,
  lifeOf,
  ownIdentity,
  type ProcessIdentity,
  parseIdentity,
} from '../../base/process-identity.ts';
import { CalendarClock } from '../../jobs/capacity/calendar-clock.ts';
import { actionLog, actionProgram, failureFile } from '../actions/action-scripts.ts';
import type { NodeEvent } from '../actions/custom-actions.ts';
import { soldBlocks } from '../blocks/block-book.ts';
import { absentNodes, type ClusterBlock, clusterBlocks } from '../blocks/cluster-block.ts';
import { ReservationKeeper } from '../blocks/reservation-keeper.ts';
import type { ClusterFolder, ClusterState } from '../cluster-folder.ts';
import type { ClusterPlan } from '../cluster-plan.ts';
import type { NodeActions, NodeProvider } from '../node-provider.ts';
import { databaseSocket } from '../slurm/accounting.ts';
import { SlurmClient } from '../slurm/slurm-client.ts';
import { CLUSTER_MARK, slurmVariables } from '../slurm/slurm-programs.ts';
import { requestFolder } from '../slurm/slurm-scripts.ts';
import { SshNodes } from '../ssh/ssh-nodes.ts';
import { measureThroughput, type Throughput } from '../storage/throughput.ts';
import { Daemons } from './daemons.ts';
import { endProcess } from './end-process.ts';
import { LocalNodes } from './local-nodes.ts';
import { nodesOf } from './local-site.ts';
import { markedProcesses } from './marked-processes.ts';

const TICK_MS = 500;
const START_MS = 60_000;
/** The interval between checks of the queue and of drained nodes. */
const JOBS_MS = 5000;
const MAX_RELEASES = 5;
/** A node whose custom actions have failed this often is not started any more. */
const MAX_FAILURES = 3;
/** The interval between checks of the capacity blocks. */
const BLOCKS_MS = 2000;
/** The interval between checks of the user's programs for nodes. */
const PROGRAMS_MS = 5000;

/**
 * Waits for the next second of the clock. slurmctld ignores the registration of a resumed node that booted before its request,
 * in whole seconds, and slurmd reports an uptime of at least 1: a node that started in the second of its request would never be
 * ready.
 */
const nextSecond = (): Promise<void> => sleep(1010 - (Date.now() % 1000));

const isDuplicate = (reason: string | undefined): boolean => reason?.startsWith('Duplicate jobid') ?? false;

interface Running {
  readonly process: ProcessIdentity;
  readonly startedAt: string;
}

export class Supervisor {
  readonly #folder: ClusterFolder;
  readonly #state: ClusterState;
  readonly #plan: ClusterPlan;
  readonly #log: (line: string) => void;
  readonly #slurm: SlurmClient;
  readonly #provider: NodeProvider;
  readonly #daemons: Daemons;
  readonly #nodes = new Map<string, Running>();
  /** When each was started last, to slow down what fails at once. */
  readonly #attempts = new Map<string, number>();
  /** How often each job was released. */
  readonly #releases = new Map<number, number>();
  /** How often the custom actions of a node have failed. */
  readonly #failures = new Map<string, number>();
  /** Request files that are still being written, and since when. */
  readonly #unfinished = new Map<string, number>();
  readonly #reservations: ReservationKeeper;
  readonly #calendar: CalendarClock;
  #blocks: readonly ClusterBlock[] = [];
  /** Nodes of capacity blocks that have not started or have ended. */
  #absent: ReadonlySet<string> = new Set();
  #lookedAtBlocks = Number.NEGATIVE_INFINITY;
  #lookedAtJobs = Number.NEGATIVE_INFINITY;
  #timers: readonly NodeJS.Timeout[] = [];

  constructor(folder: ClusterFolder, state: ClusterState, plan: ClusterPlan, log: (line: string) => void) {
    this.#folder = folder;
    this.#state = state;
    this.#plan = plan;
    this.#log = log;
    this.#slurm = new SlurmClient(folder.conf);
    this.#calendar = new CalendarClock(log);
    this.#reservations = new ReservationKeeper(this.#slurm, folder, log);
    this.#daemons = new Daemons(folder, state, plan.database !== undefined, this.#variables(), log);
    this.#provider =
      state.provider === 'ssh'
        ? new SshNodes(folder, state, this.#variables(), log)
        : new LocalNodes(folder, state, this.#variables());
  }

  /** Adopts running processes, starts the others, and watches them until this process ends. */
  async start(): Promise<void> {
    await this.#provider.open();
    this.#adopt();
    this.#save();
    this.#lookAtBlocks();
    // Commands of Slurm wait for munged and slurmctld, so these are not watched by what waits for such a command.
    await this.#keepMunged();
    this.#repeat(() => this.#keepMunged());
    await this.#keepSlurm();
    this.#repeat(() => this.#keepSlurm());
    await Promise.all(this.#staticNodes().map(name => this.#ensureNode(name)));
    this.#save();
    const tick = this.#repeat(() => this.tick());
    this.#repeat(() => this.#provider.refresh(this.#runningNodes()), PROGRAMS_MS);
    watch(join(this.#folder.path, requestFolder), tick);
    tick();
    await this.#measureVolumes();
  }

  /** Calls a function regularly, once at a time. @returns a function that calls it at once. */
  #repeat(look: () => Promise<void>, everyMs = TICK_MS): () => void {
    let isBusy = false;
    const call = (): void => {
      if (isBusy) return;
      isBusy = true;
      look()
        .catch((error: Error) => this.#log(error.message))
        .finally(() => {
          isBusy = false;
        });
    };
    this.#timers = [...this.#timers, setInterval(call, everyMs)];
    return call;
  }

  /** Measures the throughput of each volume once. */
  async #measureVolumes(): Promise<void> {
    const before = this.#folder.throughputs();
    const measured: Record<string, Throughput> = {};
    for (const { name, folder } of this.#state.volumes) {
      try {
        measured[name] = before[name] ?? (await measureThroughput(folder));
      } catch (error) {
        this.#log(`the throughput of ${folder} could not be measured: ${(error as Error).message}`);
      }
    }
    if (this.#state.volumes.length > 0) this.#folder.writeThroughputs(measured);
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Checks nodes, requests, jobs and blocks once. */
  async tick(): Promise<void> {
    if (!this.#daemons.areRunning) return;
    const { fleetStatus } = this.#folder.state() ?? { fleetStatus: 'STOPPED' };
    await this.#followBlocks();
    await this.#replaceEndedNodes(fleetStatus === 'RUNNING');
    if (fleetStatus === 'RUNNING') {
      await this.#handleRequests();
      await this.#undoHolds();
    }
    if (fleetStatus !== 'RUNNING') await this.#stopFleet();
  }

  #variables(): NodeJS.ProcessEnv {
    const database = { MYSQL_UNIX_PORT: databaseSocket(this.#state.runFolder) };
    return { ...slurmVariables(this.#folder.conf), ...database, [CLUSTER_MARK]: this.#folder.path };
  }

  #staticNodes(): readonly string[] {
    return nodesOf(this.#plan)
      .filter(({ name, group }) => group.kind === 'static' && !this.#absent.has(name))
      .map(({ name }) => name);
  }

  #lookAtBlocks(): void {
    this.#lookedAtBlocks = performance.now();
    this.#blocks = clusterBlocks(this.#plan, soldBlocks(this.#state.serverFolder));
    this.#absent = absentNodes(this.#plan, this.#blocks, this.#calendar.now());
  }

  /** Slurm's reservations follow the blocks; nodes of a block end with it. */
  async #followBlocks(): Promise<void> {
    if (performance.now() - this.#lookedAtBlocks < BLOCKS_MS) return;
    this.#lookAtBlocks();
    const ended = [...this.#absent].filter(name => this.#nodes.has(name));
    await this.#stopNodes(ended);
    if (ended.length > 0) this.#save();
    await this.#reservations.update(this.#blocks, this.#calendar.now());
  }

  #adopt(): void {
    const processes = this.#folder.processes();
    const alive = (text: string | undefined): ProcessIdentity | undefined => {
      const identity = text === undefined ? undefined : parseIdentity(text);
      return identity !== undefined && lifeOf(identity) !== 'ended' ? identity : undefined;
    };
    this.#daemons.adopt(processes);
    for (const [name, { process: text, startedAt }] of Object.entries(processes.nodes)) {
      const process = alive(text);
      if (process !== undefined) this.#nodes.set(name, { process, startedAt });
    }
    // Processes that an earlier supervisor started but did not record.
    const running = [...this.#daemons.processes, ...[...this.#nodes.values()].map(({ process }) => process)];
    const known = new Set(running.map(({ pid }) => pid));
    const marked = markedProcesses(this.#folder.path);
    for (const { pid, parent } of marked)
      if (!known.has(pid) && !marked.some(one => one.pid === parent)) endProcess(identityOf(pid), 'SIGKILL');
  }

  #save(): void {
    this.#folder.writeProcesses({
      supervisor: formatIdentity(ownIdentity()),
      ...this.#daemons.stored(),
      nodes: Object.fromEntries(
        [...this.#nodes].map(([name, { process, startedAt }]) => [
          name,
          { process: formatIdentity(process), startedAt },
        ]),
      ),
    });
  }

  async #keepMunged(): Promise<void> {
    if (await this.#daemons.startMunged()) this.#save();
  }

  async #keepSlurm(): Promise<void> {
    if (await this.#daemons.startSlurm()) this.#save();
  }

  #runningNodes(): readonly string[] {
    return [...this.#nodes].filter(([, { process }]) => lifeOf(process) !== 'ended').map(([name]) => name);
  }

  #mayStart(name: string, restartMs: number): boolean {
    const last = this.#attempts.get(name) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - last < restartMs) return false;
    this.#attempts.set(name, performance.now());
    return true;
  }

  async #ensureNode(name: string): Promise<void> {
    const running = this.#nodes.get(name);
    if (running !== undefined && lifeOf(running.process) !== 'ended') return;
    if (this.#isGivenUp(name) || !this.#mayStart(name, this.#provider.restartMs)) return;
    const isResumed = !this.#staticNodes().includes(name);
    const process = await this.#provider.start({ name, isResumed, actions: this.#actionsOf(name) });
    this.#nodes.set(name, { process, startedAt: new Date().toISOString() });
  }

  #actionsOf(node: string): NodeActions {
    const { path } = this.#folder;
    const queue = nodesOf(this.#plan).find(({ name }) => name === node)?.group.queue;
    const program = (event: NodeEvent): string | undefined =>
      [actionProgram(path, queue, event)].find(one => queue !== undefined && existsSync(one));
    rmSync(failureFile(path, node), { force: true });
    return {
      start: program('OnNodeStart'),
      configured: program('OnNodeConfigured'),
      failure: failureFile(path, node),
      log: actionLog(path, node),
    };
  }

  /** The failures of nodes that ended because a custom action failed; each node is restarted a few times. */
  #failedActions(names: readonly string[]): ReadonlyMap<string, string> {
    const failed = new Map<string, string>();
    for (const name of names) {
      const file = failureFile(this.#folder.path, name);
      if (!existsSync(file)) continue;
      const count = (this.#failures.get(name) ?? 0) + 1;
      this.#failures.set(name, count);
      const end = count < MAX_FAILURES ? '' : '; the node is not started any more';
      const reason = `${readFileSync(file, 'utf8').trim()}${end}`;
      this.#log(`${reason}; see ${actionLog(this.#folder.path, name)}`);
      failed.set(name, reason);
    }
    return failed;
  }

  #isGivenUp(name: string): boolean {
    return (this.#failures.get(name) ?? 0) >= MAX_FAILURES;
  }

  async #replaceEndedNodes(isRunning: boolean): Promise<void> {
    const statics = new Set(this.#staticNodes());
    const ended = [...this.#nodes].filter(([, { process }]) => lifeOf(process) === 'ended').map(([name]) => name);
    const missing = isRunning ? [...statics].filter(name => !this.#nodes.has(name) && !this.#isGivenUp(name)) : [];
    if (ended.length === 0 && missing.length === 0) return;
    if (ended.length > 0) {
      const failed = this.#failedActions(ended);
      const lost = this.#provider.endsWithProcess ? ended.filter(name => !failed.has(name)) : [];
      if (lost.length > 0) {
        this.#log(`${lost.join(', ')} ended; reporting to Slurm`);
        await this.#slurm.run('scontrol', 'update', `nodename=${lost.join(',')}`, 'state=down', 'reason=node ended');
      }
      for (const [name, reason] of failed)
        await this.#slurm.run('scontrol', 'update', `nodename=${name}`, 'state=down', `reason=${reason}`);
    }
    for (const name of ended) this.#nodes.delete(name);
    // A dynamic node that has ended is powered down; Slurm requests it again when a job needs it.
    const gone = ended.filter(name => !statics.has(name));
    if (gone.length > 0)
      await this.#slurm.run('scontrol', 'update', `nodename=${gone.join(',')}`, 'state=power_down_force');
    if (isRunning)
      await Promise.all([...ended.filter(name => statics.has(name)), ...missing].map(name => this.#ensureNode(name)));
    this.#save();
  }

  async #handleRequests(): Promise<void> {
    const folder = join(this.#folder.path, requestFolder);
    for (const file of readdirSync(folder).sort()) {
      const kind = /\.(resume|suspend)$/.exec(file)?.[1];
      if (kind === undefined) continue;
      const names = await this.#slurm.hostNames(readFileSync(join(folder, file), 'utf8').trim());
      if (kind === 'resume') {
        await nextSecond();
        await Promise.all(names.map(name => this.#ensureNode(name)));
      } else await this.#stopNodes(names);
      this.#save();
      rmSync(join(folder, file), { force: true });
    }
    // Files left behind by an interrupted request.
    const unfinished = readdirSync(folder).filter(name => name.endsWith('.new'));
    for (const file of this.#unfinished.keys()) if (!unfinished.includes(file)) this.#unfinished.delete(file);
    for (const file of unfinished) {
      const sinceMs = this.#unfinished.get(file) ?? performance.now();
      this.#unfinished.set(file, sinceMs);
      if (performance.now() - sinceMs > START_MS) rmSync(join(folder, file), { force: true });
    }
  }

  async #undoHolds(): Promise<void> {
    if (performance.now() - this.#lookedAtJobs < JOBS_MS) return;
    this.#lookedAtJobs = performance.now();
    await this.#releaseJobs();
    await this.#resumeNodes();
  }

  /**
   * Slurm requeues and holds a job whose start failed, for example because munged was not running. Such jobs are released a few
   * times.
   */
  async #releaseJobs(): Promise<void> {
    for (const { id, reason } of await this.#slurm.jobs()) {
      const count = this.#releases.get(id) ?? 0;
      if (reason !== 'launch failed requeued held' || count >= MAX_RELEASES) continue;
      this.#releases.set(id, count + 1);
      this.#log(`job ${id} could not be started; it is released again`);
      await this.#slurm.run('scontrol', 'release', String(id));
    }
  }

  /**
   * slurmctld drains a node when it starts a job there that already runs, which it had forgotten when it was killed. The node
   * accepts jobs again when that job has ended.
   */
  async #resumeNodes(): Promise<void> {
    const drained = (await this.#slurm.nodes())
      .filter(({ states, reason }) => states[0] === 'idle' && states.includes('drain') && isDuplicate(reason))
      .map(({ name }) => name);
    if (drained.length === 0) return;
    this.#log(`${drained.join(', ')} had a job that slurmctld had forgotten; used again`);
    await this.#slurm.resume(drained);
  }

  async #stopFleet(): Promise<void> {
    const names = [...this.#nodes.keys()];
    if (names.length === 0) return;
    await this.#stopNodes(names);
    this.#save();
    await this.#slurm.run('scontrol', 'update', `nodename=${names.join(',')}`, 'state=down', 'reason=fleet stopped');
  }

  async #stopNodes(names: readonly string[]): Promise<void> {
    await Promise.all(
      names.map(async name => {
        const running = this.#nodes.get(name);
        this.#nodes.delete(name);
        if (running !== undefined && (!this.#provider.endsWithProcess || lifeOf(running.process) !== 'ended'))
          await this.#provider.stop(name, running.process);
      }),
    );
  }
}
