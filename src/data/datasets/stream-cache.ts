// The items of a stream in a file, so that later epochs and runs need not compute them. The name of the file is a hash of
// everything that determines the items, so a change leads to a new file. The file gets its name when it is complete; of several
// concurrent processes, one creates it.
//
//   "TRENIOC1" │ item │ item │ … │ ends: f64 each, crc32: u32 each │ count: f64, crc32 of the ends: u32, "TRENIOC1"
//
// Items are in V8's format for structured clones. The table is checked when the file is opened, each item when it is read.
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { isTrialRun } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { takeFileLock } from '../../base/file-lock.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { loggerFrom } from '../../base/logger.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { unreadable } from '../../base/read-file.ts';
import { wrongOption } from '../check-options.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import type { Lazy } from './lazy.ts';
import type { SharedWork } from './shared-work.ts';
import type { Pipe } from './stream-pipes.ts';

/** Options of `IterableDataset.cache`. */
export interface CacheOptions {
  /** Stands for everything that the items depend on besides source files and the text of functions. Default ''. */
  readonly version?: string | number | undefined;
}

/** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
export function cacheOptions(directory: string, options: CacheOptions): { directory: string; version: string } {
  const what = 'IterableDataset.cache';
  refuseUnknownOptions(what, options, ['version']);
  if (typeof directory !== 'string' || directory === '')
    throw wrongOption(what, 'directory', directory, 'the name of a folder');
  const { version = '' } = options;
  if (typeof version !== 'string' && typeof version !== 'number')
    throw wrongOption(what, 'version', version, 'a text or a number');
  return { directory, version: String(version) };
}

const magic = Buffer.from('TRENIOC1');
const footerBytes = 8 + 4 + magic.length;
const entryBytes = 12;

export class CachePipe<T> implements Pipe<T> {
  readonly input: Pipe<T>;
  readonly directory: string;
  readonly version: string;
  constructor(input: Pipe<T>, { directory, version }: { readonly directory: string; readonly version: string }) {
    this.input = input;
    this.directory = directory;
    this.version = version;
  }
  describe(): unknown {
    return ['cache', this.input.describe(), this.version];
  }
  /** The file for the current sources. */
  get file(): string {
    const key = createHash('sha256').update(canonical(this.describe())).digest('hex').slice(0, 32);
    return join(this.directory, `${key}.items`);
  }
  async *lazyItems(epoch: number, shared?: SharedWork): AsyncGenerator<Lazy<T>> {
    // An incomplete file is not written.
    if (isTrialRun()) {
      yield* this.input.lazyItems(epoch, shared);
      return;
    }
    const { file } = this;
    const table = await tableOf(this, file);
    const handle = await open(file, 'r').catch((cause: unknown) => {
      throw unreadable(file, cause);
    });
    // Items may be read after the last entry was given, but not after the stream is closed.
    const source = new CacheReader(handle, file);
    try {
      for (let i = 0; i < table.ends.length; i++) {
        const start = i === 0 ? magic.length : table.ends[i - 1]!;
        const [end, sum] = [table.ends[i]!, table.sums[i]!];
        yield () => source.read(start, end, sum) as Promise<T>;
      }
    } finally {
      await source.release();
    }
  }
}

/** The table of the file, which is created if there is no complete one. */
async function tableOf(pipe: CachePipe<unknown>, file: string): Promise<Table> {
  for (;;) {
    const found = existsSync(file) ? await readTable(file) : undefined;
    if (found !== undefined) return found;
    makeFolder(pipe.directory);
    const lock = takeFileLock(`${file}.lock`);
    if ('heldBy' in lock) {
      await sleep(50);
      continue;
    }
    try {
      const made = existsSync(file) ? await readTable(file) : undefined;
      if (made !== undefined) return made;
      if (existsSync(file)) {
        loggerFrom().warn(`${file} is damaged and is created again`);
        await rm(file);
      }
      await writeFileAtomically(file, chunks(pipe.input.lazyItems(0)));
    } finally {
      lock.release();
    }
  }
}

interface Table {
  readonly ends: Float64Array;
  readonly sums: Uint32Array;
}

async function* chunks(items: AsyncIterable<Lazy<unknown>>): AsyncGenerator<Uint8Array> {
  yield magic;
  let end = magic.length;
  const ends: number[] = [];
  const sums: number[] = [];
  for await (const lazy of items) {
    const bytes = serialize(await lazy());
    end += bytes.length;
    ends.push(end);
    sums.push(crc32(bytes));
    yield bytes;
  }
  const table = Buffer.alloc(ends.length * entryBytes);
  ends.forEach((at, i) => {
    table.writeDoubleLE(at, i * entryBytes);
    table.writeUInt32LE(sums[i]!, i * entryBytes + 8);
  });
  yield table;
  const footer = Buffer.alloc(footerBytes);
  footer.writeDoubleLE(ends.length, 0);
  footer.writeUInt32LE(crc32(table), 8);
  magic.copy(footer, 12);
  yield footer;
}

/** Undefined if the file is not complete. */
async function readTable(file: string): Promise<Table | undefined> {
  const handle = await open(file, 'r').catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  try {
    const { size } = await handle.stat();
    if (size < magic.length + footerBytes) return undefined;
    const footer = Buffer.alloc(footerBytes);
    await handle.read(footer, 0, footerBytes, size - footerBytes);
    const count = footer.readDoubleLE(0);
    const start = size - footerBytes - count * entryBytes;
    if (!footer.subarray(12).equals(magic) || !Number.isSafeInteger(count) || start < magic.length) return undefined;
    const table = Buffer.alloc(count * entryBytes);
    await handle.read(table, 0, table.length, start);
    if (crc32(table) !== footer.readUInt32LE(8)) return undefined;
    const ends = Float64Array.from({ length: count }, (_, i) => table.readDoubleLE(i * entryBytes));
    if ((ends.at(-1) ?? magic.length) !== start) return undefined;
    return { ends, sums: Uint32Array.from({ length: count }, (_, i) => table.readUInt32LE(i * entryBytes + 8)) };
  } finally {
    await handle.close();
  }
}

/** Reads items; closes the file when the stream is done and no item is being read. */
class CacheReader {
  readonly #handle: FileHandle;
  readonly #file: string;
  #isReleased = false;

  constructor(handle: FileHandle, file: string) {
    this.#handle = handle;
    this.#file = file;
  }
  async read(start: number, end: number, sum: number): Promise<unknown> {
    // A stream that has ended may still have entries in a buffer.
    const handle = this.#isReleased ? await open(this.#file, 'r') : this.#handle;
    try {
      const bytes = Buffer.alloc(end - start);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      if (bytesRead !== bytes.length || crc32(bytes) !== sum)
        throw new TrenioError('STREAM_CACHE_DAMAGED', { file: this.#file, position: start });
      return deserialize(bytes);
    } finally {
      if (handle !== this.#handle) await handle.close();
    }
  }
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#handle.close();
  }
}

/**
 * The description of the pipeline, with the size and modification time of each source file; the same text for the same
 * pipeline.
 */
function canonical(described: unknown): string {
  return JSON.stringify(described, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
    if (typeof value === 'function') return String(value);
    const files = (value as { files?: unknown } | null)?.files;
    if (typeof value !== 'object' || value === null || !Array.isArray(files) || Object.keys(value).length !== 1)
      return value;
    return (files as readonly string[]).map(file => {
      try {
        const { size, mtimeMs } = statSync(file);
        return [file, size, mtimeMs];
      } catch (cause) {
        throw unreadable(file, cause);
      }
    });
  });
}

exportToWorkers(import.meta.url, { CachePipe });
