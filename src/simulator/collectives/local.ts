// Reduce-scatter and all-gather among the ranks of one instance, by algorithm. All-reduce is both in sequence.
//
// There are two limits, and the slower one determines the time: the links out of a chip, and the memory of a rank, which
// every byte passes through at each step (a ring's reduce-scatter reads the partial sum and its own part and writes their
// sum: 3 touches; its all-gather reads and writes: 2).
import { assertNever } from '../../base/errors.ts';
import type { Reach } from './reach.ts';
import type { CommunicationStack, LocalAlgorithm } from './stack.ts';

/** Seconds; `latency` is the time for an empty tensor, without the start. */
export interface Cost {
  readonly latency: number;
  readonly transfer: number;
}

const nothing: Cost = { latency: 0, transfer: 0 };

/** One of the two halves of an all-reduce of `bytes` bytes; undefined if the algorithm does not support the group. */
export function localCost(
  algorithm: LocalAlgorithm,
  reduce: boolean,
  bytes: number,
  reach: Reach,
  stack: CommunicationStack,
): Cost | undefined {
  const { ranks, ranksPerChip, chips, chipRate, links, distance, dimensionSteps, memoryRate, hop } = reach;
  if (ranks === 1) return nothing;
  const moved = (bytes * (ranks - 1)) / ranks;
  const offChip = (bytes * (chips - 1)) / chips;
  const touched = (moved * (reduce ? 3 : 2)) / memoryRate;
  const step = hop + (reduce ? stack.reduceStep : stack.gatherStep);
  switch (algorithm) {
    case 'ring':
      // Several cycles without a common link at the same time: all links of a chip are busy.
      return { latency: (ranks - 1) * step, transfer: Math.max(moved / chipRate, touched) };
    case 'paired ring': {
      // The two ranks of a chip alternate as the one that the ring passes through, while the other reads or writes.
      if (ranksPerChip < 2 || chips === 1) return undefined;
      const beside = (moved * (reduce ? 2 : 1.5)) / memoryRate;
      return { latency: (ranks / 2) * step, transfer: Math.max(offChip / chipRate, beside) };
    }
    case 'mesh': {
      // One routed step to every chip, in which links also carry the data of others; then one step within the chip.
      const shared = (bytes * (reduce ? 1 + 2 / ranksPerChip : 2)) / memoryRate;
      return {
        latency: (chips > 1 && ranksPerChip > 1 ? 2 : 1) * hop,
        transfer: Math.max((offChip * distance) / (chipRate * stack.routedEfficiency), shared),
      };
    }
    case 'halving-doubling': {
      // A torus of sides of 2 and 4 is a hypercube: each step goes along one axis, ranks of one chip along different ones.
      if ((chips & (chips - 1)) !== 0) return undefined;
      const idle = Math.max(1, links / ranksPerChip);
      const within = (bytes * (reduce ? 1 + 4 / ranksPerChip : 2)) / memoryRate;
      return {
        latency: (Math.log2(chips) + (ranksPerChip > 1 ? 1 : 0)) * hop,
        transfer: Math.max((offChip * idle) / chipRate, ranksPerChip > 1 ? within : touched),
      };
    }
    case 'torus':
      // One dimension after the other, parts of the tensor beginning with different ones: all links are busy.
      if (dimensionSteps >= chips - 1) return undefined;
      return {
        latency: (dimensionSteps + (ranksPerChip > 1 ? 1 : 0)) * step,
        transfer: Math.max(offChip / chipRate, touched),
      };
    case 'tree':
      // The whole tensor up and down the tree (two trees, each of half of it), so no gain but the fewer steps.
      return { latency: Math.ceil(Math.log2(ranks)) * hop, transfer: Math.max(bytes / chipRate, touched) };
    case 'direct':
      return { latency: hop, transfer: Math.max(moved / chipRate, touched) };
    default:
      return assertNever(algorithm);
  }
}
