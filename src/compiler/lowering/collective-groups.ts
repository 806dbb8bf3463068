// The processes that communicate in a collective: groups and routes, from the attributes of an op.
import { type Groups, groupsOf, movingStrategy, processGroups } from '../../hlo/process-groups.ts';
import type { Module, Op } from '../../hlo/program.ts';

export const processCount = (module: Module): number => module.numReplicas * module.numPartitions;
export const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** One group of all processes, in order, for which the runtime has faster algorithms. */
const isWhole = (groups: Groups, processes: number): boolean =>
  groups.length === 1 && groups[0]!.length === processes && groups[0]!.every((p, i) => p === i);
/** Whether every process is in one of the groups, and every id is that of a process. */
export function coversAll(groups: Groups, processes: number): boolean {
  const ids = groups.flat();
  return ids.length === processes && new Set(ids).size === processes && ids.every(id => id < processes);
}
/** Whether the runtime's calls for all ranks can be used, as they can for a single process. */
export const isOfAll = (op: Op<'all_reduce' | 'all_gather'>, module: Module): boolean =>
  processCount(module) === 1 || isWhole(groupsOf(op, module), processCount(module));
export const haveOneSize = (groups: Groups): boolean => groups.every(g => g.length === groups[0]!.length);

/**
 * For each process, its destination and its source, or -1 for none. Undefined if a pair names a process that does not exist.
 */
export function routesOf(
  op: Op<'collective_permute' | 'send' | 'recv'>,
  module: Module,
): { readonly targets: readonly number[]; readonly sources: readonly number[] } | undefined {
  const processes = processCount(module);
  const targets = upTo(processes).map(() => -1);
  const sources = upTo(processes).map(() => -1);
  // The pairs are of replicas or of partitions: the groups of each pair map them to processes.
  for (const pair of op.attributes.sourceTargetPairs ?? []) {
    if (pair[0] === pair[1]) {
      for (const [p] of processGroups([[pair[0]]], module, movingStrategy(op.attributes))) {
        if (p! >= processes) return undefined;
        targets[p!] = sources[p!] = p!;
      }
      continue;
    }
    for (const [from, to] of processGroups([pair], module, movingStrategy(op.attributes))) {
      if (from! >= processes || to! >= processes) return undefined;
      targets[from!] = to!;
      sources[to!] = from!;
    }
  }
  return { targets, sources };
}
