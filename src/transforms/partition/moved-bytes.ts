// How many bytes each device sends in a collective of n devices, if they form a ring.
import type { Op } from '../../hlo/program.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { byteSize } from '../../hlo/types.ts';

export const movedBytes = (ops: readonly Op[]): number => ops.reduce((sum, op) => sum + bytesOf(op), 0);

function bytesOf(op: Op): number {
  const size = (values: readonly Value[]): number => values.reduce((sum, v) => sum + byteSize(tensorTypeOf(v)), 0);
  switch (op.name) {
    case 'all_reduce':
      return 2 * othersIn(op) * size(op.operands);
    case 'reduce_scatter':
    case 'all_to_all':
      return othersIn(op) * size(op.operands);
    case 'all_gather':
      return othersIn(op) * size(op.results);
    case 'collective_permute':
      return size(op.operands);
    default:
      return 0;
  }
}

/** The share of a group that the other devices are. */
const othersIn = ({
  attributes: { replicaGroups },
}: Op<'all_reduce' | 'reduce_scatter' | 'all_to_all' | 'all_gather'>) => 1 - 1 / replicaGroups[0]!.length;
