// The schedule: which values are stored in memory, and the steps that compute them, in order. Created by fusion.ts, and used by
// all later stages.
import type { Op, Value } from '../../hlo/program.ts';
import type { CollectivePart } from './collective.ts';
import type { FusedGroup } from './group.ts';
import type { DotPlan } from './multiply.ts';

/** A multiply whose result is consumed by the epilogue of its own kernel. */
export interface EpilogueDot {
  readonly op: Op<'dot_general'>;
  readonly plan: DotPlan;
  /** The value that the multiply computes, which has no memory: its result or its transpose. */
  readonly value: Value;
}

export type Step =
  | {
      readonly kind: 'fused';
      readonly group: FusedGroup;
      /** The group is the epilogue of this multiply. */
      readonly dot?: EpilogueDot;
      readonly reads: readonly Value[];
      /** Values in memory that are operands of its ops, but whose elements it does not read. It does not wait for them. */
      readonly unread: readonly Value[];
      readonly writes: readonly Value[];
    }
  | {
      readonly kind: 'kernel';
      readonly op: Op;
      readonly dot?: DotPlan;
      /** Absent where a collective is started and awaited at once. */
      readonly part?: CollectivePart;
      readonly reads: readonly Value[];
      readonly writes: readonly Value[];
    }
  | {
      readonly kind: 'control';
      readonly op: Op<'while' | 'if' | 'case'>;
      readonly blocks: readonly Block[];
      readonly reads: readonly Value[];
      readonly writes: readonly Value[];
    };

/** A step that runs a kernel. */
export type KernelStep = Exclude<Step, { kind: 'control' }>;

/** The steps of a region. */
export interface Block {
  readonly args: readonly Value[];
  readonly results: readonly Value[];
  readonly steps: readonly Step[];
}

export interface Schedule {
  readonly main: Block;
  /** Values stored in memory; all others are computed where they are used. */
  readonly stored: ReadonlySet<Value>;
}
