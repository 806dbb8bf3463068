// Time of work on a GPU: kernels run sequentially, each limited by its arithmetic or its memory traffic, whichever is
// slower. A multiply is split into tiles, one per multiprocessor at a time: the last wave may be nearly empty.
import type { Gpu } from '../../hardware/machine.ts';
import type { Bound } from '../prediction.ts';
import type { Multiply, Work } from '../work.ts';
import type { GpuConstants } from './constants.ts';
import { type Spent, spendOn } from './spent.ts';

export function timeOnGpu(works: readonly Work[], device: Gpu, constants: GpuConstants): Spent {
  const { traffic, hostKernel } = constants.software[constants.runs];
  const times: Partial<Record<Bound, number>> = {};
  const add = (bound: Bound, more: number): void => {
    times[bound] = (times[bound] ?? 0) + more;
  };
  const bandwidth = device.memoryBandwidth * constants.memoryEfficiency;
  for (const work of works) {
    switch (work.kind) {
      case 'multiply': {
        const arithmetic = multiplySeconds(work, device, constants);
        const memory = work.bytes / bandwidth;
        add(arithmetic >= memory ? 'tensor engine' : 'memory', Math.max(arithmetic, memory));
        add('launch', constants.kernelStart);
        break;
      }
      case 'sweep': {
        const arithmetic = (work.elements * (work.simple + 8 * work.transcendental)) / device.vectorFlops;
        const memory = ((work.bytesRead + work.bytesWritten) * traffic) / bandwidth;
        add(arithmetic >= memory ? 'vector engine' : 'memory', Math.max(arithmetic, memory));
        add('launch', constants.kernelStart);
        break;
      }
      case 'row-move':
        add('memory', (work.rows * work.bytesPerRow * (work.direction === 'scatter' ? 3 : 2)) / bandwidth);
        add('launch', constants.kernelStart);
        break;
    }
  }
  // The host starts kernels one after the other, ahead of the device if it is faster.
  const busy = Object.values(times).reduce((sum, own) => sum + own, 0);
  add('launch', Math.max(0, works.length * hostKernel - busy));
  return spendOn(times);
}

function multiplySeconds({ batch, m, n, k, type, blocked }: Multiply, device: Gpu, constants: GpuConstants): number {
  const [rows, columns] = constants.tile;
  const peak = (device.peakFlops[type] ?? device.peakFlops.f32) * sustainedOf(device, constants);
  if (blocked) return (2 * batch * m * n * k) / (peak * blockedEfficiencyOf(device, constants));
  const tileOf = (r: number, c: number): number => {
    const tiles = batch * Math.ceil(m / r) * Math.ceil(n / c);
    const waves = Math.ceil(tiles / device.multiprocessors);
    return waves * r * c;
  };
  // Libraries choose among tiles: the large one or, if that does not fit well, smaller and less efficient ones.
  const area = Math.min(tileOf(rows, columns), tileOf(columns, columns) * 1.05, tileOf(columns, columns / 2) * 1.15);
  return (2 * area * k * device.multiprocessors) / peak;
}

/** Under its power limit, if it is lower than the one that `sustained` was measured with. */
const sustainedOf = ({ sustained, watts, limitedTo }: Gpu, { powerExponent }: GpuConstants): number =>
  watts === undefined || limitedTo === undefined ? sustained : sustained * (limitedTo / watts) ** powerExponent;

/** Only Hopper and later multiply in 8-bit floats. */
function blockedEfficiencyOf({ peakFlops }: Gpu, { blockedEfficiency, software, runs }: GpuConstants): number {
  return blockedEfficiency[software[runs].blocked][peakFlops.f8 === undefined ? 'ampere' : 'hopper'];
}
