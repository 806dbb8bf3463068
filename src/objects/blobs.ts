// The bytes of objects: one immutable file per blob, named by a random id. A blob is on disk before its id is returned;
// a row of the index makes it part of an object (object-index.ts). A blob without a row is garbage from a crash.
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeError } from '../base/atomic-write.ts';
import { DiskRoom } from '../base/disk-room.ts';
import { expectFileError } from '../base/file-error.ts';
import { makeFolder } from '../base/make-folder.ts';
import { type ChecksumAlgorithm, startChecksum } from './checksums.ts';
import { ObjectError } from './object-error.ts';

/** A blob, or a part of one. */
export interface BlobRange {
  readonly blob: string;
  readonly start: number;
  /** One after the last byte. */
  readonly end: number;
}

export interface WrittenBlob {
  readonly blob: string;
  readonly size: number;
  /** MD5 in hexadecimal. */
  readonly md5: string;
  /** In base64, for the requested algorithms. */
  readonly checksums: Readonly<Partial<Record<ChecksumAlgorithm, string>>>;
  /** SHA-256 in hexadecimal, if requested. */
  readonly sha256: string | undefined;
}

export interface WriteOptions {
  readonly maxBytes: number;
  readonly checksums: readonly ChecksumAlgorithm[];
  readonly sha256: boolean;
}

const READ_BYTES = 1024 * 1024;
/** Bytes arrive in small parts; passing each to another thread would take longer than writing it. */
const WRITE_BYTES = 1024 * 1024;
/** The maximum number of parts per write; some clients send very small ones. */
const MAX_PARTS = 256;

export class Blobs {
  readonly #folder: string;
  readonly #room: DiskRoom;

  constructor(folder: string) {
    this.#folder = folder;
    // Other users of the machine must not read objects.
    makeFolder(folder, 0o700);
    this.#room = new DiskRoom(folder);
  }

  /**
   * Writes a blob to disk. Nothing is left behind if `body` throws or the disk is full.
   * @throws {ObjectError} EntityTooLarge
   * @throws {DISK_FULL}
   * @throws {WRITE_FAILED}
   */
  async write(body: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<WrittenBlob> {
    const blob = randomBytes(16).toString('hex');
    const path = this.#path(blob);
    const md5 = createHash('md5');
    const sha256 = options.sha256 ? createHash('sha256') : undefined;
    const checksums = options.checksums.map(algorithm => [algorithm, startChecksum(algorithm)] as const);
    const folder = join(this.#folder, blob.slice(0, 2));
    let size = 0;
    let file: FileHandle | undefined;
    const onDisk = async <T>(step: () => Promise<T>): Promise<T> => {
      try {
        return await step();
      } catch (cause) {
        throw writeError(path, size, cause as NodeJS.ErrnoException);
      }
    };
    try {
      this.#room.check(path);
      const opened = await onDisk(async () => {
        makeFolder(folder, 0o700);
        return open(path, 'wx', 0o600);
      });
      file = opened;
      let [gathered, gatheredBytes]: [Uint8Array[], number] = [[], 0];
      let written: Promise<void> = Promise.resolve();
      // The write runs on another thread while this one computes the checksums of the next bytes.
      const writeGathered = async (): Promise<void> => {
        await written;
        this.#room.check(path, size);
        const bytes = gathered;
        written = onDisk(() => writeAll(opened, bytes));
        // It is awaited later.
        written.catch(() => {});
        [gathered, gatheredBytes] = [[], 0];
      };
      for await (const bytes of body) {
        size += bytes.length;
        if (size > options.maxBytes)
          throw new ObjectError(
            'EntityTooLarge',
            `Your proposed upload exceeds the maximum allowed size of ${options.maxBytes} bytes.`,
          );
        md5.update(bytes);
        sha256?.update(bytes);
        for (const [, checksum] of checksums) checksum.update(bytes);
        gathered.push(bytes);
        gatheredBytes += bytes.length;
        if (gatheredBytes >= WRITE_BYTES || gathered.length >= MAX_PARTS) await writeGathered();
      }
      await writeGathered();
      await written;
      await onDisk(() => opened.sync());
      file = undefined;
      await onDisk(() => opened.close());
    } catch (error) {
      // The first error is the one to report.
      await file?.close().catch(() => {});
      await rm(path, { force: true }).catch(() => {});
      throw error;
    }
    await syncFolder(folder);
    return {
      blob,
      size,
      md5: md5.digest('hex'),
      checksums: Object.fromEntries(checksums.map(([algorithm, checksum]) => [algorithm, checksum.digest()])),
      sha256: sha256?.digest('hex'),
    };
  }

  /** The bytes of several ranges, one after the other. The files are opened before the first byte is returned. */
  async read(ranges: readonly BlobRange[]): Promise<AsyncGenerator<Uint8Array>> {
    const files: FileHandle[] = [];
    try {
      for (const { blob } of ranges) files.push(await open(this.#path(blob), 'r'));
    } catch (error) {
      await closeAll(files);
      throw error;
    }
    return readRanges(ranges, files);
  }

  /** Deletes blobs that are no longer referenced. A reader that has them open can continue. */
  async remove(blobs: readonly string[]): Promise<void> {
    for (const blob of blobs) await rm(this.#path(blob), { force: true });
  }

  /** The blobs that were last written before a time. */
  async writtenBefore(blobs: readonly string[], timeMs: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (const blob of blobs) {
      try {
        if ((await stat(this.#path(blob))).mtimeMs < timeMs) found.push(blob);
      } catch (error) {
        // Its writer removed it meanwhile.
        expectFileError(error, 'ENOENT');
      }
    }
    return found;
  }

  /** All blobs on the disk. */
  async *list(): AsyncGenerator<string> {
    for (const folder of await readdir(this.#folder)) yield* await readdir(join(this.#folder, folder));
  }

  #path(blob: string): string {
    return join(this.#folder, blob.slice(0, 2), blob);
  }
}

async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  let left = parts.filter(({ length }) => length > 0);
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left);
    // Retry the rest: if the disk is full, the next attempt reports it.
    left = left.flatMap(part => {
      const done = Math.min(part.length, bytesWritten);
      bytesWritten -= done;
      return done === part.length ? [] : [part.subarray(done)];
    });
  }
}

async function* readRanges(ranges: readonly BlobRange[], files: readonly FileHandle[]): AsyncGenerator<Uint8Array> {
  try {
    for (const [i, { start, end }] of ranges.entries()) {
      for (let at = start; at < end; ) {
        const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at));
        const { bytesRead } = await files[i]!.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) throw new Error(`the blob ${ranges[i]!.blob} ends at ${at}, expected ${end} bytes`);
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
      }
    }
  } finally {
    await closeAll(files);
  }
}

async function closeAll(files: readonly FileHandle[]): Promise<void> {
  for (const file of files) await file.close();
}
