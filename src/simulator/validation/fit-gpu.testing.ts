// The constants of the GPU model that are fitted to published rows, all at the same time: they minimize the mean squared error of
// the logarithm of the time. The bench prints them next to the ones in use.
import type { GpuConstants, GpuSoftware, GpuSoftwareConstants } from '../engines/constants.ts';
import { type EngineConstants, engineConstants } from '../engines/engine.ts';
import { predict } from '../predict.ts';
import { gpuRuns } from './gpu-runs.ts';
import { validateArticle, validateMegatron } from './validate.testing.ts';

export interface FittedConstant {
  readonly name: string;
  readonly of: (gpu: GpuConstants) => number;
  readonly with: (gpu: GpuConstants, value: number) => GpuConstants;
}
const ofSoftware = (
  software: GpuSoftware,
  name: keyof GpuSoftwareConstants & ('traffic' | 'hostStep' | 'sendByte'),
): FittedConstant => ({
  name: `${software}: ${name}`,
  of: gpu => gpu.software[software][name],
  with: (gpu, value) => ({
    ...gpu,
    software: { ...gpu.software, [software]: { ...gpu.software[software], [name]: value } },
  }),
});

export const fittedConstants: readonly FittedConstant[] = [
  { name: 'overlapCost', of: gpu => gpu.overlapCost, with: (gpu, overlapCost) => ({ ...gpu, overlapCost }) },
  {
    name: 'blockedEfficiency of flash-2 on Hopper',
    of: gpu => gpu.blockedEfficiency['flash-2'].hopper,
    with: (gpu, hopper) => {
      const { blockedEfficiency: known } = gpu;
      return { ...gpu, blockedEfficiency: { ...known, 'flash-2': { ...known['flash-2'], hopper } } };
    },
  },
  ofSoftware('compiled', 'traffic'),
  {
    name: 'eager: traffic',
    of: gpu => gpu.software.eager.traffic,
    with: (gpu, traffic) => {
      const { eager, nanotron } = gpu.software;
      const software = { ...gpu.software, eager: { ...eager, traffic }, nanotron: { ...nanotron, traffic } };
      return { ...gpu, software };
    },
  },
  ofSoftware('nanotron', 'sendByte'),
  ofSoftware('megatron', 'hostStep'),
  ofSoftware('megatron-2021', 'traffic'),
];

/** Over the rows marked `fit`, Megatron's eight, and the article's GPU. */
export function lossOf(gpu: GpuConstants): number {
  const constants: EngineConstants = { ...engineConstants, gpu };
  const errors = gpuRuns
    .filter(run => run.fit)
    .map(run => Math.log(predict({ ...run, constants }).stepSeconds / run.seconds));
  errors.push(...validateMegatron(constants).rows.map(({ error }) => Math.log(1 + error)));
  errors.push(Math.log(1 + validateArticle(constants).rows.find(row => row.what.includes('p4d'))!.error));
  return errors.reduce((sum, error) => sum + error * error, 0) / errors.length;
}

/** Steps along each constant, halved where none of them helps. */
export function refitGpu(): GpuConstants {
  let best = engineConstants.gpu;
  let least = lossOf(best);
  for (let step = 0.1; step > 0.005; ) {
    let found = false;
    for (const constant of fittedConstants) {
      for (const factor of [1 + step, 1 / (1 + step)]) {
        const gpu = constant.with(best, constant.of(best) * factor);
        const loss = lossOf(gpu);
        if (loss < least) [best, least, found] = [gpu, loss, true];
      }
    }
    if (!found) step /= 2;
  }
  return best;
}
