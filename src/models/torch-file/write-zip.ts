// Writes zip archives of stored entries as PyTorch does. Contents are aligned to 64 bytes, because PyTorch maps them into memory.
// Sizes, offsets and counts that the plain format has no room for, from 4 GiB or 65,535 entries on, go into zip64 fields:
//
//   entry      local header │ name │ [zip64: size, size] │ padding │ content
//   directory  header │ name │ [zip64: those of size, size, offset that need it]    for each entry
//   end        [zip64: count, size and offset of the directory │ its locator] │ end record
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  /** The content, which is held in memory while it is written: its checksum precedes it. */
  chunks(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

const alignment = 64;
const pieceBytes = 1 << 30;
const wideCount = 0xffff;
/** Stands for a number in a zip64 field. */
const elsewhere = 0xffff_ffff;

/** `wideFrom`: numbers from this one on go into zip64 fields; tests make it small. */
export async function* zipArchive(
  entries: readonly ZipEntry[],
  wideFrom = elsewhere,
): AsyncGenerator<Uint8Array, void, undefined> {
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, chunks } of entries) {
    const content: Uint8Array[] = [];
    let crc = 0;
    for await (const chunk of chunks()) {
      content.push(chunk);
      crc = checksum(chunk, crc);
    }
    const label = Buffer.from(name);
    const isWide = bytes >= wideFrom;
    const sizes = isWide ? wideField([bytes, bytes]) : Buffer.alloc(0);
    const padding = (alignment - ((at + 30 + label.length + sizes.length + 4) % alignment)) % alignment;
    const extra = Buffer.alloc(4 + padding);
    extra.writeUInt16LE(0x4246, 0); // PyTorch's own field, "FB"
    extra.writeUInt16LE(padding, 2);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(isWide ? 45 : 20, 0);
    fields.writeUInt16LE(0x21, 8); // 1 January 1980
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(isWide ? elsewhere : bytes, 14);
    fields.writeUInt32LE(isWide ? elsewhere : bytes, 18);
    fields.writeUInt16LE(label.length, 22);
    fields.writeUInt16LE(sizes.length + extra.length, 24);
    yield Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, label, sizes, extra]);
    yield* content;
    directory.push(
      directoryEntry(fields, label, [...(isWide ? [bytes, bytes] : []), ...(at >= wideFrom ? [at] : [])], at),
    );
    at += 30 + label.length + sizes.length + extra.length + bytes;
  }
  const whole = Buffer.concat(directory);
  yield whole;
  const isWide = entries.length >= Math.min(wideCount, wideFrom) || whole.length >= wideFrom || at >= wideFrom;
  if (isWide) yield wideEnd(entries.length, whole.length, at);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(isWide ? wideCount : entries.length, 8);
  end.writeUInt16LE(isWide ? wideCount : entries.length, 10);
  end.writeUInt32LE(isWide ? elsewhere : whole.length, 12);
  end.writeUInt32LE(isWide ? elsewhere : at, 16);
  yield end;
}

/** Node's crc32 takes the length of its data modulo 4 GiB. */
function checksum(chunk: Uint8Array, crc: number): number {
  let sum = crc;
  for (let at = 0; at < chunk.byteLength; at += pieceBytes) sum = crc32(chunk.subarray(at, at + pieceBytes), sum);
  return sum;
}

function wideField(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [i, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  return field;
}

/** `fields`: those of the local header. `wide`: the values that go into the zip64 field, `at` among them if it does. */
function directoryEntry(fields: Buffer, label: Buffer, wide: readonly number[], at: number): Buffer {
  const field = wide.length > 0 ? wideField(wide) : Buffer.alloc(0);
  const head = Buffer.alloc(46);
  head.write('PK\x01\x02', 'latin1');
  fields.copy(head, 6);
  const version = wide.length > 0 ? 45 : 20;
  head.writeUInt16LE(version, 4);
  head.writeUInt16LE(version, 6);
  head.writeUInt16LE(field.length, 30);
  head.writeUInt32LE(wide.length % 2 === 1 ? elsewhere : at, 42);
  return Buffer.concat([head, label, field]);
}

function wideEnd(count: number, directoryBytes: number, at: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.write('PK\x06\x06', 'latin1');
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  for (const offset of [24, 32]) end.writeBigUInt64LE(BigInt(count), offset);
  end.writeBigUInt64LE(BigInt(directoryBytes), 40);
  end.writeBigUInt64LE(BigInt(at), 48);
  end.write('PK\x06\x07', 56, 'latin1');
  end.writeBigUInt64LE(BigInt(at + directoryBytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
