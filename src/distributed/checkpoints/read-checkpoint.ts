// Reads tensors of a checkpoint written by any number of ranks, by assembling their pieces.
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { unreadable } from '../../base/read-file.ts';
import { bytesOf, type Literal, zeros } from '../../hlo/literal.ts';
import { commonRuns, type TensorBox, wholeBox } from '../../hlo/sharding/tensor-box.ts';
import { type TensorType, tensorType } from '../../hlo/types.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** A part of a tensor in a file: a box of it, row by row. */
export interface StoredBox extends TensorBox {
  readonly file: string;
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
  /** Its directory. */
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

  /**
   * One tensor, or a box of it. `name` is a key of `types`. Its bytes are not compared with the checksums: see
   * `verifyCheckpoint`.
   */
  async read(name: string, box?: TensorBox): Promise<Literal> {
    const { pieces } = this.manifest.tensors[name]!;
    const stored = { boxes: pieces, pathOf: (file: string) => join(this.directory, file) };
    return readBoxes(this.#files, this.types.get(name)!, stored, box);
  }
  /** Closes its files. */
  async close(): Promise<void> {
    await this.#files.close();
  }
  /** Calls `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Files that stay open while tensors are read from them. */
export class OpenFiles {
  readonly #handles = new Map<string, FileHandle>();

  /** @throws {FILE_UNREADABLE} @throws {CHECKPOINT_DAMAGED} if the file is shorter */
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

/** Pieces closer than this are read together, with the bytes between them. */
const windowBytes = 4 << 20;

/** Assembles a tensor, or a box of it; what is beyond the tensor is zero. */
export async function readBoxes(
  files: OpenFiles,
  type: TensorType,
  { boxes, pathOf }: { readonly boxes: readonly StoredBox[]; readonly pathOf: (file: string) => string },
  wanted: TensorBox = wholeBox(type),
): Promise<Literal> {
  const literal = zeros(tensorType(type.elementType, wanted.shape));
  const bytes = bytesOf(literal);
  for (const box of boxes) {
    const { count, runBytes, from, to } = commonRuns(type, box, wanted);
    for (let i = 0; i < count; ) {
      const start = from(i);
      let next = i + 1;
      while (next < count && from(next) + runBytes - start <= windowBytes) next++;
      const read = (into: Uint8Array): Promise<void> => files.read(pathOf(box.file), into, box.start + start);
      if (next === i + 1) await read(bytes.subarray(to(i), to(i) + runBytes));
      else {
        const window = new Uint8Array(from(next - 1) + runBytes - start);
        await read(window);
        for (let run = i; run < next; run++)
          bytes.set(window.subarray(from(run) - start, from(run) - start + runBytes), to(run));
      }
      i = next;
    }
  }
  return literal;
}
