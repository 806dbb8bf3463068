// A capacity block from the view of a cluster: its nodes and its current phase.
//
//   scheduled ── start ──▶ active ── 30 minutes before the end ──▶ draining ── end ──▶ expired
//                            ◀────────────── extended ─────────────────┘
//
// A block in the file (CapacityReservationId) has its own nodes, which exist only while it is active. A block that was bought for
// the cluster reserves existing nodes.
import type { CapacityBlock } from '../../jobs/capacity/capacity-block.ts';
import { type ClusterPlan, nodeNamesOf } from '../cluster-plan.ts';

/** No job starts in the last half hour of a block, because EC2 terminates its instances then. */
export const DRAIN_MS = 30 * 60_000;

export type BlockPhase = 'scheduled' | 'active' | 'draining' | 'expired';

export const phaseAt = ({ startMs, endMs }: Pick<CapacityBlock, 'startMs' | 'endMs'>, nowMs: number): BlockPhase =>
  nowMs < startMs ? 'scheduled' : nowMs < endMs - DRAIN_MS ? 'active' : nowMs < endMs ? 'draining' : 'expired';

export interface ClusterBlock {
  /** `cr-…`, also the name of the Slurm reservation. */
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly nodes: readonly string[];
  /** Whether the nodes exist only while the block is active. */
  readonly ownsNodes: boolean;
}

/** EC2's name of the reservation of a block. */
export const reservationId = ({ id }: Pick<CapacityBlock, 'id'>): string => `cr-${id}`;
/** The tag with the name of the cluster that a block was bought for. */
export const CLUSTER_TAG = 'trenio:cluster';

/** The blocks of a cluster with their nodes. @param blocks all blocks that have been sold */
export function clusterBlocks(plan: ClusterPlan, blocks: readonly CapacityBlock[]): readonly ClusterBlock[] {
  const named = blocks.flatMap((block): readonly ClusterBlock[] => {
    const nodes = plan.groups.filter(({ blockId }) => blockId === reservationId(block)).flatMap(nodeNamesOf);
    return nodes.length === 0 ? [] : [clusterBlock(block, nodes, true)];
  });
  const reserved: ClusterBlock[] = [];
  for (const block of blocks) {
    if (block.purpose !== 'cluster' || block.tags[CLUSTER_TAG] !== plan.name) continue;
    const free = freeNodes(plan, reserved, block);
    // If there are fewer nodes than were bought, the reservation has all of them, and describe-cluster shows both numbers.
    if (free.length > 0) reserved.push(clusterBlock(block, free.slice(0, block.instanceCount), false));
  }
  return [...named, ...reserved];
}

/** The nodes that a new block for the cluster can reserve. */
export function freeNodes(
  plan: ClusterPlan,
  existing: readonly ClusterBlock[],
  wanted: Pick<CapacityBlock, 'instanceType' | 'startMs' | 'endMs'>,
): readonly string[] {
  const overlapping = existing.filter(one => one.startMs < wanted.endMs && one.endMs > wanted.startMs);
  const taken = new Set(overlapping.flatMap(({ nodes }) => nodes));
  return plan.groups
    .filter(({ blockId, instanceType }) => blockId === undefined && instanceType === wanted.instanceType)
    .flatMap(nodeNamesOf)
    .filter(name => !taken.has(name));
}

const clusterBlock = (block: CapacityBlock, nodes: readonly string[], ownsNodes: boolean): ClusterBlock => ({
  id: reservationId(block),
  startMs: block.startMs,
  endMs: block.endMs,
  instanceType: block.instanceType,
  instanceCount: block.instanceCount,
  nodes,
  ownsNodes,
});

/** Nodes that do not currently exist: their blocks have not started, have ended, or were never bought. */
export function absentNodes(plan: ClusterPlan, blocks: readonly ClusterBlock[], nowMs: number): ReadonlySet<string> {
  const there = new Set(
    blocks
      .filter(block => block.ownsNodes && ['active', 'draining'].includes(phaseAt(block, nowMs)))
      .flatMap(({ nodes }) => nodes),
  );
  const ofBlocks = plan.groups.filter(({ blockId }) => blockId !== undefined).flatMap(nodeNamesOf);
  return new Set(ofBlocks.filter(name => !there.has(name)));
}
