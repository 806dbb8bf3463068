// The kernel of a single op as data: the op, the algorithm that was chosen for it, and how its work is divided into tasks. The
// algorithm itself is its printer's (cpu/c/ops/): see docs/decisions/0009-single-ops.md.
import type { FactorizationName } from '../../../hlo/ops/factorizations/factorization.ts';
import type { Op, Value } from '../../../hlo/program.ts';
import type { CollectivePart, CollectiveStep, Partners } from '../../ir/collective.ts';
import type { Extent } from '../../ir/extent.ts';
import type { ConvolutionPlan, ConvolutionTypes } from './convolution.ts';
import type { WinogradPlan } from './winograd.ts';

/** How `units` of equal work are divided into tasks. */
export interface TaskCut<Size extends Extent = number> {
  readonly units: Size;
  /** Units (rows, columns …) of a task but the last. */
  readonly perTask: Size;
  readonly tasks: Size;
}

/** Entries of p[] of an op's operands, its results, and the stored scalars from outside that its regions read. */
export interface OpSlots {
  /** -1 for tokens, and for empty parts of a concatenation. */
  readonly operands: readonly number[];
  readonly results: readonly number[];
  readonly captured: ReadonlyMap<Value, number>;
}

/** The sizes of an op's operands and results: those of its types, or quantities. */
export interface OpSizes {
  readonly operands: readonly (readonly Extent[])[];
  readonly results: readonly (readonly Extent[])[];
}

/** Up to this length the transform of a length that is not a power of two is a sum over all products. */
export const directFftLength = 32;

export type OpKernel = { readonly kind: 'op'; readonly slots: OpSlots } & (
  | {
      /** Slices along the dim, each merged in scratch. */
      readonly form: 'sort';
      readonly op: Op<'sort'>;
      readonly sizes: OpSizes;
      readonly dim: number;
      readonly cut: TaskCut<Extent>;
      readonly scratchBytes: Extent;
    }
  /** Blocks of the innermost dim of the window: each task folds all updates into its own, in order. */
  | { readonly form: 'scatter'; readonly op: Op<'scatter'>; readonly sizes: OpSizes; readonly cut: TaskCut<Extent> }
  /** Parts that follow one another, each copied to its position unless it was computed there. */
  | {
      readonly form: 'join';
      readonly op: Op<'concatenate'>;
      /** The bytes of the parts that are not empty. */
      readonly bytes: readonly number[];
      readonly cut: TaskCut;
    }
  /** A slice written over the tensor, which is copied first unless the result shares its memory. */
  | {
      readonly form: 'slice-update';
      readonly op: Op<'dynamic_update_slice'>;
      /** A run of the update is contiguous in the result. */
      readonly runs: readonly number[];
      readonly runElements: number;
    }
  /** Element by element, where the region is more than elementwise ops. */
  | { readonly form: 'map'; readonly op: Op<'map'>; readonly cut: TaskCut }
  /** Batch by batch, in f64. */
  | {
      readonly form: 'fft';
      readonly op: Op<'fft'>;
      readonly cut: TaskCut;
      /** Complex numbers in scratch: two copies of the data, one vector of it, and the temporaries of that transform. */
      readonly scratch: { readonly whole: number; readonly line: number; readonly work: number };
      readonly scratchBytes: number;
    }
  | {
      /** Blocks of a row of results. */
      readonly form: 'reduce-window';
      readonly op: Op<'reduce_window'>;
      readonly sizes: OpSizes;
      readonly block: number;
      readonly cut: TaskCut<Extent>;
      /** Each padding position contributes the initial value; otherwise padding is skipped. */
      readonly countsPadding: boolean;
    }
  | {
      readonly form: 'select-and-scatter';
      readonly op: Op<'select_and_scatter'>;
      readonly sizes: OpSizes;
      /** Leading dims along which windows neither overlap nor move: tasks share these. */
      readonly leading: number;
      /** Windows of a row that find their elements together. */
      readonly block: number;
      readonly cut: TaskCut<Extent>;
    }
  /** Products of types that have no multiply, element by element of the result. */
  | { readonly form: 'dot'; readonly op: Op<'dot_general'>; readonly sizes: OpSizes; readonly cut: TaskCut<Extent> }
  /** As multiplies over patches that are never stored whole (cpu/convolution/). */
  | {
      readonly form: 'implicit-gemm';
      readonly op: Op<'convolution'>;
      readonly plan: ConvolutionPlan;
      readonly types: ConvolutionTypes;
    }
  /** 3×3 weights in fewer multiplies (cpu/convolution/winograd-plan.ts). */
  | {
      readonly form: 'winograd';
      readonly op: Op<'convolution'>;
      readonly plan: WinogradPlan;
      /** Entries of p[] for w (the result, in a plan for weights), x and y. */
      readonly at: { readonly x: number; readonly w: number; readonly y: number };
    }
  | {
      /** Directly: blocks of results along the innermost dim, within runs that one group's features or positions make. */
      readonly form: 'convolution';
      readonly op: Op<'convolution' | 'dynamic_conv'>;
      readonly sizes: OpSizes;
      /** Before and after each spatial dim. */
      readonly padding: readonly (readonly [low: Extent, high: Extent])[];
      readonly run: Extent;
      readonly block: number;
      readonly cut: TaskCut<Extent>;
    }
  /** Matrix by matrix, in f64. */
  | {
      readonly form: 'factorization';
      readonly op: Op<'custom_call'>;
      readonly name: FactorizationName;
      readonly cut: TaskCut;
      readonly scratchBytes: number;
    }
  | {
      /** A few tokens and a head of keys at a time. */
      readonly form: 'paged-attention';
      readonly op: Op<'custom_call'>;
      /** Tokens of a unit, which attend together where they follow one another in a sequence. */
      readonly together: number;
      readonly cut: TaskCut;
      readonly scratchBytes: number;
    }
  | { readonly form: 'operator'; readonly op: Op<'custom_call'>; readonly symbol: string }
  | {
      readonly form: 'process-id';
      readonly op: Op<'replica_id' | 'partition_id'>;
      /** Its position among the replicas, or among the partitions. */
      readonly among: 'replicas' | 'partitions';
      readonly numPartitions: number;
    }
  | {
      readonly form: 'collective';
      readonly op: Op<CollectiveName>;
      readonly partners: Partners;
      /** The number of processes of the program; absent if any number may run it. */
      readonly processes: number | undefined;
      readonly steps: readonly CollectiveStep[];
      /** Set if one kernel starts the collective and another awaits it. */
      readonly part?: CollectivePart;
    }
);
export type CollectiveName =
  | 'all_reduce'
  | 'all_gather'
  | 'reduce_scatter'
  | 'all_to_all'
  | 'collective_permute'
  | 'collective_broadcast'
  | 'send'
  | 'recv';
export type OpKernelOf<F extends OpKernel['form']> = Extract<OpKernel, { form: F }>;
