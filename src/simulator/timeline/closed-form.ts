// The pipeline in closed form, used by plan searches and compared with the simulation.
//
// Identical stages wait (p − 1) / (v · m) of the time that they work (Narayanan et al., SC 2021, section 2.2). If they
// differ (an additional block, an embedding, a head), the step is as long as the longest chain of passes in which each
// waits for the previous one. There are a few candidate chains; which of them is the longest depends on the times.

import { stepSeconds } from './simulate-step.ts';
import { idleChunk } from './step.ts';

export interface UniformPipeline {
  readonly stages: number;
  readonly interleave: number;
  readonly microBatches: number;
  /** Seconds of one micro-batch through one stage: all of its chunks, forward and backward. */
  readonly seconds: number;
}

/** Idle time of a stage ÷ time it works: (p − 1) / (v · m). */
export const bubbleRatio = ({ stages, interleave, microBatches }: Omit<UniformPipeline, 'seconds'>): number =>
  (stages - 1) / (interleave * microBatches);

/** Seconds of all forward and backward passes, including the bubble. */
export const uniformPipelineSeconds = (pipeline: UniformPipeline): number =>
  pipeline.microBatches * pipeline.seconds * (1 + bubbleRatio(pipeline));

export interface Pipeline {
  readonly stages: number;
  readonly interleave: number;
  readonly microBatches: number;
  /** Seconds of one micro-batch through chunk k: everything that occupies its stage, including sends. */
  readonly forward: ArrayLike<number>;
  readonly backward: ArrayLike<number>;
}

/** Seconds until the first stage has finished its last backward pass. */
export function pipelineSeconds(pipeline: Pipeline): number {
  const { stages, interleave } = pipeline;
  if (interleave === 1) return plainSeconds(pipeline);
  const { forward, backward } = pipeline;
  const last = stages * interleave - 1;
  const both = forward[1]! + backward[1]!;
  for (let k = 2; k < last; k++) {
    const unlike = Math.abs(forward[k]! - forward[1]!) + Math.abs(backward[k]! - backward[1]!);
    if (unlike > 1e-9 * both) return playedSeconds(pipeline);
  }
  // At an end: one block fewer, or no send in one direction, unless the embedding or the head compensate for it.
  const least = Math.min(forward[0]! + backward[0]!, forward[last]! + backward[last]!);
  return least < 0.99 * both ? playedSeconds(pipeline) : interleavedSeconds(pipeline);
}

/**
 * 1F1B. Any stage may be the slowest, on which all others wait. Before its passes the first micro-batch travels down to it, and
 * after them the last one travels back. In between it works without a break, or waits at the beginning, at the end or at both
 * for a micro-batch to travel from it to the loss and back.
 */
function plainSeconds({ stages: p, microBatches: m, forward, backward }: Pipeline): number {
  let before = 0;
  let behind = 0;
  for (let s = 1; s < p; s++) behind += forward[s]! + backward[s]!;
  let longest = 0;
  for (let s = 0; s < p; s++) {
    const f = forward[s]!;
    const b = backward[s]!;
    const pairs = Math.max(0, m - p + s); // forward passes after the first backward pass
    const busy = m * (f + b);
    const atBeginning = f + behind + pairs * f + m * b;
    const atEnd = m * f + pairs * b + behind + b;
    const atBoth = pairs > 0 ? (pairs + 1) * (f + b) + 2 * behind : 0;
    longest = Math.max(longest, before + Math.max(busy, atBeginning, atEnd, atBoth));
    before += f + b;
    if (s + 1 < p) behind -= forward[s + 1]! + backward[s + 1]!;
  }
  return longest;
}

/**
 * Interleaved 1F1B with chunks that are equal except for the first and the last. Micro-batches pass through the chunks in groups
 * of p; the first stage runs its first chunk while the last stage runs its last, so of their additional work
 * only the longer counts, group by group. A chain that changes from one stage to the other loses a pass on each
 * stage between them, except for the first way down and the last way up.
 */
function interleavedSeconds({ stages: p, interleave: v, microBatches: m, forward, backward }: Pipeline): number {
  const f = forward[1]!;
  const b = backward[1]!;
  const last = p * v - 1;
  const groups = m / p;
  const first = { forward: forward[0]! - f, backward: backward[0]! - b };
  const both = first.forward + first.backward;
  const end = forward[last]! - f + backward[last]! - b;
  // The position of the chain: always at the last stage; at the first; at the first until, from, or between groups.
  const more = Math.max(
    p * (both + groups * end),
    p * groups * both - 2 * (p - 1) * Math.min(f, b),
    groups < 2
      ? -Infinity
      : Math.max(
          p * (groups * first.forward + (groups - 1) * first.backward + end) - (p - 1) * b,
          p * ((groups - 1) * first.forward + groups * first.backward + end) - (p - 1) * f,
          p * (both + 2 * end + (groups - 2) * both) - (p - 1) * (f + b),
        ),
  );
  return (m * v + p - 1) * (f + b) + more;
}

/** The number of groups of micro-batches after which each further group takes the same time. */
const settled = 6;

/** Interleaved chunks of different lengths have no short closed form: the first groups are simulated. */
function playedSeconds({ stages, interleave, microBatches, forward, backward }: Pipeline): number {
  const chunks = Array.from({ length: stages * interleave }, (_, k) => ({
    ...idleChunk,
    forward: forward[k]!,
    backward: backward[k]!,
  }));
  const optimizer = new Array<number>(stages).fill(0);
  const groups = microBatches / stages;
  const play = (count: number): number =>
    stepSeconds({
      stages,
      interleave,
      microBatches: count * stages,
      chunks,
      sendActivations: 0,
      sendGradients: 0,
      overlapSends: false,
      overlapGradients: false,
      overlapGather: false,
      optimizer,
      waitForAll: false,
      overhead: 0,
    });
  if (groups <= settled) return play(groups);
  const long = play(settled);
  return long + (groups - settled) * (long - play(settled - 1));
}
