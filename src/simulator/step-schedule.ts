// The schedule of a step's passes in closed form: the waiting times of pipeline stages, and which
// part of the gradient collectives is not hidden by backward passes.
import type { Layout } from './layout.ts';
import type { Stack } from './stack.ts';
import { pipelineSeconds } from './timeline/index.ts';

/** The seconds that one micro-batch takes in the part of the model on one stage. */
export interface ChunkTimes {
  /** Including the start of the program. */
  readonly forward: number;
  /** Including gradient accumulation. */
  readonly backward: number;
  readonly recompute: number;
  readonly forwardCollectives: number;
  readonly backwardCollectives: number;
}
const forwardOf = (chunk: ChunkTimes): number => chunk.forward + chunk.forwardCollectives;
const backwardOf = (chunk: ChunkTimes): number => chunk.backward + chunk.recompute + chunk.backwardCollectives;

export interface PipelineWaits {
  /** The stage with the most to do. */
  readonly slowest: number;
  /** Seconds that it sends, and that it waits for other stages. */
  readonly sends: number;
  readonly bubble: number;
}

/** `send`: seconds of one micro-batch to the next stage, or back. A stage computes nothing while it sends. */
export function pipelineOf(layout: Layout, chunkTimes: (k: number) => ChunkTimes, send: number): PipelineWaits {
  const { pipeline, interleave, microBatches } = layout;
  if (pipeline === 1) return { slowest: 0, sends: 0, bubble: 0 };
  const chunks = pipeline * interleave;
  const forward = new Float64Array(chunks);
  const backward = new Float64Array(chunks);
  const busy = new Float64Array(pipeline);
  for (let k = 0; k < chunks; k++) {
    const times = chunkTimes(k);
    forward[k] = forwardOf(times) + (k < chunks - 1 ? send : 0);
    backward[k] = backwardOf(times) + (k > 0 ? send : 0);
    busy[k % pipeline]! += microBatches * (forward[k]! + backward[k]!);
  }
  const slowest = busy.indexOf(Math.max(...busy));
  const sends = 2 * interleave - (slowest === 0 ? 1 : 0) - (slowest === pipeline - 1 ? 1 : 0);
  const all = pipelineSeconds({ stages: pipeline, interleave, microBatches, forward, backward });
  return { slowest, sends: microBatches * sends * send, bubble: Math.max(0, all - busy[slowest]!) };
}

/** The seconds for all gradients, if their collectives overlap with the backward pass. */
const overlappedBuckets = 8;

/** The number of buckets in which the gradients of a chunk are reduced; 0 if all are reduced together at the end. */
export const bucketsOf = ({ interleave }: Layout, { overlapsGradients }: Stack): number =>
  overlapsGradients ? Math.max(1, Math.round(overlappedBuckets / interleave)) : 0;

/**
 * The exposed seconds of the gradient collectives (`all` without overlap): the time left when the first stage, which is the
 * last to finish, has computed all gradients. Its last passes are those of the last group of micro-batches, chunk after chunk,
 * the first chunk at the end; each takes as long as the slowest stage's.
 */
export function exposedGradients(
  all: number,
  buckets: number,
  { pipeline, interleave }: Layout,
  chunkTimes: (k: number) => ChunkTimes,
  send: number,
): number {
  if (all === 0 || buckets === 0) return all;
  const each = all / (interleave * buckets);
  let after = 0; // seconds from a bucket's last gradient to the last of all
  let left = 0; // seconds of collectives that cannot start before
  let exposed = 0;
  for (let c = 0; c < interleave; c++) {
    const pass = backwardOf(chunkTimes(c * pipeline));
    // From the last bucket to the first: after its gradient is ready, it and all later ones are reduced.
    for (let i = 0; i < buckets; i++) {
      left += each;
      exposed = Math.max(exposed, left - after - (pass * i) / buckets);
    }
    let slowest = 0;
    for (let s = 0; s < pipeline; s++) slowest = Math.max(slowest, backwardOf(chunkTimes(c * pipeline + s)));
    after += pipeline * (slowest + send);
  }
  return exposed;
}
