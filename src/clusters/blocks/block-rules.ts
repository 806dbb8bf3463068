// Checks that the capacity blocks in a file exist and match its queues.
import type { CapacityBlock } from '../../jobs/capacity/capacity-block.ts';
import type { ClusterFile } from '../config/cluster-file.ts';
import type { ConfigProblem } from '../config/problem.ts';
import { countsOf, instanceTypesOf, targetOf } from '../config/queue-rules.ts';
import { phaseAt, reservationId } from './cluster-block.ts';

/** @param lineOf the line of a path */
export function blockProblems(
  { Scheduling: { SlurmQueues: queues = [] } }: ClusterFile,
  blocks: readonly CapacityBlock[],
  nowMs: number,
  lineOf: (path: string) => number,
): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const report = (path: string, message: string): void => {
    problems.push({ level: 'ERROR', type: 'CapacityReservationValidator', path, line: lineOf(path), message });
  };
  const counts = new Map<string, number>();
  for (const [q, queue] of queues.entries()) {
    if (queue.CapacityType !== 'CAPACITY_BLOCK') continue;
    for (const [r, resource] of (queue.ComputeResources ?? []).entries()) {
      const path = `Scheduling.SlurmQueues[${q}].ComputeResources[${r}]`;
      const id = targetOf(queue, resource)?.CapacityReservationId;
      if (id === undefined) continue;
      const at = `${path}.CapacityReservationTarget.CapacityReservationId`;
      const block = blocks.find(one => reservationId(one) === id);
      if (block === undefined) {
        report(at, `is ${id}, which was not bought here: trenio capacity ls lists the blocks`);
        continue;
      }
      if (phaseAt(block, nowMs) === 'expired')
        report(at, `is ${id}, which ended at ${new Date(block.endMs).toISOString()}: buy another one`);
      const types = instanceTypesOf(resource);
      if (types.length !== 1 || types[0] !== block.instanceType)
        report(
          `${path}.InstanceType`,
          `is ${types.join(', ') || 'missing'}, expected ${block.instanceType}, the instance type of ${id}`,
        );
      const count = (counts.get(id) ?? 0) + countsOf(resource).max;
      counts.set(id, count);
      if (count > block.instanceCount)
        report(`${path}.MaxCount`, `requests ${count} nodes of ${id} in total, which has ${block.instanceCount}`);
    }
  }
  return problems;
}
