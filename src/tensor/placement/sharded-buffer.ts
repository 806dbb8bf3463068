// The memory of a tensor that is divided over the ranks: each holds its part. Reading it gathers the parts, so all ranks must.
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import type { TensorType } from '../../hlo/types.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';

export class ShardedBuffer implements DeviceBuffer {
  /** The type of the whole tensor. */
  readonly type: TensorType;
  /** The part of this rank; the last parts of a dim that does not divide evenly are padded. */
  readonly part: DeviceBuffer;
  readonly sharding: Sharding;
  readonly #gather: (buffer: ShardedBuffer) => DeviceBuffer;

  constructor(
    type: TensorType,
    part: DeviceBuffer,
    sharding: Sharding,
    gather: (buffer: ShardedBuffer) => DeviceBuffer,
  ) {
    this.type = type;
    this.part = part;
    this.sharding = sharding;
    this.#gather = gather;
  }
  get isReady(): boolean {
    return this.part.isReady;
  }
  get ready(): Promise<void> {
    return this.part.ready;
  }
  get isConsumed(): boolean {
    return this.part.isConsumed;
  }
  wait(): void {
    this.part.wait();
  }
  release(): void {
    this.part.release();
  }
  copyToHost(into?: Uint8Array<ArrayBuffer>, from?: number): Uint8Array<ArrayBuffer> {
    return this.whole().copyToHost(into, from);
  }
  copyToHostAsync(into?: Uint8Array<ArrayBuffer>, from?: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.whole().copyToHostAsync(into, from);
  }
  /** All elements. Every rank must call it. */
  whole(): DeviceBuffer {
    return this.#gather(this);
  }
  isDividedAs({ sharding }: ShardedBuffer): boolean {
    return printSharding(sharding) === printSharding(this.sharding);
  }
  /** Other memory that is divided in the same way. */
  with(part: DeviceBuffer, type = this.type): ShardedBuffer {
    return new ShardedBuffer(type, part, this.sharding, this.#gather);
  }
}

/** How the memory of a tensor is divided; undefined if every rank has all of it. */
export const shardingOfBuffer = (buffer: DeviceBuffer): Sharding | undefined =>
  buffer instanceof ShardedBuffer ? buffer.sharding : undefined;
/** The memory that a program of this rank reads. */
export const partOfBuffer = (buffer: DeviceBuffer): DeviceBuffer =>
  buffer instanceof ShardedBuffer ? buffer.part : buffer;
