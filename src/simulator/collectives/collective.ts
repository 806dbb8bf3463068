// The input and output of the collective model. Plain data.
import type { Machine } from '../../hardware/machine.ts';

export const collectiveKinds = [
  'all-reduce',
  'reduce-scatter',
  'all-gather',
  'all-to-all',
  'permute',
  'broadcast',
] as const;
/** `permute`: every rank sends its tensor to the next rank of the group. */
export type CollectiveKind = (typeof collectiveKinds)[number];

/** The ranks that take part, a rank being a device. All groups of one call are alike. */
export interface Group {
  /** Ranks: `ranksPerNode` × `nodes`, less where they do not fill the last instance. */
  readonly size: number;
  /** Ranks of the group in one instance. */
  readonly ranksPerNode: number;
  /** Instances that it reaches. */
  readonly nodes: number;
  /** Such groups at work in an instance at the same time: they share its links and its network card. */
  readonly groupsPerNode: number;
  /**
   * Distance in devices from one rank of the group to the next within an instance. 1 (default): neighbours, like tensor-parallel
   * ranks; data-parallel ranks are a whole tensor-parallel group apart.
   */
  readonly stride?: number;
}

export interface CollectiveRequest {
  readonly kind: CollectiveKind;
  /** Size of the whole (unscattered) tensor on one rank, as nccl-tests and nccom-test count. */
  readonly bytes: number;
  readonly group: Group;
  readonly machine: Machine;
}

export const algorithms = [
  'none',
  'ring',
  'paired ring',
  'mesh',
  'halving-doubling',
  'torus',
  'tree',
  'direct',
  'flat ring',
  'hierarchical ring',
  'hierarchical halving-doubling',
] as const;
/** `none`: one rank, or nothing to send. The last three cross instances. */
export type Algorithm = (typeof algorithms)[number];

/** Seconds; `seconds` is the sum of the other three. */
export interface CollectiveTime {
  readonly seconds: number;
  readonly algorithm: Algorithm;
  /** Moving bytes within instances: links, or the memory that they end in. */
  readonly intraSeconds: number;
  /** Moving bytes between instances. */
  readonly interSeconds: number;
  /** Start and hops: what an empty tensor would take. */
  readonly latencySeconds: number;
}
