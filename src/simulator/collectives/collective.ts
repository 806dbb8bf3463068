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

/** The participating ranks; a rank is a device. All groups of one call are equal. */
export interface Group {
  /** Ranks: `ranksPerNode` × `nodes`, or fewer if they do not fill the last instance. */
  readonly size: number;
  /** Ranks of the group per instance. */
  readonly ranksPerNode: number;
  /** Number of instances of the group. */
  readonly nodes: number;
  /** Number of such groups that are active in an instance at the same time: they share its links and its network card. */
  readonly groupsPerNode: number;
  /**
   * Distance in devices from one rank of the group to the next within an instance. 1 (default): neighbors, like tensor-parallel
   * ranks; data-parallel ranks are a whole tensor-parallel group apart.
   */
  readonly stride?: number;
}

export interface CollectiveRequest {
  readonly kind: CollectiveKind;
  /** Size of the whole (unscattered) tensor on one rank, as defined by nccl-tests and nccom-test. */
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
/** `none`: one rank, or nothing to send. The last three span instances. */
export type Algorithm = (typeof algorithms)[number];

/** Seconds; `seconds` is the sum of the other three. */
export interface CollectiveTime {
  readonly seconds: number;
  readonly algorithm: Algorithm;
  /** Time to move bytes within instances: links or memory. */
  readonly intraSeconds: number;
  /** Time to move bytes between instances. */
  readonly interSeconds: number;
  /** Start-up and hops: the time for an empty tensor. */
  readonly latencySeconds: number;
}
