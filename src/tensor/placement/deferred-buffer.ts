// Memory that is filled when something reads it: on a mesh that divides tensors, a rank then makes only its part of initial
// values.
import type { TensorType } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { Content, DeviceBuffer } from '../../runtime/execution/executable.ts';

export class DeferredBuffer implements DeviceBuffer {
  readonly type: TensorType;
  /** The numbers that fill it. */
  readonly content: Exclude<Content, Uint8Array>;
  readonly #backend: Backend;
  #made: DeviceBuffer | undefined;

  constructor(type: TensorType, content: Exclude<Content, Uint8Array>, backend: Backend) {
    this.type = type;
    this.content = content;
    this.#backend = backend;
  }
  /** The same numbers rounded, not made either; undefined if they are made already, or would be others. */
  rounded(type: TensorType): DeferredBuffer | undefined {
    const isRounding = this.type.elementType === 'f32' && (type.elementType === 'bf16' || type.elementType === 'f16');
    return this.isMade || !isRounding ? undefined : new DeferredBuffer(type, this.content, this.#backend);
  }
  /** The memory. */
  get made(): DeviceBuffer {
    this.#made ??= this.#backend.upload(this.type, this.content, true);
    return this.#made;
  }
  get isMade(): boolean {
    return this.#made !== undefined;
  }
  get isReady(): boolean {
    return this.#made?.isReady ?? true;
  }
  get ready(): Promise<void> {
    return this.made.ready;
  }
  get isConsumed(): boolean {
    return this.#made?.isConsumed ?? false;
  }
  get isUntouched(): boolean {
    return this.#made === undefined ? this.content.kind === 'zeros' : this.#made.isUntouched === true;
  }
  wait(): void {
    this.#made?.wait();
  }
  copyToHost(into?: Uint8Array<ArrayBuffer>, from?: number): Uint8Array<ArrayBuffer> {
    return this.made.copyToHost(into, from);
  }
  copyToHostAsync(into?: Uint8Array<ArrayBuffer>, from?: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.made.copyToHostAsync(into, from);
  }
  release(): void {
    this.#made?.release();
  }
}
