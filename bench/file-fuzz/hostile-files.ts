// Files that were made to break a reader: sizes that are believed, bombs, overlapping parts, cycles, patterns of exponential
// time, names that replace others. Each has the code of its error; null: it is read.
import { crc32, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { encodePng } from '../../src/base/png.ts';
import { manifestText } from '../../src/distributed/checkpoints/manifest.ts';
import { formats, manifest, npy, safetensors, tar, text } from './formats.ts';
import { parquet } from './parquet-writer.ts';

/** `format`: a name in `formats`. */
export interface HostileFile {
  readonly format: string;
  readonly what: string;
  readonly code: string | null;
  readonly bytes: () => Uint8Array;
}
type Row = readonly [what: string, bytes: () => Uint8Array | string, code?: string | null];
const table = (format: string, code: string, rows: readonly Row[]): readonly HostileFile[] =>
  rows.map(([what, bytes, other = code]) => ({
    format,
    what,
    code: other,
    bytes: () => {
      const made = bytes();
      return typeof made === 'string' ? text(made) : made;
    },
  }));

const u16 = (value: number): Buffer => Buffer.of(value & 255, value >> 8);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number | bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return bytes;
};
/** A copy with bytes replaced at a position; from the end if negative. */
const at = (bytes: Uint8Array, position: number, ...put: readonly (Uint8Array | string)[]): Buffer => {
  const copy = Buffer.from(bytes);
  const part = Buffer.concat(put.map(one => Buffer.from(one as Uint8Array)));
  part.copy(copy, position < 0 ? copy.length + position : position);
  return copy;
};

interface Entry {
  readonly name: string;
  readonly data?: Uint8Array;
  /** As stated in the directory. */
  readonly size?: number;
  readonly local?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly extra?: Uint8Array;
}
/** A zip archive of stored entries. */
function zip(
  entries: readonly Entry[],
  end: { readonly count?: number; readonly bytes?: number; readonly at?: number } = {},
) {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const {
    name,
    data = Buffer.alloc(0),
    size = data.length,
    local,
    method = 0,
    crc = crc32(data),
    extra = Buffer.alloc(0),
  } of entries) {
    const [title, sizes] = [Buffer.from(name), [u32(crc), u32(size), u32(size)]];
    const common = [u16(0), u16(method), u32(0), ...sizes, u16(title.length)];
    directory.push(
      ...[
        Buffer.from('PK\x01\x02'),
        u16(20),
        u16(20),
        ...common,
        u16(extra.length),
        u16(0),
        u32(0),
        u32(0),
        u16(0),
      ].slice(0, -1),
      u32(local ?? position),
      title,
      Buffer.from(extra),
    );
    const record = Buffer.concat([Buffer.from('PK\x03\x04'), u16(20), ...common, u16(0), title, Buffer.from(data)]);
    parts.push(record);
    position += record.length;
  }
  const central = Buffer.concat(directory);
  const { count = entries.length, bytes = central.length, at: start = position } = end;
  return Buffer.concat([
    ...parts,
    central,
    Buffer.from('PK\x05\x06'),
    u32(0),
    u16(count),
    u16(count),
    u32(bytes),
    u32(start),
    u16(0),
  ]);
}
/** A file of torch.save with this pickle. */
const torch = (pickle: string | Uint8Array, others: readonly Entry[] = []): Buffer =>
  zip([{ name: 'a/data.pkl', data: typeof pickle === 'string' ? Buffer.from(pickle, 'latin1') : pickle }, ...others]);
/** A pickle of a tensor over storage `0`, in protocol 2. */
const tensorPickle = (
  elements: number,
  offset: number,
  shape: readonly number[],
  strides: readonly number[],
): string => {
  const int = (value: number): string => `J${u32(value >>> 0).toString('latin1')}`;
  const tuple = (values: readonly number[]): string => `(${values.map(int).join('')}t`;
  return `\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpu${int(elements)}tQ${int(offset)}${tuple(shape)}${tuple(strides)}\x89ccollections\nOrderedDict\n)RtR.`;
};
const storage = { name: 'a/data/0', data: Buffer.alloc(16) };

const torchFiles = table('torch', 'TORCH_FILE_INVALID', [
  ['an entry beyond the file', () => zip([{ name: 'a/data.pkl', size: 2 ** 31 }])],
  ['an entry that starts in the directory', () => zip([{ name: 'a/data.pkl', data: text('N.'), local: 60 }])],
  ['a wrong checksum', () => zip([{ name: 'a/data.pkl', data: text('N.'), crc: 1 }])],
  ['two entries of one name', () => torch('N.', [{ name: 'a/data.pkl', data: text('N.') }])],
  ['a deflated bomb', () => zip([{ name: 'a/data.pkl', data: deflateSync(Buffer.alloc(2 ** 24)), method: 8 }])],
  [
    'overlapping entries',
    () =>
      torch('N.', [
        { name: 'a/data/0', data: Buffer.alloc(4096) },
        ...Array.from({ length: 64 }, (_, i) => ({ name: `a/data/${i + 1}`, size: 4096, local: 40, crc: 0 })),
      ]),
  ],
  ['more entries than there are', () => zip([{ name: 'a/data.pkl', data: text('N.') }], { count: 60_000 })],
  ['a directory beyond the file', () => zip([{ name: 'a/data.pkl', data: text('N.') }], { bytes: 2 ** 31 })],
  ['a directory that starts beyond the file', () => zip([{ name: 'a/data.pkl', data: text('N.') }], { at: 2 ** 31 })],
  ['a zip64 archive without its directory', () => zip([{ name: 'a/data.pkl' }], { at: 0xffffffff })],
  [
    'zip64 sizes of 2^63',
    () => zip([{ name: 'a/data.pkl', size: 0xffffffff, extra: Buffer.concat([u16(1), u16(16), u64(-1), u64(-1)]) }]),
  ],
  [
    'a zip64 field without its content',
    () => zip([{ name: 'a/data.pkl', size: 0xffffffff, extra: Buffer.concat([u16(1), u16(16)]) }]),
  ],
  [
    'a zip64 directory at 2^62',
    () => {
      const whole = zip([{ name: 'a/data.pkl' }], { at: 0xffffffff });
      const locator = Buffer.concat([Buffer.from('PK\x06\x07'), u32(0), u64(2n ** 62n), u32(1)]);
      return Buffer.concat([whole.subarray(0, -22), locator, whole.subarray(-22)]);
    },
  ],
  ['no pickle', () => zip([{ name: 'a/b', data: text('x') }])],
  ['a name with parents', () => zip([{ name: '../../data.pkl', data: text('N.') }])],
  ['the end of an archive alone', () => zip([])],
  ['an empty file', () => ''],
  ['a pickle that calls os.system', () => torch('cos\nsystem\n(X\x02\0\0\0lst R.')],
  ['a pickle that calls eval', () => torch('c__builtin__\neval\n(X\x01\0\0\x001tR.')],
  ['a pickle without an end', () => torch('(((((')],
  ['a pickle that takes from an empty stack', () => torch('0.')],
  ['a list of 2^31 bytes of text', () => torch(`X${u32(2 ** 31 - 1).toString('latin1')}a.`)],
  ['text of negative length', () => torch('\x8d\xff\xff\xff\xff\xff\xff\xff\xffa.')],
  ['a long integer of 2^31 bytes', () => torch(`\x8b${u32(2 ** 31 - 1).toString('latin1')}1.`)],
  ['lists 10,000 deep', () => torch(`${'('.repeat(10_000)}${'l'.repeat(10_000)}.`)],
  ['a list that contains itself', () => torch(']q\0h\0a.')],
  [
    'lists that double 40 times',
    () =>
      torch(
        `]q\0${Array.from({ length: 40 }, (_, i) => `]q${String.fromCharCode(i + 1)}(h${String.fromCharCode(i)}h${String.fromCharCode(i)}e`).join('')}.`,
      ),
  ],
  ['a memo that is not there', () => torch('j\xff\xff\xff\x7f.')],
  ['a tensor of 2^31 elements in 16 bytes', () => torch(tensorPickle(2 ** 31 - 1, 0, [2 ** 31 - 1], [1]), [storage])],
  ['a tensor beyond its storage', () => torch(tensorPickle(4, 3, [4], [1]), [storage])],
  ['a tensor of negative size', () => torch(tensorPickle(4, 0, [-4], [1]), [storage])],
  ['a tensor of negative strides', () => torch(tensorPickle(4, 3, [4], [-1]), [storage])],
  ['an expanded tensor of 8 GB', () => torch(tensorPickle(4, 0, [2 ** 31 - 1], [0]), [storage])],
  [
    'an expanded tensor of 2^93 elements',
    () => torch(tensorPickle(4, 0, [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1], [0, 0, 0]), [storage]),
  ],
  ['a tensor of 100 dims', () => torch(tensorPickle(4, 0, new Array(100).fill(1), new Array(100).fill(1)), [storage])],
]);

const parquetFiles = table('parquet', 'PARQUET_INVALID', [
  [
    'a dictionary of 2^31 values',
    () =>
      parquet({
        pages: [
          { type: 2, values: 2 ** 31 - 1 },
          { encoding: 8, bytes: Buffer.of(1, 8, 0) },
        ],
      }),
  ],
  ['a page of 2^31 values', () => parquet({ pages: [{ values: 2 ** 31 - 1 }] })],
  ['a page of -1 values', () => parquet({ pages: [{ values: -1 }] })],
  ['no pages', () => parquet({ pages: [] })],
  ['pages without values', () => parquet({ pages: [{ values: 0 }, { values: 0 }] })],
  ['a page of -1 bytes', () => parquet({ codec: 6, pages: [{ uncompressed: -1 }] })],
  ['a page of -5 stored bytes', () => parquet({ pages: [{ compressed: -5 }] })],
  ['a page of 2^31 stored bytes', () => parquet({ pages: [{ compressed: 2 ** 31 - 1 }] })],
  [
    'a page that is larger than stated',
    () => parquet({ codec: 6, pages: [{ uncompressed: 16, bytes: zstdCompressSync(Buffer.alloc(2 ** 26)) }] }),
  ],
  [
    '40 pages of 64 MiB in 2 KB each',
    () => {
      const bytes = zstdCompressSync(Buffer.alloc(2 ** 26));
      return parquet({
        codec: 6,
        rows: 40,
        pages: Array.from({ length: 40 }, () => ({ values: 1, uncompressed: 2 ** 26, bytes })),
      });
    },
  ],
  [
    'Snappy of 1 GB in 6 bytes',
    () => parquet({ codec: 1, pages: [{ uncompressed: 1e9, bytes: Buffer.of(0x80, 0x94, 0xeb, 0xdc, 3, 0) }] }),
  ],
  [
    'LZ4 of 1 GB in 5 bytes',
    () => parquet({ codec: 7, pages: [{ uncompressed: 1e9, bytes: Buffer.of(255, 255, 255, 255, 0) }] }),
  ],
  ['a text of 2^31 bytes', () => parquet({ type: 6, pages: [{ bytes: Buffer.of(255, 255, 255, 127) }] })],
  ['values of 2^31 bytes', () => parquet({ type: 7, typeLength: 2 ** 31 - 1 })],
  ['values of -4 bytes', () => parquet({ type: 7, typeLength: -4 })],
  [
    'a run of 2^32 values',
    () => parquet({ pages: [{ type: 2 }, { encoding: 8, bytes: Buffer.of(32, 255, 255, 255, 255, 15, 0, 0, 0, 0) }] }),
  ],
  ['indices of 255 bits', () => parquet({ pages: [{ type: 2 }, { encoding: 8, bytes: Buffer.of(255, 8, 0) }] })],
  [
    'delta blocks of 2^31 values',
    () => parquet({ pages: [{ encoding: 5, bytes: Buffer.of(128, 128, 128, 128, 8, 1, 255, 255, 255, 255, 15, 0) }] }),
  ],
  ['an unknown encoding', () => parquet({ pages: [{ encoding: 99 }] })],
  ['an unknown codec', () => parquet({ codec: 99 })],
  ['an unknown type of page', () => parquet({ pages: [{ type: 7 }] })],
  ['an unknown type of column', () => parquet({ type: 99 })],
  ['2^50 rows', () => parquet({ rows: 2 ** 50 })],
  ['-3 rows', () => parquet({ rows: -3 })],
  ['a group of 2^60 bytes', () => parquet({ groupBytes: 2 ** 60 })],
  ['a column at 2^40', () => parquet({ start: 2 ** 40 })],
  ['a column of -1 bytes', () => parquet({ stored: -1 })],
  ['a column that is not in the schema', () => parquet({ path: 'b' })],
  ['a column __proto__', () => parquet({ name: '__proto__' })],
  ['2^31 children', () => parquet({ children: 2 ** 31 - 1 })],
  ['-1 children', () => parquet({ children: -1 })],
  ['a metadata of 4 GB', () => parquet({ footer: 2 ** 32 - 1 })],
  ['a metadata of 0 bytes', () => parquet({ footer: 0 })],
]);

const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(data)]);
  return Buffer.concat([u32(data.length).reverse(), body, u32(crc32(body)).reverse()]);
};
const png = (
  width: number,
  height: number,
  depth: number,
  color: number,
  interlace: number,
  data: Uint8Array,
): Buffer =>
  Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
    pngChunk(
      'IHDR',
      Buffer.concat([u32(width).reverse(), u32(height).reverse(), Buffer.of(depth, color, 0, 0, interlace)]),
    ),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
const bomb = deflateSync(Buffer.alloc(2 ** 28));
const imageFiles = table('png', 'IMAGE_INVALID', [
  ['2^31 × 2^31 pixels', () => png(2 ** 31 - 1, 2 ** 31 - 1, 8, 2, 0, deflateSync(Buffer.alloc(9)))],
  ['60,000 × 60,000 pixels, interlaced', () => png(60_000, 60_000, 16, 6, 1, bomb)],
  ['100 million pixels in 9 bytes', () => png(10_000, 10_000, 8, 0, 0, deflateSync(Buffer.alloc(1)))],
  ['1 pixel that inflates to 256 MiB', () => png(1, 1, 8, 0, 0, bomb)],
  ['0 pixels', () => png(0, 5, 8, 0, 0, deflateSync(Buffer.alloc(9)))],
  ['a depth of 7', () => png(1, 1, 7, 0, 0, deflateSync(Buffer.alloc(9)))],
  ['an unknown filter', () => png(1, 1, 8, 0, 0, deflateSync(Buffer.of(9, 0)))],
  ['a palette that is missing', () => png(1, 1, 8, 3, 0, deflateSync(Buffer.of(0, 200)))],
  ['a chunk of 2^31 bytes', () => at(encodePng(1, 1, 1, new Uint8Array(1)), 33, u32(2 ** 31 - 1).reverse())],
  ['pixels that are not compressed', () => png(1, 1, 8, 0, 0, Buffer.alloc(40))],
  ['a GIF', () => 'GIF89a\xff\xff\xff\xff\x80\0\0'],
  [
    'a BMP of 2^31 × 2^31',
    () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(12), u32(40), u32(2 ** 31 - 1), u32(2 ** 31 - 1)]),
  ],
  [
    'an SVG with entities',
    () => '<!DOCTYPE s [<!ENTITY a "aaaaaaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
  ],
  ['a WebP', () => 'RIFF\xff\xff\xff\x7fWEBPVP8L'],
]);
const jpeg = (): Uint8Array => formats.jpeg!.samples()[0]!;
const marker = (bytes: Uint8Array, code: number): number => Buffer.from(bytes).indexOf(Buffer.of(0xff, code));
const jpegFiles = table('jpeg', 'IMAGE_INVALID', [
  [
    '65,535 × 65,535 pixels',
    () => at(jpeg(), Math.max(marker(jpeg(), 0xc0), marker(jpeg(), 0xc2)) + 5, Buffer.of(255, 255, 255, 255)),
  ],
  ['0 pixels', () => at(jpeg(), Math.max(marker(jpeg(), 0xc0), marker(jpeg(), 0xc2)) + 5, Buffer.of(0, 0, 0, 0))],
  ['a segment of 65,535 bytes', () => at(jpeg(), 4, Buffer.of(255, 255))],
  ['a segment of 0 bytes', () => at(jpeg(), 4, Buffer.of(0, 0))],
  ['Huffman codes that overflow', () => at(jpeg(), marker(jpeg(), 0xc4) + 5, Buffer.alloc(16, 255))],
  ['no quantization tables', () => at(jpeg(), marker(jpeg(), 0xdb), Buffer.of(0xff, 0xec))],
  ['a scan of unknown components', () => at(jpeg(), marker(jpeg(), 0xda) + 5, Buffer.of(99))],
  ['the start alone', () => Buffer.of(255, 216, 255)],
  [
    '10,000 scans of nothing',
    () =>
      Buffer.concat(
        [...Array.from({ length: 10_000 }, () => Buffer.of(255, 218, 0, 2))].toSpliced(0, 0, Buffer.of(255, 216)),
      ),
  ],
]);

/** A tar archive of one file with these fields of its header, and a right checksum. */
const tarWith = (...fields: readonly (readonly [position: number, value: string | Uint8Array])[]): Uint8Array =>
  formats.tar!.repair!(
    fields.reduce<Buffer>((bytes, [position, value]) => at(bytes, position, value), Buffer.from(tar())),
  );
const pax = (record: string): Uint8Array =>
  Buffer.concat([
    tarWith([124, record.length.toString(8).padStart(11, '0')], [156, 'x']).subarray(0, 512),
    Buffer.from(record.padEnd(512, '\0')),
    tar(),
  ]);
const tarFiles = table('tar', 'TAR_INVALID', [
  ['a file of 8 GiB', () => tarWith([124, '77777777777'])],
  ['a file of 2^88 bytes', () => tarWith([124, Buffer.alloc(12, 255)])],
  ['a size that is not a number', () => tarWith([124, 'xxxxxxxxxxx'])],
  ['a negative size', () => tarWith([124, '-0000000001'])],
  ['a pax size of 10^18', () => pax('29 size=1000000000000000000\n')],
  ['a pax size that is not a number', () => pax('12 size=abc\n')],
  ['a part __proto__', () => tarWith([0, 'a.__proto__\0'])],
  ['a part __key__', () => tarWith([0, 'a.__key__\0'])],
  ['two parts of one name', () => tarWith([0, 'a.cls\0'], [1024, 'a.cls\0'])],
  ['a long name of 2 MiB', () => tarWith([124, '00010000000'], [156, 'L'])],
  ['a wrong checksum', () => at(tar(), 148, '777777')],
  ['gzip', () => gzipSync(tar())],
  ['an empty file', () => ''],
  ['half a header', () => tar().subarray(0, 300)],
  ['a class that is not a number', () => at(tar(), 1536, 'x')],
  [
    'JSON 100,000 deep',
    () => {
      const deep = '['.repeat(100_000);
      const head = tarWith([0, 'a.json\0'], [124, deep.length.toString(8).padStart(11, '0')]).subarray(0, 512);
      return Buffer.concat([head, Buffer.from(deep), Buffer.alloc(-deep.length & 511), Buffer.alloc(1024)]);
    },
  ],
  ['a link to /etc/passwd is not followed', () => tarWith([156, '2'], [157, '/etc/passwd\0']), null],
]);

const npyWith = (header: string, major = 1): Uint8Array =>
  Buffer.concat([
    Buffer.of(0x93),
    Buffer.from('NUMPY'),
    Buffer.of(major, 0),
    major === 1 ? u16(header.length) : u32(header.length),
    Buffer.from(header),
    Buffer.alloc(24),
  ]);
const shape = (value: string, kind = '<f4'): Uint8Array =>
  npyWith(`{'descr': '${kind}', 'fortran_order': False, 'shape': (${value}), }\n`);
const npyFiles = table('npy', 'NPY_INVALID', [
  ['2^62 elements', () => shape('4611686018427387904,')],
  ['sizes whose product is 0 modulo 2^64', () => shape('4294967296, 4294967296')],
  ['a size of 400 digits', () => shape(`${'9'.repeat(400)},`)],
  ['a negative size', () => shape('-3,')],
  ['objects, which are pickles', () => shape('2,', '|O')],
  ['elements of 2^31 bytes', () => shape('1,', '|V2147483647')],
  ['text', () => shape('2,', '<U5')],
  ['a header of 4 GB', () => Buffer.concat([npyWith('', 2).subarray(0, 8), u32(2 ** 32 - 1)])],
  ['version 9', () => npyWith('', 9)],
  ['code for a shape', () => shape('__import__("os").system("id"),')],
  ['64,000 dims', () => npyWith(`{'descr': '<f4', 'fortran_order': True, 'shape': (${'1,'.repeat(30_000)}), }\n`)],
  ['a header cut off', () => npy().subarray(0, 40)],
]);

const tensors = (json: string, bytes = 8): Uint8Array => safetensors(json, bytes);
const entry = (fields: string): string => `{"w":{"dtype":"F32",${fields}}}`;
const safetensorsFiles = table('safetensors', 'SAFETENSORS_INVALID', [
  ['a header of 2^63 bytes', () => Buffer.concat([u64(2n ** 63n), Buffer.from('{}')])],
  ['a header of 2^40 bytes', () => Buffer.concat([u64(2n ** 40n), Buffer.from('{}')])],
  ['a tensor beyond the file', () => tensors(entry('"shape":[2000000000],"data_offsets":[0,8000000000]'))],
  ['2^62 elements in 8 bytes', () => tensors(entry('"shape":[2147483648,2147483648],"data_offsets":[0,8]'))],
  ['negative sizes', () => tensors(entry('"shape":[-1,-2],"data_offsets":[0,8]'))],
  ['offsets backwards', () => tensors(entry('"shape":[2],"data_offsets":[8,0]'))],
  [
    'two tensors of the same bytes',
    () =>
      tensors(
        '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
      ),
  ],
  ['a gap', () => tensors(entry('"shape":[1],"data_offsets":[4,8]'))],
  [
    'a name twice',
    () =>
      tensors(
        '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
      ),
  ],
  ['1,000 dims', () => tensors(entry(`"shape":[${new Array(1000).fill(1).join()}],"data_offsets":[0,4]`), 4)],
  ['a header 100,000 deep', () => tensors('['.repeat(100_000))],
  ['a tensor __proto__ without fields', () => tensors('{"__proto__":{}}')],
  ['an unknown type', () => tensors('{"w":{"dtype":"F1","shape":[2],"data_offsets":[0,8]}}')],
  ['bytes behind the tensors', () => tensors(entry('"shape":[1],"data_offsets":[0,4]'))],
]);

const ggufText = (value: string): Buffer => Buffer.concat([u64(value.length), Buffer.from(value)]);
const gguf = (count: number | bigint, entries: number | bigint, ...rest: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('GGUF'), u32(3), u64(count), u64(entries), ...rest]);
const ggufArray = (...rest: readonly Buffer[]): Buffer => gguf(0, 1, ggufText('a'), u32(9), ...rest);
const ggufTensor = (dims: readonly (number | bigint)[], type = 0, offset: number | bigint = 0): Buffer =>
  Buffer.concat([
    gguf(1, 0, ggufText('w'), u32(dims.length), ...dims.map(u64), u32(type), u64(offset)),
    Buffer.alloc(256),
  ]);
const ggufFiles = table('gguf', 'GGUF_INVALID', [
  ['2^63 tensors', () => gguf(2n ** 63n, 0)],
  ['2^63 entries', () => gguf(0, 2n ** 63n)],
  ['an array of 10^9 in 40 bytes', () => ggufArray(u32(0), u64(1e9))],
  ['an array of 2^64 - 1', () => ggufArray(u32(4), u64(-1))],
  ['an array of 2^25 bytes', () => Buffer.concat([ggufArray(u32(0), u64(2 ** 25)), Buffer.alloc(2 ** 25)])],
  ['arrays 1,000 deep', () => ggufArray(...Array.from({ length: 1000 }, () => Buffer.concat([u32(9), u64(1)])))],
  ['a text of 2^40 bytes', () => gguf(0, 1, u64(2 ** 40), Buffer.alloc(40))],
  ['an unknown type of value', () => gguf(0, 1, ggufText('a'), u32(77), Buffer.alloc(40))],
  ['a key twice', () => gguf(0, 2, ggufText('a'), u32(0), Buffer.of(1), ggufText('a'), u32(0), Buffer.of(1))],
  ['an alignment of 0', () => gguf(0, 1, ggufText('general.alignment'), u32(4), u32(0))],
  ['an alignment of 2^31', () => gguf(0, 1, ggufText('general.alignment'), u32(4), u32(2 ** 31))],
  ['a tensor of 2^62 elements', () => ggufTensor([2n ** 62n])],
  ['a tensor whose size is 0 modulo 2^64', () => ggufTensor([2n ** 32n, 2n ** 32n])],
  ['a tensor of 2^32 - 1 dims', () => gguf(1, 0, ggufText('w'), u32(2 ** 32 - 1), Buffer.alloc(64))],
  ['a tensor beyond the file', () => ggufTensor([4], 0, 2n ** 40n)],
  ['an unknown type of tensor', () => ggufTensor([4], 99)],
  ['rows that are no blocks', () => ggufTensor([7], 2)],
  ['version 9', () => at(gguf(0, 0), 4, u32(9))],
]);

const tokenizer = (fields: object): string =>
  JSON.stringify({ model: { type: 'BPE', vocab: { a: 0, b: 1 }, merges: [] }, added_tokens: [], ...fields });
const split = (regex: string): string =>
  tokenizer({ pre_tokenizer: { type: 'Split', pattern: { Regex: regex }, behavior: 'Isolated', invert: false } });
const tokenizerFiles = table('tokenizer', 'TOKENIZER_INVALID', [
  ['a pattern that is not one', () => split('(')],
  ['a pattern with an unknown property', () => split('\\p{Nothing}')],
  ['a normalizer that is not known', () => tokenizer({ normalizer: { type: 'Evil' } })],
  ['a sequence without steps', () => tokenizer({ pre_tokenizer: { type: 'Sequence' } })],
  ['an id of 2^53', () => tokenizer({ model: { type: 'BPE', vocab: { a: 2 ** 53 }, merges: [] } })],
  ['a negative id', () => tokenizer({ model: { type: 'BPE', vocab: { a: -1 }, merges: [] } })],
  ['a vocabulary that is a text', () => tokenizer({ model: { type: 'BPE', vocab: 'abc', merges: [] } })],
  ['merges that are numbers', () => tokenizer({ model: { type: 'BPE', vocab: { a: 0 }, merges: [1, 2] } })],
  ['an added token without text', () => tokenizer({ added_tokens: [{ id: 3 }] })],
  [
    'a char map that is not base64',
    () => tokenizer({ normalizer: { type: 'Precompiled', precompiled_charsmap: '!!' } }),
  ],
  [
    'a char map of 4 GB',
    () => tokenizer({ normalizer: { type: 'Precompiled', precompiled_charsmap: u32(2 ** 32 - 1).toString('base64') } }),
  ],
  [
    'a post-processor of unknown tokens',
    () =>
      tokenizer({
        post_processor: {
          type: 'TemplateProcessing',
          single: [{ SpecialToken: { id: 'x', type_id: 0 } }],
          pair: [],
          special_tokens: {},
        },
      }),
  ],
  ['a FixedLength of 0', () => tokenizer({ pre_tokenizer: { type: 'FixedLength', length: 0 } })],
  ['JSON 100,000 deep', () => '['.repeat(100_000)],
  [
    'normalizers 50,000 deep',
    () => `{"model":{"vocab":{"a":0}},"normalizer":${'{"type":"Sequence","normalizers":['.repeat(50_000)}`,
  ],
  ['a pattern of exponential time', () => split('(?:a|a?)+$|(?:[a-z ]+)+!'), null],
]);

const adapter = (fields: object): string =>
  JSON.stringify({ peft_type: 'LORA', r: 4, lora_alpha: 8, target_modules: ['q'], ...fields });
const adapterFiles = table('adapter', 'MODEL_CONFIG_INVALID', [
  ['a pattern of exponential time', () => adapter({ target_modules: '(a+)+b' }), null],
  ['a pattern of exponential time with a reference', () => adapter({ target_modules: '.*(a+)+\\1+b' })],
  ['a pattern that is not one', () => adapter({ target_modules: '(' })],
  ['a pattern of 1 MB', () => adapter({ target_modules: 'a'.repeat(2 ** 20) })],
  ['nested repetitions of 10^9', () => adapter({ target_modules: '((a{1000}){1000}){1000}' }), null],
  ['a rank of 2^53', () => adapter({ r: 2 ** 53 })],
  ['a negative rank', () => adapter({ r: -1 })],
  ['another method', () => adapter({ peft_type: 'EVIL' })],
]);

const templateFiles = table('template', 'CHAT_TEMPLATE_FAILED', [
  ['an endless range', () => '{% for i in range(10 ** 18) %}a{% endfor %}'],
  ['loops in loops', () => `${'{% for i in range(90000) %}'.repeat(4)}a${'{% endfor %}'.repeat(4)}`],
  ['a text of 2^60', () => `{{ 'a' * ${2 ** 60} }}`],
  ['a list of 2^40', () => `{{ ([0] * ${2 ** 40}) | length }}`],
  [
    'replacements that double',
    () =>
      `{% set ns = namespace(a='aa') %}{% for i in range(60) %}{% set ns.a = ns.a | replace('a', 'aa') %}{% endfor %}`,
  ],
  ['a power of 10^6 digits', () => '{{ 9 ** 9 ** 9 ** 9 ** 9 }}'],
  ['a width of 10^12', () => `{{ '%1000000000000d' % 1 }}`],
  ['a format width of 10^12', () => `{{ '{:>1000000000000}'.format(1) }}`],
  ['an indent of 10^12', () => `{{ 'a\nb' | indent(1000000000000) }}`],
  ['a macro that calls itself', () => '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
  ['parentheses 100,000 deep', () => `{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`],
  ['attributes of the prototype', () => "{{ ''.constructor.constructor('return process')() }}"],
  ['Python attributes', () => "{{ ''.__class__.__mro__[1].__subclasses__() }}"],
  ['an include of a file', () => "{% include '/etc/passwd' %}"],
  ['a block without an end', () => '{% if true %}'],
]);

const configFiles = table('config', 'MODEL_CONFIG_INVALID', [
  ['JSON 100,000 deep', () => '['.repeat(100_000)],
  ['a list', () => '[]'],
  ['a type that is a number', () => '{"model_type": 5}'],
]);
const w = { file: 'a.safetensors', offset: [0], shape: [2], start: 62, bytes: 8, sha256: '0'.repeat(64) };
/** A manifest with a right checksum whose tensor has these fields. */
const manifestWith = (fields: object): Uint8Array =>
  text(manifestText({ ...manifest, tensors: { w: { ...manifest.tensors.w!, ...fields } } }));
const manifestFiles = table('manifest', 'CHECKPOINT_DAMAGED', [
  ['a list', () => '[]'],
  ['another format', () => '{"format": "x", "version": 3}'],
  ['JSON 100,000 deep', () => '['.repeat(100_000)],
  ['a tensor without pieces', () => manifestWith({ pieces: [] }), 'CHECKPOINT_INVALID'],
  ['a tensor of 2^42 bytes', () => manifestWith({ shape: [2 ** 40] }), 'CHECKPOINT_INVALID'],
  ['a piece outside its tensor', () => manifestWith({ pieces: [{ ...w, offset: [9] }] }), 'CHECKPOINT_INVALID'],
  ['a piece of 2^40 elements', () => manifestWith({ pieces: [{ ...w, shape: [2 ** 40] }] }), 'CHECKPOINT_INVALID'],
  [
    'a piece in another folder',
    () => manifestWith({ pieces: [{ ...w, file: '../../../../etc/passwd' }] }),
    'CHECKPOINT_INVALID',
  ],
  ['a piece twice', () => manifestWith({ pieces: [w, w] }), 'CHECKPOINT_INVALID'],
]);
const yamlFiles = table('cluster', '', [
  [
    'aliases that double 30 times',
    () =>
      `a0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}`,
    null,
  ],
  ['an alias of itself', () => 'a: &a [*a]', null],
  ['flows 10,000 deep', () => '['.repeat(10_000), null],
  ['a tag that makes objects', () => 'a: !!python/object/apply:os.system ["id"]', null],
  ['a key __proto__', () => '__proto__: {Region: x}', null],
]);
const rowFiles = [
  ...table('csv', 'CSV_INVALID', [
    ['a field of 2 MiB', () => `a,b\n${'x'.repeat(2 ** 21)},1\n`],
    ['a quote without an end', () => `a,b\n"${'x,\n'.repeat(400_000)}`],
    ['two columns of one name', () => 'a,a\n1,2\n'],
  ]),
  ...table('jsonl', 'JSONL_INVALID', [
    ['a line of 32 MiB', () => `"${'x'.repeat(2 ** 25)}"`, 'TEXT_INVALID'],
    ['a line 100,000 deep', () => '['.repeat(100_000)],
    ['a number of 10^400, which is infinity as in Python', () => '{"a": 1e400}', null],
  ]),
];

export const hostileFiles: readonly HostileFile[] = [
  ...[torchFiles, parquetFiles, imageFiles, jpegFiles, tarFiles, npyFiles, safetensorsFiles, ggufFiles].flat(),
  ...[tokenizerFiles, adapterFiles, templateFiles, configFiles, manifestFiles, yamlFiles, rowFiles].flat(),
];
