// The groups of a collective in a program, as lists of devices, as a group of the collective model.
import type { Group } from './collective.ts';

/** `perInstance`: devices with consecutive numbers are in one instance. */
export function groupOfDevices(groups: readonly (readonly number[])[], perInstance: number): Group {
  const largest = groups.reduce((best, group) => (group.length > best.length ? group : best), groups[0] ?? [0]);
  const instanceOf = (device: number): number => Math.floor(device / perInstance);
  const counts = new Map<number, number>();
  for (const device of largest) counts.set(instanceOf(device), (counts.get(instanceOf(device)) ?? 0) + 1);
  const ranksPerNode = Math.max(1, ...counts.values());
  const first = instanceOf(largest[0] ?? 0);
  const beside = groups.filter(group => group.some(device => instanceOf(device) === first)).length;
  return {
    size: largest.length,
    ranksPerNode,
    nodes: Math.ceil(largest.length / ranksPerNode),
    groupsPerNode: Math.max(1, Math.min(beside, Math.floor(perInstance / ranksPerNode))),
    stride: ranksPerNode > 1 ? Math.max(1, largest[1]! - largest[0]!) : 1,
  };
}
