// The state of a tensor, and reads: a read runs only the ops that its value needs. Gradients and changes in place
// are in `traced.ts`, arithmetic is in `tensor.ts`.
import { type SourceLocation, TrenioError } from '../base/errors.ts';
import type { Builder } from '../hlo/builder.ts';
import { type Literal, type LiteralData, literalOfBytes, numberAt } from '../hlo/literal.ts';
import type { Value } from '../hlo/program.ts';
import { byteSize, elementCount, type TensorType } from '../hlo/types.ts';
import type { DeviceBuffer } from '../runtime/execution/executable.ts';
import type { Device } from './device.ts';
import { dependsOnExample } from './func/placeholders.ts';
import { userLocation } from './location.ts';
import { formatShape } from './lower/shapes.ts';
import { observeRead } from './observed.ts';
import { ShardedBuffer } from './placement/sharded-buffer.ts';
import { inspectTensor, tensorJson, tensorText } from './printing/format-tensor.ts';
import type { Trace } from './step/trace.ts';
import type { PartialGradient, TensorImpl, UsedAs } from './tensor-impl.ts';
import { type DTypeName, dtypeName } from './types/dtype.ts';
import { type NestedNumbers, nestedNumbers, typedArray } from './types/host-data.ts';
import type { Sharing, View } from './views/view.ts';

/** Half of a core's second-level cache: copied data is still in the cache when it is written. */
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

/** The state of a tensor (tensor-impl.ts), and reading it. */
export abstract class TensorCore implements TensorImpl {
  /** Where its elements are. */
  device: Device;
  /** Its data type and shape. */
  type: TensorType;
  /** @internal */
  readonly op: string;
  /** @internal */
  readonly location: SourceLocation | undefined;
  /** @internal */
  ordinal = 0;
  /** Set it on a leaf to have `backward()` collect its gradient in `grad`. */
  requiresGrad: boolean;
  /** @internal */
  leaf: boolean;
  /** @internal */
  partials: readonly PartialGradient[];
  /** @internal The leaf whose gradient this is. */
  gradOf: TensorCore | undefined;
  /** @internal */
  label: string | undefined;
  /** @internal */
  usedAs: UsedAs | undefined;
  /** Whether `retainGrad()` was called. */
  retainsGrad = false;
  /** @internal */
  accumulated: Set<() => void> | undefined;
  /** @internal Set for a view: the tensor whose elements it shows. */
  viewOf: View | undefined;
  /** @internal Set for tensors that share elements: views and their base. */
  sharing: Sharing | undefined;
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
    this.usedAs = undefined;
    this.viewOf = undefined;
    this.sharing = undefined;
    this.buffer = init.buffer;
    this.value = init.value;
    this.trace = init.trace;
  }

  /** The sizes of the dims, outermost first. */
  get shape(): readonly number[] {
    return this.type.shape;
  }
  /** The type of the elements, under PyTorch's name: 'float32', 'bfloat16', 'int64', 'bool' … */
  get dtype(): DTypeName {
    return dtypeName(this.type.elementType);
  }
  /** The number of dims. */
  get ndim(): number {
    return this.type.shape.length;
  }
  /** The shape. */
  size(): readonly number[];
  /** The size of one dim; -1 is the last one. @throws {BAD_DIM} */
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

  /** @internal A tensor of the user's class, for a result or a gradient. */
  abstract make(init: TensorInit): TensorCore;
  /** @internal Adds a value of the open trace to the gradient. */
  abstract accumulateGrad(value: Value, createGraph?: boolean): void;
  /** @internal Whether it was computed from an argument of a function that is being recorded, and so has no elements to read. */
  get isExample(): boolean {
    return this.value !== undefined && dependsOnExample(this.device.trace, this.value);
  }

  // reading: runs only the ops that this value needs
  /** Keeps this intermediate result readable after the step. */
  keep(): this {
    if (this.buffer === undefined) {
      this.device.valueOf(this);
      this.device.trace.kept.add(this);
    }
    return this;
  }
  /** @internal The tensor whose elements are read. */
  get shown(): TensorImpl {
    return this;
  }
  /** @internal Its memory, if it is divided over the ranks. */
  get divided(): ShardedBuffer | undefined {
    if (!this.device.mesh.hasParts) return undefined;
    const { shown } = this;
    const isAssigned = this.device.trace.assigned.has(shown);
    const buffer = isAssigned ? this.device.read(shown) : shown.buffer;
    return buffer instanceof ShardedBuffer ? buffer : undefined;
  }
  /** @internal A copy of the elements. */
  literal(): Literal {
    const bytes = this.device.read(this.shown).copyToHost();
    this.device.raiseWrongIndices();
    return literalOfBytes(this.type, bytes);
  }
  /** @internal The bytes of the elements in pieces, each valid until the next: for large tensors that go to a file. */
  *chunks(): Generator<Uint8Array> {
    const memory = this.device.read(this.shown);
    const buffer = memory instanceof ShardedBuffer ? memory.whole() : memory;
    const bytes = byteSize(this.type);
    const staging = new Uint8Array(Math.min(bytes, stagingBytes));
    for (let from = 0; from < bytes; from += stagingBytes)
      yield buffer.copyToHost(staging.subarray(0, Math.min(stagingBytes, bytes - from)), from);
  }
  /** The one element: a number, or a boolean of a tensor of booleans (`x.isnan().any().item<boolean>()`). */
  item<T extends number | boolean = number>(): T {
    if (this.numel() !== 1)
      throw new TrenioError(
        'NOT_ONE_ELEMENT',
        { op: 'item', shape: formatShape(this.shape) },
        { location: userLocation() },
      );
    const value = numberAt(this.literal(), 0);
    observeRead(this, value);
    return (this.type.elementType === 'i1' ? value !== 0 : value) as T;
  }
  /** All elements as nested arrays (booleans of a bool tensor); a plain number for a scalar. */
  toArray(): NestedNumbers {
    return nestedNumbers(this.literal());
  }
  /** All elements, row by row, in a typed array of their type (bfloat16 as float32). */
  get data(): LiteralData {
    return typedArray(this.literal());
  }
  /** `toArray()`, without blocking while the device works. */
  async array(): Promise<NestedNumbers> {
    const bytes = await this.device.read(this).copyToHostAsync();
    this.device.raiseWrongIndices();
    return nestedNumbers(literalOfBytes(this.type, bytes));
  }
  /** Starts the computation of this value and resolves when it is done. */
  async ready(): Promise<this> {
    await this.device.read(this).ready;
    this.device.raiseWrongIndices();
    return this;
  }

  /** The number of a scalar; of other tensors, the text that the console shows. Reads nothing into the step. */
  toString(): string {
    return tensorText(this.device, this);
  }
  /**
   * The text in `${x}` and `String(x)`. JavaScript has no operators for tensors: `x * y`, `x + 1`, `-x`, `x > 0` and `Number(x)`
   * throw.
   * @throws {TENSOR_OPERATOR}
   */
  [Symbol.toPrimitive](hint: 'string' | 'number' | 'default'): string {
    if (hint === 'string') return this.toString();
    throw new TrenioError(
      'TENSOR_OPERATOR',
      { tensor: `${formatShape(this.shape)} ${this.dtype}` },
      { location: userLocation() },
    );
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
