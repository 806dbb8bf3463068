// Parquet files: columns, compressed in row groups. hyparquet decodes them; this file has limits for untrusted files
// and errors. One row group is in memory at a time. Decompression is Node's, except for Snappy and LZ4.
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { ColumnChunk, SchemaTree } from 'hyparquet';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { nearestName } from '../../base/nearest.ts';
import { openRegularFile } from '../../base/read-file.ts';
import { formatBytes } from '../../base/units.ts';
import { requireCount } from '../check-options.ts';
import { decompressHadoopLz4, decompressLz4 } from './lz4.ts';

/** Runs of equal values take almost no space in a file, but each value and each row takes memory here: 4 for a row. */
const maxGroupValues = 1 << 26;
/** A few bytes may stand for this many values; each further byte of a column for this many more. */
const freeValues = 1 << 22;
const valuesPerByte = 4096;

/** Options of `readParquet`. */
export interface ParquetOptions {
  /** The columns to read. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** A larger row group is an error, because it is held in memory. Default 1 GiB, uncompressed. */
  readonly maxGroupBytes?: number | undefined;
}

/**
 * The rows of a Parquet file as objects, one by one. 64-bit integers are bigints; binary columns are `Uint8Array`s, unless the
 * file declares them as strings. The type is not checked.
 * @throws {FILE_UNREADABLE}
 * @throws {PARQUET_INVALID}
 * @throws {NO_SUCH_COLUMN} with the nearest name
 * @example
 * ```ts no-run
 * const rows = new IterableDataset(() => readParquet<{ text: string; label: number }>('train.parquet'));
 * for await (const { text, label } of rows) console.log(label, text);
 * ```
 */
export async function* readParquet<T = Readonly<Record<string, unknown>>>(
  file: string,
  options: ParquetOptions = {},
): AsyncGenerator<T> {
  refuseUnknownOptions('readParquet', options, ['columns', 'maxGroupBytes']);
  const { columns, maxGroupBytes = 1 << 30 } = options;
  requireCount('readParquet', 'maxGroupBytes', maxGroupBytes, 1);
  const { handle, bytes } = await openRegularFile(file);
  const invalid = (cause: unknown): TrenioError =>
    isTrenioError(cause)
      ? cause
      : new TrenioError('PARQUET_INVALID', { file, reason: String((cause as Error).message) }, { cause });
  try {
    const { parquetMetadataAsync, parquetReadObjects, parquetSchema, snappyUncompress } = await import('hyparquet');
    const readBytes = async (start: number, end: number): Promise<ArrayBuffer> => {
      if (!(start >= 0 && end >= start && end <= bytes))
        throw new Error(`it refers to bytes ${start} to ${end} of ${bytes}`);
      const part = new Uint8Array(end - start);
      await handle.read(part, 0, part.length, start);
      return part.buffer;
    };
    const source = {
      byteLength: bytes,
      slice(start: number, end = bytes): Promise<ArrayBuffer> {
        const part = readBytes(start, end);
        // hyparquet starts the reads of all columns at once, and does not await the others if one fails.
        part.catch(() => {});
        return part;
      },
    };
    // Of the current group. Pages are small in the file, and need not be of the size that the group states.
    let decompressed = 0;
    const limited =
      (decompress: (input: Uint8Array, size: number) => Uint8Array) =>
      (input: Uint8Array, size: number): Uint8Array => {
        decompressed += size;
        if (!(size >= 0 && decompressed <= maxGroupBytes))
          throw new Error(`the pages of a group of rows have ${decompressed} bytes, more than ${maxGroupBytes}`);
        return decompress(input, size);
      };
    const compressors = {
      SNAPPY: limited((input, size) => {
        const output = new Uint8Array(size);
        snappyUncompress(input, output);
        return output;
      }),
      GZIP: limited((input, size) => gunzipSync(input, { maxOutputLength: Math.max(size, 1) })),
      BROTLI: limited((input, size) => brotliDecompressSync(input, { maxOutputLength: Math.max(size, 1) })),
      LZ4: limited(decompressHadoopLz4),
      LZ4_RAW: limited(decompressLz4),
      ZSTD: limited((input, size) => zstdDecompressSync(input, { maxOutputLength: Math.max(size, 1) })),
    };
    const metadata = await parquetMetadataAsync(source).catch((cause: unknown) => {
      throw invalid(cause);
    });
    let schema: SchemaTree;
    try {
      schema = parquetSchema(metadata);
      for (const group of metadata.row_groups) for (const chunk of group.columns) checkChunk(chunk, schema, bytes);
    } catch (cause) {
      throw invalid(cause);
    }
    const known = schema.children.map(({ element }) => element.name);
    const twice = known.find((name, i) => known.indexOf(name) < i);
    if (twice !== undefined) throw invalid(new Error(`it has two columns ${twice}`));
    const flat = schema.children.filter(({ children }) => children.length === 0).map(({ element }) => element.name);
    const needed = flat.filter(name => columns === undefined || columns.includes(name));
    for (const column of columns ?? [])
      if (!known.includes(column))
        throw new TrenioError('NO_SUCH_COLUMN', { file, column, nearest: nearestName(column, known), known });
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const read = group.columns
        .map(({ meta_data: found }) => found!)
        .filter(found => columns === undefined || columns.includes(found.path_in_schema[0]!));
      const values = read.reduce((sum, found) => sum + Math.max(0, Number(found.num_values)), 0);
      const stored = read.reduce((sum, found) => sum + Number(found.total_compressed_size), 0);
      const most = Math.min(maxGroupValues, freeValues + valuesPerByte * stored);
      if (!(rowEnd >= rowStart && values + 4 * (rowEnd - rowStart) <= most))
        throw invalid(
          new Error(
            `a group of rows has ${rowEnd - rowStart} of them with ${values} values in ${stored} bytes, too many to hold in memory: write smaller groups`,
          ),
        );
      if (Number(group.total_byte_size) > maxGroupBytes)
        throw invalid(
          new Error(
            `a group of rows has ${formatBytes(Number(group.total_byte_size))}, more than ${formatBytes(maxGroupBytes)}`,
          ),
        );
      decompressed = 0;
      const rows = await parquetReadObjects({
        file: source,
        metadata,
        compressors,
        rowStart,
        rowEnd,
        utf8: false,
        ...(columns && { columns: [...columns] }),
      }).catch((cause: unknown) => {
        throw invalid(cause);
      });
      const short = needed.find(name => rows.some(row => row[name] === undefined));
      if (short !== undefined) throw invalid(new Error(`the pages of the column ${short} have fewer values than rows`));
      // A missing list of lists is undefined there, unlike other missing values.
      for (const row of rows) for (const name in row) row[name] ??= null;
      yield* rows as readonly T[];
      rowStart = rowEnd;
    }
  } finally {
    await handle.close();
  }
}

/**
 * Throws an `Error` if a column is not in the schema or not within the file. hyparquet would start to read the other columns
 * before it finds out, and their failures would be unhandled rejections.
 */
function checkChunk({ meta_data: found }: ColumnChunk, schema: SchemaTree, bytes: number): void {
  if (found === undefined) throw new Error('a column has no metadata; encrypted files are not supported');
  const { path_in_schema: path, dictionary_page_offset: dictionary, data_page_offset: data } = found;
  if (path.includes('__proto__')) throw new Error('a column is called __proto__');
  let node: SchemaTree | undefined = schema;
  for (const name of path) node = node?.children.find(({ element }) => element.name === name);
  if (node === undefined || node.children.length > 0) throw new Error(`the schema has no column ${path.join('.')}`);
  const start = Number(dictionary || data);
  const end = start + Number(found.total_compressed_size);
  if (!(start >= 0 && end >= start && end <= bytes))
    throw new Error(`the column ${path.join('.')} is in bytes ${start} to ${end} of ${bytes}`);
}
