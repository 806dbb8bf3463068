// The header in which a replica reports the runs of its model since its last response: the batches, the items in them, and their
// time. Each run is reported in one response, whichever request it belongs to.
//
//   x-trenio-runs: runs=1, items=8, ms=2.104
import type { ModelRuns } from '../model/served-model.ts';

export const RUNS_HEADER = 'x-trenio-runs';

export const formatRuns = ({ runs, items, ms }: ModelRuns): string =>
  `runs=${runs}, items=${items}, ms=${ms.toFixed(3)}`;

/** Undefined for an invalid header: programs are not trusted. */
export function parseRuns(text: string | readonly string[] | undefined): ModelRuns | undefined {
  if (typeof text !== 'string') return undefined;
  const match = /^runs=(\d{1,9}), items=(\d{1,9}), ms=(\d{1,12}(?:\.\d{1,6})?)$/.exec(text);
  if (match === null) return undefined;
  return { runs: Number(match[1]), items: Number(match[2]), ms: Number(match[3]) };
}
