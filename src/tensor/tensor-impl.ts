// The implementation of a tensor. It holds a value, as memory on a device, as a value of the open trace, or as both.
//
//   leaf      buffer                      uploaded data, state after a step, results that were kept
//   pending   value in an open trace      recorded, not run yet
//   read      buffer and value            run because it was read; gradients still flow through the value
//   earlier   value of an earlier step    recomputed when it is used, if its inputs still exist
import type { SourceLocation } from '../base/errors.ts';
import type { Value } from '../hlo/program.ts';
import type { Sharding } from '../hlo/sharding/sharding.ts';
import type { TensorType } from '../hlo/types.ts';
import type { Backend } from '../runtime/backends/backend.ts';
import type { DeviceBuffer } from '../runtime/execution/executable.ts';

/** The part of a `Device` and of a `Trace` that a tensor depends on. */
export interface DeviceHandle {
  readonly name: string;
  /** @internal */
  readonly backend: Backend;
}
export interface TraceHandle {
  readonly closed: boolean;
}

/** The sum of the gradients of 2^level calls of backward(), one after another. */
export interface PartialGradient {
  readonly level: number;
  readonly impl: TensorImpl;
}

/** Another division of a tensor. */
export interface UsedAs {
  readonly sharding: Sharding;
  /** The backward pass moves it again, so that it need not be kept. */
  readonly isRepeated: boolean;
}

/** How often the type of any tensor has been replaced: as long as it does not change, compiled functions look at none of them. */
export const typeChanges = { count: 0 };

/** The part of a tensor that records and runs programs. Internal members are not in the published declarations. */
export interface TensorImpl {
  readonly device: DeviceHandle;
  readonly type: TensorType;
  /** @internal Its elements, where they exist. Never stale: assigning a new value removes it. */
  buffer: DeviceBuffer | undefined;
  /** @internal Its value in `trace`. */
  value: Value | undefined;
  /** @internal */
  trace: TraceHandle | undefined;
  /** @internal The call that created it, and its line in the user's code. */
  readonly op: string;
  /** @internal */
  readonly location: SourceLocation | undefined;
  /** @internal How often that line had recorded something before in the same program. */
  ordinal: number;
  requiresGrad: boolean;
  /** @internal True for leaves, for which gradients are accumulated: tensors not computed from others, or not differentiably. */
  leaf: boolean;
  /** @internal Its gradient, as one sum per one-bit in the number of backward() calls: see `gradient-sums.ts`. */
  partials: readonly PartialGradient[];
  /** @internal The leaf whose gradient this is. */
  gradOf: TensorImpl | undefined;
  /** @internal How programs use it, apart from the optimizer's step, if not as its memory is divided. */
  usedAs?: UsedAs | undefined;
  /** @internal Its name in messages: a parameter's name, 'input 0 of model.forward'. */
  label: string | undefined;
  /** Called before it is used: the value of a view depends on that of its base. */
  refresh?(): void;
  /** Called when the step that computed it is over. */
  endView?(): void;
}

/** Buffers shared by several tensors: their memory must never be reused for a result. */
const shared = new WeakSet<DeviceBuffer>();
export const share = (buffer: DeviceBuffer): void => void shared.add(buffer);
export const isShared = (buffer: DeviceBuffer): boolean => shared.has(buffer);
