// Reads the entries of zip archives written by PyTorch, which are not compressed. Not a general zip reader.
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { TrenioError } from '../../base/errors.ts';
import { openRegularFile, unreadable } from '../../base/read-file.ts';

interface Entry {
  /** The offset of its local header. */
  readonly at: number;
  readonly bytes: number;
  readonly crc: number;
}

const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const endBytes = 22;
const longestComment = 65_535;
const largestDirectory = 256 << 20;
const pieceBytes = 1 << 30;

interface Archive extends FileSlice {
  readonly path: string;
  readonly file: FileHandle;
}
/** A part of a file. */
export interface FileSlice {
  readonly start: number;
  readonly bytes: number;
}

export class ZipEntries implements AsyncDisposable {
  readonly path: string;
  /** The size of the archive. */
  readonly bytes: number;
  readonly #archive: Archive;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(archive: Archive, entries: ReadonlyMap<string, Entry>) {
    this.path = archive.path;
    this.bytes = archive.bytes;
    this.#archive = archive;
    this.#entries = entries;
  }

  /**
   * `slice`: the part of the file that is the archive; default: all of it.
   * @throws {FILE_UNREADABLE} @throws {TORCH_FILE_INVALID}
   */
  static async open(path: string, slice?: FileSlice): Promise<ZipEntries> {
    const { handle: file, bytes: size } = await openRegularFile(path);
    try {
      const { start, bytes } = slice ?? { start: 0, bytes: size };
      if (start + bytes > size) throw invalid(path, 'it is cut off');
      const archive = { path, file, start, bytes };
      return new ZipEntries(archive, await readDirectory(archive));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }
  /** Undefined if there is no such entry. */
  sizeOf(name: string): number | undefined {
    return this.#entries.get(name)?.bytes;
  }
  /** The content of an entry, with its checksum verified. @throws {TORCH_FILE_INVALID} */
  async read(name: string): Promise<Uint8Array> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw invalid(this.path, `it has no entry ${JSON.stringify(name)}`);
    const head = await readAt(this.#archive, entry.at, 30);
    if (head.readUInt32LE(0) !== LOCAL) throw invalid(this.path, `the header of its entry ${name} is damaged`);
    const start = entry.at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    const content = await readAt(this.#archive, start, entry.bytes);
    if (checksumOf(content) !== entry.crc) throw invalid(this.path, `the checksum of its entry ${name} is wrong`);
    return content;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#archive.file.close();
  }
}

/** Node's crc32 takes the length of its data modulo 4 GiB, so that longer data is passed in pieces. */
function checksumOf(content: Uint8Array): number {
  let crc = 0;
  for (let at = 0; at < content.length; at += pieceBytes) crc = crc32(content.subarray(at, at + pieceBytes), crc);
  return crc;
}
export const invalid = (file: string, problem: string): TrenioError =>
  new TrenioError('TORCH_FILE_INVALID', { file, problem });

/** `at` counts from the start of the archive. */
async function readAt({ path, file, start, bytes: size }: Archive, at: number, bytes: number): Promise<Buffer> {
  if (at + bytes > size) throw invalid(path, 'it is cut off');
  const to = Buffer.alloc(bytes);
  for (let done = 0; done < bytes; ) {
    // A read of 2 GB or more is not possible at once.
    const { bytesRead } = await file
      .read(to, done, Math.min(bytes - done, pieceBytes), start + at + done)
      .catch((cause: NodeJS.ErrnoException) => {
        throw unreadable(path, cause);
      });
    if (bytesRead === 0) throw invalid(path, 'it is cut off');
    done += bytesRead;
  }
  return to;
}

async function readDirectory(archive: Archive): Promise<ReadonlyMap<string, Entry>> {
  const { path, bytes: size } = archive;
  const tailBytes = Math.min(size, endBytes + longestComment);
  const tail = await readAt(archive, size - tailBytes, tailBytes);
  let end = tail.length - endBytes;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--;
  if (end < 0)
    throw invalid(
      path,
      'it is not a zip archive, the format of PyTorch 1.6 and later: load and save it again in PyTorch',
    );
  let count = tail.readUInt16LE(end + 10);
  let bytes = tail.readUInt32LE(end + 12);
  let at = tail.readUInt32LE(end + 16);
  if (count === 0xffff || bytes === 0xffffffff || at === 0xffffffff) {
    const locator = end - 20;
    if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR64) throw invalid(path, 'its zip64 directory is missing');
    const end64 = await readAt(archive, toNumber(path, tail.readBigUInt64LE(locator + 8)), 56);
    if (end64.readUInt32LE(0) !== END64) throw invalid(path, 'its zip64 directory is damaged');
    count = toNumber(path, end64.readBigUInt64LE(32));
    bytes = toNumber(path, end64.readBigUInt64LE(40));
    at = toNumber(path, end64.readBigUInt64LE(48));
  }
  if (bytes > largestDirectory || at + bytes > size) throw invalid(path, 'its directory is damaged');
  const directory = await readAt(archive, at, bytes);
  const entries = new Map<string, Entry>();
  let total = 0;
  try {
    for (let next = 0, i = 0; i < count; i++) {
      if (directory.readUInt32LE(next) !== CENTRAL) throw invalid(path, 'its directory is damaged');
      const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map(offset =>
        directory.readUInt16LE(next + offset),
      ) as [number, number, number];
      const name = directory.toString('utf8', next + 46, next + 46 + nameBytes);
      if (directory.readUInt16LE(next + 10) !== 0)
        throw invalid(path, `its entry ${JSON.stringify(name)} is compressed`);
      const extra = directory.subarray(next + 46 + nameBytes, next + 46 + nameBytes + extraBytes);
      const wide = wideSizes(path, extra, [
        directory.readUInt32LE(next + 24),
        directory.readUInt32LE(next + 20),
        directory.readUInt32LE(next + 42),
      ]);
      const [content, , local] = wide;
      if (local + content > size) throw invalid(path, `its entry ${JSON.stringify(name)} is cut off`);
      // Entries of the same bytes would make a small file take any amount of memory.
      total += content;
      if (total > size) throw invalid(path, 'its entries overlap');
      if (entries.has(name)) throw invalid(path, `it has two entries ${JSON.stringify(name)}`);
      entries.set(name, { at: local, bytes: content, crc: directory.readUInt32LE(next + 16) });
      next += 46 + nameBytes + extraBytes + commentBytes;
    }
  } catch (error) {
    if (error instanceof RangeError) throw invalid(path, 'its directory is damaged');
    throw error;
  }
  return entries;
}

/** The size, the compressed size and the offset; those that are too large for the header are in its zip64 field. */
function wideSizes(path: string, extra: Buffer, values: [number, number, number]): [number, number, number] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    return values.map(value => {
      if (value !== 0xffffffff) return value;
      next += 8;
      return toNumber(path, extra.readBigUInt64LE(next - 8));
    }) as [number, number, number];
  }
  return values;
}

function toNumber(path: string, value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw invalid(path, 'its directory is damaged');
  return Number(value);
}
