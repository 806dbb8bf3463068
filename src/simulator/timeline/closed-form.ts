// The pipeline in closed form, for stages that are alike and sends that take no time: what a plan search uses, and what the
// simulation is held against. Narayanan et al. (SC 2021), section 2.2.

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

/** Seconds of all forward and backward passes, the bubble included. */
export const pipelineSeconds = (pipeline: UniformPipeline): number =>
  pipeline.microBatches * pipeline.seconds * (1 + bubbleRatio(pipeline));
