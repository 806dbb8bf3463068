// The kernel of a single op as data: the op, the algorithm that was chosen for it, and how its work is cut into tasks. The
// algorithm itself is its printer's (c/ops/): see docs/decisions/0009-single-ops.md.
import type { Op } from '../../hlo/program.ts';

/** How `units` of equal work are cut into tasks. */
export interface TaskCut {
  readonly units: number;
  /** Units (rows, columns …) of a task but the last. */
  readonly perTask: number;
  readonly tasks: number;
}

export type OpKernel = { readonly kind: 'op' } /** Slices along the dim, each merged. */ & (
  | { readonly form: 'sort'; readonly op: Op<'sort'>; readonly dim: number; readonly cut: TaskCut }
  /** Blocks of the innermost dim of the window: each task folds all updates into its own, in order. */
  | { readonly form: 'scatter'; readonly op: Op<'scatter'>; readonly cut: TaskCut }
  /** Parts that follow one another, each copied to its place unless it was made there. */
  | { readonly form: 'join'; readonly op: Op<'concatenate'>; readonly cut: TaskCut }
  /** Element by element, where the region is more than elementwise ops. */
  | { readonly form: 'map'; readonly op: Op<'map'>; readonly cut: TaskCut }
  /** Batch by batch, in f64. */
  | { readonly form: 'fft'; readonly op: Op<'fft'>; readonly cut: TaskCut }
  | {
      /** Blocks of a row of results. */
      readonly form: 'reduce-window';
      readonly op: Op<'reduce_window'>;
      readonly block: number;
      readonly cut: TaskCut;
      /** Padding is taken in as the initial value, once for each position; elsewhere it is skipped. */
      readonly countsPadding: boolean;
    }
  | {
      readonly form: 'select-and-scatter';
      readonly op: Op<'select_and_scatter'>;
      /** Leading dims along which windows neither overlap nor move: tasks share these. */
      readonly leading: number;
      readonly cut: TaskCut;
    }
  /** Products of types that have no multiply, element by element of the result. */
  | { readonly form: 'dot'; readonly op: Op<'dot_general'>; readonly cut: TaskCut }
  /** As multiplies over patches that are never stored whole (convolution/). */
  | { readonly form: 'implicit-gemm'; readonly op: Op<'convolution'> }
  | {
      /** Directly: blocks of results along the innermost dim, within runs that one group's features or positions make. */
      readonly form: 'convolution';
      readonly op: Op<'convolution'>;
      readonly run: number;
      readonly block: number;
      readonly cut: TaskCut;
    }
  | { readonly form: 'operator'; readonly op: Op<'custom_call'>; readonly symbol: string }
  | {
      readonly form: 'process-id';
      readonly op: Op<'replica_id' | 'partition_id'>;
      readonly numPartitions: number;
    }
  /** The runtime's call for all ranks. */
  | { readonly form: 'all-reduce'; readonly op: Op<'all_reduce'> }
  | { readonly form: 'all-gather'; readonly op: Op<'all_gather'> }
  /** Calls of the runtime within groups, or between two ends. */
  | {
      readonly form: 'exchange';
      readonly op: Op<
        | 'all_reduce'
        | 'all_gather'
        | 'reduce_scatter'
        | 'all_to_all'
        | 'collective_permute'
        | 'collective_broadcast'
        | 'send'
        | 'recv'
      >;
    }
);
export type OpKernelOf<F extends OpKernel['form']> = Extract<OpKernel, { form: F }>;
