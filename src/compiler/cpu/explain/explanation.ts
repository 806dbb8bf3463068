// The data of an explanation of a compiled program: which op is in which kernel and why, what each kernel moves and
// computes, and how memory is used. Plain data, as printed by `trenio hlo explain --json`. It is computed in
// explain.ts.
import type { SourceLocation } from '../../../base/errors.ts';
import type { KernelInfo } from '../counting/kernel-info.ts';

/** An op of the program as it was scheduled, that is, after the passes. */
export interface ExplainedOp {
  readonly name: string;
  /** The type of its first result: `tensor<2x3xf32>`. */
  readonly type: string;
  readonly location: SourceLocation | undefined;
}

/** A value in memory, as a kernel reads or writes it. */
export interface ExplainedValue {
  /** `%12`, unique in the scheduled program. */
  readonly value: string;
  /** The op that computes it, or `argument 3`. */
  readonly from: string;
  readonly type: string;
  readonly bytes: number;
  /** `argument 0`, `result 1`, `constant`, `arena + 4096`. */
  readonly memory: string;
  /** For a value that is written: why it is stored in memory. */
  readonly why: readonly string[];
}

export interface ExplainedKernel extends Omit<KernelInfo, 'calls' | 'ops'> {
  readonly ops: readonly ExplainedOp[];
  /** Ops without cost: they only change the index or the type of elements. */
  readonly views: readonly ExplainedOp[];
  /** Why these ops are one kernel, and how it works. */
  readonly why: readonly string[];
  /** The calls of this kernel, by their positions in the step. */
  readonly calls: readonly number[];
  /** The values read by its first call. */
  readonly reads: readonly ExplainedValue[];
  readonly writes: readonly ExplainedValue[];
}

/** An op that several kernels recompute. */
export interface ComputedAgain extends ExplainedOp {
  readonly kernels: readonly string[];
  readonly why: string;
}

export interface ExplainedMemory {
  /** Temporaries, packed by their lifetimes. */
  readonly arenaBytes: number;
  /** The peak size of live temporaries: the arena cannot be smaller. */
  readonly liveBytes: number;
  /** The call at which the peak occurs. */
  readonly liveAt: number | undefined;
  readonly argumentBytes: number;
  readonly resultBytes: number;
  /** The bytes of results that take over an argument's memory. */
  readonly donatedBytes: number;
  readonly constantBytes: number;
  /** The bytes of all memory; donated memory counts once. */
  readonly totalBytes: number;
  /** The largest temporaries, and between which calls they live. */
  readonly largest: readonly (ExplainedValue & { readonly firstCall: number; readonly lastCall: number })[];
}

export interface Explanation {
  readonly name: string;
  /** The instructions it is compiled for. */
  readonly isa: string;
  /** The ops of the program as it was given, all functions and regions. */
  readonly recorded: readonly { readonly name: string; readonly location: SourceLocation | undefined }[];
  /** How many ops there were to schedule after the passes. */
  readonly scheduled: number;
  readonly kernels: readonly ExplainedKernel[];
  readonly computedAgain: readonly ComputedAgain[];
  readonly memory: ExplainedMemory;
}
