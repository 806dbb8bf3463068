// The outer form of MLIR bytecode: a magic number, a version, the producer, then sections. This file locates the contents of the
// tables; vhlo-*.ts and builtin.ts interpret types and attributes, ir.ts interprets ops.
//
//   ML ï R  version  "StableHLO_v1.17.0\0"  section…      section = id, length, (alignment), bytes
import { Cursor } from './cursor.ts';

const bytecodeMagic = Uint8Array.of(0x4d, 0x4c, 0xef, 0x52);
/**
 * Whether a file is MLIR bytecode: by its first bytes.
 * @example
 * hlo.isBytecode(Uint8Array.of(0x4d, 0x4c, 0xef, 0x52)) // true
 */
export const isBytecode = (bytes: Uint8Array): boolean => bytecodeMagic.every((byte, i) => bytes[i] === byte);

const sections = {
  strings: 0,
  dialects: 1,
  attributesAndTypes: 2,
  offsets: 3,
  ir: 4,
  resources: 5,
  resourceOffsets: 6,
  dialectVersions: 7,
  properties: 8,
} as const;

/** The newest version of the encoding that is read; 1 is the oldest. */
const newestVersion = 6;
export const versions = {
  dialectVersions: 1,
  lazyRegions: 2,
  useListOrder: 3,
  elidedLocations: 4,
  properties: 5,
} as const;

/** The bytes of one attribute or type, and their encoding. */
export interface Entry {
  readonly dialect: string;
  /** False: `data` is MLIR text. */
  readonly isCustom: boolean;
  readonly data: Cursor;
}
export interface Container {
  readonly version: number;
  readonly producer: string;
  readonly strings: readonly string[];
  /** Full names of the ops that occur, by number. */
  readonly opNames: readonly string[];
  readonly attributes: readonly Entry[];
  readonly types: readonly Entry[];
  readonly properties: readonly Cursor[];
  readonly ir: Cursor;
}

export function readContainer(bytes: Uint8Array): Container {
  const file = new Cursor(bytes);
  if (!isBytecode(bytes)) file.refuse('it does not start with the magic number of MLIR bytecode');
  file.take(bytecodeMagic.length);
  const version = file.varint();
  if (version > newestVersion)
    file.refuse(`its version is ${version}, and the newest supported one is ${newestVersion}`);
  const producer = file.text();
  const found = new Map<number, Cursor>();
  while (file.left > 0) {
    const { id, data } = readSection(file);
    found.set(id, data);
  }
  const section = (id: number, name: string): Cursor => found.get(id) ?? file.refuse(`it has no section of ${name}`);
  const strings = readStrings(section(sections.strings, 'strings'));
  const { dialects, opNames } = readDialects(section(sections.dialects, 'dialects'), version, strings);
  const entries = readEntries(
    section(sections.offsets, 'offsets'),
    section(sections.attributesAndTypes, 'attributes and types'),
    dialects,
  );
  const properties = found.get(sections.properties);
  return {
    version,
    producer,
    strings,
    opNames,
    ...entries,
    properties: properties?.list(() => properties.take(properties.varint())) ?? [],
    ir: section(sections.ir, 'ops'),
  };
}

export function readSection(file: Cursor): { readonly id: number; readonly data: Cursor } {
  const head = file.byte();
  const length = file.varint();
  if (head & 0x80) {
    const alignment = file.varint();
    if (alignment <= 0 || alignment > 4096) file.refuse(`invalid alignment of ${alignment} bytes`);
    while ((file.start + file.at) % alignment !== 0) file.byte();
  }
  return { id: head & 0x7f, data: file.take(length) };
}

/** Lengths, last string first, then the characters. */
function readStrings(data: Cursor): readonly string[] {
  const count = data.count();
  const lengths = Array.from({ length: count }, () => data.varint()).reverse();
  const decoder = new TextDecoder();
  // Each string ends with a zero byte, which is included in its length.
  return lengths.map(length => decoder.decode(data.take(length).bytes.subarray(0, Math.max(0, length - 1))));
}

function readDialects(
  data: Cursor,
  version: number,
  strings: readonly string[],
): { readonly dialects: readonly string[]; readonly opNames: readonly string[] } {
  const string = (index: number): string => strings[index] ?? data.refuse(`there is no string ${index}`);
  const dialects = data.list(() => {
    if (version < versions.dialectVersions) return string(data.varint());
    const [name, hasVersion] = data.flagged();
    if (hasVersion) readSection(data);
    return string(name);
  });
  if (version >= versions.elidedLocations) data.varint(); // the number of ops
  const opNames: string[] = [];
  while (data.left > 0) {
    const dialect = dialects[data.varint()] ?? data.refuse('unknown dialect');
    const names = data.list(() => (version >= versions.properties ? data.flagged()[0] : data.varint()));
    for (const name of names) opNames.push(`${dialect}.${string(name)}`);
  }
  return { dialects, opNames };
}

function readEntries(
  offsets: Cursor,
  data: Cursor,
  dialects: readonly string[],
): { readonly attributes: readonly Entry[]; readonly types: readonly Entry[] } {
  const counts = [offsets.varint(), offsets.varint()];
  const groups = counts.map(count => {
    const entries: Entry[] = [];
    while (entries.length < count) {
      const dialect = dialects[offsets.varint()] ?? offsets.refuse('unknown dialect');
      for (let left = offsets.varint(); left > 0; left--) {
        const [size, isCustom] = offsets.flagged();
        entries.push({ dialect, isCustom, data: data.take(size) });
      }
    }
    return entries;
  });
  return { attributes: groups[0]!, types: groups[1]! };
}
