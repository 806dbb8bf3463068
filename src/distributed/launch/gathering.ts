// The gathering of the nodes of an attempt: who may join, when the attempt starts, and which group ranks the nodes get.
import type { HubState, Member } from './hub-state.ts';
import type { NodeMessage } from './messages.ts';

/** The limits of a run that decide when it starts. */
export interface GatheringLimits {
  readonly minNodes: number;
  readonly maxNodes: number;
  /** How long to wait for `minNodes`. */
  readonly joinMs: number;
  /** How long to wait for more nodes once `minNodes` have joined. */
  readonly lastCallMs: number;
}

/** Why a launcher may not join; undefined if it may. */
export function refusalOf(
  { minNodes, maxNodes, nodeRank, host }: Extract<NodeMessage, { kind: 'join' }>,
  own: GatheringLimits,
  members: Iterable<Member>,
): string | undefined {
  if (minNodes !== own.minNodes || maxNodes !== own.maxNodes)
    return `--nnodes is ${own.minNodes}:${own.maxNodes} there and ${minNodes}:${maxNodes} here`;
  if (nodeRank === undefined) return undefined;
  if (nodeRank >= maxNodes) return `--node-rank is ${nodeRank}, but there are ${maxNodes} nodes`;
  const other = [...members].find(m => m.join.nodeRank === nodeRank && !m.isLeaving);
  return other === undefined ? undefined : `--node-rank ${nodeRank} is taken by ${other.join.host}; this is ${host}`;
}

/** Decides for the nodes that have joined: start, wait for the given number of nodes, or give up. Records the last call. */
export function decideStart(
  state: Extract<HubState, { kind: 'gathering' }>,
  here: readonly Member[],
  nowMs: number,
  { minNodes, maxNodes, joinMs, lastCallMs }: GatheringLimits,
): 'start' | { readonly needed: number } | { readonly giveUp: string } {
  if (here.length < minNodes) state.lastCallMs = undefined;
  else state.lastCallMs ??= nowMs + lastCallMs;
  if (here.length >= maxNodes || (state.lastCallMs !== undefined && nowMs >= state.lastCallMs)) return 'start';
  if (here.length < minNodes && nowMs - state.sinceMs >= joinMs) {
    const seconds = Math.round(joinMs / 1000);
    const hosts = here.map(member => member.join.host).join(', ');
    const came = `only ${here.length} of ${minNodes} nodes (${hosts}) came within ${seconds} s`;
    return { giveUp: state.after === undefined ? came : `${state.after}; ${came}` };
  }
  return { needed: here.length < minNodes ? minNodes : maxNodes };
}

/** The nodes that take part. Their group ranks: the requested ones first, then their previous ones, then the order of arrival. */
export const byGroupRank = (here: readonly Member[], maxNodes: number): readonly Member[] =>
  here.toSorted((a, b) => order(a) - order(b) || a.id - b.id).slice(0, maxNodes);

const order = ({ join, groupRank }: Member): number => join.nodeRank ?? groupRank ?? Number.MAX_SAFE_INTEGER;
