// A file that torch.load reads, also with weights_only=True: a zip archive of stored entries with a pickle and a storage for each
// tensor. Does not write zip64 sizes, so the limit is 4 GB.
import { crc32 } from 'node:zlib';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { bytesOf, type Literal } from '../../hlo/literal.ts';
import { type ElementType, elementCount } from '../../hlo/types.ts';
import { isLiteral } from '../../tensor/index.ts';
import type { TorchValue } from './torch-file.ts';

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
};
const alignment = 64;
const largest = 2 ** 32 - 2 ** 20;

/**
 * Writes a file for `torch.load(path, weights_only=True)`: maps become dictionaries, arrays lists, literals tensors.
 * @throws {UNSUPPORTED} for tensors that PyTorch has no type for, and for more than 4 GB
 * @throws {WRITE_FAILED}
 * @throws {DISK_FULL}
 * @example
 * ```ts no-run
 * await saveTorchFile('model.pt', new Map([['epoch', 5]]));
 * ```
 */
export async function saveTorchFile(path: string, value: TorchValue): Promise<void> {
  const pickler = new Pickler(path);
  const pickle = pickler.pickle(value);
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  const entries: [string, Uint8Array][] = [
    ['archive/data.pkl', pickle],
    ['archive/byteorder', text('little')],
    ...pickler.tensors.map((tensor, i): [string, Uint8Array] => [`archive/data/${i}`, bytesOf(tensor)]),
    ['archive/version', text('3\n')],
  ];
  if (entries.reduce((sum, [name, content]) => sum + content.byteLength + name.length + 256, 0) > largest)
    throw new TrenioError('UNSUPPORTED', { what: 'more than 4 GB', where: path, instead: 'write safetensors' });
  await writeFileAtomically(path, archiveOf(entries));
}

class Pickler {
  readonly tensors: Literal[] = [];
  readonly #path: string;
  readonly #parts: Buffer[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  pickle(value: TorchValue): Uint8Array {
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

  #value(value: TorchValue): void {
    if (value === null) this.#put(0x4e);
    else if (typeof value === 'boolean') this.#put(value ? 0x88 : 0x89);
    else if (typeof value === 'string') this.#text(value);
    else if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
      if (Object.is(value, -0)) this.#float(-0);
      else this.#integer(value as number | bigint);
    } else if (typeof value === 'number') this.#float(value);
    else if (isLiteral(value)) this.#tensor(value);
    else if (Array.isArray(value)) {
      this.#put(0x5d, 0x28);
      for (const child of value as readonly TorchValue[]) this.#value(child);
      this.#put(0x65);
    } else {
      this.#put(0x7d, 0x28);
      for (const [key, child] of value as ReadonlyMap<string | number, TorchValue>) {
        this.#value(key);
        this.#value(child);
      }
      this.#put(0x75);
    }
  }
  #float(value: number): void {
    const bytes = Buffer.alloc(9, 0x47);
    bytes.writeDoubleBE(value, 1);
    this.#parts.push(bytes);
  }
  #tensor(tensor: Literal): void {
    const { elementType, shape } = tensor.type;
    const storage = storages[elementType];
    if (storage === undefined)
      throw new TrenioError('UNSUPPORTED', {
        what: `a tensor of ${elementType}`,
        where: this.#path,
        instead: 'convert it first',
      });
    const strides = shape.map((_, axis) => elementCount(shape.slice(axis + 1)));
    this.#global('torch._utils', '_rebuild_tensor_v2');
    this.#put(0x28, 0x28);
    this.#text('storage');
    this.#global('torch', `${storage}Storage`);
    this.#text(`${this.tensors.length}`);
    this.#text('cpu');
    this.#integer(elementCount(shape));
    this.#put(0x74, 0x51);
    this.#integer(0);
    this.#tuple(shape);
    this.#tuple(strides);
    this.#put(0x89);
    this.#global('collections', 'OrderedDict');
    this.#put(0x29, 0x52, 0x74, 0x52);
    this.tensors.push(tensor);
  }
}

/** Contents are aligned to 64 bytes, because PyTorch maps them into memory. */
export function archiveOf(entries: readonly (readonly [string, Uint8Array])[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of entries) {
    const label = Buffer.from(name);
    const padding = (alignment - ((at + 30 + label.length + 4) % alignment)) % alignment;
    const extra = Buffer.alloc(4 + padding);
    extra.writeUInt16LE(0x4246, 0); // PyTorch's own field, "FB"
    extra.writeUInt16LE(padding, 2);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x21, 8); // 1 January 1980
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.byteLength, 14);
    fields.writeUInt32LE(content.byteLength, 18);
    fields.writeUInt16LE(label.length, 22);
    fields.writeUInt16LE(extra.length, 24);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), fields, label, extra, content);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    fields.copy(central, 6);
    central.writeUInt16LE(20, 4);
    central.writeUInt16LE(0, 30);
    central.writeUInt32LE(at, 42);
    directory.push(central, label);
    at += 30 + label.length + extra.length + content.byteLength;
  }
  const whole = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(whole.length, 12);
  end.writeUInt32LE(at, 16);
  return [...parts, whole, end];
}
