// Reads files of torch.save, with the result of `torch.load(path, weights_only=True)`: dictionaries are maps, tuples are arrays,
// sets are sets, tensors and arrays of NumPy are literals, bytes are Uint8Arrays, dtypes and devices are their names, and a
// complex number is a literal without dims. No code is run (unpickle.ts).
import { TrenioError } from '../../base/errors.ts';
import { type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { byteSize, elementCount, type TensorType, tensorType } from '../../hlo/types.ts';
import type { TensorReader } from '../safetensors.ts';
import { hasKind, type Pickled, type PickledStorage, type PickledTensor } from './pickled.ts';
import { unpickle } from './unpickle.ts';
import { type FileSlice, invalid, ZipEntries } from './zip-entries.ts';

/** A value of a file of torch.save. */
export type TorchValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Literal
  | Uint8Array
  | readonly TorchValue[]
  | ReadonlySet<TorchValue>
  | ReadonlyMap<string | number, TorchValue>;

const largestPickle = 256 << 20;
const deepest = 100;
/** PyTorch's own limit. */
const maxDims = 64;
/** A value takes at least one byte of the pickle, unless it is a reference: this many references are allowed in addition. */
const spareValues = 100_000;
/** By how many bytes the tensors may exceed the size of their file. */
const spareBytes = 2 ** 30;

/**
 * Reads a file of `torch.save`: tensors, numbers, strings, lists and dictionaries. Anything else is rejected, and no code is run.
 * @throws {FILE_UNREADABLE}
 * @throws {TORCH_FILE_INVALID} for other files, and for pickles that name anything else
 * @example
 * ```ts no-run
 * const checkpoint = await loadTorchFile('checkpoint.pt');
 * ```
 */
export async function loadTorchFile(path: string): Promise<TorchValue> {
  return await loadTorchSlice(path);
}

/** The same for a part of a file. */
export async function loadTorchSlice(path: string, slice?: FileSlice): Promise<TorchValue> {
  await using zip = await ZipEntries.open(path, slice);
  const { pickled, reader } = await openPickle(zip);
  return await reader.value(pickled, 0);
}

/**
 * Opens a file of `torch.save` that is a dictionary of tensors, such as pytorch_model.bin. Tensors are read on access.
 * @throws {FILE_UNREADABLE}
 * @throws {TORCH_FILE_INVALID}
 */
export async function openTorchWeights(path: string): Promise<TensorReader> {
  const zip = await ZipEntries.open(path);
  const close = (): Promise<void> => zip[Symbol.asyncDispose]();
  try {
    const { pickled, reader } = await openPickle(zip);
    if (!(pickled instanceof Map)) throw invalid(path, 'it is not a dictionary of tensors');
    const tensors = new Map<string, PickledTensor>();
    for (const [name, value] of pickled as ReadonlyMap<Pickled, Pickled>)
      if (typeof name === 'string' && isTensor(value)) tensors.set(name, value);
    const types = new Map([...tensors].map(([name, tensor]) => [name, typeOf(tensor)]));
    return {
      file: path,
      types,
      metadata: new Map(),
      async read(name) {
        const tensor = tensors.get(name);
        if (tensor === undefined) throw invalid(path, `it has no tensor ${name}`);
        return await reader.tensor(tensor, { keep: false });
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
const isTensor = (value: Pickled): value is PickledTensor =>
  hasKind(value) && value.kind === 'tensor' && 'storage' in value;
const typeOf = ({ elementType, shape }: PickledTensor): TensorType => tensorType(elementType, [...shape]);

async function openPickle(zip: ZipEntries): Promise<{ readonly pickled: Pickled; readonly reader: Reader }> {
  const { path } = zip;
  const pickleName = zip.names.find(name => /^[^/]+\/data\.pkl$/.test(name));
  if (pickleName === undefined) throw invalid(path, 'it has no data.pkl: torch.save did not write it');
  const folder = pickleName.slice(0, -'data.pkl'.length);
  if (zip.names.some(name => name.startsWith(`${folder}code/`)))
    throw invalid(path, 'it is a TorchScript program; save the state_dict() of the module instead');
  if (zip.sizeOf(`${folder}byteorder`) !== undefined) {
    const order = new TextDecoder().decode(await zip.read(`${folder}byteorder`));
    if (order !== 'little') throw invalid(path, `its byte order is ${JSON.stringify(order)}`);
  }
  if (zip.sizeOf(pickleName)! > largestPickle) throw invalid(path, 'its pickle is larger than 256 MB');
  try {
    const pickled = unpickle(await zip.read(pickleName));
    return { pickled, reader: new Reader(zip, folder, zip.sizeOf(pickleName)!) };
  } catch (error) {
    if (error instanceof TrenioError) throw error;
    throw invalid(path, `its pickle ${(error as Error).message}`);
  }
}

class Reader {
  readonly #zip: ZipEntries;
  readonly #folder: string;
  readonly #storages = new Map<string, Uint8Array>();
  readonly #mostValues: number;
  #values = 0;
  #tensorBytes = 0;

  constructor(zip: ZipEntries, folder: string, pickleBytes: number) {
    this.#zip = zip;
    this.#folder = folder;
    this.#mostValues = 4 * pickleBytes + spareValues;
  }

  async value(pickled: Pickled, depth: number): Promise<TorchValue> {
    const fail = (problem: string): TrenioError => invalid(this.#zip.path, problem);
    // A list may refer to the same list many times, and so on: a small pickle may expand to any number of values.
    if (++this.#values > this.#mostValues) throw fail(`it has more than ${this.#mostValues} values`);
    if (depth > deepest) throw fail(`its values are nested more than ${deepest} deep`);
    if (pickled === null || typeof pickled !== 'object' || pickled instanceof Uint8Array) return pickled;
    if (pickled instanceof Map) {
      const result = new Map<string | number, TorchValue>();
      for (const [key, child] of pickled as ReadonlyMap<Pickled, Pickled>) {
        if (key !== null && !['string', 'number', 'boolean'].includes(typeof key))
          throw fail('a dictionary has a key that is neither a string nor a number');
        result.set(key as string | number, await this.value(child, depth + 1));
      }
      return result;
    }
    if (pickled instanceof Set) {
      const result = new Set<TorchValue>();
      for (const child of pickled as ReadonlySet<Pickled>) result.add(await this.value(child, depth + 1));
      return result;
    }
    if (Array.isArray(pickled)) {
      const result: TorchValue[] = [];
      for (const child of pickled as readonly Pickled[]) result.push(await this.value(child, depth + 1));
      return result;
    }
    if (isTensor(pickled)) return this.tensor(pickled, { keep: true });
    if (hasKind(pickled) && pickled.kind === 'pickled-storage') return this.storage(pickled as PickledStorage);
    if (hasKind(pickled) && pickled.kind === 'dtype') return (pickled as { readonly name: string }).name;
    if (hasKind(pickled) && pickled.kind === 'numpy-array' && 'value' in pickled && pickled.value !== undefined)
      return pickled.value;
    throw fail('its pickle has a type where a value should be');
  }

  /** A storage without a tensor, as a tensor of all its elements. */
  async storage(storage: PickledStorage): Promise<Literal> {
    const view = { offset: 0, shape: [storage.elements], strides: [1], isConjugate: false, isNegated: false };
    return this.tensor({ kind: 'tensor', elementType: storage.elementType, storage, ...view }, { keep: true });
  }

  /** `keep`: storages are kept for other tensors. */
  async tensor(pickled: PickledTensor, { keep }: { readonly keep: boolean }): Promise<Literal> {
    const { storage, offset, shape, strides, isConjugate, isNegated } = pickled;
    if (shape.length > maxDims)
      throw invalid(this.#zip.path, `a tensor has ${shape.length} dims, more than ${maxDims}`);
    const type = typeOf(pickled);
    const { elementType } = type;
    const size = byteSize(tensorType(elementType, []));
    const bytes = await this.#storage(storage.key);
    if (!keep) this.#storages.clear();
    const stored = byteSize(tensorType(storage.elementType, [storage.elements]));
    if (bytes.byteLength !== stored)
      throw invalid(this.#zip.path, `the storage ${storage.key} has ${bytes.byteLength} bytes, not ${stored}`);
    const count = elementCount(shape);
    // Tensors may share a storage, and repeat its elements.
    this.#tensorBytes = (keep ? this.#tensorBytes : 0) + count * size;
    if (this.#tensorBytes > 4 * this.#zip.bytes + spareBytes)
      throw invalid(
        this.#zip.path,
        `its tensors have ${this.#tensorBytes} bytes, but the file only ${this.#zip.bytes}`,
      );
    const result = new Uint8Array(count * size);
    // Contiguous rows are copied at once.
    let run = 1;
    let inner = shape.length;
    while (inner > 0 && (shape[inner - 1] === 1 || strides[inner - 1] === run)) run *= shape[--inner]!;
    const index = new Array<number>(inner).fill(0);
    for (let done = 0; done < count; done += run) {
      const from = (offset + index.reduce((sum, i, axis) => sum + i * strides[axis]!, 0)) * size;
      result.set(bytes.subarray(from, from + run * size), done * size);
      for (let axis = inner - 1; axis >= 0 && ++index[axis]! === shape[axis]; axis--) index[axis] = 0;
    }
    if (elementType === 'i1' && result.some(byte => byte > 1))
      throw invalid(this.#zip.path, `the storage ${storage.key} has a bool that is neither 0 nor 1`);
    const value = literalOfBytes(type, result);
    if (isConjugate) for (let i = 1; i < value.data.length; i += 2) value.data[i] = -Number(value.data[i]);
    if (isNegated) for (let i = 0; i < value.data.length; i++) value.data[i] = -Number(value.data[i]);
    return value;
  }

  /** Tensors may share one. */
  async #storage(key: string): Promise<Uint8Array> {
    let bytes = this.#storages.get(key);
    if (bytes === undefined) {
      bytes = await this.#zip.read(`${this.#folder}data/${key}`);
      this.#storages.set(key, bytes);
    }
    return bytes;
  }
}
