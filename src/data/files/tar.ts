// The positions of the files in a tar archive. Contents are not read here, so that readers of many archives can skip the files of
// others. POSIX (ustar), its extended headers for long names and large files (pax), and GNU tar's long names.
import { TrenioError } from '../../base/errors.ts';
import { openRegularFile } from '../../base/read-file.ts';
import { warnOnce } from '../../base/warn-once.ts';

export interface TarEntry {
  readonly name: string;
  /** Where its content starts in the archive, and how long it is. */
  readonly start: number;
  readonly bytes: number;
}

const block = 512;
/** The number of bytes to read at a header, so that small files need no separate read. */
const readAhead = 1 << 16;
const maxHeaderData = 1 << 20;

/**
 * The regular files of an archive, in order.
 * @throws {FILE_UNREADABLE}
 * @throws {TAR_INVALID} if the archive is damaged, truncated or compressed
 */
export async function* tarEntries(file: string): AsyncGenerator<TarEntry> {
  const { handle, bytes: size } = await openRegularFile(file);
  const invalid = (position: number, reason: string): TrenioError =>
    new TrenioError('TAR_INVALID', { file, position, reason });
  try {
    let held = Buffer.alloc(0);
    let heldFrom = 0;
    const read = async (from: number, count: number): Promise<Buffer> => {
      if (from < heldFrom || from + count > heldFrom + held.length) {
        const next = Buffer.alloc(Math.min(Math.max(count, readAhead), size - from));
        const { bytesRead } = await handle.read(next, 0, next.length, from);
        held = next.subarray(0, bytesRead);
        heldFrom = from;
      }
      return held.subarray(from - heldFrom, from - heldFrom + count);
    };
    let longName: string | undefined;
    let extended: ReadonlyMap<string, string> = new Map();
    if (size === 0) throw invalid(0, 'it is empty');
    for (let at = 0; at < size; ) {
      const header = await read(at, block);
      if (header.length < block) throw invalid(at, 'it ends within a header');
      // Two empty blocks end an archive; padding may follow.
      if (header.every(byte => byte === 0)) return;
      if (!isHeader(header))
        throw invalid(
          at,
          header[0] === 0x1f && header[1] === 0x8b
            ? 'it is compressed with gzip, so that its parts cannot be found: unpack it with gunzip'
            : 'there is no valid header here',
        );
      const bytes = extended.has('size') ? Number(extended.get('size')) : sizeIn(header);
      if (!Number.isSafeInteger(bytes) || bytes < 0) throw invalid(at, 'a file has no valid size');
      const start = at + block;
      if (start + bytes > size) throw invalid(at, `a file of ${bytes} bytes goes beyond the end`);
      const type = String.fromCharCode(header[156]!);
      at = start + Math.ceil(bytes / block) * block;
      if (at > size) throw invalid(start, 'it ends within the padding of a file');
      if (type === 'L' || type === 'x' || type === 'g') {
        if (bytes > maxHeaderData) throw invalid(start, `an extended header of ${bytes} bytes`);
        const data = Buffer.from(await read(start, bytes));
        if (type === 'L') longName = textIn(data, 0, data.length);
        if (type === 'x') extended = paxRecords(data);
        continue;
      }
      const name = extended.get('path') ?? longName ?? nameIn(header);
      longName = undefined;
      extended = new Map();
      if (type === '0' || type === '\0') yield { name, start, bytes };
    }
    warnOnce(`tar ${file}`, `${file} has no end-of-archive marker: it may be truncated; copy it again`);
  } finally {
    await handle.close();
  }
}

function isHeader(header: Buffer): boolean {
  let sum = 0;
  for (let i = 0; i < block; i++) sum += i >= 148 && i < 156 ? 0x20 : header[i]!;
  return Number.parseInt(textIn(header, 148, 8).trim(), 8) === sum;
}

/** In octal, or in binary from 8 GiB on. */
function sizeIn(header: Buffer): number {
  if ((header[124]! & 0x80) === 0) return Number.parseInt(textIn(header, 124, 12).trim() || '0', 8);
  return header.subarray(125, 136).reduce((size, byte) => size * 256 + byte, 0);
}

function nameIn(header: Buffer): string {
  const name = textIn(header, 0, 100);
  const prefix = textIn(header, 257, 5) === 'ustar' && header[262] === 0 ? textIn(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function textIn(bytes: Buffer, from: number, count: number): string {
  const end = bytes.indexOf(0, from);
  return bytes.toString('utf8', from, end < 0 ? from + count : Math.min(end, from + count));
}

/** Records "length key=value\n". */
function paxRecords(data: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at);
    const length = Number(data.toString('utf8', at, space));
    if (space < 0 || !(length > 0)) break;
    const [key, ...value] = data.toString('utf8', space + 1, at + length - 1).split('=');
    records.set(key!, value.join('='));
    at += length;
  }
  return records;
}
