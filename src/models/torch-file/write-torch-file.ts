// A file that torch.load reads, also with weights_only=True: a zip archive of stored entries with a pickle and a storage for each
// tensor.
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { bytesOf, type Literal } from '../../hlo/literal.ts';
import { byteSize, type ElementType, elementCount } from '../../hlo/types.ts';
import { isLiteral, isPlainObject, wrongArgument } from '../../tensor/index.ts';
import type { LazyTensor } from '../safetensors.ts';
import { elementTypesOfDtypes } from './globals.ts';
import type { TorchValue } from './torch-file.ts';
import { type ZipEntry, zipArchive } from './write-zip.ts';

const storages: { readonly [K in ElementType]?: string } = {
  f32: 'Float',
  f64: 'Double',
  f16: 'Half',
  bf16: 'BFloat16',
  i64: 'Long',
  i32: 'Int',
  i16: 'Short',
  i8: 'Char',
  ui8: 'Byte',
  i1: 'Bool',
  'complex<f32>': 'ComplexFloat',
  'complex<f64>': 'ComplexDouble',
};
/** The names of newer types, whose storages have none. */
const dtypes = new Map(Object.entries(elementTypesOfDtypes).map(([name, type]) => [type, name]));

/**
 * Writes a file for `torch.load(path, weights_only=True)`: maps and objects become dictionaries, arrays lists, sets and
 * Uint8Arrays sets and bytes.
 * @throws {UNSUPPORTED} for tensors that PyTorch has no type for
 * @throws {WRITE_FAILED}
 * @throws {DISK_FULL}
 * @example
 * ```ts no-run
 * await saveTorchFile('model.pt', { model: new nn.Linear(4, 2).stateDict(), epoch: 5 });
 * ```
 */
export async function saveTorchFile(path: string, value: WritableTorchValue): Promise<void> {
  await writeTorchFile(path, value);
}

/** A value for a file of PyTorch. Tensors are read only when they are written, so that one is in memory at a time. */
export type WritableTorchValue =
  | TorchValue
  | LazyTensor
  | readonly WritableTorchValue[]
  | ReadonlySet<WritableTorchValue>
  | ReadonlyMap<string | number, WritableTorchValue>
  | { readonly [name: string]: WritableTorchValue };

/** As `saveTorchFile`. `wideFrom`: see `zipArchive`. */
export async function writeTorchFile(path: string, value: WritableTorchValue, wideFrom?: number): Promise<void> {
  const pickler = new Pickler(path);
  const pickle = pickler.pickle(value);
  const entry = (name: string, content: Uint8Array): ZipEntry => ({
    name: `archive/${name}`,
    bytes: content.byteLength,
    chunks: () => [content],
  });
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  const entries = [
    entry('data.pkl', pickle),
    entry('byteorder', text('little')),
    ...pickler.tensors.map((tensor, i) =>
      'chunks' in tensor
        ? { name: `archive/data/${i}`, bytes: byteSize(tensor.type), chunks: () => tensor.chunks() }
        : entry(`data/${i}`, bytesOf(tensor)),
    ),
    entry('version', text('3\n')),
  ];
  await writeFileAtomically(path, zipArchive(entries, wideFrom));
}

const isTensor = (value: WritableTorchValue): value is Literal | LazyTensor =>
  typeof value === 'object' &&
  value !== null &&
  ('chunks' in value ? typeof value.chunks === 'function' : isLiteral(value));

class Pickler {
  readonly tensors: (Literal | LazyTensor)[] = [];
  readonly #path: string;
  readonly #parts: Buffer[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  pickle(value: WritableTorchValue): Uint8Array {
    this.#put(0x80, 2);
    this.#value(value);
    this.#put(0x2e);
    return Buffer.concat(this.#parts);
  }

  #put(...bytes: readonly number[]): void {
    this.#parts.push(Buffer.from(bytes));
  }
  #text(value: string): void {
    const bytes = Buffer.from(value);
    const head = Buffer.alloc(5, 0x58);
    head.writeUInt32LE(bytes.length, 1);
    this.#parts.push(head, bytes);
  }
  #integer(value: number | bigint): void {
    if (typeof value === 'number' && value >= -(2 ** 31) && value < 2 ** 31) {
      const bytes = Buffer.alloc(5, 0x4a);
      bytes.writeInt32LE(value, 1);
      this.#parts.push(bytes);
      return;
    }
    const bytes = Buffer.alloc(10, 0x8a);
    bytes[1] = 8;
    bytes.writeBigInt64LE(BigInt(value), 2);
    this.#parts.push(bytes);
  }
  #global(from: string, name: string): void {
    this.#parts.push(Buffer.from(`c${from}\n${name}\n`));
  }
  #tuple(values: readonly number[]): void {
    this.#put(0x28);
    for (const value of values) this.#integer(value);
    this.#put(0x74);
  }

  #value(value: WritableTorchValue): void {
    if (value === null) this.#put(0x4e);
    else if (typeof value === 'boolean') this.#put(value ? 0x88 : 0x89);
    else if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
      if (Object.is(value, -0)) this.#float(-0);
      else this.#integer(value as number | bigint);
    } else if (typeof value === 'number') this.#float(value);
    else if (isTensor(value)) this.#tensor(value);
    else if (value instanceof Uint8Array) {
      this.#global('_codecs', 'encode');
      this.#text(Buffer.from(value).toString('latin1'));
      this.#text('latin1');
      this.#put(0x86, 0x52);
    } else if (value instanceof Set) {
      this.#global('builtins', 'set');
      this.#value([...(value as ReadonlySet<WritableTorchValue>)]);
      this.#put(0x85, 0x52);
    } else if (Array.isArray(value)) {
      this.#put(0x5d, 0x28);
      for (const child of value as readonly WritableTorchValue[]) this.#value(child);
      this.#put(0x65);
    } else {
      const isObject = isPlainObject(value);
      if (!isObject && !(value instanceof Map))
        throw wrongArgument(
          { call: 'saveTorchFile', argument: 'a value' },
          value,
          'numbers, texts, tensors, and arrays, maps and objects of them',
        );
      this.#put(0x7d, 0x28);
      const entries = isObject ? Object.entries(value) : (value as ReadonlyMap<string | number, unknown>);
      for (const [key, child] of entries) {
        this.#value(key);
        this.#value(child as WritableTorchValue);
      }
      this.#put(0x75);
    }
  }
  #float(value: number): void {
    const bytes = Buffer.alloc(9, 0x47);
    bytes.writeDoubleBE(value, 1);
    this.#parts.push(bytes);
  }
  #tensor(tensor: Literal | LazyTensor): void {
    const { elementType, shape } = tensor.type;
    const [storage, dtype] = [storages[elementType], dtypes.get(elementType)];
    if (storage === undefined && dtype === undefined)
      throw new TrenioError('UNSUPPORTED', {
        what: `a tensor of ${elementType}`,
        where: this.#path,
        instead: 'convert it first',
      });
    const strides = shape.map((_, axis) => elementCount(shape.slice(axis + 1)));
    this.#global('torch._utils', storage === undefined ? '_rebuild_tensor_v3' : '_rebuild_tensor_v2');
    this.#put(0x28, 0x28);
    this.#text('storage');
    if (storage === undefined) this.#global('torch.storage', 'UntypedStorage');
    else this.#global('torch', `${storage}Storage`);
    this.#text(`${this.tensors.length}`);
    this.#text('cpu');
    this.#integer(storage === undefined ? byteSize(tensor.type) : elementCount(shape));
    this.#put(0x74, 0x51);
    this.#integer(0);
    this.#tuple(shape);
    this.#tuple(strides);
    this.#put(0x89);
    this.#global('collections', 'OrderedDict');
    this.#put(0x29, 0x52);
    if (storage === undefined) this.#global('torch', dtype!);
    this.#put(0x74, 0x52);
    this.tensors.push(tensor);
  }
}
