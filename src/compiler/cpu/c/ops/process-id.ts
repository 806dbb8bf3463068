// The id of this process among the replicas or the partitions of a module, as a statement of the step function.
import { elementAt } from '../../../../base/element-at.ts';
import type { OpKernelOf } from '../../ir/op-kernel.ts';
import type { KernelText } from '../kernel-text.ts';

export function printProcessId({ among, slots, numPartitions }: OpKernelOf<'process-id'>): KernelText {
  const sign = among === 'replicas' ? '/' : '%';
  return {
    code: '',
    inline: p => {
      const to = elementAt(p, elementAt(slots.results, 0));
      return [`*(uint32_t *)${to.startsWith('(') ? to : `(${to})`} = (uint32_t)(rt->rank ${sign} ${numPartitions});`];
    },
  };
}
