// The description of a chip: engines and their clocks, memories, links. Every number is for one whole chip unless its name
// contains `PerCore`. GB is 10⁹ bytes, GiB 2³⁰; TFLOPS count a multiply-add as two.
import type { Fact } from '../fact.ts';
import type { MultiplyType } from '../machine.ts';

export const chipNames = [
  'trainium1',
  'trainium2',
  'trainium3',
  'inferentia2',
  'a100-40gb',
  'a100-80gb',
  'h100',
  'h200',
  'a10g',
] as const;
/** The names of the chips of the catalog. */
export type ChipName = (typeof chipNames)[number];

/** The number formats that makers print peak speeds for; `sparse` is with structured sparsity. */
export type PeakFormat = MultiplyType | 'int8' | 'f4' | 'sparse';

interface ChipBase {
  /** The name in this library. */
  readonly name: ChipName;
  /** The full name of the product. */
  readonly title: string;
  /** The purpose that its maker sells it for, if it is not training. */
  readonly madeFor?: 'inference';
  /** When it was released. */
  readonly released?: Fact<string>;
  /** Peak rate in TFLOP/s, by format. */
  readonly peakTflops: Readonly<Partial<Record<PeakFormat, Fact<number>>>> & {
    /** Peak rate in f32, TFLOP/s. */
    readonly f32: Fact<number>;
  };
  /** Formats of numbers that it computes in, as published. */
  readonly dataTypes: Fact<readonly string[]>;
  /**
   * Structured sparsity: how many of a group of weights may be other than 0, `2:4`. Undefined if there is no speedup from
   * zeros.
   */
  readonly sparsityPatterns?: Fact<readonly string[]>;
  /** The memory in GiB. */
  readonly memoryGib: Fact<number>;
  /** The memory bandwidth in GB/s. */
  readonly memoryGBs: Fact<number>;
  /** Watts of the chip or module at full work. Undefined: not public. */
  readonly watts?: Fact<number>;
}

/** An AWS Trainium or Inferentia chip. */
export interface NeuronChip extends ChipBase {
  /** Discriminates the members of the union. */
  readonly kind: 'neuron';
  /** The name of the core's generation. */
  readonly core: string;
  /** The number of cores. */
  readonly cores: Fact<number>;
  /** The systolic array of a core. */
  readonly tensorPerCore: {
    /** The number of rows of the systolic array. */
    readonly rows: Fact<number>;
    /** The number of columns of the systolic array. */
    readonly columns: Fact<number>;
    /** Columns of the moving operand in one instruction: the capacity of one bank of PSUM in f32. */
    readonly moving: Fact<number>;
    /** The clock rate in GHz. */
    readonly clockGhz: Fact<number>;
    /** The engine alone; a chip's peak includes its other engines. */
    readonly peakTflops: Readonly<Partial<Record<PeakFormat, Fact<number>>>>;
    /** Cycles per row in this format, where bf16 takes 1. */
    readonly slowdown: Readonly<Partial<Record<MultiplyType, Fact<number>>>>;
  };
  /** The vector engine of a core. */
  readonly vectorPerCore: {
    /** The number of lanes. */
    readonly lanes: Fact<number>;
    /** Elements per cycle. */
    readonly elementsPerCycle: Fact<number>;
    /** Ops for which 16-bit elements are faster. */
    readonly elementsPerCycleBf16?: Fact<number>;
    /** The clock rate in GHz. */
    readonly clockGhz: Fact<number>;
    /** The peak rate in TFLOP/s. */
    readonly tflops?: Fact<number>;
  };
  /** The scalar engine of a core. */
  readonly scalarPerCore: {
    /** Elements per cycle. */
    readonly elementsPerCycle: Fact<number>;
    /** Elements per cycle for the operations with a fast path. */
    readonly elementsPerCycleFast?: Fact<number>;
    /** The clock rate in GHz. */
    readonly clockGhz: Fact<number>;
    /** The peak rate in TFLOP/s. */
    readonly tflops?: Fact<number>;
  };
  /** The general-purpose processors of a core. */
  readonly gpsimdPerCore: {
    /** The number of processors. */
    readonly processors: Fact<number>;
    /** The width of a vector register in bits. */
    readonly simdBits?: Fact<number>;
    /** The clock rate in GHz. */
    readonly clockGhz: Fact<number>;
    /** Memory of each processor. */
    readonly localKib?: Fact<number>;
    /** The bandwidth of their own DMA in GB/s. */
    readonly ownDmaGBs?: Fact<number>;
  };
  /** The state buffer (SBUF) of a core in MiB. */
  readonly sbufMibPerCore: Fact<number>;
  /** The accumulation buffer (PSUM) of a core in MiB. */
  readonly psumMibPerCore: Fact<number>;
  /** The DMA engines. */
  readonly dma: {
    /** The number of DMA engines of a core. */
    readonly enginesPerCore: Fact<number>;
    /** The bandwidth of all DMA engines together in GB/s. */
    readonly totalGBs: Fact<number>;
    /** The bandwidth of one DMA engine in GB/s. */
    readonly engineGBs?: Fact<number>;
  };
  /** The number of cores for collectives. */
  readonly collectiveCores?: Fact<number>;
  /** All links of a chip, both directions. */
  readonly neuronLinkGBs: Fact<number>;
  /** The numbers of physical cores that one logical core may have. Undefined: only one. */
  readonly coresPerLogicalCore?: Fact<readonly number[]>;
}

/** An NVIDIA GPU. */
export interface GpuChip extends ChipBase {
  /** Discriminates the members of the union. */
  readonly kind: 'gpu';
  /** The number of streaming multiprocessors. */
  readonly multiprocessors: Fact<number>;
  /** The clock rate in GHz. */
  readonly clockGhz: Fact<number>;
  /** Share of the peak that the best kernels sustain under the power limit. Undefined: all of it. */
  readonly sustained?: Fact<number>;
  /** f32 operations outside the tensor cores. */
  readonly vectorTflops: Fact<number>;
  /** The last-level cache in MiB. */
  readonly cacheMib: Fact<number>;
  /** All links of a chip, both directions. Undefined if it has none. */
  readonly nvLinkGBs?: Fact<number>;
  /** One direction. */
  readonly pcieGBs: Fact<number>;
}

/** A chip of the catalog. */
export type Chip = NeuronChip | GpuChip;
