// Writes small Parquet files whose headers state anything: a few fields of Thrift's compact protocol.
//
//   PAR1  page header, page, …  metadata  length of the metadata  PAR1

type Field = number | bigint | string | boolean | readonly Field[] | Struct;
/** Fields by number; `[type, value]` for i32 (5), i64 (6), binary (8), list (9), struct (12). */
type Struct = ReadonlyMap<number, readonly [type: number, value: Field]>;

const varint = (value: bigint): number[] => {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
};
const integer = (value: number | bigint): number[] => varint((BigInt(value) << 1n) ^ (BigInt(value) >> 63n));
const struct = (fields: readonly (readonly [id: number, type: number, value: Field])[]): Struct =>
  new Map(fields.map(([id, type, value]) => [id, [type, value]]));

function encoded(type: number, value: Field): number[] {
  if (type === 8) return [...varint(BigInt((value as string).length)), ...Buffer.from(value as string)];
  if (type === 9) {
    const items = value as readonly Field[];
    const item = typeof items[0] === 'string' ? 8 : items[0] instanceof Map ? 12 : 5;
    return [(items.length << 4) | item, ...items.flatMap(one => encoded(item, one))];
  }
  if (type !== 12) return integer(value as number);
  let last = 0;
  const bytes: number[] = [];
  for (const [id, [kind, field]] of value as Struct) {
    bytes.push(((id - last) << 4) | kind, ...encoded(kind, field));
    last = id;
  }
  return [...bytes, 0];
}

export interface Page {
  /** 0: data; 2: a dictionary. */
  readonly type?: number;
  readonly values?: number;
  readonly encoding?: number;
  /** Default: its size. */
  readonly uncompressed?: number;
  readonly compressed?: number;
  readonly bytes?: Uint8Array;
}
export interface ParquetParts {
  /** The type of the column: 1 is int32, 6 a byte array, 7 bytes of a fixed length. */
  readonly type?: number;
  readonly typeLength?: number;
  readonly codec?: number;
  readonly rows?: number;
  readonly values?: number;
  readonly pages?: readonly Page[];
  /** As stated in the metadata. */
  readonly start?: number;
  readonly stored?: number;
  readonly groupBytes?: number;
  readonly groups?: number;
  readonly name?: string;
  readonly path?: string;
  readonly children?: number;
  /** The number of schemas within each other. */
  readonly depth?: number;
  readonly footer?: number;
}

/** A file with one column `a`, of four zeros unless `parts` says otherwise. */
export function parquet(parts: ParquetParts = {}): Uint8Array {
  const { type = 1, typeLength, codec = 0, rows = 4, values = rows, groups = 1 } = parts;
  const { pages = [{}], name = 'a', path = name, children = 1, depth = 0 } = parts;
  const data = pages.flatMap(
    ({ type: kind = 0, values: count = 4, encoding = 0, bytes = Buffer.alloc(16), ...page }) => {
      const { uncompressed = bytes.length, compressed = bytes.length } = page;
      const inner =
        kind === 2
          ? struct([
              [1, 5, count],
              [2, 5, encoding],
            ])
          : struct([
              [1, 5, count],
              [2, 5, encoding],
              [3, 5, 3],
              [4, 5, 3],
            ]);
      const header = struct([
        [1, 5, kind],
        [2, 5, uncompressed],
        [3, 5, compressed],
        [kind === 2 ? 7 : 5, 12, inner],
      ]);
      return [...encoded(12, header), ...bytes];
    },
  );
  const hasDictionary = pages[0]?.type === 2;
  const column = struct([
    [1, 5, type],
    [2, 9, [0]],
    [3, 9, [...Array.from({ length: depth }, (_, i) => `d${i}`), path]],
    [4, 5, codec],
    [5, 6, values],
    [6, 6, data.length],
    [7, 6, parts.stored ?? data.length],
    [9, 6, parts.start ?? 4],
    ...(hasDictionary ? ([[11, 6, 4]] as const) : []),
  ]);
  const group = struct([
    [
      1,
      9,
      [
        struct([
          [2, 6, 4],
          [3, 12, column],
        ]),
      ],
    ],
    [2, 6, parts.groupBytes ?? data.length],
    [3, 6, rows],
  ]);
  const schema = [
    struct([
      [4, 8, 'schema'],
      [5, 5, children],
    ]),
    ...Array.from({ length: depth }, (_, i) =>
      struct([
        [3, 5, 0],
        [4, 8, `d${i}`],
        [5, 5, 1],
      ]),
    ),
    struct([
      [1, 5, type],
      ...(typeLength === undefined ? [] : ([[2, 5, typeLength]] as const)),
      [3, 5, 0],
      [4, 8, name],
    ]),
  ];
  const metadata = encoded(
    12,
    struct([
      [1, 5, 1],
      [2, 9, schema],
      [3, 6, rows * groups],
      [4, 9, Array.from({ length: groups }, () => group)],
    ]),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(parts.footer ?? metadata.length);
  return Buffer.concat([Buffer.from('PAR1'), Buffer.from(data), Buffer.from(metadata), length, Buffer.from('PAR1')]);
}
