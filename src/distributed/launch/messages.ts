// The messages between the launchers of a run and the hub of the rendezvous, and their validation.
import type { Message } from '../rendezvous/channel.ts';
import type { LateRank } from './late-ranks.ts';

/** A rank that failed first, wherever it ran. */
export interface RankFailure {
  readonly rank: number;
  readonly host: string;
  readonly pid: number;
  /** "ended with exit code 3" */
  readonly how: string;
  readonly exitCode: number;
  readonly signal: string | undefined;
  readonly lastLines: readonly string[];
  /** Ranks that were running when it failed. */
  readonly others: number;
  readonly logFile: string | undefined;
  /** Content of the rank's error file, as JSON text. */
  readonly error: string | undefined;
  /** It only reports the loss of another rank. */
  readonly lostPeer: boolean;
  /** A single rank that has printed its error itself. */
  readonly saidItself: boolean;
  /** Ranks that it waited for until the time limit. */
  readonly late: readonly number[];
  /** Their activities. */
  readonly lateRanks: readonly LateRank[];
}

/** From a launcher to the hub. */
export type NodeMessage =
  | {
      readonly kind: 'join';
      readonly host: string;
      readonly ranks: number;
      /** The address at which ranks of other nodes reach the ranks of this one, with a port for each. */
      readonly address: string;
      readonly ports: readonly number[];
      /** The transport that the user requested; undefined: any. */
      readonly nodeRank: number | undefined;
      readonly minNodes: number;
      readonly maxNodes: number;
      /** Restarts that the node has seen; a hub that is new counts on from there. */
      readonly restarts: number;
    }
  | { readonly kind: 'beat' }
  | { readonly kind: 'done'; readonly attempt: number }
  | { readonly kind: 'failed'; readonly attempt: number; readonly failure: RankFailure }
  /** All ranks of the node have ended; requeue: one of them with exit code 75. */
  | { readonly kind: 'stopped'; readonly attempt: number; readonly requeue: boolean }
  /** The activities of late ranks, as requested. */
  | { readonly kind: 'activity'; readonly attempt: number; readonly ranks: readonly LateRank[] }
  /** Signals to be passed on to all ranks. */
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  /** The launcher got a signal to end. */
  | { readonly kind: 'leave'; readonly signal: NodeJS.Signals; readonly exitCode: number };

/** One node of an attempt. */
export interface NodePlace {
  readonly host: string;
  readonly ranks: number;
  readonly address: string;
  readonly ports: readonly number[];
}

/** Why an attempt ended. */
export interface Ending {
  readonly exitCode: number;
  /** Undefined if all went well. */
  readonly reason: string | undefined;
  readonly failure: RankFailure | undefined;
  /** It ended because a machine was lost. */
  readonly hasLostNode?: boolean;
}

/** From the hub to a launcher. */
export type HubMessage =
  | { readonly kind: 'welcome'; readonly beatMs: number; readonly lostMs: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly here: number; readonly needed: number }
  | {
      readonly kind: 'start';
      readonly attempt: number;
      readonly restarts: number;
      readonly groupRank: number;
      readonly nodes: readonly NodePlace[];
    }
  | {
      readonly kind: 'stop';
      readonly attempt: number;
      readonly signal: NodeJS.Signals;
      /** Ranks may end by themselves for this long before they get the signal. */
      readonly patienceMs: number;
      /** They may take this long after the signal. */
      readonly graceMs: number;
      /** No rank is lost: they can take a step together and save their state. */
      readonly canMeet: boolean;
      readonly reason: string;
      readonly restart: boolean;
    }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  /** Asks for the state of these ranks of the node. */
  | { readonly kind: 'ask'; readonly attempt: number; readonly ranks: readonly number[] }
  | { readonly kind: 'end'; readonly ending: Ending; readonly restarts: number }
  | { readonly kind: 'beat' };

export const toWire = (message: NodeMessage | HubMessage): Message => message as unknown as Message;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown): value is string => typeof value === 'string';
const SIGNALS: readonly unknown[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGKILL'];

/** Undefined for anything that is not such a message. Peers know the secret; this guards against other versions and bugs. */
export function nodeMessage(message: Message): NodeMessage | undefined {
  const m = message as Record<string, unknown>;
  const isValid = (): boolean => {
    switch (m.kind) {
      case 'join':
        return (
          isText(m.host) &&
          isText(m.address) &&
          Array.isArray(m.ports) &&
          m.ports.every(isCount) &&
          m.ports.length === m.ranks &&
          [m.ranks, m.minNodes, m.maxNodes, m.restarts].every(isCount) &&
          (m.nodeRank === undefined || isCount(m.nodeRank))
        );
      case 'beat':
        return true;
      case 'done':
        return isCount(m.attempt);
      case 'failed':
        return isCount(m.attempt) && isFailure(m.failure);
      case 'stopped':
        return isCount(m.attempt) && typeof m.requeue === 'boolean';
      case 'activity':
        return isCount(m.attempt) && Array.isArray(m.ranks) && m.ranks.every(isLateRank);
      case 'signal':
        return SIGNALS.includes(m.signal);
      case 'leave':
        return SIGNALS.includes(m.signal) && isCount(m.exitCode);
      default:
        return false;
    }
  };
  return isValid() ? (m as unknown as NodeMessage) : undefined;
}

function isFailure(value: unknown): value is RankFailure {
  if (typeof value !== 'object' || value === null) return false;
  const f = value as Record<string, unknown>;
  return (
    [f.rank, f.pid, f.exitCode, f.others].every(isCount) &&
    [f.host, f.how].every(isText) &&
    Array.isArray(f.lastLines) &&
    f.lastLines.every(isText) &&
    Array.isArray(f.late) &&
    f.late.every(isCount) &&
    Array.isArray(f.lateRanks) &&
    f.lateRanks.every(isLateRank)
  );
}

function isLateRank(value: unknown): value is LateRank {
  if (typeof value !== 'object' || value === null) return false;
  const { rank, doing, frames } = value as Record<string, unknown>;
  return isCount(rank) && isText(doing) && Array.isArray(frames) && frames.every(isText);
}
