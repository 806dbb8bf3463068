// The part of JavaScript's WebAssembly interface that is used here; the types of the language do not include it.

export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface Engine {
  readonly Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => Memory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly [name: string]: unknown } },
  ) => { readonly exports: { readonly [name: string]: unknown } };
}
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;
