// Writes GGUF files for tests: a file with other metadata.
import type { GgufValue } from './gguf-header.ts';
import { parseGgufHeader } from './gguf-header.ts';
import { typeNames } from './tensor-types.ts';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

/** The number of a value's type, and its bytes. */
function encoded(value: GgufValue): readonly [type: number, bytes: Buffer] {
  if (typeof value === 'string') return [8, text(value)];
  if (typeof value === 'boolean') return [7, Buffer.from([Number(value)])];
  if (typeof value === 'object') {
    const items = value.map(encoded);
    return [9, Buffer.concat([u32(items[0]?.[0] ?? 4), u64(items.length), ...items.map(([, bytes]) => bytes)])];
  }
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(Number(value));
  return [12, bytes];
}

/** The file `bytes` with these entries of the metadata set; undefined removes one. */
export function withMetadata(
  bytes: Buffer<ArrayBuffer>,
  changes: Readonly<Record<string, GgufValue | undefined>>,
): Buffer {
  const { metadata, tensors } = parseGgufHeader(new Uint8Array(bytes), bytes.length, 'x.gguf');
  const entries = Object.entries({ ...Object.fromEntries(metadata), ...changes, 'general.alignment': 32 });
  const kept = entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  const parts: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.size), u64(kept.length)];
  for (const [key, value] of kept) {
    const [type, data] = encoded(value);
    parts.push(text(key), u32(type), data);
  }
  const data: Buffer[] = [];
  let at = 0;
  for (const { name, shape, type, start, bytes: length } of tensors.values()) {
    parts.push(text(name), u32(shape.length), ...shape.toReversed().map(u64), u32(typeNames.indexOf(type)), u64(at));
    const padded = Buffer.alloc(Math.ceil(length / 32) * 32);
    bytes.copy(padded, 0, start, start + length);
    data.push(padded);
    at += padded.length;
  }
  const header = Buffer.concat(parts);
  return Buffer.concat([header, Buffer.alloc(-header.length & 31), ...data]);
}
