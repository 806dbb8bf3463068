// How a job is spread over devices. All sizes are counts of devices or samples.

/** What of a layer's activations is thrown away and computed again in the backward pass (Korthikanti et al. 2022). */
export type Recomputation = 'none' | 'selective' | 'full';

export interface Layout {
  /** Data parallel: copies of the model. */
  readonly data: number;
  /** Tensor parallel: devices that share each layer. */
  readonly tensor: number;
  /** Pipeline parallel: stages. */
  readonly pipeline: number;
  /** Model chunks a stage holds; above 1 the schedule is the interleaved 1F1B. */
  readonly interleave: number;
  /** Expert parallel: devices, of those that are data parallel, which share the experts. */
  readonly expert: number;
  /** Layer norms and dropout split along the sequence among the tensor-parallel devices. */
  readonly sequenceParallel: boolean;
  /** Optimizer state split among the data-parallel devices (Rajbhandari et al. 2020). */
  readonly zero1: boolean;
  /** Samples that pass through a stage at once, on one copy of the model. */
  readonly microBatch: number;
  /** Micro-batches a step, on one copy: global batch = data × microBatch × microBatches. */
  readonly microBatches: number;
  readonly recompute: Recomputation;
}

export const devicesOf = (layout: Layout): number => layout.data * layout.tensor * layout.pipeline;
export const globalBatchOf = (layout: Layout): number => layout.data * layout.microBatch * layout.microBatches;
