// What every tensor is beneath its arithmetic: a cell that can be read, assigned, kept, and differentiated to. Which values
// it can be computed into is `tensor.ts`; when anything runs is `device.ts`.
import { type SourceLocation, TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { bytesOf, type Literal, type LiteralData, literalOfBytes, numberAt } from '../hlo/literal.ts';
import { convertLiteral } from '../hlo/ops/convert.ts';
import { tensorTypeOf, type Value } from '../hlo/program.ts';
import { byteSize, type ElementType, elementCount, isFloat, sameType, type TensorType } from '../hlo/types.ts';
import type { DeviceBuffer } from '../runtime/execution/executable.ts';
import { leafGradients } from './backward.ts';
import type { Cell, PartialGradient } from './cell.ts';
import type { Device } from './device.ts';
import { inspectTensor, tensorJson, tensorText } from './format-tensor.ts';
import { additionTo, sumOf, sumTypeOf } from './gradient-sums.ts';
import { type NestedNumbers, nestedNumbers, typedArray } from './host-data.ts';
import { userLocation } from './location.ts';
import { formatShape } from './lower/shapes.ts';
import type { Trace } from './trace.ts';

/** Half of a core's second cache: what is copied here is still there when it is written. */
const stagingBytes = 1 << 20;

export interface TensorInit {
  readonly device: Device;
  readonly type: TensorType;
  readonly op: string;
  readonly buffer?: DeviceBuffer;
  readonly value?: Value;
  readonly trace?: Trace;
  readonly location?: SourceLocation | undefined;
  readonly requiresGrad?: boolean;
  readonly leaf?: boolean;
}

export abstract class Traced implements Cell {
  device: Device;
  type: TensorType;
  readonly op: string;
  readonly location: SourceLocation | undefined;
  /** Set it on a leaf to have `backward()` collect its gradient in `grad`. */
  requiresGrad: boolean;
  leaf: boolean;
  /** @internal */
  partials: readonly PartialGradient[];
  #total: { readonly of: readonly PartialGradient[]; readonly sum: Traced } | undefined;
  /** @internal The leaf whose gradient this is. */
  gradOf: Traced | undefined;
  label: string | undefined;
  /** @internal */
  buffer: DeviceBuffer | undefined;
  /** @internal */
  value: Value | undefined;
  /** @internal */
  trace: Trace | undefined;

  /** @internal Use `tensor(data)`, `zeros(shape)` … */
  constructor(init: TensorInit) {
    this.device = init.device;
    this.type = init.type;
    this.op = init.op;
    this.location = init.location;
    this.requiresGrad = init.requiresGrad ?? false;
    this.leaf = init.leaf ?? true;
    this.partials = [];
    this.gradOf = undefined;
    this.label = undefined;
    this.buffer = init.buffer;
    this.value = init.value;
    this.trace = init.trace;
  }

  get shape(): readonly number[] {
    return this.type.shape;
  }
  get dtype(): ElementType {
    return this.type.elementType;
  }
  /** The number of dims. */
  get ndim(): number {
    return this.type.shape.length;
  }
  size(): readonly number[];
  size(dim: number): number;
  size(dim?: number): readonly number[] | number {
    if (dim === undefined) return this.shape;
    const size = this.shape.at(dim);
    if (size !== undefined) return size;
    throw new TrenioError(
      'BAD_DIM',
      { op: 'size', dim, shape: formatShape(this.shape), rank: this.ndim },
      { location: userLocation() },
    );
  }
  /** The number of elements. */
  numel(): number {
    return elementCount(this.shape);
  }

  /** A tensor for a gradient of this one. */
  protected abstract make(init: TensorInit): Traced;

  // gradients
  /**
   * The sum of the gradients that `backward()` calls have collected for this leaf since `zeroGrad()`, added pairwise
   * in the order of the calls (see `gradient-sums.ts`). Take it anew after each call.
   */
  get grad(): Traced | undefined {
    const { partials } = this;
    const { trace, builder } = opening(this.device);
    trace.readGradient(this);
    const [first] = partials;
    if (first === undefined || (partials.length === 1 && first.cell.type.elementType === this.dtype))
      return first?.cell as Traced | undefined;
    const known = this.#total;
    if (known?.of === partials && (known.sum.buffer !== undefined || known.sum.trace === trace)) return known.sum;
    builder.location = userLocation();
    const sum = this.#gradient(builder.convert(this.gradientSum(), this.dtype));
    trace.made(sum);
    this.#total = { of: partials, sum };
    return sum;
  }
  /** @internal The sum before it is rounded to this tensor's type, where that is a narrow float. */
  gradientSum(): Value {
    const { builder } = this.device.trace;
    const type = sumTypeOf(this.dtype);
    return sumOf(
      builder,
      this.partials.map(({ cell }) => builder.convert(this.device.valueOf(cell), type)),
    );
  }
  /** Nothing may be set but `undefined`, which is `zeroGrad()`. */
  set grad(_none: undefined) {
    this.zeroGrad();
  }
  #gradient(value: Value): Traced {
    const { trace, builder } = opening(this.device);
    const grad = this.make({
      device: this.device,
      type: tensorTypeOf(value),
      op: 'backward',
      value,
      trace,
      location: builder.location,
    });
    grad.gradOf = this;
    this.device.computed(grad);
    return grad;
  }
  requiresGrad_(requires = true): this {
    if (requires && !isFloat(this.dtype))
      throw noGradient('requiresGrad_', `only floating-point tensors have gradients, not ${this.dtype}`);
    this.requiresGrad = requires;
    if (requires && this.leaf && this.value !== undefined) this.trace?.markLeaf(this.value, this);
    return this;
  }
  /**
   * Adds the gradient of this scalar with respect to every leaf that requires one to that leaf's `grad`. The value of
   * this tensor stays readable after the step. `gradient` is the cotangent, needed where this is no scalar.
   */
  backward(gradient?: Traced): void {
    if (this.leaf || !this.requiresGrad) {
      throw noGradient(
        'backward',
        'this tensor does not depend on anything that requires a gradient, or its step is over',
      );
    }
    if (gradient !== undefined && !(gradient instanceof Traced))
      throw noGradient('backward', 'the gradient that it is given is no tensor');
    if (gradient === undefined && this.numel() !== 1) {
      throw new TrenioError(
        'NOT_ONE_ELEMENT',
        { op: 'backward', shape: formatShape(this.shape) },
        { location: userLocation() },
      );
    }
    const { trace, builder } = opening(this.device);
    if (this.trace !== trace) this.device.valueOf(this);
    builder.location = userLocation();
    this.device.inPhase('backward', () => {
      const found = leafGradients(this.device, trace, this.value!, gradient && this.device.valueOf(gradient));
      if (found.length === 0)
        throw noGradient('backward', 'this tensor does not depend on anything that requires a gradient');
      for (const { leaf, gradient: value } of found) (leaf as Traced).accumulateGrad(value);
    });
    if (this.buffer === undefined) trace.kept.add(this);
  }
  /** @internal Adds a value of the open trace to `grad`. */
  accumulateGrad(value: Value): void {
    const { trace, builder } = opening(this.device);
    trace.touchGradient(this);
    const { kept, merged, level } = additionTo(this.partials);
    const wide = (v: Value): Value => (merged.length === 0 ? v : builder.convert(v, sumTypeOf(this.dtype)));
    const sum = merged.reduce((rest, { cell }) => builder.add(wide(this.device.valueOf(cell)), rest), wide(value));
    const { elementType } = tensorTypeOf(sum);
    const first = merged.findLast(({ cell }) => cell.type.elementType === elementType)?.cell as Traced | undefined;
    for (const { cell } of merged) if (cell !== first) this.#abandon(cell);
    // Set first: a cell of the list that is bound to another value makes a list of its own.
    this.partials = kept;
    const cell = first?.bind(sum) ?? this.#gradient(sum);
    this.partials = [...kept, { level, cell }];
    trace.graded.add(this);
  }
  /** The gradient's memory is nobody's any more. */
  #abandon(cell: Cell): void {
    const { trace } = this.device;
    if (trace.assigned.has(cell)) trace.abandoned.set(cell, trace.assigned.get(cell));
    trace.assigned.delete(cell);
    trace.used(cell);
  }
  /** A gradient of this leaf was given another value: if it was the sum of all, it is all there is from now on. */
  #assigned(grad: Traced): void {
    if (this.#total?.sum === grad && this.#total.of === this.partials) {
      const { trace } = this.device;
      trace.touchGradient(this);
      for (const { cell } of this.partials) this.#abandon(cell);
      trace.used(grad);
      this.partials = [{ level: this.partials[0]!.level + 1, cell: grad }];
      trace.graded.add(this);
    } else if (this.partials.length > 1 && this.partials.some(({ cell }) => cell === grad))
      this.partials = [...this.partials];
  }
  /** Forgets the gradient. */
  zeroGrad(): void {
    if (this.partials.length === 0) return;
    const { trace } = this.device;
    trace.touchGradient(this);
    for (const { cell } of this.partials) this.#abandon(cell);
    if (this.#total !== undefined) trace.used(this.#total.sum);
    trace.graded.delete(this);
    this.partials = [];
    this.#total = undefined;
  }

  // in place
  /**
   * Takes on the value of `source`, of the same shape and type: how state (parameters, statistics, moments) changes.
   * After the step the new value has taken over the memory of the old one.
   */
  assign_(source: Traced): this {
    if (source === this) return this;
    if (!(source instanceof Traced)) throw badAssignment('the new value is no tensor');
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
    // The value must be this tensor's alone where gradients stop at it.
    if (value.op === undefined || trace.leafOf(value) !== undefined || trace.stopped.has(value) || source.requiresGrad)
      value = builder.reshape(value, this.shape);
    if (source.requiresGrad && !this.requiresGrad) trace.stopped.add(value);
    trace.used(source);
    return this.bind(value);
  }
  /** @internal `assign_` of a value of the open trace that is nobody else's. */
  bind(value: Value): this {
    const { trace } = this.device;
    if (this.buffer !== undefined || this.trace !== trace) trace.assigned.set(this, this.buffer);
    this.buffer = undefined;
    this.value = value;
    this.trace = trace;
    if (this.leaf) trace.markLeaf(value, this);
    if (this.gradOf !== undefined) this.gradOf.#assigned(this);
    this.device.computed(this);
    return this;
  }
  /** @internal New elements from the host, of the same type; what was recorded with the old ones keeps them. */
  load(bytes: Uint8Array): void {
    this.device.trace.assigned.delete(this);
    this.buffer = this.device.backend.upload(this.type, bytes);
    this.value = undefined;
    this.trace = undefined;
  }
  /** @internal Moves a leaf, in place, to another device: parameters keep their identity in `model.to(device)`. */
  moveTo_(device: Device): void {
    if (device === this.device) return;
    this.buffer = device.backend.upload(this.type, bytesOf(this.literal()));
    this.device = device;
    for (const { cell } of this.partials) (cell as Traced).moveTo_(device);
  }

  /** @internal Converts a leaf, in place, to another data type: parameters keep their identity in `model.to(dtype)`. */
  castTo_(elementType: ElementType): void {
    if (elementType === this.dtype) return;
    const { type, data } = convertLiteral(this.literal(), elementType);
    this.type = type;
    this.load(bytesOf({ type, data }));
    for (const { cell } of this.partials) (cell as Traced).castTo_(elementType);
  }

  // reading: runs what this value needs, and nothing else
  /** Keeps this intermediate result readable after the step. */
  keep(): this {
    if (this.buffer === undefined) {
      this.device.valueOf(this);
      this.device.trace.kept.add(this);
    }
    return this;
  }
  /** @internal A copy of the elements. */
  literal(): Literal {
    return literalOfBytes(this.type, this.device.read(this).copyToHost());
  }
  /** @internal The bytes of the elements in pieces, each valid until the next: for large tensors that go to a file. */
  *chunks(): Generator<Uint8Array> {
    const buffer = this.device.read(this);
    const bytes = byteSize(this.type);
    const staging = new Uint8Array(Math.min(bytes, stagingBytes));
    for (let from = 0; from < bytes; from += stagingBytes)
      yield buffer.copyToHost(staging.subarray(0, Math.min(stagingBytes, bytes - from)), from);
  }
  /** The one element. */
  item(): number {
    if (this.numel() !== 1)
      throw new TrenioError(
        'NOT_ONE_ELEMENT',
        { op: 'item', shape: formatShape(this.shape) },
        { location: userLocation() },
      );
    return numberAt(this.literal(), 0);
  }
  /** All elements as nested arrays (booleans for i1); a plain number for a scalar. */
  toArray(): NestedNumbers {
    return nestedNumbers(this.literal());
  }
  /** All elements, row by row, in a typed array of their type (bf16 as f32). */
  get data(): LiteralData {
    return typedArray(this.literal());
  }
  /** `toArray()`, without blocking while the device works. */
  async array(): Promise<NestedNumbers> {
    return nestedNumbers(literalOfBytes(this.type, await this.device.read(this).copyToHostAsync()));
  }
  /** Starts what this value needs and resolves when it is there. */
  async ready(): Promise<this> {
    await this.device.read(this).ready;
    return this;
  }

  /** The number of a scalar; of other tensors, the text that the console shows. Reads nothing into the step. */
  toString(): string {
    return tensorText(this.device, this);
  }
  /** Nested arrays of the elements, for `JSON.stringify`. */
  toJSON(): NestedNumbers {
    return tensorJson(this.device, this);
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return inspectTensor(this.device, this);
  }
}

/** The open trace of a device, to be recorded to. */
export function opening(device: Device): { trace: Trace; builder: Builder } {
  device.beginOps();
  const { trace } = device;
  return { trace, builder: trace.builder };
}
export const noGradient = (op: string, problem: string): TrenioError =>
  new TrenioError('NO_GRADIENT_HERE', { op, problem }, { location: userLocation() });
const badAssignment = (problem: string): TrenioError =>
  new TrenioError('BAD_ASSIGNMENT', { problem }, { location: userLocation() });
