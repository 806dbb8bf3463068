// Reading and writing weights in the safetensors format. Opening a file reads only its header; tensors are read
// on access, so loading a model never holds the file in addition to the model. Writing replaces the old file only
// after the new one is complete. Bytes are used unchanged: the format is little-endian, and so is every machine that
// Trenio generates code for.
import type { FileHandle } from 'node:fs/promises';
import { writeFileAtomically } from '../base/atomic-write.ts';
import { TrenioError } from '../base/errors.ts';
import { openRegularFile, unreadable } from '../base/read-file.ts';
import { bytesOf, type Literal, zeros } from '../hlo/literal.ts';
import { byteSize, type TensorType } from '../hlo/types.ts';
import { layOut, maxHeaderBytes, parseHeader, type SafetensorsHeader, type TensorEntry } from './safetensors-header.ts';

/** Tensors by name, each read on access. One file, or the shards of a large model (weights.ts). */
export interface TensorReader extends AsyncDisposable {
  /** The name of the file in errors. */
  readonly file: string;
  /** The data type and shape of each tensor, by name. */
  readonly types: ReadonlyMap<string, TensorType>;
  /** The metadata of the file. */
  readonly metadata: ReadonlyMap<string, string>;
  /** A copy of one tensor. `name` is a key of `types`. */
  read(name: string): Promise<Literal>;
  /** Fills `into` with bytes of a tensor, from byte `from` on; absent if the file does not have the bytes as they are. */
  readonly readInto?: ((name: string, into: Uint8Array, from?: number) => Promise<void>) | undefined;
  /** Closes the file. */
  close(): Promise<void>;
}

/**
 * Opens a safetensors file. Close it, or use `await using`.
 * @throws {FILE_UNREADABLE}
 * @throws {SAFETENSORS_INVALID} (see `parseHeader`)
 * @example
 * ```ts no-run
 * await using file = await openSafetensors('model.safetensors');
 * console.log([...file.types.keys()]);
 * ```
 */
export async function openSafetensors(file: string): Promise<TensorReader> {
  const { handle, bytes: fileBytes } = await openRegularFile(file);
  try {
    const { header, dataStart } = await readHeader(handle, fileBytes, file);
    return reader(handle, header, dataStart, file);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The positions of the tensors of a file, whose data begins at `dataStart`. For errors see `openSafetensors`. */
export async function safetensorsLayout(
  file: string,
): Promise<{ readonly dataStart: number; readonly entries: readonly TensorEntry[] }> {
  const { handle, bytes: fileBytes } = await openRegularFile(file);
  try {
    const { header, dataStart } = await readHeader(handle, fileBytes, file);
    return { dataStart, entries: [...header.entries.values()] };
  } finally {
    await handle.close();
  }
}

/**
 * All tensors of a file at once.
 * @example
 * ```ts no-run
 * const weights = await readSafetensors('model.safetensors');
 * console.log(tensor(weights.get('fc.weight')!).shape);
 * ```
 */
export async function readSafetensors(file: string): Promise<Map<string, Literal>> {
  await using tensors = await openSafetensors(file);
  const all = new Map<string, Literal>();
  for (const name of tensors.types.keys()) all.set(name, await tensors.read(name));
  return all;
}

/**
 * A tensor whose data is fetched only when it is written, so that a checkpoint never holds a second copy of the
 * model.
 */
export interface LazyTensor {
  /** The data type and shape. */
  readonly type: TensorType;
  /** Its bytes in order; each piece is consumed before the next is read. */
  chunks(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Values by name: a map, or an object. */
export type ByName<T> = ReadonlyMap<string, T> | { readonly [name: string]: T };
const byName = <T>(values: ByName<T>): ReadonlyMap<string, T> =>
  values instanceof Map ? (values as ReadonlyMap<string, T>) : new Map(Object.entries(values));

/**
 * Writes the tensors as one safetensors file and returns its size in bytes. The file is replaced atomically:
 * DISK_FULL or WRITE_FAILED leave the previous one unchanged. UNSUPPORTED for an element type that the format lacks.
 * @example
 * ```ts no-run
 * await writeSafetensors('model.safetensors', new nn.Linear(4, 2).stateDict());
 * ```
 */
export async function writeSafetensors(
  file: string,
  given: ByName<Literal | LazyTensor>,
  givenMetadata: ByName<string> = new Map(),
): Promise<number> {
  return writeFileAtomically(file, safetensorsChunks(file, given, givenMetadata));
}

/** The bytes of the file. */
export async function* safetensorsChunks(
  file: string,
  given: ByName<Literal | LazyTensor>,
  givenMetadata: ByName<string>,
): AsyncGenerator<Uint8Array> {
  const [tensors, metadata] = [byName(given), byName(givenMetadata)];
  const { entries, prefix } = layOut(tensors, metadata, file);
  yield prefix;
  for (const { name, start, end } of entries) {
    const tensor = tensors.get(name)!;
    let bytes = 0;
    for await (const chunk of 'chunks' in tensor ? tensor.chunks() : [bytesOf(tensor)]) {
      bytes += chunk.byteLength;
      yield chunk;
    }
    if (bytes !== end - start) {
      const problem = `its data has ${bytes} bytes, its type needs ${end - start}`;
      throw new TrenioError('SAFETENSORS_INVALID', { file, tensor: name, problem });
    }
  }
}

/** Text that downloads leave in place of weights. */
function otherContent(start: string): string | undefined {
  if (start === 'version ') return 'it is a pointer of Git LFS, not the weights: git lfs pull fetches them';
  return /^\s*<[!a-z?]/i.test(start) ? 'it is a web page, not the weights' : undefined;
}

async function readHeader(
  handle: FileHandle,
  fileBytes: number,
  file: string,
): Promise<{ header: SafetensorsHeader; dataStart: number }> {
  const fail = (problem: string): TrenioError => new TrenioError('SAFETENSORS_INVALID', { file, problem });
  if (fileBytes < 8) throw fail(`the file has ${fileBytes} bytes, too few for the length of a header`);
  const lengthBytes = new Uint8Array(8);
  await readAt(handle, lengthBytes, 0, file);
  const length = new DataView(lengthBytes.buffer).getBigUint64(0, true);
  if (length > BigInt(maxHeaderBytes)) {
    const other = otherContent(new TextDecoder().decode(lengthBytes));
    if (other !== undefined) throw fail(other);
    throw fail(
      `the header claims ${length} bytes, more than the ${maxHeaderBytes} that are allowed: is this a safetensors file?`,
    );
  }
  const headerBytes = Number(length);
  if (8 + headerBytes > fileBytes) {
    throw fail(
      `the header claims ${headerBytes} bytes, the file has only ${fileBytes - 8} after its length: it is truncated`,
    );
  }
  const bytes = new Uint8Array(headerBytes);
  await readAt(handle, bytes, 8, file);
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fail('the header is not UTF-8');
  }
  const dataStart = 8 + headerBytes;
  return { header: parseHeader(json, fileBytes - dataStart, file), dataStart };
}

function reader(handle: FileHandle, header: SafetensorsHeader, dataStart: number, file: string): TensorReader {
  const close = (): Promise<void> => handle.close();
  const readInto = async (name: string, into: Uint8Array, from = 0): Promise<void> => {
    const entry = header.entries.get(name);
    if (entry === undefined) throw missing(file, name);
    await readAt(handle, into, dataStart + entry.start + from, file, name);
    if (entry.type.elementType === 'i1' && into.some(byte => byte > 1)) {
      throw new TrenioError('SAFETENSORS_INVALID', {
        file,
        tensor: name,
        problem: 'a BOOL element is neither 0 nor 1',
      });
    }
  };
  return {
    file,
    types: new Map([...header.entries.values()].map(entry => [entry.name, entry.type])),
    metadata: header.metadata,
    async read(name) {
      const entry = header.entries.get(name);
      if (entry === undefined) throw missing(file, name);
      const literal = zeros(entry.type);
      await readInto(name, bytesOf(literal));
      return literal;
    },
    readInto,
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function missing(file: string, tensor: string): TrenioError<'SAFETENSORS_INVALID'> {
  return new TrenioError('SAFETENSORS_INVALID', { file, tensor, problem: 'there is no tensor of this name' });
}

/** Fills `bytes` from `position` on. The file may shrink while it is open; then the tensor is cut short. */
async function readAt(
  handle: FileHandle,
  bytes: Uint8Array,
  position: number,
  file: string,
  tensor?: string,
): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    // One read call takes at most 2 GiB.
    const length = Math.min(bytes.byteLength - done, 1 << 30);
    const { bytesRead } = await handle.read(bytes, done, length, position + done).catch((cause: unknown) => {
      throw unreadable(file, cause);
    });
    if (bytesRead === 0) {
      const problem = `${done} of ${bytes.byteLength} bytes could be read: the file is truncated`;
      throw new TrenioError(
        'SAFETENSORS_INVALID',
        tensor === undefined ? { file, problem } : { file, tensor, problem },
      );
    }
    done += bytesRead;
  }
}

/**
 * Bytes of all tensors together.
 * @example
 * totalBytes(new Map([['weight', hlo.tensorType('f32', [2, 3])]])) // 24
 */
export function totalBytes(types: ReadonlyMap<string, TensorType>): number {
  let sum = 0;
  for (const type of types.values()) sum += byteSize(type);
  return sum;
}
