// The header of a GGUF file: metadata by name, and the type, shape and position of each tensor. The file is untrusted: counts and
// lengths are checked before anything is allocated for them.
import { TrenioError } from '../../base/errors.ts';
import { blockSizes, type GgufType, isReadable, typeNames } from './tensor-types.ts';

/** A value of the metadata. 64-bit integers that a number cannot hold are bigints. */
export type GgufValue = number | bigint | boolean | string | readonly GgufValue[];

/** A tensor in the file. */
export interface GgufTensor {
  readonly name: string;
  readonly type: GgufType;
  /** As in PyTorch: the last dim is contiguous. */
  readonly shape: readonly number[];
  /** The position of its first byte in the file. */
  readonly start: number;
  readonly bytes: number;
}

export interface GgufHeader {
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: ReadonlyMap<string, GgufTensor>;
}

/** The bytes read so far do not contain the whole header. */
export class HeaderCut extends Error {}

const maxDims = 4;
const deepestArray = 4;
/** Items of arrays in the metadata, of a byte each in the file, but of 8 and more in memory: 20 times the largest vocabulary. */
const maxItems = 1 << 24;

/**
 * Parses the header at the start of `bytes`.
 * @param fileBytes the size of the file
 * @throws {GGUF_INVALID}
 * @throws {HeaderCut} if the file has more bytes than were given, and the header needs them
 */
export function parseGgufHeader(bytes: Uint8Array<ArrayBuffer>, fileBytes: number, file: string): GgufHeader {
  const fail = (problem: string, tensor?: string): TrenioError =>
    new TrenioError('GGUF_INVALID', { file, problem, ...(tensor !== undefined && { tensor }) });
  const input = new Cursor(bytes, fileBytes, fail);
  if (fileBytes < 24 || input.u32() !== 0x46_55_47_47) throw fail('it does not begin with GGUF: is this a GGUF file?');
  const version = input.u32();
  if (version !== 2 && version !== 3) {
    const swapped = version > 0xff_ff;
    throw fail(swapped ? 'it is a big-endian file, which is not supported' : `its version is ${version}, not 2 or 3`);
  }
  // A tensor takes at least 24 bytes of the header, an entry of the metadata 13.
  const tensorCount = input.count('tensors', 24);
  const entries = input.count('metadata entries', 13);
  const metadata = new Map<string, GgufValue>();
  for (let i = 0; i < entries; i++) {
    const key = input.string();
    if (metadata.has(key)) throw fail(`the metadata has ${JSON.stringify(key)} twice`);
    metadata.set(key, parseValue(input, input.u32(), key, fail));
  }
  const found: Omit<GgufTensor, 'bytes'>[] = [];
  for (let i = 0; i < tensorCount; i++) {
    const name = input.string();
    const dims = input.u32();
    if (dims > maxDims) throw fail(`it has ${dims} dims; at most ${maxDims} are possible`, name);
    const shape = Array.from({ length: dims }, () => input.u64(`a size of tensor '${name}'`)).reverse();
    const number = input.u32();
    const type = typeNames[number];
    if (type === undefined) throw fail(`its type has the number ${number}, which is unknown`, name);
    if (!isReadable(type))
      throw fail(`its type is ${type}, which is not supported; expected ${Object.keys(blockSizes).join(', ')}`, name);
    found.push({ name, type, shape, start: input.u64(`the offset of tensor '${name}'`) });
  }
  const alignment = metadata.get('general.alignment') ?? 32;
  if (typeof alignment !== 'number' || !Number.isInteger(alignment) || alignment < 1 || alignment > 1 << 20)
    throw fail(`general.alignment is ${String(alignment)}; expected an integer from 1 to ${1 << 20}`);
  const dataStart = Math.ceil(input.position / alignment) * alignment;
  const tensors = new Map<string, GgufTensor>();
  for (const tensor of found) {
    if (tensors.has(tensor.name)) throw fail('the file has two tensors of this name', tensor.name);
    tensors.set(tensor.name, placed(tensor, dataStart, fileBytes, fail));
  }
  return { metadata, tensors };
}

type Fail = (problem: string, tensor?: string) => TrenioError;

/** Checks the size and the position of a tensor. */
function placed(tensor: Omit<GgufTensor, 'bytes'>, dataStart: number, fileBytes: number, fail: Fail): GgufTensor {
  const { name, type, shape } = tensor;
  const block = blockSizes[type];
  const row = shape.at(-1) ?? 1;
  if (row % block.elements !== 0)
    throw fail(`its rows have ${row} elements, not a multiple of the ${block.elements} of a block of ${type}`, name);
  const bytes = (shape.reduce((product, size) => product * size, 1) / block.elements) * block.bytes;
  const start = dataStart + tensor.start;
  if (!Number.isSafeInteger(bytes) || start + bytes > fileBytes) {
    const end = `ends at byte ${start + bytes}, and the file has ${fileBytes}`;
    throw fail(`its data ${end}: the file is truncated, or one part of several`, name);
  }
  return { ...tensor, start, bytes };
}

function parseValue(input: Cursor, kind: number, key: string, fail: Fail, depth = 0): GgufValue {
  if (kind !== 9) return parseScalar(input, kind, key, fail);
  if (depth === deepestArray) throw fail(`${key}: arrays are nested more than ${deepestArray} levels deep`);
  const item = input.u32();
  const length = input.count(`entries of ${key}`, item === 8 ? 8 : item === 9 ? 12 : 1);
  input.items += length;
  if (input.items > maxItems) throw fail(`its arrays have more than ${maxItems} entries, at ${key}`);
  return Array.from({ length }, () => parseValue(input, item, key, fail, depth + 1));
}

function parseScalar(input: Cursor, kind: number, key: string, fail: Fail): GgufValue {
  const { view } = input;
  switch (kind) {
    case 0:
      return view.getUint8(input.take(1));
    case 1:
      return view.getInt8(input.take(1));
    case 2:
      return view.getUint16(input.take(2), true);
    case 3:
      return view.getInt16(input.take(2), true);
    case 4:
      return input.u32();
    case 5:
      return view.getInt32(input.take(4), true);
    case 6:
      return view.getFloat32(input.take(4), true);
    case 7:
      return view.getUint8(input.take(1)) !== 0;
    case 8:
      return input.string();
    case 10:
      return narrowed(view.getBigUint64(input.take(8), true));
    case 11:
      return narrowed(view.getBigInt64(input.take(8), true));
    case 12:
      return view.getFloat64(input.take(8), true);
    default:
      throw fail(`${key}: its type has the number ${kind}, which is unknown`);
  }
}

const narrowed = (value: bigint): number | bigint => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
};

/** Reads values from `bytes`, the start of a file. */
class Cursor {
  readonly view: DataView;
  position = 0;
  /** Entries of arrays so far. */
  items = 0;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #fileBytes: number;
  readonly #fail: Fail;
  readonly #text = new TextDecoder();
  constructor(bytes: Uint8Array<ArrayBuffer>, fileBytes: number, fail: Fail) {
    this.#bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#fileBytes = fileBytes;
    this.#fail = fail;
  }
  /** Advances by that many bytes; returns where they begin. */
  take(bytes: number): number {
    const start = this.position;
    const end = start + bytes;
    if (end > this.#fileBytes)
      throw this.#fail(`the header needs more than the ${this.#fileBytes} bytes of the file: it is truncated`);
    if (end > this.#bytes.length) throw new HeaderCut();
    this.position = end;
    return start;
  }
  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }
  u64(what: string): number {
    const value = narrowed(this.view.getBigUint64(this.take(8), true));
    if (typeof value === 'bigint') throw this.#fail(`${what} is ${value}, which no file can hold`);
    return value;
  }
  /** A count of items that each take at least `leastBytes`. */
  count(what: string, leastBytes: number): number {
    const count = this.u64(`the number of ${what}`);
    const left = this.#fileBytes - this.position;
    if (count * leastBytes > left)
      throw this.#fail(`it claims ${count} ${what}, but only ${left} bytes follow: it is truncated`);
    return count;
  }
  string(): string {
    const length = this.count('bytes of text', 1);
    const start = this.take(length);
    return this.#text.decode(this.#bytes.subarray(start, start + length));
  }
}
