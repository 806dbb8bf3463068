// The steps of an engine as a trace for ui.perfetto.dev, in the format of Chrome: one slice for each step, with its sequences and
// tokens, and a counter of blocks. Written as it grows; readers accept the missing end of the list.
import type { StepRecord } from './paged-engine.ts';

/** The text before the first step. */
export const traceStart = '[\n';

/** The lines of a step. Times are in microseconds. */
export function traceLines({ startMs, endMs, usedBlocks, waiting, ...step }: StepRecord): string {
  const at = { pid: 1, ts: startMs * 1000 };
  const events = [
    { ...at, ph: 'X', tid: 1, name: 'step', dur: (endMs - startMs) * 1000, args: step },
    { ...at, ph: 'C', name: 'blocks in use', args: { blocks: usedBlocks } },
    { ...at, ph: 'C', name: 'waiting sequences', args: { sequences: waiting } },
  ];
  return events.map(event => `${JSON.stringify(event)},\n`).join('');
}
