// One node of a run: the launcher's side of the rendezvous. It joins the hub, starts and stops the ranks of this machine as
// the hub says, and sends heartbeats. If the hub itself is lost, the ranks are stopped; while restarts are left, the
// node goes to the rendezvous again.
import { readVariable } from '../../base/environment.ts';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { Interrupted } from '../../base/interrupted.ts';
import { type Store, storePrefix } from '../rendezvous/store.ts';
import { type AttemptPlace, type Site, siteOf } from './attempt-place.ts';
import { LocalRanks, type LocalRanksOptions, type RankMemory, type StopOptions, thisHost } from './local-ranks.ts';
import { type Meeting, meet } from './meet.ts';
import type { Ending, HubMessage, NodeMessage } from './messages.ts';
import { listenersForRanks, type RankListeners } from './rank-ports.ts';
import type { RunSettings } from './run-settings.ts';
import { ObservationSharing } from './share-observations.ts';

export interface NodeOptions {
  readonly settings: RunSettings;
  readonly ranks: LocalRanksOptions;
  /** The number of ranks to start here. */
  readonly localRanks: number;
  /** Aborting it (with an `Interrupted`) ends the node's part in the run. */
  readonly signal: AbortSignal;
  readonly graceMs: number;
  /** Time for a checkpoint after SIGTERM. */
  readonly signalGraceMs: number;
  /** A line for the user. */
  readonly say: (line: string) => void;
  /** Called with a function that passes a signal on to the ranks of all nodes. */
  readonly onRunning?: (forward: (signal: NodeJS.Signals) => void) => void;
}

export interface NodeResult {
  readonly ending: Ending;
  readonly restarts: number;
  readonly attempts: number;
  /** The place in the last attempt. */
  readonly place: AttemptPlace | undefined;
}

type Part = { readonly kind: 'ended'; readonly ending: Ending } | { readonly kind: 'lost'; readonly reason: string };

/** The time that a launcher stopped by a signal waits for the hub's message after its ranks have ended. */
const FAREWELL_MS = 5000;
const FIRST_NOTICE_MS = 2000;
const NEXT_NOTICE_MS = 10_000;

/** @throws {RENDEZVOUS_UNREACHABLE} @throws {RENDEZVOUS_REFUSED} @throws {PORT_IN_USE} @throws {CANNOT_LISTEN} */
export async function runNode(options: NodeOptions): Promise<NodeResult> {
  const node = new RunningNode(options);
  for (;;) {
    let meeting: Meeting;
    try {
      meeting = await meet({ ...options, restarts: node.restarts });
    } catch (error) {
      if (options.signal.aborted) return node.result(interrupted(options.signal));
      if (node.lostReason !== undefined && isTrenioError(error))
        return node.result({
          exitCode: 1,
          reason: `${node.lostReason}; ${error.message}`,
          failure: undefined,
          hasLostNode: true,
        });
      throw error;
    }
    let part: Part;
    try {
      part = await node.takePart(meeting);
    } finally {
      await meeting.close();
    }
    if (part.kind === 'ended') return node.result(part.ending);
    if (options.signal.aborted) return node.result(interrupted(options.signal));
    if (node.restarts >= options.settings.maxRestarts || options.settings.isAlone)
      return node.result({ exitCode: 1, reason: part.reason, failure: undefined, hasLostNode: true });
    node.lostReason = part.reason;
    node.restarts++;
    options.say(
      `${part.reason}; going to the rendezvous again (restart ${node.restarts} of ${options.settings.maxRestarts})`,
    );
  }
}

function interrupted({ reason }: AbortSignal): Ending {
  const cause = reason instanceof Interrupted ? reason : new Interrupted('SIGTERM');
  return { exitCode: cause.exitCode, reason: `it was stopped by ${cause.signal}`, failure: undefined };
}

class RunningNode {
  restarts = 0;
  lostReason: string | undefined;
  readonly #options: NodeOptions;
  #attempts = 0;
  #place: AttemptPlace | undefined;

  constructor(options: NodeOptions) {
    this.#options = options;
  }

  result(ending: Ending): NodeResult {
    return { ending, restarts: this.restarts, attempts: this.#attempts, place: this.#place };
  }

  /** From joining to the end of the run, or the loss of the hub. */
  async takePart({ link, master, address, store }: Meeting): Promise<Part> {
    const { settings, signal, say, graceMs, signalGraceMs } = this.#options;
    const done = Promise.withResolvers<Part>();
    const reached = readVariable('TRENIO_COMM_ADDRESS', this.#options.ranks.variables) ?? address;
    const listeners: RankListeners = settings.isAlone
      ? { ports: new Array<number>(this.#options.localRanks).fill(0), files: undefined, close: () => {} }
      : await listenersForRanks(reached, this.#options.localRanks, this.#options.ranks.listen);
    const send = (message: NodeMessage): void => link.send(message);
    let ranks: LocalRanks | undefined;
    let isSaveRequested = false;
    let sharing: ObservationSharing | undefined;
    let lostMs = settings.lostMs;
    let heardMs = performance.now();
    let tickedMs = heardMs;
    let isStopping = false;
    let canceled = Promise.withResolvers<void>();
    const cancelRequested = (): boolean => isStopping;
    const cancel = (): void => {
      isStopping = true;
      canceled.resolve();
    };
    let notice = performance.now() + FIRST_NOTICE_MS;
    // One after the other: a stop that comes while ranks are being started waits for the start.
    let work = Promise.resolve();
    const inTurn = (task: () => Promise<void>): void => {
      work = work.then(task).catch(error => done.reject(error));
    };

    const start = async (message: Extract<HubMessage, { kind: 'start' }>): Promise<void> => {
      if (signal.aborted) return;
      const { attempt, restarts, groupRank, nodes } = message;
      this.restarts = restarts;
      this.#attempts++;
      const site = settings.oneRankEach ? siteOf(nodes, groupRank) : undefined;
      this.#place = { attempt, restarts, groupRank, nodes, master, site, lostMs, listeners: listeners.files };
      isStopping = false;
      canceled = Promise.withResolvers();
      const memory = site && (await this.#siteMemory(site, store, storePrefix(attempt), canceled.promise));
      if (cancelRequested()) {
        memory?.unlink();
        return;
      }
      const started = await LocalRanks.start(this.#options.ranks, this.#place, memory);
      sharing?.close();
      const { variables } = this.#options.ranks;
      if (nodes.length > 1) sharing = new ObservationSharing({ store, groupRank, groups: nodes.length, variables });
      ranks = started;
      if (isSaveRequested) started.signal('SIGUSR1');
      isSaveRequested = false;
      void started.outcome.then(failure => {
        if (isStopping) return;
        if (failure === undefined) send({ kind: 'done', attempt });
        else send({ kind: 'failed', attempt, failure });
      });
    };
    const stop = async (cause: NodeJS.Signals, how: StopOptions): Promise<boolean> => {
      isStopping = true;
      const stopped = await ranks?.stop(cause, how);
      ranks = undefined;
      return stopped?.requeue ?? false;
    };
    const receive = (message: HubMessage): void => {
      heardMs = performance.now();
      switch (message.kind) {
        case 'beat':
          return;
        case 'welcome':
          lostMs = message.lostMs;
          return;
        case 'refused':
          done.reject(
            new TrenioError('RENDEZVOUS_REFUSED', { endpoint: settings.endpointText, reason: message.reason }),
          );
          return;
        case 'waiting': {
          if (performance.now() < notice) return;
          notice = performance.now() + NEXT_NOTICE_MS;
          say(`waiting for nodes at ${settings.endpointText}: ${message.here} of ${message.needed} are here`);
          return;
        }
        case 'start':
          inTurn(() => start(message));
          return;
        case 'stop': {
          cancel();
          if (message.restart) say(`${message.reason}; stopping the ranks of all nodes to start them again`);
          inTurn(async () => {
            const requeue = await stop(message.signal, message);
            send({ kind: 'stopped', attempt: message.attempt, requeue });
          });
          return;
        }
        case 'signal':
          if (ranks === undefined) isSaveRequested ||= message.signal === 'SIGUSR1';
          else ranks.signal(message.signal);
          return;
        case 'ask': {
          const { attempt } = message;
          void Promise.resolve(ranks?.activities(message.ranks)).then((found = []) =>
            send({ kind: 'activity', attempt, ranks: found }),
          );
          return;
        }
        case 'end':
          this.restarts = message.restarts;
          cancel();
          inTurn(async () => {
            await stop('SIGTERM', { graceMs });
            done.resolve({ kind: 'ended', ending: message.ending });
          });
          return;
      }
    };
    const lost = (reason: string): void => {
      cancel();
      inTurn(async () => {
        await stop('SIGTERM', { graceMs });
        done.resolve({ kind: 'lost', reason });
      });
    };
    const onAbort = (): void => {
      const { reason } = signal;
      const cause = reason instanceof Interrupted ? reason : new Interrupted('SIGTERM');
      const forwarded = cause.signal === 'SIGPIPE' ? 'SIGTERM' : cause.signal;
      send({ kind: 'leave', signal: forwarded, exitCode: cause.exitCode });
      cancel();
      inTurn(async () => {
        const requeue = await stop(forwarded, { graceMs: signalGraceMs, canMeet: true });
        send({ kind: 'stopped', attempt: this.#place?.attempt ?? 0, requeue });
        // The hub's message should arrive now; if it does not, the node is done.
        setTimeout(() => done.resolve({ kind: 'lost', reason: 'asked to stop' }), FAREWELL_MS).unref();
      });
    };

    link.onMessage(receive);
    void link.closed.then(reason => lost(`the rendezvous at ${settings.endpointText} is gone (${reason})`));
    const ticker = setInterval(() => {
      const now = performance.now();
      // A launcher that was stopped itself has messages to read first.
      const wasStopped = now - tickedMs > settings.beatMs + lostMs / 2;
      tickedMs = now;
      send({ kind: 'beat' });
      if (wasStopped || link.isLocal || now - heardMs <= lostMs) return;
      link.close('not heard of');
      lost(
        `the launcher at ${settings.endpointText} has not been heard of for ${Math.round((now - heardMs) / 1000)} s`,
      );
    }, settings.beatMs);
    signal.addEventListener('abort', onAbort, { once: true });
    send({
      kind: 'join',
      host: thisHost(),
      ranks: this.#options.localRanks,
      address: reached,
      ports: listeners.ports,
      nodeRank: settings.nodeRank,
      minNodes: settings.minNodes,
      maxNodes: settings.maxNodes,
      restarts: this.restarts,
    });
    this.#options.onRunning?.(name => send({ kind: 'signal', signal: name }));
    if (signal.aborted) onAbort();
    try {
      return await done.promise;
    } finally {
      clearInterval(ticker);
      sharing?.close();
      signal.removeEventListener('abort', onAbort);
      isStopping = true;
      // Needed after an error; in all other cases they have ended.
      await ranks?.stop('SIGTERM', { graceMs });
      listeners.close();
    }
  }

  /** The first rank of a machine creates the memory that all of them share; the others get its name. */
  async #siteMemory(
    { localRank, localRanks, host }: Site,
    store: Store,
    prefix: string,
    canceled: Promise<void>,
  ): Promise<RankMemory | undefined> {
    if (localRanks === 1) return undefined;
    const key = `${prefix}memory/${host}`;
    if (localRank === 0) {
      const memory = await this.#options.ranks.createMemory(localRanks);
      await store.set(key, memory.name);
      return memory;
    }
    const made = store.wait([key]);
    // After a cancellation it is no longer awaited.
    made.catch(() => {});
    await Promise.race([made, canceled]);
    const name = await store.get(key);
    // Its creator marks and unlinks it.
    return name === undefined ? undefined : { name, markDead: () => {}, unlink: () => {} };
  }
}
