// The header in which a replica tells what its model has run since its answer before: the batches, the items in them, and their
// time. One answer tells of each run, whichever request it belongs to.
//
//   x-trenio-runs: runs=1, items=8, ms=2.104
import type { ModelRuns } from '../served-model.ts';

export const RUNS_HEADER = 'x-trenio-runs';

export const formatRuns = ({ runs, items, ms }: ModelRuns): string =>
  `runs=${runs}, items=${items}, ms=${ms.toFixed(3)}`;

/** Undefined for what is no such header: programs are not trusted. */
export function parseRuns(text: string | readonly string[] | undefined): ModelRuns | undefined {
  if (typeof text !== 'string') return undefined;
  const match = /^runs=(\d{1,9}), items=(\d{1,9}), ms=(\d{1,12}(?:\.\d{1,6})?)$/.exec(text);
  if (match === null) return undefined;
  return { runs: Number(match[1]), items: Number(match[2]), ms: Number(match[3]) };
}
