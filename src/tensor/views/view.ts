// Tensors that share their elements, like PyTorch's views. Values of a program never change, so views and bases are synchronized
// by recording: a write to the view is also recorded for its base, and a tensor that was changed through another one
// is recomputed from its base when it is next used.
//
//   const row = x.select(0, 1);
//   row.fill_(0);               // changes x: x = write(x, row)
//   x.mul_(2);                  // changes row: the next use applies `select` to the new x
//
// Tensors that share elements have one `Sharing`, whose version counts writes. A view whose version is behind is out of date.
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';
import { tensorTypeOf } from '../../hlo/program.ts';
import { isFloat, type TensorType } from '../../hlo/types.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import type { Device } from '../device.ts';
import { type TensorImpl, typeChanges } from '../tensor-impl.ts';
import {
  applySteps,
  isRowMajor,
  rowMajor,
  type Step,
  type Strided,
  stepsBetween,
  strideStep,
  writeSteps,
} from './steps.ts';

/** The part of a tensor that this file depends on. */
export interface Viewed extends TensorImpl {
  readonly device: Device;
  readonly shape: readonly number[];
  type: TensorType;
  viewOf: View | undefined;
  sharing: Sharing | undefined;
  /** Assigns another value without notifying tensors that share its elements. */
  rebind(value: Value): unknown;
}

/** Tensors that share elements. */
export class Sharing {
  /** Counts the writes. */
  version = 0;
}

/** The description of a view. */
export interface View {
  readonly base: Viewed;
  readonly steps: readonly Step[];
  /** No gradient flows from the view to its base. */
  readonly stops: boolean;
  /** The version of the elements that its value has. */
  version: number;
  /** Set for the tensors of a state dict: they have no elements until they are used, then a copy of those of this buffer. */
  copyOf?: DeviceBuffer | null;
}

/** How the elements of a tensor would lie in PyTorch's memory. */
export function layoutOf(x: Viewed): Strided {
  if (x.viewOf === undefined) return { shape: x.shape, strides: rowMajor(x.shape), offset: 0 };
  let layout: Strided | undefined = layoutOf(x.viewOf.base);
  for (const step of x.viewOf.steps) layout = layout && strideStep(layout, step);
  return layout ?? { shape: x.shape, strides: rowMajor(x.shape), offset: 0 };
}

export type ViewKind = 'view' | 'reshape';
/**
 * Makes `result`, which was just recorded from `base`, a view of it where only moving was recorded. `reshape`: only where
 * PyTorch would not copy.
 */
export function shareElements(base: Viewed, result: Viewed, from: Value, kind: ViewKind, stops: boolean): void {
  const steps = stepsBetween(from, result.value!);
  if (steps === undefined) return;
  if (kind === 'reshape' && base.viewOf !== undefined) {
    let layout: Strided | undefined = layoutOf(base);
    for (const step of steps) layout = layout && strideStep(layout, step);
    if (layout === undefined) return;
  }
  base.sharing ??= new Sharing();
  result.sharing = base.sharing;
  result.viewOf = { base, steps, stops, version: base.sharing.version };
}

/** Makes `result` show the very elements of `base`, without a gradient. */
export function shareDetached(base: Viewed, result: Viewed): void {
  base.sharing ??= new Sharing();
  result.sharing = base.sharing;
  result.viewOf = { base, steps: [], stops: true, version: base.sharing.version };
}

/** Makes `result`, a tensor of a state dict, show the elements of `base`. Nothing is copied unless it is used in a program. */
export function shareState(base: Viewed, result: Viewed): void {
  base.sharing ??= new Sharing();
  result.sharing = base.sharing;
  result.viewOf = { base, steps: [], stops: true, version: -1, copyOf: null };
}
/** The tensor whose elements are read for `x`: those of a tensor of a state dict are not copied first. */
export const shownBy = (x: Viewed): Viewed => (isStateOfLeaf(x) ? x.viewOf.base : x);
const isStateOfLeaf = (x: Viewed): x is Viewed & { viewOf: View } =>
  x.viewOf?.copyOf !== undefined && x.viewOf.base.buffer !== undefined && x.viewOf.base.device === x.device;

/** The leaf whose gradient would be wrong if `x` were changed in place: itself, or its base. */
export function leafShown(x: Viewed): Viewed | undefined {
  if (x.leaf && x.requiresGrad) return x;
  return x.viewOf === undefined || x.viewOf.stops ? undefined : leafShown(x.viewOf.base);
}

/** Whether its elements are in row-major order, like PyTorch's `is_contiguous`. */
export const isContiguous = (x: Viewed): boolean => x.viewOf === undefined || isRowMajor(layoutOf(x));

/** Updates a view: must be called before its value or its elements are used. */
export function refresh(x: Viewed): void {
  const { viewOf: view, sharing } = x;
  if (view === undefined || sharing === undefined || !isBehind(x, view, sharing)) return;
  const { base, steps, stops } = view;
  const { device } = x;
  if (isStateOfLeaf(x)) {
    x.type = base.type;
    x.buffer = device.backend.upload(base.type, base.buffer!.copyToHost());
    x.value = undefined;
    x.trace = undefined;
    view.version = sharing.version;
    view.copyOf = base.buffer!;
    return;
  }
  if (base.device !== device) {
    x.viewOf = undefined;
    return;
  }
  const from = device.valueOf(base);
  const { trace } = device;
  const b = trace.builder;
  b.location = x.location;
  let value = applySteps(b, from, steps);
  const isDetached = base.requiresGrad && stops;
  if (value === from) value = b.reshape(value, x.shape);
  if (isDetached) trace.stopped.add(value);
  x.type = tensorTypeOf(value);
  typeChanges.count++;
  x.buffer = undefined;
  x.value = value;
  x.trace = trace;
  x.requiresGrad = base.requiresGrad && !stops && isFloat(x.type.elementType);
  x.leaf = !x.requiresGrad;
  view.version = sharing.version;
  device.computed(x);
}

function isBehind(x: Viewed, view: View, sharing: Sharing): boolean {
  if (view.version !== sharing.version) return true;
  if (isStateOfLeaf(x)) return view.copyOf !== view.base.buffer;
  // Recorded in a step that is over, and not kept: its base may have been.
  if (x.buffer !== undefined || x.value === undefined) return false;
  const isOver = x.trace !== x.device.trace || x.value.id <= x.device.trace.begin;
  return isOver && view.base.buffer !== undefined;
}

/** `x`, which others share elements with, has just been given `value`: its bases get it too, and other views are out of date. */
export function writeThrough(x: Viewed, b: Builder): void {
  const sharing = x.sharing!;
  const written = [x];
  for (let child = x; child.viewOf !== undefined; ) {
    const { base, steps, stops } = child.viewOf;
    const { device } = child;
    if (base.device !== device) break;
    const before = device.valueOf(base);
    let value = writeSteps(b, before, child.value!, steps);
    if (value === child.value) value = b.reshape(value, base.shape);
    const carries = child.requiresGrad && !stops && !base.requiresGrad;
    if (carries) {
      base.requiresGrad = true;
      base.leaf = false;
    }
    base.rebind(value);
    written.push(base);
    child = base;
  }
  sharing.version++;
  for (const { viewOf: view } of written) if (view !== undefined) view.version = sharing.version;
}

/**
 * At the end of a step: a view whose base was not kept becomes independent, so that it does not keep the recorded ops alive. A
 * view that is out of date still needs its base.
 */
export function separate(x: Viewed): void {
  const { viewOf: view, sharing } = x;
  if (view === undefined || x.buffer === undefined || view.base.buffer !== undefined) return;
  if (view.version === sharing?.version) x.viewOf = undefined;
}
