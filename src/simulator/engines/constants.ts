// The global constants of the engine models that are not in data sheets. Each has one meaning; docs/simulator.md lists
// them, and `node bench/simulator.ts --fit` shows how the published rows constrain each.

/** The efficiency of software on the hardware: the compiler's schedule and the runtime's overheads. */
export interface NeuronConstants {
  /** Cycles that each tile of a multiply costs beyond its rows: loading weights, starting the instruction. */
  readonly tileOverheadCycles: number;
  /**
   * Cycles that the vector and scalar engines take for each cycle of useful work: dependencies, semaphores, small instructions.
   */
  readonly vectorStall: number;
  /** Share of the HBM bandwidth that the compiler's moves reach. */
  readonly memoryEfficiency: number;
  /** The share of the time of the other engines that overlaps with the busiest one: 0 none, 1 all. */
  readonly overlap: number;
  /** Seconds to start a program, each micro-batch. */
  readonly programStart: number;
  /** Seconds of host work per step that overlap with nothing: reading the loss, feeding the step, waiting for all ranks. */
  readonly hostStep: number;
  /** Additional seconds per step for each doubling of the nodes: barriers and small messages among the hosts. */
  readonly hostStepPerDoubling: number;
  /** Relative standard deviation of the nodes' step times. All wait for the slowest: 1 + deviation × √(2 ln nodes). */
  readonly nodeDeviation: number;
}
/** The fitted constants of GPUs. */
export interface GpuConstants {
  /** A multiply's work is cut into tiles of this many rows and columns; a wave is one tile on each multiprocessor. */
  readonly tile: readonly [number, number];
  /** Share of the peak that the multiplies of blocked attention reach. */
  readonly blockedEfficiency: number;
  /** Share of the memory's bandwidth that a kernel which only moves data reaches. */
  readonly memoryEfficiency: number;
  /** Seconds to start a kernel. */
  readonly kernelStart: number;
  /** The relative standard deviation of the nodes' step times. */
  readonly nodeDeviation: number;
  /** The overheads of each training software, and the one in use. */
  readonly software: Readonly<Record<GpuSoftware, GpuSoftwareConstants>>;
  /** The software that is simulated. */
  readonly runs: GpuSoftware;
}

/**
 * The training software on a GPU.
 * - `compiled`: ops fused wherever possible, no work on the host (llm.c; torch.compile with CUDA graphs comes near);
 * - `eager`: one kernel per operation, as in PyTorch without a compiler;
 * - `megatron`: Megatron-LM since 2022, with its fused kernels;
 * - `megatron-2021`: the same, a year earlier.
 */
export const gpuSoftwares = ['compiled', 'eager', 'megatron', 'megatron-2021'] as const;
/** The software stacks for GPUs that constants were fitted for. */
export type GpuSoftware = (typeof gpuSoftwares)[number];

/** The fitted constants of one software stack for GPUs. */
export interface GpuSoftwareConstants {
  /** The bytes that its kernels move between multiplies, relative to fully fused kernels. */
  readonly traffic: number;
  /** Seconds of work per step that overlap with nothing: reading the loss, clipping, logging, starting the optimizer. */
  readonly hostStep: number;
}
export const neuronConstants: NeuronConstants = {
  tileOverheadCycles: 94,
  vectorStall: 1.92,
  memoryEfficiency: 0.53,
  overlap: 0.9,
  programStart: 8.4e-3,
  hostStep: 0.09,
  hostStepPerDoubling: 0.026,
  nodeDeviation: 0.028,
};
export const gpuConstants: GpuConstants = {
  blockedEfficiency: 0.6,
  tile: [256, 128],
  memoryEfficiency: 0.9,
  kernelStart: 2.4e-6,
  nodeDeviation: 0,
  software: {
    compiled: { traffic: 1, hostStep: 0 },
    eager: { traffic: 3.27, hostStep: 19e-3 },
    megatron: { traffic: 1.09, hostStep: 0.14 },
    'megatron-2021': { traffic: 2.56, hostStep: 0 },
  },
  runs: 'eager',
};
