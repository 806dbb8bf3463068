// A step's pieces placed in time, for reports and traces.
import type { Layout } from './layout.ts';
import type { StepPieces } from './step-times.ts';
import { type Chunk, simulateStep, type Timeline } from './timeline/index.ts';

/** @param waitForData seconds before the first pass */
export function stepTimeline(pieces: StepPieces, layout: Layout, waitForData: number): Timeline {
  if (pieces.played !== undefined) return withHost(pieces.played, pieces.overheadSeconds, waitForData);
  const { pipeline: stages, interleave, microBatches } = layout;
  const { gradientBuckets } = pieces;
  const share = 1 / interleave;
  const split = (seconds: number, count: number): number[] =>
    seconds === 0 ? [] : Array.from({ length: count }, () => (seconds * share) / count);
  const chunks = Array.from(
    { length: stages * interleave },
    (_, k): Chunk => ({
      ...pieces.chunkTimes(k),
      gradientBuckets: split(pieces.gradientCollectiveSeconds, Math.max(1, gradientBuckets)),
      gatherBuckets: split(pieces.gatherSeconds, 1),
    }),
  );
  return simulateStep({
    stages,
    interleave,
    microBatches,
    chunks,
    sendActivations: pieces.sendSeconds,
    sendGradients: pieces.sendSeconds,
    overlapSends: false,
    overlapGradients: gradientBuckets > 0,
    overlapGather: false,
    optimizer: Array.from({ length: stages }, () => pieces.optimizerSeconds),
    waitForAll: true,
    overhead: pieces.overheadSeconds,
    waitForData,
  });
}

/** After the data, and before what the host does at the end. */
function withHost({ seconds, lanes, tasks }: Timeline, overhead: number, wait: number): Timeline {
  const end = wait + seconds;
  const lane = lanes.length;
  const host = [
    { lane, name: 'wait for data', phase: 'data loading', start: 0, end: wait },
    { lane, name: 'host', phase: 'overhead', start: end, end: end + overhead },
  ] as const;
  const own = host.filter(task => task.end > task.start);
  return {
    seconds: end + overhead,
    lanes: own.length === 0 ? lanes : [...lanes, { group: 'host', name: 'host', kind: 'host' }],
    tasks: [...tasks.map(task => ({ ...task, start: task.start + wait, end: task.end + wait })), ...own],
  };
}
