// Writes a large file from memory to the disk without a copy in the page cache: a checkpoint is not read again soon, and on
// a virtual machine filling new pages of that cache takes several times as long as the disk itself. If a file system
// does not support this, the file is written like any other.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { expectFileError } from '../../base/file-error.ts';
import { wholeBlocks } from './save-plan.ts';

const chunkBytes = 1 << 23;
/** The number of concurrent writes. */
const atOnce = 2;

/**
 * Writes `memory` as the new content of `path`, and syncs it. It begins at a multiple of the size of a block and is followed by
 * memory up to the next.
 */
export async function writeDirectly(
  path: string,
  { buffer, byteOffset, byteLength }: Uint8Array,
  progress: { bytes: number },
): Promise<void> {
  await using files = await DirectFile.open(path);
  const writes: Promise<void>[] = [];
  const failures: unknown[] = [];
  for (let from = 0; from < byteLength && failures.length === 0; from += chunkBytes) {
    const bytes = Math.min(chunkBytes, byteLength - from);
    if (writes.length >= atOnce) await writes.shift();
    const chunk = new Uint8Array(buffer, byteOffset + from, wholeBlocks(bytes));
    const writing = files.write(chunk, bytes, from).then(
      () => {
        progress.bytes += bytes;
      },
      (error: unknown) => void failures.push(error),
    );
    writes.push(writing);
  }
  await Promise.all(writes);
  if (failures.length > 0) throw failures[0];
  await files.end(byteLength);
}

class DirectFile implements AsyncDisposable {
  readonly #path: string;
  readonly #direct: FileHandle | undefined;
  /** Writes data that cannot be written directly. */
  #plain: Promise<FileHandle> | undefined;

  private constructor(path: string, direct: FileHandle | undefined) {
    this.#path = path;
    this.#direct = direct;
  }
  static async open(path: string): Promise<DirectFile> {
    const { O_CREAT, O_TRUNC, O_WRONLY, O_DIRECT } = constants;
    const flags = O_CREAT | O_TRUNC | O_WRONLY;
    try {
      if (O_DIRECT !== undefined) return new DirectFile(path, await open(path, flags | O_DIRECT));
    } catch (error) {
      expectFileError(error, 'EINVAL', 'ENOTSUP');
    }
    const file = new DirectFile(path, undefined);
    file.#plain = open(path, flags);
    await file.#plain;
    return file;
  }

  /** Writes the first `bytes` bytes of a chunk of whole blocks. */
  async write(chunk: Uint8Array, bytes: number, position: number): Promise<void> {
    let done = 0;
    if (this.#direct !== undefined)
      try {
        ({ bytesWritten: done } = await this.#direct.write(chunk, 0, chunk.byteLength, position));
      } catch (error) {
        expectFileError(error, 'EINVAL', 'ENOTSUP');
      }
    // The rest after a short write may not be whole blocks.
    while (done < bytes) {
      this.#plain ??= open(this.#path, 'r+');
      done += (await (await this.#plain).write(chunk, done, bytes - done, position + done)).bytesWritten;
    }
  }
  async end(bytes: number): Promise<void> {
    const file = this.#direct ?? (await this.#plain!);
    await file.truncate(bytes);
    await file.sync();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#direct?.close();
    await (await this.#plain)?.close();
  }
}
