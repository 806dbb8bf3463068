// A device buffer in this process's memory: bytes, the execution that writes them, and whether it still owns them.
import { TrenioError } from '../../base/errors.ts';
import { byteSize, formatType, type TensorType } from '../../hlo/types.ts';
import type { DeviceBuffer } from './executable.ts';
import { allocate, type Block } from './memory.ts';
import type { SpareBlocks } from './spare-blocks.ts';
import type { Ticket } from './stream.ts';

/** Zero bytes that nothing else is in. */
const ownMemory =
  (type: TensorType) =>
  (bytes: number): Block =>
    allocate(bytes, formatType(type));

/** Grows with the largest. */
let sharedZeros: Block | undefined;
function zerosOf(bytes: number): Block {
  if (sharedZeros === undefined || sharedZeros.bytes.length < bytes) sharedZeros = allocate(bytes, 'zeros');
  return { bytes: sharedZeros.bytes.subarray(0, bytes), address: sharedZeros.address };
}

export class HostBuffer implements DeviceBuffer {
  readonly type: TensorType;
  #block: Block | undefined;
  #make: (() => HostBuffer) | undefined;
  #writer: Ticket | undefined;
  #consumer: string | undefined;
  #isUntouched = false;
  #isShared = false;
  #source: DeviceBuffer | undefined;
  readonly #spare: SpareBlocks | undefined;

  /**
   * `writer`: the execution that fills the block; without one it is ready. Without a block: see `later`. `spare`: where the block
   * goes when it is released.
   */
  constructor(type: TensorType, block?: Block, writer?: Ticket, spare?: SpareBlocks) {
    this.type = type;
    this.#block = block;
    this.#writer = writer;
    this.#spare = spare;
  }

  /** A buffer that `make` creates at its first use; from `source`, if given: it is ready when that is. */
  static later(type: TensorType, make: () => HostBuffer, source?: DeviceBuffer): HostBuffer {
    const buffer = new HostBuffer(type);
    buffer.#make = make;
    buffer.#source = source;
    return buffer;
  }
  /** Creates it if necessary. */
  settle(): void {
    if (this.#make === undefined) return;
    const made = this.#make();
    this.#block = made.#block;
    this.#writer = made.#writer;
    this.#isUntouched = made.#isUntouched;
    this.#make = undefined;
    this.#source = undefined;
  }

  /** A copy of `bytes`. @throws {INPUT_MISMATCH} if their number does not match the type */
  static copyOf(type: TensorType, bytes: Uint8Array, memory = ownMemory(type)): HostBuffer {
    const size = byteSize(type);
    if (bytes.byteLength !== size) {
      const expected = `${size} bytes for ${formatType(type)}`;
      throw new TrenioError('INPUT_MISMATCH', { program: 'upload', expected, got: `${bytes.byteLength}` });
    }
    const block = memory(size);
    block.bytes.set(bytes);
    return new HostBuffer(type, block);
  }

  /** Zero bytes: untouched pages, which use no memory until they are written. */
  static zeros(type: TensorType, memory = ownMemory(type)): HostBuffer {
    const buffer = new HostBuffer(type, memory(byteSize(type)));
    buffer.#isUntouched = true;
    return buffer;
  }
  /**
   * Zeros of devices that run nothing, all in the same memory: with address ranges for whole models, the collector would run all
   * the time.
   */
  static idle(type: TensorType): HostBuffer {
    const buffer = HostBuffer.zeros(type, zerosOf);
    buffer.#isShared = true;
    return buffer;
  }
  get isUntouched(): boolean {
    this.settle();
    return this.#isUntouched;
  }
  /** The bytes that have an address range but no memory yet. */
  get untouchedBytes(): number {
    return this.isUntouched ? byteSize(this.type) : 0;
  }
  fillable(): Uint8Array {
    this.settle();
    this.#isUntouched = false;
    if (this.#isShared) this.#block = ownMemory(this.type)(byteSize(this.type));
    this.#isShared = false;
    return this.bytes;
  }

  /** The memory itself. @throws {BUFFER_CONSUMED} once it has been donated */
  get block(): Block {
    this.settle();
    if (this.#consumer === undefined) return this.#block!;
    throw new TrenioError('BUFFER_CONSUMED', { type: formatType(this.type), program: this.#consumer });
  }
  /** The memory itself, for backends that use this memory space. Others copy it. */
  get bytes(): Uint8Array {
    return this.block.bytes;
  }
  get isConsumed(): boolean {
    return this.#consumer !== undefined;
  }
  /** Donates the memory: `program` writes its result there. */
  consume(program: string): Block {
    const block = this.block;
    this.#consumer = program;
    return block;
  }

  release(): void {
    if (this.isConsumed) return;
    const block = this.consume('its owner, which released it');
    this.#spare?.give(block);
  }

  /** The execution that has yet to write it, or that failed. */
  get writer(): Ticket | undefined {
    this.settle();
    if (this.#writer?.isDone === true && this.#writer.error === undefined) this.#writer = undefined;
    return this.#writer;
  }
  /** Reading this does not create it: the script continues while its runtime is still being compiled. */
  get isReady(): boolean {
    if (this.#make !== undefined) return this.#source?.isReady ?? false;
    return this.#writer === undefined || this.#writer.isDone;
  }
  wait(): void {
    this.writer?.wait();
  }
  copyToHost(into?: Uint8Array<ArrayBuffer>, from = 0): Uint8Array<ArrayBuffer> {
    const { bytes } = this;
    this.wait();
    const copy = into ?? new Uint8Array(bytes.byteLength - from);
    copy.set(bytes.subarray(from, from + copy.byteLength));
    return copy;
  }
  async copyToHostAsync(into?: Uint8Array<ArrayBuffer>, from = 0): Promise<Uint8Array<ArrayBuffer>> {
    await this.ready;
    return this.copyToHost(into, from);
  }
  get ready(): Promise<void> {
    if (this.#source !== undefined) return this.#source.ready;
    return this.writer?.whenDone() ?? Promise.resolve();
  }
}

/** The executions that write these buffers, once each. Throws the failure of one that is done. */
export function writersOf(buffers: readonly HostBuffer[]): readonly Ticket[] {
  const writers = new Set<Ticket>();
  for (const { writer } of buffers) if (writer !== undefined) writers.add(writer);
  for (const ticket of writers) if (ticket.isDone) ticket.wait();
  return [...writers];
}
