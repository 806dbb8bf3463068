// Time of work on the CPU of this machine: kernels run one after another on all threads, at the rates that calibration
// measured (../calibration), with the load at that time. The start-up cost of a kernel counts once for a multiply and its fused
// ops.

import type { CpuDevice } from '../../hardware/machine.ts';
import { multiplySeconds, sweepSeconds } from '../calibration/kernel-seconds.ts';
import type { Bound } from '../prediction.ts';
import type { Work } from '../work.ts';
import { type Spent, scaleSpent, spendOn } from './spent.ts';

/** For consecutive programs; the caller adds the start-up of a program. */
export function timeOnCpu(works: readonly Work[], { rates, memoryBandwidth }: CpuDevice): Spent {
  const times: Partial<Record<Bound, number>> = {};
  const add = (bound: Bound, more: number): void => {
    times[bound] = (times[bound] ?? 0) + more;
  };
  for (const work of works) {
    if (!(work.kind === 'sweep' && 'pattern' in work && work.pattern === 'epilogue')) add('launch', rates.kernelStart);
    switch (work.kind) {
      case 'multiply': {
        const needed = multiplySeconds(work, rates);
        add(work.bytes / memoryBandwidth > needed ? 'memory' : 'tensor engine', needed);
        break;
      }
      case 'sweep': {
        const { arithmetic, memory } = sweepSeconds(work, rates);
        add('memory', memory);
        add('vector engine', arithmetic);
        break;
      }
      case 'row-move':
        add('memory', (work.rows * work.bytesPerRow) / rates[work.direction]);
        break;
    }
  }
  return scaleSpent(spendOn(times), rates.disturbance);
}
