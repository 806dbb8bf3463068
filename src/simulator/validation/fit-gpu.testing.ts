// The constants of GPU software, fitted to published rows: for each software, the two values that minimize the mean squared
// relative error of its rows. The bench prints them next to the ones in use, with and without the article's row.
import { type GpuSoftware, type GpuSoftwareConstants, gpuConstants } from '../engines/constants.ts';
import { type EngineConstants, engineConstants } from '../engines/engine.ts';
import { predict } from '../predict.ts';
import { gpuRuns } from './gpu-runs.testing.ts';
import { validateArticle, validateMegatron } from './validate.testing.ts';

/** Errors of the rows that a software's constants are fitted to. */
function errorsOf(software: GpuSoftware, own: GpuSoftwareConstants, article: boolean): readonly number[] {
  const constants: EngineConstants = {
    ...engineConstants,
    gpu: { ...gpuConstants, runs: software, software: { ...gpuConstants.software, [software]: own } },
  };
  const errors = gpuRuns
    .filter(run => run.fit && run.software === software)
    .map(({ workload, machine, nodes, layout, seconds }) => {
      return predict({ workload, machine, nodes, layout, constants }).stepSeconds / seconds - 1;
    });
  if (software === 'megatron') errors.push(...validateMegatron(constants).rows.map(row => row.error));
  if (article && software === 'eager') {
    const p4d = validateArticle(constants).rows.find(row => row.what.includes('p4d'))!;
    errors.push(1 / (1 + p4d.error) - 1);
  }
  return errors;
}

const loss = (errors: readonly number[]): number => errors.reduce((sum, e) => sum + e * e, 0) / errors.length;

/** Steps along both numbers, halved where none of them helps. */
export function refitGpu(software: GpuSoftware, { article }: { readonly article: boolean }): GpuSoftwareConstants {
  let best = gpuConstants.software[software];
  let least = loss(errorsOf(software, best, article));
  for (let step = 0.5; step > 0.005; ) {
    const tries = [-1, 1].flatMap(sign => [
      { ...best, traffic: Math.max(1, best.traffic + sign * step) },
      { ...best, hostStep: Math.max(0, best.hostStep + sign * step * 0.1) },
    ]);
    const found = tries
      .map(own => ({ own, mean: loss(errorsOf(software, own, article)) }))
      .sort((a, b) => a.mean - b.mean)[0]!;
    if (found.mean < least) [best, least] = [found.own, found.mean];
    else step /= 2;
  }
  return best;
}
