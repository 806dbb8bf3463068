// The data of a run's hub: the launchers that have joined, and the state of the attempt.
import type { Ending, HubMessage, NodeMessage, RankFailure } from './messages.ts';

/** The hub's end of the connection to a launcher. */
export interface NodeLink {
  /** The launcher is in the hub's process: the connection cannot be lost. */
  readonly isLocal: boolean;
  send(message: HubMessage): void;
  close(reason: string): void;
}

/** A launcher that has joined. */
export interface Member {
  readonly id: number;
  readonly link: NodeLink;
  readonly join: Extract<NodeMessage, { kind: 'join' }>;
  groupRank: number | undefined;
  heardMs: number;
  isLeaving: boolean;
}

/** The states of the picture in hub.ts. */
export type HubState =
  | {
      readonly kind: 'gathering';
      readonly sinceMs: number;
      lastCallMs: number | undefined;
      /** Why the ranks were stopped; undefined at the start. */
      readonly after: string | undefined;
    }
  | {
      readonly kind: 'running';
      readonly nodes: ReadonlySet<Member>;
      readonly done: Set<Member>;
      suspect: Suspect | undefined;
    }
  | {
      readonly kind: 'stopping';
      readonly waitFor: Set<Member>;
      readonly ending: Ending | undefined;
      readonly reason: string;
      requeue: boolean;
    }
  | { readonly kind: 'ended'; readonly ending: Ending };

/**
 * A failure due to the loss of another rank: that rank is named if its failure arrives in time. Or a failure due to late ranks:
 * their launchers are asked for the state of their ranks.
 */
export interface Suspect {
  failure: RankFailure;
  readonly untilMs: number;
  /** The launchers that were asked and have not replied. */
  readonly asked: Set<Member>;
}
