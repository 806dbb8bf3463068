// A step's pieces placed in time, for reports and traces.
import type { Layout } from './layout.ts';
import type { StepPieces } from './step-pieces.ts';
import { type Chunk, simulateStep, type Timeline } from './timeline/index.ts';

/** Gradients go out in so many buckets where the exchange overlaps the backward pass. */
const buckets = 8;

export function stepTimeline(pieces: StepPieces, layout: Layout): Timeline {
  const { pipeline: stages, interleave, microBatches } = layout;
  const { overlapsGradients } = pieces;
  const chunks = Array.from({ length: stages * interleave }, (_, k): Chunk => {
    const stage = pieces.stageTimes(k % stages);
    const share = 1 / interleave;
    const parts = overlapsGradients ? Math.max(1, Math.round(buckets / interleave)) : 1;
    const split = (seconds: number, count: number): number[] =>
      seconds === 0 ? [] : Array.from({ length: count }, () => (seconds * share) / count);
    return {
      forward: stage.forward * share,
      backward: stage.backward * share,
      recompute: stage.recompute * share,
      forwardExchange: stage.forwardExchange * share,
      backwardExchange: stage.backwardExchange * share,
      gradientBuckets: split(pieces.gradientExchangeSeconds, parts),
      gatherBuckets: split(pieces.gatherSeconds, 1),
    };
  });
  return simulateStep({
    stages,
    interleave,
    microBatches,
    chunks,
    sendActivations: pieces.sendSeconds,
    sendGradients: pieces.sendSeconds,
    overlapSends: false,
    overlapGradients: overlapsGradients,
    overlapGather: false,
    optimizer: Array.from({ length: stages }, () => pieces.optimizerSeconds),
    waitForAll: true,
    overhead: pieces.overheadSeconds,
  });
}
