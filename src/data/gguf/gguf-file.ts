// GGUF files, the format of llama.cpp: one file with the weights of a model, its configuration, its tokenizer and its chat
// template. Opening reads only the header; tensors are read on access.
import { TrenioError } from '../../base/errors.ts';
import { openRegularFile, unreadable } from '../../base/read-file.ts';
import { type GgufHeader, type GgufTensor, type GgufValue, HeaderCut, parseGgufHeader } from './gguf-header.ts';

/** Whether a path names a GGUF file rather than a model directory. */
export const isGgufPath = (path: string): boolean => path.endsWith('.gguf');

/** Bytes to read first. The tokens of a large vocabulary take more; the size is then doubled until the header fits. */
const firstBytes = 1 << 20;

/** An open GGUF file. */
export interface GgufFile extends GgufHeader, AsyncDisposable {
  /** Its path, for errors. */
  readonly file: string;
  /** The data of a tensor, as it is in the file. */
  read(tensor: GgufTensor): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/**
 * Opens a GGUF file of version 2 or 3. Close it, or use `await using`.
 * @throws {FILE_UNREADABLE}
 * @throws {GGUF_INVALID}
 */
export async function openGguf(file: string): Promise<GgufFile> {
  const { handle, bytes: fileBytes } = await openRegularFile(file);
  const close = (): Promise<void> => handle.close();
  const readAt = async (position: number, bytes: number): Promise<Uint8Array<ArrayBuffer>> => {
    const result = new Uint8Array(bytes);
    for (let done = 0; done < bytes; ) {
      // One read call takes at most 2 GiB.
      const length = Math.min(bytes - done, 1 << 30);
      const { bytesRead } = await handle.read(result, done, length, position + done).catch((cause: unknown) => {
        throw unreadable(file, cause);
      });
      if (bytesRead === 0)
        throw new TrenioError('GGUF_INVALID', { file, problem: 'it was truncated while it was read' });
      done += bytesRead;
    }
    return result;
  };
  try {
    const header = await readHeader(readAt, fileBytes, file);
    return {
      ...header,
      file,
      read: ({ start, bytes }) => readAt(start, bytes),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readHeader(
  readAt: (position: number, bytes: number) => Promise<Uint8Array<ArrayBuffer>>,
  fileBytes: number,
  file: string,
): Promise<GgufHeader> {
  for (let bytes = Math.min(firstBytes, fileBytes); ; bytes = Math.min(4 * bytes, fileBytes))
    try {
      return parseGgufHeader(await readAt(0, bytes), fileBytes, file);
    } catch (error) {
      if (!(error instanceof HeaderCut)) throw error;
    }
}

/** Typed access to the metadata of a file. */
export class GgufMetadata {
  readonly #values: ReadonlyMap<string, GgufValue>;
  readonly #file: string;
  constructor({ metadata, file }: Pick<GgufFile, 'metadata' | 'file'>) {
    this.#values = metadata;
    this.#file = file;
  }
  number(key: string): number | undefined {
    return this.#get(key, 'a number', value => typeof value === 'number');
  }
  /** A number, or an array that repeats one: some files have a number for each layer. */
  sameNumber(key: string): number | undefined {
    const value = this.#values.get(key);
    if (!Array.isArray(value)) return this.number(key);
    const [first, ...others] = this.numbers(key)!;
    const other = others.find(number => number !== first);
    if (other !== undefined)
      throw this.invalid(`${key} is ${first} and ${other}: layers of different sizes are not supported`);
    return first;
  }
  boolean(key: string): boolean | undefined {
    return this.#get(key, 'a boolean', value => typeof value === 'boolean');
  }
  text(key: string): string | undefined {
    return this.#get(key, 'a text', value => typeof value === 'string');
  }
  numbers(key: string): readonly number[] | undefined {
    return this.#get(key, 'an array of numbers', value => isArrayOf(value, item => typeof item === 'number'));
  }
  texts(key: string): readonly string[] | undefined {
    return this.#get(key, 'an array of texts', value => isArrayOf(value, item => typeof item === 'string'));
  }
  /** The value of an entry that must be there. @throws {GGUF_INVALID} */
  required<T>(key: string, value: T | undefined): T {
    if (value === undefined) throw this.invalid(`the metadata lacks ${key}`);
    return value;
  }
  invalid(problem: string): TrenioError {
    return new TrenioError('GGUF_INVALID', { file: this.#file, problem });
  }
  #get<T>(key: string, expected: string, is: (value: GgufValue) => boolean): T | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    if (!is(value)) throw this.invalid(`${key}: expected ${expected} (it is ${describe(value)})`);
    return value as T;
  }
}

const isArrayOf = (value: GgufValue, is: (item: GgufValue) => boolean): boolean =>
  Array.isArray(value) && (value as readonly GgufValue[]).every(is);

const describe = (value: GgufValue): string =>
  Array.isArray(value)
    ? `an array of ${value.length}`
    : typeof value === 'string'
      ? JSON.stringify(value.slice(0, 40))
      : String(value);
