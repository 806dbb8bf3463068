// All published GPU runs with a known time, as layouts: if micro-batches and interleaving were not published, those that the
// simulator finds fastest among the ones that fit in memory.
import { layoutProblem } from '../check-layout.ts';
import type { Layout } from '../layout.ts';
import { predict } from '../predict.ts';
import {
  megatron2021Table,
  type PublishedGpuRun,
  type PublishedTable,
  publishedGpuRuns,
} from './published-gpu.testing.ts';

export type TimedGpuRun = PublishedGpuRun & { readonly seconds: number };

const software = 'megatron-2021';

/** Undefined if nothing fits. */
function fastestOf({ workload, machine, nodes, batch, base }: PublishedTable): Layout | undefined {
  let fastest: Layout | undefined;
  let seconds = Infinity;
  for (const microBatch of [1, 2, 4, 8, 16]) {
    const microBatches = batch / (base.data * microBatch);
    for (const interleave of base.pipeline === 1 ? [1] : [1, 2, 3, 4, 5, 6]) {
      const layout = { ...base, microBatch, microBatches, interleave };
      if (layoutProblem({ workload, machine, nodes, layout }) !== undefined) continue;
      const { memory, stepSeconds } = predict({ workload, machine, nodes, layout, software });
      if (memory.fits && stepSeconds < seconds) [fastest, seconds] = [layout, stepSeconds];
    }
  }
  return fastest;
}

export const gpuRuns: readonly TimedGpuRun[] = [
  ...megatron2021Table.flatMap(row => {
    const layout = fastestOf(row);
    const { pipeline, tensor } = row.base;
    const what = `${row.workload.model.name}, ${8 * row.nodes} × A100, TP ${tensor}, PP ${pipeline}`;
    return layout === undefined ? [] : [{ ...row, what, layout, software } as const];
  }),
  ...publishedGpuRuns.flatMap(run => (run.seconds === undefined ? [] : [{ ...run, seconds: run.seconds }])),
];

/** Published layouts that were run but would be rejected for their memory, by name. */
export const refusedLayouts = (): readonly string[] => [
  ...megatron2021Table
    .filter(row => fastestOf(row) === undefined)
    .map(({ workload, source }) => `${workload.model.name} (${source})`),
  ...publishedGpuRuns.flatMap(({ what, workload, machine, nodes, layout }) => {
    const { memory } = predict({ workload, machine, nodes, layout });
    return memory.fits ? [] : [`${what}: ${(-memory.spare / 2 ** 30).toFixed(1)} GiB over`];
  }),
];
