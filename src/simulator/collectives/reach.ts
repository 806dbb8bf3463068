// The positions of a group's ranks in an instance, and the links between them.
//
//   trn1.32xlarge, 16 chips of 2 ranks as a 4 × 4 torus, row by row:
//
//     8 ranks, stride 1:  one row, a ring        4 ranks, stride 8:  one column, a ring
//        ▣ ▣ ▣ ▣                                    ▣ · · ·
//        · · · ·                                    ▣ · · ·
//        · · · ·                                    ▣ · · ·
//        · · · ·                                    ▣ · · ·
import type { Machine } from '../../hardware/machine.ts';
import type { Group } from './collective.ts';
import type { CommunicationStack } from './stack.ts';

/** The part of a group in one instance. */
export interface Reach {
  readonly ranks: number;
  readonly ranksPerChip: number;
  readonly chips: number;
  /** Bytes/s out of one chip on all links that the group can use, after efficiency and sharing. Infinite for one chip. */
  readonly chipRate: number;
  /** The number of links of a chip in `chipRate`, at least 1. */
  readonly links: number;
  /** Mean number of links between two chips of the group. 1 if a switch connects them. */
  readonly distance: number;
  /** Steps of rings along one dimension after another. */
  readonly dimensionSteps: number;
  /** Bytes/s at which one rank reads and writes its memory. */
  readonly memoryRate: number;
  /** Seconds per hop. */
  readonly hop: number;
}

export function reachOf(machine: Machine, group: Group, stack: CommunicationStack): Reach {
  const { fabric, devicesPerChip, device } = machine;
  const ranks = group.ranksPerNode;
  const stride = group.stride ?? 1;
  const ranksPerChip = Math.max(1, Math.min(ranks, Math.floor(devicesPerChip / stride)));
  const chips = Math.ceil(ranks / ranksPerChip);
  // Ranks of other groups on the same chips use part of the chips' links.
  const sharers = Math.max(1, (group.groupsPerNode * chips) / machine.chips);
  // Processes of one host share its memory; every other device has its own memory.
  const memories = device.kind === 'cpu' ? 1 / (ranks * group.groupsPerNode) : 1;
  const memoryRate = stack.memoryEfficiency * device.memoryBandwidth * memories;
  const base = { ranks, ranksPerChip, chips, memoryRate, hop: fabric.latency };
  if (chips === 1 || fabric.kind !== 'torus') {
    const bandwidth = chips === 1 || fabric.kind === 'torus' || fabric.bandwidth <= 0 ? Infinity : fabric.bandwidth;
    const chipRate = (bandwidth * stack.linkEfficiency) / sharers;
    return { ...base, chipRate, links: 1, distance: 1, dimensionSteps: chips - 1 };
  }
  let step = Math.max(1, Math.floor(stride / devicesPerChip));
  let rest = chips;
  let bandwidth = 0;
  let links = 0;
  let distance = 0;
  let dimensionSteps = 0;
  // Chips are numbered along the last dimension first.
  for (let dim = fabric.shape.length - 1; dim >= 0 && rest > 1; dim--) {
    const size = fabric.shape[dim]!;
    if (step >= size) {
      step = Math.floor(step / size);
      continue;
    }
    const extent = Math.min(rest, Math.floor(size / step));
    if (extent > 1) {
      const closed = extent * step >= size && size > 2;
      // A ring sends both ways on two links; on a line it has to return over the same links.
      const ways = closed ? 2 : 1;
      // Groups in between use the same links.
      bandwidth += (ways * fabric.linkBandwidth[dim]!) / Math.min(step, group.groupsPerNode);
      links += ways;
      distance += step * (closed ? extent / 4 : (extent * extent - 1) / (3 * extent));
      dimensionSteps += extent - 1;
    }
    rest = Math.ceil(rest / extent);
    step = 1;
  }
  const chipRate = links === 0 ? Infinity : (bandwidth * stack.linkEfficiency) / sharers;
  // The sum above is a mean over all chips of the group, including the sender.
  const apart = Math.max(1, (distance * chips) / (chips - 1));
  return { ...base, chipRate, links: Math.max(1, links), distance: apart, dimensionSteps };
}
