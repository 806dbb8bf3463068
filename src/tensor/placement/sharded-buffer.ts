// The memory of a tensor that is divided over the ranks: each holds its part. Reading it gathers the parts, so all ranks must.
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import type { TensorType } from '../../hlo/types.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { DeferredBuffer } from './deferred-buffer.ts';

/** How the parts of a tensor are made and put together. */
export interface Divider {
  /** All elements. Every rank must call it. */
  whole(buffer: DeviceBuffer): DeviceBuffer;
  /** The part of this rank, from memory that has all elements. */
  cut(whole: DeviceBuffer, sharding: Sharding): DeviceBuffer;
}

export class ShardedBuffer implements DeviceBuffer {
  /** The type of the whole tensor. */
  readonly type: TensorType;
  readonly sharding: Sharding;
  readonly #divider: Divider;
  #part: DeviceBuffer | undefined;
  /** All elements, until the part is cut from them. */
  #source: DeviceBuffer | undefined;

  constructor(
    type: TensorType,
    sharding: Sharding,
    divider: Divider,
    elements: { readonly part: DeviceBuffer } | { readonly source: DeviceBuffer },
  ) {
    this.type = type;
    this.sharding = sharding;
    this.#divider = divider;
    if ('part' in elements) this.#part = elements.part;
    else this.#source = elements.source;
  }
  /** The part of this rank; the last parts of a dim that does not divide evenly are padded. */
  get part(): DeviceBuffer {
    if (this.#part === undefined) {
      this.#part = this.#divider.cut(this.#source!, this.sharding);
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
  isDividedAs({ sharding }: ShardedBuffer): boolean {
    return printSharding(sharding) === printSharding(this.sharding);
  }
  /** Other memory of a tensor, divided in the same way, or in another way. */
  divide(source: DeviceBuffer, sharding: Sharding = this.sharding): ShardedBuffer {
    return new ShardedBuffer(source.type, sharding, this.#divider, { source });
  }
  /** The same division of another part: of a copy, or of elements of another type. */
  withPart(part: DeviceBuffer): ShardedBuffer {
    return new ShardedBuffer({ ...this.type, elementType: part.type.elementType }, this.sharding, this.#divider, {
      part,
    });
  }
}

/** How the memory of a tensor is divided; undefined if every rank has all of it. */
export const shardingOfBuffer = (buffer: DeviceBuffer): Sharding | undefined =>
  buffer instanceof ShardedBuffer ? buffer.sharding : undefined;
/** The memory that a program of this rank reads. */
export const partOfBuffer = (buffer: DeviceBuffer): DeviceBuffer =>
  buffer instanceof ShardedBuffer ? buffer.part : buffer instanceof DeferredBuffer ? buffer.made : buffer;
