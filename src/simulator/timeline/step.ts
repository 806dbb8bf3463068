// The parts of a step for the timeline: their times, and which of them may overlap.
//
//   model    ── chunk 0 ── chunk 1 ── chunk 2 ── chunk 3 ── chunk 4 ── chunk 5 ──
//   stages        0          1          2          0          1          2          (3 stages, interleaved twice)
import { TrenioError } from '../../base/errors.ts';

/** A part of the model in one stage. Seconds of one micro-batch, except for the two collectives of whole tensors. */
export interface Chunk {
  readonly forward: number;
  /** Without recomputation. */
  readonly backward: number;
  /** Forward work that is done again just before the backward pass. */
  readonly recompute: number;
  /** Exposed collectives of layers, in the forward and in the backward pass. */
  readonly forwardCollectives: number;
  readonly backwardCollectives: number;
  /** Once per step: reduction of the gradients, bucket by bucket, in the order in which the backward pass finishes them. */
  readonly gradientBuckets: readonly number[];
  /** Once per step: all-gather of the parameters (ZeRO-1), a bucket at a time, in the order in which they are used. */
  readonly gatherBuckets: readonly number[];
}

export interface Step {
  readonly stages: number;
  /** The number of chunks in a stage. Above 1, the schedule is interleaved 1F1B. */
  readonly interleave: number;
  readonly microBatches: number;
  /** `stages` × `interleave`, in the order of the model: chunk k is held by stage k mod `stages`. */
  readonly chunks: readonly Chunk[];
  /** Seconds to send one micro-batch's activations to the next stage, and its gradients to the one before. */
  readonly sendActivations: number;
  readonly sendGradients: number;
  /** Sends overlap with computation; otherwise a stage computes nothing while it sends. */
  readonly overlapSends: boolean;
  /** Buckets are sent as soon as the last backward pass has finished them; otherwise when the whole pass is done. */
  readonly overlapGradients: boolean;
  /** Parameters are gathered during the next step's first forward pass, bucket by bucket; otherwise at the step's end. */
  readonly overlapGather: boolean;
  /** Seconds of the optimizer on each stage. */
  readonly optimizer: readonly number[];
  /** No stage's optimizer begins before all gradients are available, as the global gradient norm requires. */
  readonly waitForAll: boolean;
  /** Seconds of the host at the end of a step, which overlap with nothing. */
  readonly overhead: number;
  /** Seconds until the first samples have been read from storage, before any pass begins. Default: 0. */
  readonly waitForData?: number;
}

export const idleChunk: Chunk = {
  forward: 0,
  backward: 0,
  recompute: 0,
  forwardCollectives: 0,
  backwardCollectives: 0,
  gradientBuckets: [],
  gatherBuckets: [],
};

/** @throws {INVALID_OPTION} naming the field */
export function checkStep(step: Step): void {
  for (const name of ['stages', 'interleave', 'microBatches'] as const) {
    if (!(Number.isInteger(step[name]) && step[name] >= 1)) refuse(name, step[name], 'an integer, 1 or more');
  }
  const { stages, interleave, microBatches, chunks, optimizer } = step;
  if (chunks.length !== stages * interleave) {
    refuse('chunks', `${chunks.length} of them`, `${stages} stages × ${interleave} chunks of times`);
  }
  if (optimizer.length !== stages) refuse('optimizer', `${optimizer.length} times`, `${stages}, one for each stage`);
  if (interleave > 1 && stages > 1 && microBatches % stages !== 0) {
    refuse('microBatches', microBatches, `a multiple of the ${stages} stages, as the interleaved schedule needs it`);
  }
  for (const name of ['sendActivations', 'sendGradients', 'overhead'] as const) checkSeconds(name, step[name]);
  checkSeconds('waitForData', step.waitForData ?? 0);
  for (const seconds of optimizer) checkSeconds('optimizer', seconds);
  chunks.forEach((chunk, k) => {
    for (const name of ['forward', 'backward', 'recompute', 'forwardCollectives', 'backwardCollectives'] as const) {
      checkSeconds(`chunks[${k}].${name}`, chunk[name]);
    }
    for (const seconds of chunk.gradientBuckets) checkSeconds(`chunks[${k}].gradientBuckets`, seconds);
    for (const seconds of chunk.gatherBuckets) checkSeconds(`chunks[${k}].gatherBuckets`, seconds);
  });
}

function checkSeconds(name: string, seconds: number): void {
  if (!(seconds >= 0 && seconds < Infinity)) refuse(name, seconds, 'seconds, 0 or more');
}

function refuse(option: string, got: number | string, expected: string): never {
  throw new TrenioError('INVALID_OPTION', { what: 'simulateStep', option, got: String(got), expected });
}
