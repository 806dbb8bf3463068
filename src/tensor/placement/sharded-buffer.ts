// The memory of a tensor that is divided over the ranks: each holds its part, or, along a pipeline, one has what others lack.
// Reading it gathers the parts, so all ranks must.
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import type { TensorType } from '../../hlo/types.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { AbsentBuffer } from './absent-buffer.ts';
import { DeferredBuffer } from './deferred-buffer.ts';

/** How the parts of a tensor are made and put together. */
export interface Divider {
  /** Whether this is a rank that has the tensors of a rank along the pipeline. */
  isHere(home: number | undefined): boolean;
  /** All elements. Every rank must call it. */
  whole(buffer: DeviceBuffer): DeviceBuffer;
  /** The part of this rank, from memory that has all elements. */
  cut(whole: DeviceBuffer, sharding: Sharding, home: number | undefined): DeviceBuffer;
}

export class ShardedBuffer implements DeviceBuffer {
  /** The type of the whole tensor. */
  readonly type: TensorType;
  readonly sharding: Sharding;
  /** The rank along the pipeline that has it; undefined if all have. */
  readonly home: number | undefined;
  readonly #divider: Divider;
  #part: DeviceBuffer | undefined;
  /** All elements, until the part is cut from them. */
  #source: DeviceBuffer | undefined;

  constructor(
    type: TensorType,
    sharding: Sharding,
    divider: Divider,
    elements: { readonly part: DeviceBuffer } | { readonly source: DeviceBuffer },
    home?: number,
  ) {
    this.home = home;
    this.type = type;
    this.sharding = sharding;
    this.#divider = divider;
    if ('part' in elements) this.#part = elements.part;
    else this.#source = elements.source;
  }
  /** The part of this rank; the last parts of a dim that does not divide evenly are padded. */
  get part(): DeviceBuffer {
    if (this.#part === undefined) {
      this.#part = this.#divider.cut(this.#source!, this.sharding, this.home);
      this.#source = undefined;
    }
    return this.#part;
  }
  get isReady(): boolean {
    return this.#part?.isReady ?? true;
  }
  get ready(): Promise<void> {
    return this.part.ready;
  }
  get isConsumed(): boolean {
    return this.#part?.isConsumed ?? false;
  }
  wait(): void {
    this.part.wait();
  }
  release(): void {
    this.#part?.release();
  }
  copyToHost(into?: Uint8Array<ArrayBuffer>, from?: number): Uint8Array<ArrayBuffer> {
    return this.whole().copyToHost(into, from);
  }
  copyToHostAsync(into?: Uint8Array<ArrayBuffer>, from?: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.whole().copyToHostAsync(into, from);
  }
  /** All elements. Every rank must call it, unless the part was not cut from them yet. */
  whole(): DeviceBuffer {
    return this.#source ?? this.#divider.whole(this);
  }
  isDividedAs({ sharding, home }: ShardedBuffer): boolean {
    return home === this.home && printSharding(sharding) === printSharding(this.sharding);
  }
  /** Other memory of a tensor, divided in the same way, or in another way. */
  divide(source: DeviceBuffer, sharding: Sharding = this.sharding): ShardedBuffer {
    return new ShardedBuffer(source.type, sharding, this.#divider, { source }, this.home);
  }
  /** Whether another rank along the pipeline has it. */
  get isAbsent(): boolean {
    return !this.#divider.isHere(this.home);
  }
  /** The same division of another part: of a copy, or of elements of another type. */
  withPart(given: DeviceBuffer): ShardedBuffer {
    const part = this.isAbsent ? new AbsentBuffer(given.type) : given;
    const type = { ...this.type, elementType: part.type.elementType };
    return new ShardedBuffer(type, this.sharding, this.#divider, { part }, this.home);
  }
}

/** How the memory of a tensor is divided; undefined if every rank has all of it. */
export const shardingOfBuffer = (buffer: DeviceBuffer): Sharding | undefined =>
  buffer instanceof ShardedBuffer ? buffer.sharding : undefined;
/** The rank along a pipeline that has the memory of a tensor; undefined if all have. */
export const homeOfBuffer = (buffer: DeviceBuffer): number | undefined =>
  buffer instanceof ShardedBuffer ? buffer.home : undefined;
/** The memory that a program of this rank reads. */
export const partOfBuffer = (buffer: DeviceBuffer): DeviceBuffer =>
  buffer instanceof ShardedBuffer ? buffer.part : buffer instanceof DeferredBuffer ? buffer.made : buffer;
