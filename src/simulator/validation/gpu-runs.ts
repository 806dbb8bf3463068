// All published GPU runs with a known time, and which of them the constants of the GPU model are fitted to.
import { predict } from '../predict.ts';
import { type PublishedGpuRun, publishedGpuRuns } from './published-gpu.ts';
import { publishedPyTorchRuns } from './published-pytorch.ts';

export interface TimedGpuRun extends PublishedGpuRun {
  readonly seconds: number;
  /** The constants of the GPU model are fitted to about half of the rows, chosen by a hash of their names. */
  readonly fit: boolean;
  /** Not yet known when the first model was made. */
  readonly recent: boolean;
}

/** FNV-1a, of which the highest bit decides. */
function isForFit(what: string): boolean {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(what)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash < 0;
}
/** The only rows that `sendByte`, and attention on H100, can be fitted to. */
const isOnly = ({ software, layout, workload }: PublishedGpuRun): boolean =>
  (software === 'nanotron' && layout.pipeline > 1) || (software === 'eager' && workload.run.sequence > 8192);
const timed = (run: PublishedGpuRun, recent: boolean): readonly TimedGpuRun[] =>
  run.seconds === undefined ? [] : [{ ...run, seconds: run.seconds, fit: isForFit(run.what) || isOnly(run), recent }];

export const gpuRuns: readonly TimedGpuRun[] = [
  ...publishedGpuRuns.flatMap(run => timed(run, false)),
  ...publishedPyTorchRuns.flatMap(run => timed(run, true)),
];

/** Published layouts that were run but would be rejected for their memory, by name. */
export const refusedLayouts = (): readonly string[] =>
  [...publishedGpuRuns, ...publishedPyTorchRuns].flatMap(run => {
    const { memory } = predict(run);
    return memory.fits ? [] : [`${run.what}: ${(-memory.spare / 2 ** 30).toFixed(1)} GiB over`];
  });
