// The hub of a run: which nodes take part, which group ranks they have, when an attempt starts, stops and starts again. It
// lives in the launcher that hosts the rendezvous. It decides; the launchers start and stop ranks (node.ts).
//
//            max nodes are here, or min and the last call is over
//   gathering ──────────────────────────────────────────────▶ running ──── every node is done ───▶ ended
//       ▲                                                        │ a rank failed, a node is gone, left or came
//       └──────── restarts left, or another membership ── stopping ──── otherwise ───────────────▶ ended
//
// The clock is passed in by calling `tick`, so that tests need not wait.
import { EXIT_REQUEUE } from './exit-requeue.ts';
import { byGroupRank, decideStart, type GatheringLimits, refusalOf } from './gathering.ts';
import type { HubState, Member, NodeLink } from './hub-state.ts';
import type { LateRank } from './late-ranks.ts';
import type { Ending, NodeMessage, RankFailure } from './messages.ts';

export interface HubOptions extends GatheringLimits {
  readonly maxRestarts: number;
  readonly beatMs: number;
  /** A node that is silent for this long is lost. */
  readonly lostMs: number;
  /** How long ranks may take to exit after SIGTERM: when another rank has failed. */
  readonly graceMs: number;
  /** The same when a signal ends the run: time for a checkpoint. */
  readonly signalGraceMs: number;
  /** Now, in milliseconds. */
  readonly clock: () => number;
  /** An attempt has ended: its keys are no longer needed. */
  readonly onAttemptEnd?: (attempt: number) => void;
}

/** The interval between calls of `tick`. */
export const TICK_MS = 200;
const WAITING_EVERY_MS = 1000;
/** How long launchers may take to find out what late ranks do. */
const ASK_MS = 7000;

export class Hub {
  readonly #options: HubOptions;
  readonly #members = new Map<NodeLink, Member>();
  readonly #ended = Promise.withResolvers<Ending>();
  #state: HubState;
  #attempt = -1;
  #restarts = 0;
  #nextId = 0;
  #beatMs = 0;
  #toldMs = 0;
  #tickedMs: number;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#tickedMs = options.clock();
    this.#state = { kind: 'gathering', sinceMs: options.clock(), lastCallMs: undefined, after: undefined };
  }

  /** Resolves when the run has ended, whatever the reason. */
  get ended(): Promise<Ending> {
    return this.#ended.promise;
  }

  receive(link: NodeLink, message: NodeMessage): void {
    const member = this.#members.get(link);
    if (message.kind === 'join') {
      if (member === undefined) this.#join(link, message);
      return;
    }
    if (member === undefined) return;
    member.heardMs = this.#options.clock();
    switch (message.kind) {
      case 'beat':
        return;
      case 'done':
        this.#done(member, message.attempt);
        return;
      case 'failed':
        this.#failed(member, message.attempt, message.failure);
        return;
      case 'stopped':
        this.#stopped(member, message.attempt, message.requeue);
        return;
      case 'activity':
        this.#answered(member, message.attempt, message.ranks);
        return;
      case 'signal':
        for (const one of this.#members.values()) one.link.send(message);
        return;
      case 'leave':
        this.#leave(member, message.signal, message.exitCode);
        return;
    }
  }

  /** The connection to a launcher has ended. */
  disconnected(link: NodeLink, reason: string): void {
    const member = this.#members.get(link);
    if (member !== undefined) this.#lost(member, `is gone (${reason})`);
  }

  /** Must be called every `TICK_MS`. */
  tick(): void {
    const now = this.#options.clock();
    const sinceMs = now - this.#tickedMs;
    this.#tickedMs = now;
    // This process was stopped, or compiled: messages that the launchers sent meanwhile must still be read.
    if (sinceMs > TICK_MS + this.#options.lostMs / 2)
      for (const member of this.#members.values()) member.heardMs = Math.min(now, member.heardMs + sinceMs);
    if (now - this.#beatMs >= this.#options.beatMs) {
      this.#beatMs = now;
      for (const { link } of this.#members.values()) link.send({ kind: 'beat' });
    }
    for (const member of [...this.#members.values()]) {
      const silentMs = now - member.heardMs;
      if (member.link.isLocal || silentMs <= this.#options.lostMs) continue;
      this.#lost(member, `has not been heard of for ${Math.round(silentMs / 1000)} s`);
      member.link.close('not heard of');
    }
    const state = this.#state;
    if (state.kind === 'gathering') this.#tryStart();
    if (state.kind === 'running' && state.suspect !== undefined && now >= state.suspect.untilMs)
      this.#fail(state.suspect.failure);
  }

  #join(link: NodeLink, join: Extract<NodeMessage, { kind: 'join' }>): void {
    const { minNodes, maxNodes, beatMs, lostMs } = this.#options;
    const refusal =
      this.#state.kind === 'ended' ? 'the run has ended' : refusalOf(join, this.#options, this.#members.values());
    if (refusal !== undefined) {
      link.send({ kind: 'refused', reason: refusal });
      return;
    }
    const now = this.#options.clock();
    const member: Member = { id: this.#nextId++, link, join, groupRank: undefined, heardMs: now, isLeaving: false };
    this.#members.set(link, member);
    // A node that has seen more restarts existed before this hub: continue its count.
    this.#restarts = Math.max(this.#restarts, join.restarts);
    link.send({ kind: 'welcome', beatMs, lostMs });
    const state = this.#state;
    if (state.kind === 'gathering') this.#tryStart();
    else if (state.kind === 'running' && minNodes < maxNodes && state.nodes.size < maxNodes && state.done.size === 0)
      this.#stop(undefined, `node ${join.host} has come`);
  }

  #done(member: Member, attempt: number): void {
    const state = this.#state;
    if (state.kind !== 'running' || attempt !== this.#attempt || !state.nodes.has(member)) return;
    state.done.add(member);
    if (state.done.size === state.nodes.size && state.suspect === undefined)
      this.#end({ exitCode: 0, reason: undefined, failure: undefined });
  }

  #failed(member: Member, attempt: number, failure: RankFailure): void {
    const state = this.#state;
    if (state.kind !== 'running' || attempt !== this.#attempt || !state.nodes.has(member)) return;
    const { clock, lostMs, beatMs } = this.#options;
    if (failure.late.length > 0) {
      // All waiting ranks report the same.
      if (state.suspect?.failure.late.length) return;
      state.suspect = { failure, untilMs: clock() + ASK_MS, asked: new Set(this.#ask(failure.late)) };
      if (state.suspect.asked.size === 0) this.#fail(failure);
      return;
    }
    if (!failure.lostPeer || state.nodes.size === 1) {
      this.#fail(failure);
      return;
    }
    state.suspect ??= { failure, untilMs: clock() + lostMs + 2 * beatMs, asked: new Set() };
  }

  /** Asks the launchers of these ranks for their state. Returns the launchers that were asked. */
  #ask(late: readonly number[]): readonly Member[] {
    let first = 0;
    const asked: Member[] = [];
    for (const member of this.#running()) {
      const ranks = late.filter(rank => rank >= first && rank < first + member.join.ranks);
      first += member.join.ranks;
      if (ranks.length === 0 || !this.#members.has(member.link)) continue;
      member.link.send({ kind: 'ask', attempt: this.#attempt, ranks });
      asked.push(member);
    }
    return asked;
  }

  #answered(member: Member, attempt: number, ranks: readonly LateRank[]): void {
    const state = this.#state;
    if (state.kind !== 'running' || attempt !== this.#attempt || !state.suspect?.asked.delete(member)) return;
    const { failure, asked } = state.suspect;
    state.suspect.failure = { ...failure, lateRanks: [...failure.lateRanks, ...ranks] };
    if (asked.size === 0) this.#fail(state.suspect.failure);
  }

  /** The nodes of the attempt, by group rank. */
  #running(): readonly Member[] {
    const state = this.#state;
    if (state.kind !== 'running') return [];
    return [...state.nodes].toSorted((a, b) => (a.groupRank ?? 0) - (b.groupRank ?? 0));
  }

  #fail(failure: RankFailure): void {
    const late = failure.lateRanks.map(
      ({ rank, doing, frames }) => `; rank ${rank} ${[doing, frames[0]?.trim()].join(' ').trim()}`,
    );
    const reason = `rank ${failure.rank} ${failure.how}${late.join('')}`;
    const ending: Ending = { exitCode: failure.exitCode, reason, failure };
    // The ranks have saved their state and want to be started again by any node that started us.
    if (failure.exitCode === EXIT_REQUEUE) this.#stop(ending, reason, { patienceMs: this.#options.graceMs });
    else this.#restartOr(ending);
  }

  #restartOr(ending: Ending): void {
    const how = { canMeet: false };
    if (this.#restarts >= this.#options.maxRestarts) {
      this.#stop(ending, ending.reason!, how);
      return;
    }
    this.#restarts++;
    this.#stop(undefined, ending.reason!, how);
  }

  #lost(member: Member, how: string): void {
    this.#members.delete(member.link);
    const name = `node ${member.groupRank ?? member.id} (${member.join.host})`;
    const state = this.#state;
    switch (state.kind) {
      case 'gathering':
        this.#tryStart();
        return;
      case 'running':
        if (!state.nodes.has(member)) return;
        this.#restartOr({ exitCode: 1, reason: `${name} ${how}`, failure: undefined, hasLostNode: true });
        return;
      case 'stopping':
        this.#stopped(member, this.#attempt, false);
        return;
      case 'ended':
        return;
    }
  }

  #leave(member: Member, signal: NodeJS.Signals, exitCode: number): void {
    if (member.isLeaving) return;
    member.isLeaving = true;
    const reason = `node ${member.groupRank ?? member.id} (${member.join.host}) was stopped by ${signal}`;
    const others = [...this.#members.values()].filter(m => !m.isLeaving).length;
    const state = this.#state;
    if (state.kind === 'running' && !state.nodes.has(member)) {
      this.#dismiss(member, { exitCode, reason, failure: undefined });
      return;
    }
    const isHost = member.id === 0;
    if (!isHost && others >= this.#options.minNodes && this.#options.minNodes < this.#options.maxNodes) {
      if (state.kind === 'running') {
        this.#stop(undefined, reason, { signal });
        return;
      }
      if (state.kind === 'gathering') {
        this.#dismiss(member, { exitCode, reason, failure: undefined });
        return;
      }
      return;
    }
    const ending: Ending = { exitCode, reason, failure: undefined };
    if (state.kind === 'running') this.#stop(ending, reason, { signal, graceMs: this.#options.signalGraceMs });
    else if (state.kind === 'gathering') this.#end(ending);
    else if (state.kind === 'stopping') this.#state = { ...state, ending: state.ending ?? ending };
  }

  /** @param ending undefined: gather again afterwards */
  #stop(
    ending: Ending | undefined,
    reason: string,
    how: {
      readonly signal?: NodeJS.Signals;
      readonly patienceMs?: number;
      readonly graceMs?: number;
      readonly canMeet?: boolean;
    } = {},
  ): void {
    const state = this.#state;
    if (state.kind !== 'running') return;
    const { signal = 'SIGTERM', patienceMs = 0, graceMs = this.#options.graceMs, canMeet = true } = how;
    const waitFor = new Set([...state.nodes].filter(member => this.#members.has(member.link)));
    this.#state = { kind: 'stopping', waitFor, ending, reason, requeue: false };
    const restart = ending === undefined;
    for (const member of waitFor)
      member.link.send({ kind: 'stop', attempt: this.#attempt, signal, patienceMs, graceMs, canMeet, reason, restart });
    if (waitFor.size === 0) this.#allStopped();
  }

  #stopped(member: Member, attempt: number, requeue: boolean): void {
    const state = this.#state;
    if (state.kind !== 'stopping' || attempt !== this.#attempt || !state.waitFor.delete(member)) return;
    state.requeue ||= requeue;
    if (member.isLeaving && state.ending === undefined)
      this.#dismiss(member, {
        exitCode: requeue ? EXIT_REQUEUE : 143,
        reason: 'it was asked to stop',
        failure: undefined,
      });
    if (state.waitFor.size === 0) this.#allStopped();
  }

  #allStopped(): void {
    const state = this.#state;
    if (state.kind !== 'stopping') return;
    this.#options.onAttemptEnd?.(this.#attempt);
    if (state.ending !== undefined) {
      const isSignal = state.ending.failure === undefined && state.ending.exitCode > 128;
      this.#end(isSignal && state.requeue ? { ...state.ending, exitCode: EXIT_REQUEUE } : state.ending);
      return;
    }
    const sinceMs = this.#options.clock();
    this.#state = { kind: 'gathering', sinceMs, lastCallMs: undefined, after: state.reason };
    this.#tryStart();
  }

  #dismiss(member: Member, ending: Ending): void {
    this.#members.delete(member.link);
    member.link.send({ kind: 'end', ending, restarts: this.#restarts });
  }

  #tryStart(): void {
    const state = this.#state;
    if (state.kind !== 'gathering') return;
    const now = this.#options.clock();
    const here = [...this.#members.values()].filter(member => !member.isLeaving);
    const decision = decideStart(state, here, now, this.#options);
    if (decision === 'start') {
      this.#start(here);
      return;
    }
    if ('giveUp' in decision) {
      this.#end({ exitCode: 1, reason: decision.giveUp, failure: undefined });
      return;
    }
    if (now - this.#toldMs < WAITING_EVERY_MS) return;
    this.#toldMs = now;
    for (const { link } of here) link.send({ kind: 'waiting', here: here.length, needed: decision.needed });
  }

  #start(here: readonly Member[]): void {
    const chosen = byGroupRank(here, this.#options.maxNodes);
    for (const member of this.#members.values()) member.groupRank = undefined;
    const nodes = chosen.map(({ join: { host, ranks, address, ports } }) => ({ host, ranks, address, ports }));
    this.#attempt++;
    this.#state = { kind: 'running', nodes: new Set(chosen), done: new Set(), suspect: undefined };
    for (const [groupRank, member] of chosen.entries()) {
      member.groupRank = groupRank;
      member.link.send({ kind: 'start', attempt: this.#attempt, restarts: this.#restarts, groupRank, nodes });
    }
  }

  #end(ending: Ending): void {
    this.#state = { kind: 'ended', ending };
    for (const { link } of this.#members.values()) link.send({ kind: 'end', ending, restarts: this.#restarts });
    this.#ended.resolve(ending);
  }
}
