// The validated settings of a run: its nodes, where they meet, the number of restarts.
import type { Endpoint } from '../rendezvous/endpoint.ts';

const rendezvousBackends = ['c10d', 'static'] as const;
export type RendezvousBackend = (typeof rendezvousBackends)[number];

export interface RunSettings {
  readonly minNodes: number;
  readonly maxNodes: number;
  /** undefined: the rendezvous decides. */
  readonly nodeRank: number | undefined;
  readonly maxRestarts: number;
  readonly backend: RendezvousBackend;
  /** The name of the run (--rdzv-id). */
  readonly run: string;
  readonly endpoint: Endpoint;
  /** For messages. */
  readonly endpointText: string;
  readonly secret: string;
  /** Whether this launcher hosts the rendezvous; undefined: if it runs on the endpoint's machine. */
  readonly isHost: boolean | undefined;
  /** Whether no other launcher takes part. */
  readonly isAlone: boolean;
  /** Every launcher has one rank; those of a machine are neighbors that share memory. */
  readonly oneRankEach: boolean;
  readonly connectMs: number;
  readonly joinMs: number;
  readonly lastCallMs: number;
  readonly beatMs: number;
  readonly lostMs: number;
}
