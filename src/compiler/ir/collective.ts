// Collectives as data: which processes take part, how the parts of an operand are laid out in memory, and the steps of one
// process. All processes run one program, so it contains the groups and routes of all; each process reads its own.
import type { ElementType } from '../../hlo/types.ts';

/** The element types that collectives combine. */
const combinedTypes = ['f32', 'f64', 'i32', 'i64', 'bf16', 'f16'] as const satisfies readonly ElementType[];
export type CombinedType = (typeof combinedTypes)[number];
export const isCombinedType = (type: ElementType): type is CombinedType => combinedTypes.some(t => t === type);

/** How collectives combine, by the names of the ops. */
const reductionNames = ['add', 'multiply', 'maximum', 'minimum'] as const;
export type Reduction = (typeof reductionNames)[number];
export const isReduction = (op: string): op is Reduction => reductionNames.some(name => name === op);

/** The processes that communicate, by id. */
export type Partners =
  /** All processes, in order: the runtime has faster calls for that. */
  | { readonly kind: 'all' }
  | { readonly kind: 'groups'; readonly groups: readonly (readonly number[])[] }
  /** For each process where it receives from and sends to, -1 for nowhere. */
  | { readonly kind: 'routes'; readonly sources: readonly number[]; readonly targets: readonly number[] };

/** Memory of the kernel: entry `slot` of p[], and bytes from there. */
export interface Place {
  readonly slot: number;
  readonly offset: number;
}

/** Rows of memory in the order [outer][parts], which are sent in the order [parts][outer]: each part is contiguous. */
export interface PartLayout {
  readonly outer: number;
  readonly parts: number;
  readonly rowBytes: number;
}

/** How the runtime combines elements. */
export interface Combination {
  readonly type: CombinedType;
  readonly reduction: Reduction;
}

/** A collective in two steps: work between them overlaps with it. The ticket is its number in the program. */
export interface CollectivePart {
  readonly does: 'start' | 'await';
  readonly ticket: number;
}

/** A tensor of equal elements: the result of a process that receives nothing. */
export interface Fill {
  readonly type: ElementType;
  readonly count: number;
  readonly bytes: number;
  readonly value: number;
}

/** The action of a process. All steps of an op have the same partners. */
export type CollectiveStep =
  /** Does nothing if both are the same memory. */
  | { readonly kind: 'copy'; readonly from: Place; readonly to: Place; readonly bytes: number }
  /** From the order of memory to the order in which parts are sent, and back. */
  | { readonly kind: 'pack' | 'unpack'; readonly from: Place; readonly to: Place; readonly layout: PartLayout }
  /** Several tensors at once, in place: a hundred small gradients meet at one barrier, not at a hundred. */
  | {
      readonly kind: 'all-reduce';
      readonly tensors: readonly { readonly place: Place; readonly count: number }[];
      readonly by: Combination;
    }
  /** `count`: elements of the part that a process keeps. */
  | {
      readonly kind: 'reduce-scatter';
      readonly from: Place;
      readonly to: Place;
      readonly count: number;
      readonly by: Combination;
    }
  /** `bytes`: of one process's part. */
  | { readonly kind: 'all-gather' | 'all-to-all'; readonly from: Place; readonly to: Place; readonly bytes: number }
  | {
      readonly kind: 'broadcast';
      readonly from: Place;
      readonly to: Place;
      readonly bytes: number;
      /** The element of an i32 tensor with the index of the sending member, clamped; the first member if absent. */
      readonly root: { readonly slot: number; readonly index: number } | undefined;
      /** The result of a process without a group. */
      readonly otherwise: Fill;
    }
  /** Along the routes, all tensors at once. `fills`: the results of a process that receives nothing. */
  | {
      readonly kind: 'send-receive';
      /** The role of the op: if it only receives, another op of the program sends. */
      readonly does: 'send' | 'receive' | 'both';
      readonly sent: readonly Place[];
      readonly received: readonly Place[];
      readonly bytes: readonly number[];
      readonly fills: readonly Fill[];
    };
