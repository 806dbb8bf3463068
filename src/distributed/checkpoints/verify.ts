// Compares the files of a checkpoint with its manifest: every byte of every file, so that damage is named by file and tensor.
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { openRegularFile, unreadable } from '../../base/read-file.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** Options of `verifyCheckpoint`. */
export interface VerifyOptions {
  /** The share of files to verify, by their index in the order of names; all by default. */
  readonly share?: {
    /** This rank. */
    readonly rank: number;
    /** The number of ranks that share the files. */
    readonly ranks: number;
  };
  /** Called with the bytes read so far, and those of all files. */
  readonly onProgress?: (done: number, total: number) => void;
}

const chunkBytes = 1 << 22;

/**
 * Reads the files of a checkpoint and compares them with its manifest, which it returns.
 * @throws {CHECKPOINT_DAMAGED} naming the file and the tensor
 * @throws {CHECKPOINT_INVALID}
 * @throws {FILE_UNREADABLE}
 * @example
 * ```ts no-run
 * const { step } = await verifyCheckpoint('checkpoints/checkpoint-100');
 * ```
 */
export async function verifyCheckpoint(directory: string, options: VerifyOptions = {}): Promise<Manifest> {
  const manifest = await readManifest(directory);
  const { share = { rank: 0, ranks: 1 }, onProgress } = options;
  const files = Object.keys(manifest.files)
    .sort()
    .filter((_, i) => i % share.ranks === share.rank);
  const total = files.reduce((sum, name) => sum + manifest.files[name]!.bytes, 0);
  const chunk = new Uint8Array(Math.min(total, chunkBytes));
  let done = 0;
  for (const name of files) {
    const file = join(directory, name);
    const { bytes, headerBytes, headerSha256 } = manifest.files[name]!;
    const opened = await openRegularFile(file);
    await using handle = opened.handle;
    const damaged = (problem: string, tensor?: string): TrenioError =>
      new TrenioError('CHECKPOINT_DAMAGED', tensor === undefined ? { file, problem } : { file, tensor, problem });
    if (opened.bytes !== bytes) throw damaged(`it has ${opened.bytes} bytes and was written with ${bytes}`);
    const parts = [
      { tensor: undefined, start: 0, bytes: headerBytes, sha256: headerSha256 },
      ...Object.entries(manifest.tensors).flatMap(([tensor, { pieces }]) =>
        pieces.filter(piece => piece.file === name).map(piece => ({ tensor, ...piece })),
      ),
    ].sort((a, b) => a.start - b.start || a.bytes - b.bytes);
    let end = 0;
    for (const part of parts) {
      if (part.start !== end)
        throw new TrenioError('CHECKPOINT_INVALID', {
          directory,
          problem: `${name} has bytes that are not a tensor's`,
        });
      end += part.bytes;
      if ((await hashOf(handle, part, chunk, file)) !== part.sha256)
        throw damaged('its bytes are not those that were written', part.tensor);
      done += part.bytes;
      onProgress?.(done, total);
    }
    if (end !== bytes)
      throw new TrenioError('CHECKPOINT_INVALID', { directory, problem: `${name} has bytes that are not a tensor's` });
  }
  return manifest;
}

async function hashOf(
  handle: FileHandle,
  { start, bytes }: { readonly start: number; readonly bytes: number },
  chunk: Uint8Array,
  file: string,
): Promise<string> {
  const hash = createHash('sha256');
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await handle
      .read(chunk, 0, Math.min(chunk.length, bytes - done), start + done)
      .catch((cause: unknown) => {
        throw unreadable(file, cause);
      });
    if (bytesRead === 0)
      throw new TrenioError('CHECKPOINT_DAMAGED', { file, problem: 'it was truncated while it was read' });
    hash.update(chunk.subarray(0, bytesRead));
    done += bytesRead;
  }
  return hash.digest('hex');
}
