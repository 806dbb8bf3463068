// Gradients of tensors, and changes in place: assigning, moving, converting. Reading is in `tensor-core.ts`, arithmetic in
// `tensor.ts`; `device.ts` decides when recorded ops run.
import { TrenioError } from '../base/errors.ts';
import { bytesOf, literalOfBytes } from '../hlo/literal.ts';
import { convertLiteral } from '../hlo/ops/convert.ts';
import { tensorTypeOf, type Value } from '../hlo/program.ts';
import { byteSize, type ElementType, isContinuous, sameType, tensorType } from '../hlo/types.ts';
import type { DeviceBuffer } from '../runtime/execution/executable.ts';
import type { Device } from './device.ts';
import { backwardFrom, checkGradient, noGradient } from './gradients/backward.ts';
import { isGradEnabled } from './gradients/grad-mode.ts';
import { hooksOf, isAttached } from './gradients/gradient-graph.ts';
import { additionTo, sumOf, sumTypeOf } from './gradients/gradient-sums.ts';
import { userLocation } from './location.ts';
import { formatShape } from './lower/shapes.ts';
import { markLoss } from './observed.ts';
import { AbsentBuffer } from './placement/absent-buffer.ts';
import { DeferredBuffer } from './placement/deferred-buffer.ts';
import { partOfBytes } from './placement/parts.ts';
import { ShardedBuffer } from './placement/sharded-buffer.ts';
import { opening, TensorCore, type TensorInit } from './tensor-core.ts';
import { type PartialGradient, type TensorImpl, typeChanges } from './tensor-impl.ts';
import { refresh, separate, shownBy, writeThrough } from './views/view.ts';

/**
 * The base class of tensors, without the ops on them.
 * @example
 * const sum = (x: Traced) => x.shape.reduce((total, size) => total + size, 0);
 * sum(zeros(2, 3)) // 5
 */
export abstract class Traced extends TensorCore {
  /** @internal The leaf whose gradient this is. */
  declare gradOf: Traced | undefined;
  #total: { readonly of: readonly PartialGradient[]; readonly sum: Traced } | undefined;

  /** @internal A tensor of the user's class, for a result or a gradient. */
  abstract override make(init: TensorInit): Traced;

  // gradients
  /**
   * The sum of the gradients that `backward()` calls have collected for this leaf since `zeroGrad()`, added pairwise
   * in the order of the calls (see `gradient-sums.ts`). Read it again after each call.
   */
  get grad(): Traced | undefined {
    const { partials } = this;
    const { trace, builder } = opening(this.device);
    trace.readGradient(this);
    const [first] = partials;
    if (first === undefined || (partials.length === 1 && first.impl.type.elementType === this.type.elementType))
      return first?.impl as Traced | undefined;
    const known = this.#total;
    if (known?.of === partials && (known.sum.buffer !== undefined || known.sum.trace === trace)) return known.sum;
    builder.location = userLocation();
    const sum = this.#gradient(builder.convert(this.gradientSum(), this.type.elementType));
    trace.made(sum);
    this.#total = { of: partials, sum };
    return sum;
  }
  /** @internal The sum before it is rounded to this tensor's type, where that is a narrow float. */
  gradientSum(): Value {
    const { builder } = this.device.trace;
    const type = sumTypeOf(this.type.elementType);
    return sumOf(
      builder,
      this.partials.map(({ impl }) => builder.convert(this.device.valueOf(impl), type)),
    );
  }
  /**
   * Sets the gradient: `undefined` or `null` forgets it, as `zeroGrad()` does. Later calls of `backward()` add to the given
   * tensor, in its memory.
   * @throws {BAD_GRADIENT} for a tensor of another shape, data type or device
   */
  set grad(gradient: Traced | undefined | null) {
    this.setGrad(gradient);
  }
  /** @internal */
  protected setGrad(gradient: Traced | undefined | null): void {
    if (gradient === undefined || gradient === null) {
      this.zeroGrad();
      return;
    }
    checkGradient(this, gradient);
    if (this.partials.length === 1 && this.partials[0]!.impl === gradient) return;
    const { trace, builder } = opening(this.device);
    const value = this.device.valueOf(gradient);
    // A compiled function must recompute the gradient at each call, and another leaf's gradient must not change.
    const isCopied = trace.guards !== undefined || (gradient.gradOf !== undefined && gradient.gradOf !== this);
    this.zeroGrad();
    trace.touchGradient(this);
    builder.location = userLocation();
    const impl = isCopied ? this.#gradient(builder.reshape(value, this.shape), gradient.requiresGrad) : gradient;
    impl.gradOf = this;
    this.partials = [{ level: 0, impl }];
    trace.graded.add(this);
  }
  #gradient(value: Value, requiresGrad = false): Traced {
    const { trace, builder } = opening(this.device);
    const grad = this.make({
      device: this.device,
      type: tensorTypeOf(value),
      op: 'backward',
      value,
      trace,
      location: builder.location,
      requiresGrad,
      leaf: !requiresGrad,
    });
    grad.gradOf = this;
    this.device.computed(grad);
    return grad;
  }
  /**
   * Sets whether `backward()` computes a gradient for this tensor.
   *
   * @throws {NO_GRADIENT_HERE} where elements are not floating-point numbers
   */
  requiresGrad_(requires = true): this {
    if (requires && !isContinuous(this.type.elementType))
      throw noGradient('requiresGrad_', `only floating-point and complex tensors have gradients, not ${this.dtype}`);
    this.requiresGrad = requires;
    if (requires && this.leaf && this.value !== undefined) this.trace?.markLeaf(this.value, this);
    return this;
  }
  /** True for a tensor that was not computed from others that require gradients. */
  get isLeaf(): boolean {
    return this.leaf;
  }
  /** The first gradient function of `backward()`, under PyTorch's name: `AddBackward0`. Undefined for leaves. */
  get gradFn():
    | {
        /** The name of the operation. */
        readonly name: string;
      }
    | undefined {
    if (this.leaf || !this.requiresGrad) return undefined;
    return { name: `${this.op[0]!.toUpperCase()}${this.op.slice(1)}Backward0` };
  }
  /**
   * Adds the gradient of this tensor with respect to every leaf that requires one to that leaf's `grad`. `gradient` is the
   * cotangent, needed where this is not a scalar. The graph is always retained: it may be called again on the same value, and
   * the value stays readable after the step.
   *
   *     loss.backward();
   *     y.backward(tensor([1, 0]), { inputs: [w] });
   * @throws {NO_GRADIENT_HERE} where nothing that it was computed from requires a gradient
   * @throws {NOT_ONE_ELEMENT} without a cotangent, where this is not a scalar
   * @throws {BAD_GRADIENT} for a cotangent of another shape
   * @throws {NOT_DIFFERENTIABLE} at the line of an op that has no gradient
   */
  backward(gradient?: Traced | BackwardOptions, options: BackwardOptions = {}): void {
    markLoss(this);
    if (gradient === undefined || gradient instanceof Traced) backwardFrom([this], [gradient], options);
    else if (typeof gradient !== 'object' || gradient === null)
      throw noGradient('backward', 'the gradient that it is given is not a tensor');
    else backwardFrom([this], [undefined], gradient);
  }
  /** @internal Adds a value of the open trace to `grad`. Of a call that builds no graph, it is a constant. */
  override accumulateGrad(value: Value, createGraph = false): void {
    const { trace, builder } = opening(this.device);
    trace.touchGradient(this);
    const { kept, merged, level } = additionTo(this.partials);
    const wide = (v: Value): Value => (merged.length === 0 ? v : builder.convert(v, sumTypeOf(this.type.elementType)));
    const sum = merged.reduce((rest, { impl }) => builder.add(wide(this.device.valueOf(impl)), rest), wide(value));
    const requiresGrad = createGraph && isAttached(trace, sum);
    if (!createGraph) trace.stopped.add(sum);
    const { elementType } = tensorTypeOf(sum);
    const first = merged.findLast(({ impl }) => impl.type.elementType === elementType)?.impl as Traced | undefined;
    for (const { impl } of merged) if (impl !== first) this.#abandon(impl);
    // Set first: binding a tensor of this list to another value creates a new list.
    this.partials = kept;
    const impl = first?.bind(sum) ?? this.#gradient(sum, requiresGrad);
    impl.requiresGrad = requiresGrad;
    impl.leaf = !requiresGrad;
    this.partials = [...kept, { level, impl }];
    trace.graded.add(this);
  }
  /**
   * Has `hook` called with the gradient of this tensor whenever it is computed. The hook's result replaces it, unless undefined.
   * The hook runs while `backward()` records: its calls on tensors become part of the step.
   *
   *     const handle = x.registerHook(g => g.clamp(-1, 1));
   *     handle.remove();
   * @throws {NO_GRADIENT_HERE} where this tensor requires no gradient
   */
  registerHook(hook: (gradient: this) => this | undefined): HookHandle {
    if (!this.requiresGrad) throw noGradient('registerHook', 'this tensor requires no gradient');
    const { trace } = opening(this.device);
    if (!this.leaf) this.device.valueOf(this);
    const hooks = hooksOf(trace, this);
    const entry = (value: Value): Value => {
      const given = this.#passed(value) as this;
      const changed = hook(given) ?? given;
      checkGradient(this, changed);
      return changed === given ? value : this.device.valueOf(changed);
    };
    hooks.push(entry);
    return hookHandle(() => {
      if (hooks.includes(entry)) hooks.splice(hooks.indexOf(entry), 1);
    });
  }
  /** Has `backward()` collect the gradient of this tensor in `grad` although it is not a leaf; has no effect on a leaf. */
  retainGrad(): void {
    if (!this.requiresGrad) throw noGradient('retainGrad', 'this tensor requires no gradient');
    if (this.leaf || this.retainsGrad) return;
    this.retainsGrad = true;
    this.device.valueOf(this);
    hooksOf(this.device.trace, this).push(value => {
      this.accumulateGrad(this.device.trace.builder.reshape(value, this.shape), isGradEnabled());
      return value;
    });
  }
  /**
   * Has `hook` called with this leaf after `backward()` has added to its `grad`: to step an optimizer inside backward.
   * @throws {NO_GRADIENT_HERE} where this is not a leaf that requires a gradient
   */
  registerPostAccumulateGradHook(hook: (tensor: this) => void): HookHandle {
    if (!this.requiresGrad || !this.leaf)
      throw noGradient('registerPostAccumulateGradHook', 'this tensor is not a leaf that requires a gradient');
    this.accumulated ??= new Set();
    const entry = (): void => hook(this);
    this.accumulated.add(entry);
    return hookHandle(() => this.accumulated?.delete(entry));
  }
  /** A gradient as hooks see it. */
  #passed(value: Value): Traced {
    const { trace } = this.device;
    const requiresGrad = isGradEnabled() && isAttached(trace, value);
    const given = this.make({
      device: this.device,
      type: tensorTypeOf(value),
      op: 'backward',
      value,
      trace,
      requiresGrad,
      leaf: !requiresGrad,
    });
    this.device.computed(given);
    return given;
  }
  /**
   * Detaches this tensor from its inputs, in place: it becomes a leaf that requires no gradient.
   */
  detach_(): this {
    if (this.leaf) {
      this.requiresGrad = false;
      return this;
    }
    const { trace, builder } = opening(this.device);
    builder.location = userLocation();
    const value = builder.reshape(this.device.valueOf(this), this.shape);
    trace.stopped.add(value);
    this.value = value;
    this.trace = trace;
    this.requiresGrad = false;
    this.leaf = true;
    if (this.buffer === undefined) this.device.computed(this);
    return this;
  }
  /** The gradient's memory is no longer owned by anything. */
  #abandon(impl: TensorImpl): void {
    const { trace } = this.device;
    if (trace.assigned.has(impl)) trace.abandoned.set(impl, trace.assigned.get(impl));
    trace.assigned.delete(impl);
    trace.used(impl);
  }
  /** A gradient of this leaf was assigned another value: if it was the sum of all calls, it replaces their partial sums. */
  #assigned(grad: Traced): void {
    if (this.#total?.sum === grad && this.#total.of === this.partials) {
      const { trace } = this.device;
      trace.touchGradient(this);
      for (const { impl } of this.partials) this.#abandon(impl);
      trace.used(grad);
      this.partials = [{ level: this.partials[0]!.level + 1, impl: grad }];
      trace.graded.add(this);
    } else if (this.partials.length > 1 && this.partials.some(({ impl }) => impl === grad))
      this.partials = [...this.partials];
  }
  /** Forgets the gradient. */
  zeroGrad(): void {
    if (this.partials.length === 0) return;
    const { trace } = this.device;
    trace.touchGradient(this);
    for (const { impl } of this.partials) this.#abandon(impl);
    if (this.#total !== undefined) trace.used(this.#total.sum);
    trace.graded.delete(this);
    this.partials = [];
    this.#total = undefined;
  }

  // in place
  /**
   * Assigns the value of `source`, of the same shape and type: this is how state (parameters, statistics, moments) changes.
   * After the step the new value has taken over the memory of the old one.
   */
  assign_(source: Traced): this {
    if (source === this) return this;
    if (!(source instanceof Traced)) throw badAssignment('the new value is not a tensor');
    if (source.device !== this.device)
      throw badAssignment(`the tensor is on ${this.device}, the new value on ${source.device}`);
    if (!sameType(source.type, this.type)) {
      throw badAssignment(
        `the tensor is ${formatShape(this.shape)} ${this.dtype}, the new value ${formatShape(source.shape)} ${source.dtype}`,
      );
    }
    const { trace, builder } = opening(this.device);
    builder.location = userLocation();
    let value = this.device.valueOf(source);
    // The value must not be shared with other tensors if gradients stop at it.
    if (value.op === undefined || trace.leafOf(value) !== undefined || trace.stopped.has(value) || source.requiresGrad)
      value = builder.reshape(value, this.shape);
    if (source.requiresGrad && !this.requiresGrad) trace.stopped.add(value);
    trace.used(source);
    // The memory must not be shared with other tensors.
    trace.scalars.delete(source);
    return this.bind(value);
  }
  /** @internal `assign_` of a value of the open trace that nothing else refers to. */
  bind(value: Value): this {
    this.rebind(value);
    if (this.sharing !== undefined) writeThrough(this, this.device.trace.builder);
    return this;
  }
  override get shown(): TensorImpl {
    return this.viewOf === undefined ? this : shownBy(this);
  }
  /** @internal Updates a view from its base. */
  refresh(): void {
    if (this.viewOf !== undefined) refresh(this);
  }
  /** @internal The step that computed it has ended. */
  endView(): void {
    if (this.viewOf !== undefined) separate(this);
  }
  /** @internal `bind` for this tensor only: tensors that share its elements are not notified. */
  rebind(value: Value): this {
    const { trace } = this.device;
    if (this.buffer !== undefined || this.trace !== trace) trace.assigned.set(this, this.buffer);
    this.buffer = undefined;
    this.value = value;
    this.trace = trace;
    if (this.leaf) trace.markLeaf(value, this);
    if (this.leaf && this.requiresGrad && trace.graded.has(this) && trace.phase !== 'update')
      trace.isUpdatedByHand = true;
    if (this.gradOf !== undefined) this.gradOf.#assigned(this);
    this.device.computed(this);
    return this;
  }
  /** @internal Sets new elements from the host, of the same type; ops recorded earlier keep the old ones. */
  load(bytes: Uint8Array): void {
    const { divided, type, device } = this;
    if (divided === undefined) this.replace(device.backend.upload(type, bytes, true));
    else this.loadPart(partOfBytes({ type, sharding: divided.sharding, mesh: device.mesh }, bytes));
  }
  /** @internal The same with the part of this rank. */
  loadPart(bytes: Uint8Array): void {
    const divided = this.divided!;
    const type = tensorType(this.type.elementType, divided.part.type.shape);
    this.replace(divided.withPart(this.device.backend.upload(type, bytes, true)));
  }
  /** @internal The same with bytes that `write` puts into the given memory: that of the device, if it has such memory. */
  async fill(write: (memory: Uint8Array) => Promise<void>): Promise<void> {
    const buffer = this.device.backend.upload(this.type, { kind: 'zeros' }, true);
    const memory = this.divided === undefined ? buffer.fillable?.() : undefined;
    const bytes = memory ?? new Uint8Array(byteSize(this.type));
    await write(bytes);
    if (memory === undefined) this.load(bytes);
    else this.replace(buffer);
  }
  /** Whether it is a leaf with the zeros that it was made with. */
  get #isZero(): boolean {
    return this.buffer?.isUntouched === true && !this.device.trace.assigned.has(this);
  }
  /** The memory of a leaf that is not filled yet. */
  get #deferred(): DeferredBuffer | undefined {
    const { buffer } = this;
    return buffer instanceof DeferredBuffer && !this.device.trace.assigned.has(this) ? buffer : undefined;
  }
  /** @internal Other memory; of a tensor that is divided over the ranks, each keeps its part of it. */
  replace(buffer: DeviceBuffer): void {
    this.device.trace.assigned.delete(this);
    const { buffer: before } = this;
    const isOfAll = before instanceof ShardedBuffer && !(buffer instanceof ShardedBuffer);
    this.buffer = isOfAll ? before.divide(buffer) : buffer;
    this.value = undefined;
    this.trace = undefined;
    this.viewOf = undefined;
    if (this.sharing !== undefined) this.sharing.version++;
  }
  /** @internal Moves a leaf, in place, to another device: parameters keep their identity in `model.to(device)`. */
  moveTo_(device: Device): void {
    if (device === this.device) return;
    const content = this.#isZero ? ({ kind: 'zeros' } as const) : bytesOf(this.literal());
    this.buffer = device.backend.upload(this.type, content, true);
    this.device = device;
    for (const { impl } of this.partials) (impl as Traced).moveTo_(device);
  }

  /** @internal Converts a leaf, in place, to another data type: parameters keep their identity in `model.to(dtype)`. */
  castTo_(elementType: ElementType): void {
    if (elementType === this.type.elementType) return;
    const { divided } = this;
    const part = divided?.part;
    const isAbsent = divided?.isAbsent === true;
    const type = tensorType(elementType, this.type.shape);
    const rounded = this.#deferred?.rounded(type);
    const held = part && !isAbsent ? literalOfBytes(part.type, part.copyToHost()) : undefined;
    const isKnown = this.#isZero || isAbsent || rounded !== undefined;
    const converted = isKnown ? undefined : convertLiteral(held ?? this.literal(), elementType);
    this.type = type;
    typeChanges.count++;
    if (rounded !== undefined) this.replace(rounded);
    else if (isAbsent) this.buffer = divided.withPart(new AbsentBuffer(tensorType(elementType, part!.type.shape)));
    else if (part !== undefined) this.loadPart(bytesOf(converted!));
    else if (converted === undefined) this.replace(this.device.backend.upload(type, { kind: 'zeros' }, true));
    else this.load(bytesOf(converted));
    for (const { impl } of this.partials) (impl as Traced).castTo_(elementType);
  }
}

/** Options of `backward`. */
export interface BackwardOptions {
  /** Accepted for compatibility, without effect: the graph is always retained until the step ends. */
  readonly retainGraph?: boolean;
  /** Makes the gradients differentiable themselves. */
  readonly createGraph?: boolean;
  /** The leaves to collect gradients for; all that require one by default. */
  readonly inputs?: readonly Traced[] | Traced;
}
/** The kind of a hook. */
export interface HookHandle extends Disposable {
  /** Removes the hook; it is not called any more. */
  remove(): void;
}
const hookHandle = (remove: () => void): HookHandle => ({ remove, [Symbol.dispose]: remove });

const badAssignment = (problem: string): TrenioError =>
  new TrenioError('BAD_ASSIGNMENT', { problem }, { location: userLocation() });
