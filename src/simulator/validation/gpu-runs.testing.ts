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
import { publishedPyTorchRuns } from './published-pytorch.testing.ts';

export interface TimedGpuRun extends PublishedGpuRun {
  readonly seconds: number;
  /** The constants of the GPU model are fitted to about half of the rows, chosen by a hash of their names. */
  readonly fit: boolean;
  /** First published after the model and its constants had been made. */
  readonly recent: boolean;
}

/** FNV-1a, of which the highest bit decides. */
function isForFit(what: string): boolean {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(what)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash < 0;
}
/** The only rows that `sendByte`, and attention on H100, can be fitted to. */
const isOnly = ({ software: runs, layout, workload }: PublishedGpuRun): boolean =>
  (runs === 'nanotron' && layout.pipeline > 1) || (runs === 'eager' && workload.run.sequence > 8192);
const timed = (run: PublishedGpuRun, recent: boolean): readonly TimedGpuRun[] =>
  run.seconds === undefined ? [] : [{ ...run, seconds: run.seconds, fit: isForFit(run.what) || isOnly(run), recent }];

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
    return layout === undefined ? [] : timed({ ...row, what, layout, software }, false);
  }),
  ...publishedGpuRuns.flatMap(run => timed(run, false)),
  ...publishedPyTorchRuns.flatMap(run => timed(run, true)),
];

/** Published layouts that were run but would be rejected for their memory, by name. */
export const refusedLayouts = (): readonly string[] => [
  ...megatron2021Table
    .filter(row => fastestOf(row) === undefined)
    .map(({ workload, source }) => `${workload.model.name} (${source})`),
  ...[...publishedGpuRuns, ...publishedPyTorchRuns].flatMap(
    ({ what, workload, machine, nodes, layout, software: runs }) => {
      const { memory } = predict({ workload, machine, nodes, layout, software: runs });
      return memory.fits ? [] : [`${what}: ${(-memory.spare / 2 ** 30).toFixed(1)} GiB over`];
    },
  ),
];
