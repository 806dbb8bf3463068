// The description of a chip: engines and their clocks, memories, links. Every number is for one whole chip unless its name contains
// `PerCore`. GB is 10⁹ bytes, GiB 2³⁰; TFLOPS count a multiply-add as two.
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
/** The names of the chips of the catalogue. */
export type ChipName = (typeof chipNames)[number];

/** What peaks are published for: the formats that multiply, 8-bit integers, 4-bit floats, and multiplies of sparse weights. */
export const peakFormats = ['f32', 'tf32', 'bf16', 'f16', 'f8', 'int8', 'f4', 'sparse'] as const;
/** The number formats that makers print peak speeds for; `sparse` is with structured sparsity. */
export type PeakFormat = MultiplyType | 'int8' | 'f4' | 'sparse';

interface ChipBase {
  readonly name: ChipName;
  readonly title: string;
  /** What its maker sells it for, where that is not training. */
  readonly madeFor?: 'inference';
  readonly released?: Fact<string>;
  readonly peakTflops: Readonly<Partial<Record<PeakFormat, Fact<number>>>> & { readonly f32: Fact<number> };
  /** Formats of numbers that it computes in, as published. */
  readonly dataTypes: Fact<readonly string[]>;
  /** Structured sparsity: how many of a group of weights may be other than 0, `2:4`. Undefined if there is no speedup from zeros. */
  readonly sparsityPatterns?: Fact<readonly string[]>;
  readonly memoryGib: Fact<number>;
  readonly memoryGBs: Fact<number>;
  /** Watts of the chip or module at full work. Undefined: not public. */
  readonly watts?: Fact<number>;
}

/** An AWS Trainium or Inferentia chip. */
export interface NeuronChip extends ChipBase {
  readonly kind: 'neuron';
  readonly core: string;
  readonly cores: Fact<number>;
  /** The systolic array of a core. */
  readonly tensorPerCore: {
    readonly rows: Fact<number>;
    readonly columns: Fact<number>;
    /** Columns of the moving operand in one instruction: what one bank of PSUM holds in f32. */
    readonly moving: Fact<number>;
    readonly clockGhz: Fact<number>;
    /** The engine alone; a chip's peak counts its other engines too. */
    readonly peakTflops: Readonly<Partial<Record<PeakFormat, Fact<number>>>>;
    /** Cycles a row takes in this format, where bf16 takes 1. */
    readonly slowdown: Readonly<Partial<Record<MultiplyType, Fact<number>>>>;
  };
  readonly vectorPerCore: {
    readonly lanes: Fact<number>;
    readonly elementsPerCycle: Fact<number>;
    /** Where 16-bit elements are faster. */
    readonly elementsPerCycleBf16?: Fact<number>;
    readonly clockGhz: Fact<number>;
    readonly tflops?: Fact<number>;
  };
  readonly scalarPerCore: {
    readonly elementsPerCycle: Fact<number>;
    readonly elementsPerCycleFast?: Fact<number>;
    readonly clockGhz: Fact<number>;
    readonly tflops?: Fact<number>;
  };
  readonly gpsimdPerCore: {
    readonly processors: Fact<number>;
    readonly simdBits?: Fact<number>;
    readonly clockGhz: Fact<number>;
    /** Memory of each processor. */
    readonly localKib?: Fact<number>;
    readonly ownDmaGBs?: Fact<number>;
  };
  readonly sbufMibPerCore: Fact<number>;
  readonly psumMibPerCore: Fact<number>;
  readonly dma: {
    readonly enginesPerCore: Fact<number>;
    readonly totalGBs: Fact<number>;
    readonly engineGBs?: Fact<number>;
  };
  readonly collectiveCores?: Fact<number>;
  /** All links of a chip, both directions. */
  readonly neuronLinkGBs: Fact<number>;
  /** How many physical cores one logical core may be. Undefined: only one. */
  readonly coresPerLogicalCore?: Fact<readonly number[]>;
}

/** An NVIDIA GPU. */
export interface GpuChip extends ChipBase {
  readonly kind: 'gpu';
  readonly multiprocessors: Fact<number>;
  readonly clockGhz: Fact<number>;
  /** Share of the peak that the best kernels hold under the power limit. Undefined: all of it. */
  readonly sustained?: Fact<number>;
  /** f32 operations outside the tensor cores. */
  readonly vectorTflops: Fact<number>;
  readonly cacheMib: Fact<number>;
  /** All links of a chip, both directions. Undefined if it has none. */
  readonly nvLinkGBs?: Fact<number>;
  /** One direction. */
  readonly pcieGBs: Fact<number>;
}

/** A chip of the catalogue. */
export type Chip = NeuronChip | GpuChip;
