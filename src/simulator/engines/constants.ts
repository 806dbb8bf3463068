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
  /** The same with releases of the SDK before 2.20. */
  readonly earlierOverlap: number;
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
  /** Share of the peak that the multiplies of blocked attention reach, by kernel and architecture. */
  readonly blockedEfficiency: Readonly<Record<BlockedKernel, { readonly ampere: number; readonly hopper: number }>>;
  /** The share of a collective's time by which it slows down the computation that it overlaps with. */
  readonly overlapCost: number;
  /** Sustained multiplies are proportional to this power of the power limit. */
  readonly powerExponent: number;
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

/** Kernels of blocked attention: FlashAttention 2 (Dao 2023), FlashAttention 3 (Shah et al. 2024) and cuDNN 9. */
export type BlockedKernel = 'flash-2' | 'flash-3';

/**
 * The training software on a GPU.
 * - `llm.c`: hand-written kernels, fused wherever possible, no work on the host;
 * - `compiled`: PyTorch with torch.compile, or JAX;
 * - `eager`: one kernel per operation, as in PyTorch without a compiler;
 * - `nanotron`: the same, with its pipelines, in which the host starts one send at a time;
 * - `megatron-core`: Megatron Core, NeMo and Llama 3's trainer since 2023: collectives of layers overlap with multiplies;
 * - `megatron`: Megatron-LM of 2022, with its fused kernels;
 * - `megatron-2021`: the same, a year earlier.
 */
export const gpuSoftwares = [
  'llm.c',
  'compiled',
  'eager',
  'nanotron',
  'megatron-core',
  'megatron',
  'megatron-2021',
] as const;
/** The software stacks for GPUs that constants were fitted for. */
export type GpuSoftware = (typeof gpuSoftwares)[number];

/** The fitted constants of one software stack for GPUs. */
export interface GpuSoftwareConstants {
  /** The bytes that its kernels move between multiplies, relative to fully fused kernels. */
  readonly traffic: number;
  /** Seconds of work per step that overlap with nothing: reading the loss, clipping, logging, starting the optimizer. */
  readonly hostStep: number;
  /** Seconds of the host for each piece of work (`work.ts`), which may be several kernels: a pass takes at least the sum. */
  readonly hostKernel: number;
  /** Seconds per byte of whole activations that one stage of a pipeline sends to the next, in addition to the links' time. */
  readonly sendByte: number;
  /** Collectives of tensor-parallel layers, and sends between stages, overlap with computation. */
  readonly overlapsLayers: boolean;
  /** Its kernels of blocked attention. */
  readonly blocked: BlockedKernel;
  /**
   * The work that `selective` recomputes: scores and probabilities, or, with PyTorch's policies per operation, everything but
   * attention and every second multiply.
   */
  readonly selective: 'scores' | 'operations';
}
export const neuronConstants: NeuronConstants = {
  tileOverheadCycles: 94,
  vectorStall: 1.92,
  memoryEfficiency: 0.53,
  overlap: 0.95,
  earlierOverlap: 0.9,
  programStart: 8.4e-3,
  hostStep: 0.09,
  hostStepPerDoubling: 0.026,
  nodeDeviation: 0.028,
};
// hostKernel: a block of a Llama in PyTorch 2 with the smallest sizes takes 39 µs of a CPU (autocast) for each of the 34 pieces
// of work that a block has here, and some four kernels of CUDA are started for each, at 5 µs. With compiled or fused kernels, a
// fraction of that (assumed).
const fused = {
  traffic: 1,
  hostStep: 0,
  sendByte: 0,
  overlapsLayers: false,
  blocked: 'flash-2',
  selective: 'scores',
} as const;
const eager = { ...fused, traffic: 3.1, hostKernel: 60e-6, selective: 'operations' } as const;
export const gpuConstants: GpuConstants = {
  tile: [256, 128],
  blockedEfficiency: {
    // On A100, Dao 2023: 50 to 73 % of the peak. On H100, fitted: FlashAttention 2 does not use its asynchronous multiplies.
    'flash-2': { ampere: 0.6, hopper: 0.26 },
    // cuDNN 9 on H200, heads of 128: 690 TFLOP/s forward, 575 backward; less if causal.
    'flash-3': { ampere: 0.6, hopper: 0.75 },
  },
  overlapCost: 0.48,
  // Dynamic power is proportional to frequency × voltage², and the voltage to the frequency.
  powerExponent: 1 / 3,
  memoryEfficiency: 0.9,
  kernelStart: 2.4e-6,
  nodeDeviation: 0,
  software: {
    'llm.c': { ...fused, hostKernel: 0, blocked: 'flash-3' },
    compiled: { ...fused, traffic: 2, hostKernel: 10e-6, selective: 'operations' },
    eager,
    nanotron: { ...eager, sendByte: 4.4e-10 },
    'megatron-core': { ...fused, traffic: 1.09, hostKernel: 20e-6, overlapsLayers: true, blocked: 'flash-3' },
    megatron: { ...fused, traffic: 1.09, hostStep: 0.14, hostKernel: 20e-6, blocked: 'flash-3' },
    'megatron-2021': { ...fused, traffic: 3.15, hostKernel: 40e-6 },
  },
  runs: 'eager',
};
