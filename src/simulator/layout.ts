// The layout of a workload on devices. All sizes are counts of devices or samples.

/** Which of a layer's activations are recomputed in the backward pass (Korthikanti et al. 2022). */
export type Recomputation = 'none' | 'selective' | 'full';

/** How a training run is distributed over devices. */
export interface Layout {
  /** Data parallel: copies of the model. */
  readonly data: number;
  /** Tensor parallel: devices that share each layer. */
  readonly tensor: number;
  /** Pipeline parallel: stages. */
  readonly pipeline: number;
  /** Model chunks per stage; above 1 the schedule is interleaved 1F1B. */
  readonly interleave: number;
  /** Expert parallel: the number of data-parallel devices that share the experts. */
  readonly expert: number;
  /** Layer norms and dropout are split along the sequence over the tensor-parallel devices. */
  readonly sequenceParallel: boolean;
  /** Optimizer state is sharded over the data-parallel devices (Rajbhandari et al. 2020). */
  readonly zero1: boolean;
  /** More state sharded over them (needs `zero1`): gradients (ZeRO-2), or gradients and weights (ZeRO-3, fully sharded). */
  readonly shard?: 'gradients' | 'weights' | undefined;
  /** Hybrid sharding: state is sharded over groups of `data` ÷ `replicas` devices, and gradients are all-reduced among them. */
  readonly replicas?: number | undefined;
  /** Samples per forward and backward pass on one copy of the model. */
  readonly microBatch: number;
  /** Micro-batches per step on one copy: global batch = data × microBatch × microBatches. */
  readonly microBatches: number;
  /** Which activations are computed again in the backward pass. */
  readonly recompute: Recomputation;
  /** Activations are recomputed in every n-th layer only; in all of them by default. */
  readonly recomputeEvery?: number | undefined;
  /**
   * The layout of a divided program, as `trenio run --layout` takes it. `data` is then the number of all devices, and the other
   * sizes are 1.
   */
  readonly mesh?: string | undefined;
}

/** The number of devices that share the optimizer state, and with `shard` gradients and weights. */
export const shardsOf = ({ data, zero1, replicas = 1 }: Layout): number => (zero1 ? data / replicas : 1);

/** The number of chunks of the model, between which activations are sent: each stage has `interleave` of them. */
export const chunksOf = ({ pipeline, interleave }: Pick<Layout, 'pipeline' | 'interleave'>): number =>
  pipeline * interleave;

/** Blocks of chunk k. If they cannot be divided evenly, the ends get fewer, because they also hold the embedding and the head. */
export function blocksOfChunk(layers: number, chunks: number, k: number): number {
  const even = Math.floor(layers / chunks);
  const long = layers % chunks;
  if (long === 0) return even;
  const short = chunks - long;
  const isShort = k === chunks - 1 || (k === 0 ? short > 1 : k > chunks - short);
  return even + (isShort ? 0 : 1);
}

/** Blocks of all chunks of a stage. */
export function blocksOfStage(layers: number, layout: Pick<Layout, 'pipeline' | 'interleave'>, stage: number): number {
  let blocks = 0;
  for (let k = stage; k < chunksOf(layout); k += layout.pipeline) blocks += blocksOfChunk(layers, chunksOf(layout), k);
  return blocks;
}

/**
 * The number of devices of a layout.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.devicesOf(prediction.layout) // 8
 */
export const devicesOf = (layout: Layout): number => layout.data * layout.tensor * layout.pipeline;
/**
 * The samples of a step on all devices.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.globalBatchOf(prediction.layout) // 64
 */
export const globalBatchOf = (layout: Layout): number => layout.data * layout.microBatch * layout.microBatches;
