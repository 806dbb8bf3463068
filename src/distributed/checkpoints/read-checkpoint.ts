// Reads tensors of a checkpoint, for any number of ranks that wrote it: the pieces of each are assembled.
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { unreadable } from '../../base/read-file.ts';
import { bytesOf, type Literal, zeros } from '../../hlo/literal.ts';
import { byteSize, type TensorType, tensorType } from '../../hlo/types.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** A part of a tensor in a file: a box of it, row by row. */
export interface StoredBox {
  readonly file: string;
  readonly offset: readonly number[];
  readonly shape: readonly number[];
  readonly start: number;
}

/**
 * An open checkpoint. Close it, or use `await using`.
 * @example
 * ```ts no-run
 * await using reader = await CheckpointReader.open('checkpoints/checkpoint-100');
 * console.log(reader.manifest.step, Object.keys(reader.manifest.tensors));
 * ```
 */
export class CheckpointReader implements AsyncDisposable {
  /** Where it lies. */
  readonly directory: string;
  /** Its manifest. */
  readonly manifest: Manifest;
  /** The type of each tensor, by name. */
  readonly types: ReadonlyMap<string, TensorType>;
  readonly #files = new OpenFiles();

  private constructor(directory: string, manifest: Manifest) {
    this.directory = directory;
    this.manifest = manifest;
    this.types = new Map(
      Object.entries(manifest.tensors).map(([name, { dtype, shape }]) => [name, tensorType(dtype, shape)]),
    );
  }
  /** Opens a checkpoint directory. @throws {CHECKPOINT_INVALID} @throws {CHECKPOINT_DAMAGED} @throws {FILE_UNREADABLE} */
  static async open(directory: string): Promise<CheckpointReader> {
    return new CheckpointReader(directory, await readManifest(directory));
  }

  /** One tensor. `name` is a key of `types`. Its bytes are not compared with the checksums: see `verifyCheckpoint`. */
  async read(name: string): Promise<Literal> {
    const { pieces } = this.manifest.tensors[name]!;
    return readBoxes(this.#files, this.types.get(name)!, pieces, file => join(this.directory, file));
  }
  /** Closes its files. */
  async close(): Promise<void> {
    await this.#files.close();
  }
  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Files that stay open while tensors are read from them. */
export class OpenFiles {
  readonly #handles = new Map<string, FileHandle>();

  /** @throws {FILE_UNREADABLE} @throws {CHECKPOINT_DAMAGED} where the file is shorter */
  async read(file: string, into: Uint8Array, position: number): Promise<void> {
    let handle = this.#handles.get(file);
    const failed = (cause: unknown): never => {
      throw unreadable(file, cause);
    };
    if (handle === undefined) {
      handle = await open(file, 'r').catch(failed);
      this.#handles.set(file, handle);
    }
    for (let done = 0; done < into.byteLength; ) {
      const length = Math.min(into.byteLength - done, 1 << 30);
      const { bytesRead } = await handle.read(into, done, length, position + done).catch(failed);
      if (bytesRead === 0) throw new TrenioError('CHECKPOINT_DAMAGED', { file, problem: 'it is truncated' });
      done += bytesRead;
    }
  }
  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await handle.close();
    this.#handles.clear();
  }
}

/** Puts a tensor together. */
export async function readBoxes(
  files: OpenFiles,
  type: TensorType,
  boxes: readonly StoredBox[],
  pathOf: (file: string) => string,
): Promise<Literal> {
  const literal = zeros(type);
  const bytes = bytesOf(literal);
  for (const box of boxes) {
    const size = byteSize(tensorType(type.elementType, box.shape));
    if (size === 0) continue;
    // The last dim of which the box does not have everything: below it, bytes are contiguous in both.
    const cutDim = box.shape.findLastIndex((extent, dim) => extent !== type.shape[dim]);
    const runs = cutDim < 0 ? 1 : box.shape.slice(0, cutDim).reduce((product, extent) => product * extent, 1);
    const runBytes = size / runs;
    const elementBytes = byteSize(type) / type.shape.reduce((product, extent) => product * extent, 1);
    const strides = type.shape.map((_, dim) => type.shape.slice(dim + 1).reduce((a, b) => a * b, 1) * elementBytes);
    const base = box.offset.reduce((sum, at, dim) => sum + at * strides[dim]!, 0);
    const data = runs === 1 ? bytes.subarray(base, base + size) : new Uint8Array(size);
    await files.read(pathOf(box.file), data, box.start);
    if (runs === 1) continue;
    for (let run = 0; run < runs; run++) {
      let at = base;
      for (let dim = cutDim - 1, rest = run; dim >= 0; dim--) {
        at += (rest % box.shape[dim]!) * strides[dim]!;
        rest = Math.floor(rest / box.shape[dim]!);
      }
      bytes.set(data.subarray(run * runBytes, (run + 1) * runBytes), at);
    }
  }
  return literal;
}
