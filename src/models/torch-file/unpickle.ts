// Pickles of tensors and plain data, as torch.save writes them. A pickle is a program for a small stack machine that may call any
// function of Python. Here it can name only the entries of `globals`, and classes that the caller expects; no code is run.
// PyTorch's weights_only allows the same, and some rarer types.

/** Something that a pickle may name, as MODULE.NAME. */
export type Global =
  | { readonly kind: 'dict' }
  | { readonly kind: 'tensor' }
  | { readonly kind: 'parameter' }
  | { readonly kind: 'tuple' }
  | { readonly kind: 'device' }
  | { readonly kind: 'storage'; readonly name: string }
  | { readonly kind: 'class'; readonly name: string };

/** An object of a class that the caller expects: its fields, or the arguments of its constructor. */
export interface PickledObject {
  readonly kind: 'object';
  readonly class: string;
  readonly fields: Pickled;
}
/** A tensor in a pickle: a view of a storage. */
export interface PickledTensor {
  readonly kind: 'tensor';
  readonly storage: PickledStorage;
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}
export interface PickledStorage {
  readonly kind: 'pickled-storage';
  readonly type: string;
  readonly key: string;
  readonly elements: number;
}
export type Pickled =
  | null
  | boolean
  | number
  | bigint
  | string
  | PickledTensor
  | PickledStorage
  | PickledObject
  | Global
  | readonly Pickled[]
  | ReadonlyMap<Pickled, Pickled>;

const globals = new Map<string, Global>([
  ['collections.OrderedDict', { kind: 'dict' }],
  ['torch._utils._rebuild_tensor_v2', { kind: 'tensor' }],
  ['torch._utils._rebuild_parameter', { kind: 'parameter' }],
  ['torch.Size', { kind: 'tuple' }],
  ['torch.device', { kind: 'device' }],
  ...['Float', 'Double', 'Half', 'BFloat16', 'Long', 'Int', 'Short', 'Char', 'Byte', 'Bool'].map(
    (name): [string, Global] => [`torch.${name}Storage`, { kind: 'storage', name }],
  ),
]);

class Mark {}
const mark = new Mark();

/**
 * `classes`: names of classes, enumerations and constants that may be used as well; their objects become data.
 * @throws {Error} with a message about the pickle, which begins with a verb
 */
export function unpickle(bytes: Uint8Array, classes: ReadonlySet<string> = new Set()): Pickled {
  return new Machine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), classes).run();
}

const isObject = (value: Pickled): value is PickledTensor | PickledStorage | PickledObject | Global =>
  typeof value === 'object' && value !== null && 'kind' in value;
const isCount = (value: Pickled | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isCounts = (value: Pickled | undefined): value is readonly number[] =>
  Array.isArray(value) && value.every(isCount);

class Machine {
  readonly #bytes: Buffer;
  readonly #stack: (Pickled | Mark)[] = [];
  readonly #memo = new Map<number, Pickled>();
  readonly #classes: ReadonlySet<string>;
  #at = 0;

  constructor(bytes: Buffer, classes: ReadonlySet<string>) {
    this.#bytes = bytes;
    this.#classes = classes;
  }

  run(): Pickled {
    for (;;) {
      const code = this.#byte();
      if (code === 0x2e) break; // STOP
      this.#step(code);
    }
    const result = this.#pop();
    if (this.#stack.length > 0) throw new Error('leaves values on its stack');
    return result;
  }

  #take(count: number): Buffer {
    const from = this.#at;
    this.#at += count;
    if (count < 0 || this.#at > this.#bytes.length) throw new Error('is cut off');
    return this.#bytes.subarray(from, this.#at);
  }
  #byte(): number {
    return this.#take(1)[0]!;
  }
  #line(): string {
    const end = this.#bytes.indexOf(10, this.#at);
    if (end < 0) throw new Error('is cut off');
    return this.#take(end + 1 - this.#at)
      .toString('utf8')
      .slice(0, -1);
  }
  #push(value: Pickled | Mark): void {
    this.#stack.push(value);
  }
  #pop(): Pickled {
    const value = this.#stack.pop();
    if (value === undefined || value instanceof Mark) throw new Error('takes a value from an empty stack');
    return value;
  }
  #top(): Pickled {
    const value = this.#pop();
    this.#push(value);
    return value;
  }
  #toMark(): Pickled[] {
    const at = this.#stack.lastIndexOf(mark);
    if (at < 0) throw new Error('has no mark where it needs one');
    return this.#stack.splice(at).slice(1) as Pickled[];
  }
  #text(bytes: number): string {
    return this.#take(bytes).toString('utf8');
  }

  #step(code: number): void {
    switch (code) {
      case 0x80: {
        // PROTO
        const version = this.#byte();
        if (version < 2 || version > 5) throw new Error(`has protocol ${version}`);
        return;
      }
      case 0x95: // FRAME
        this.#take(8);
        return;
      case 0x28: // MARK
        this.#push(mark);
        return;
      case 0x7d: // EMPTY_DICT
        this.#push(new Map());
        return;
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
        this.#push([]);
        return;
      case 0x74: // TUPLE
        this.#push(this.#toMark());
        return;
      case 0x85: // TUPLE1, TUPLE2, TUPLE3
      case 0x86:
      case 0x87: {
        const values = Array.from({ length: code - 0x84 }, () => this.#pop());
        this.#push(values.reverse());
        return;
      }
      case 0x4e: // NONE
        this.#push(null);
        return;
      case 0x88: // NEWTRUE, NEWFALSE
      case 0x89:
        this.#push(code === 0x88);
        return;
      case 0x4a: // BININT
        this.#push(this.#take(4).readInt32LE());
        return;
      case 0x4b: // BININT1
        this.#push(this.#byte());
        return;
      case 0x4d: // BININT2
        this.#push(this.#take(2).readUInt16LE());
        return;
      case 0x8a: // LONG1
        this.#push(integer(this.#take(this.#byte())));
        return;
      case 0x47: // BINFLOAT
        this.#push(this.#take(8).readDoubleBE());
        return;
      case 0x58: // BINUNICODE
        this.#push(this.#text(this.#take(4).readUInt32LE()));
        return;
      case 0x8c: // SHORT_BINUNICODE
        this.#push(this.#text(this.#byte()));
        return;
      case 0x71: // BINPUT, LONG_BINPUT, MEMOIZE
        this.#memo.set(this.#byte(), this.#top());
        return;
      case 0x72:
        this.#memo.set(this.#take(4).readUInt32LE(), this.#top());
        return;
      case 0x94:
        this.#memo.set(this.#memo.size, this.#top());
        return;
      case 0x68: // BINGET, LONG_BINGET
        this.#push(this.#remembered(this.#byte()));
        return;
      case 0x6a:
        this.#push(this.#remembered(this.#take(4).readUInt32LE()));
        return;
      case 0x61: {
        // APPEND
        const value = this.#pop();
        this.#list().push(value);
        return;
      }
      case 0x65: {
        // APPENDS
        const values = this.#toMark();
        const list = this.#list();
        for (const value of values) list.push(value);
        return;
      }
      case 0x73: {
        // SETITEM
        const value = this.#pop();
        const key = this.#pop();
        this.#set([key, value]);
        return;
      }
      case 0x75: // SETITEMS
        this.#set(this.#toMark());
        return;
      case 0x63: // GLOBAL
        this.#push(this.#named(`${this.#line()}.${this.#line()}`));
        return;
      case 0x93: {
        // STACK_GLOBAL
        const name = this.#pop();
        const from = this.#pop();
        this.#push(this.#named(`${String(from)}.${String(name)}`));
        return;
      }
      case 0x52: {
        // REDUCE
        const values = this.#pop();
        this.#push(called(this.#pop(), Array.isArray(values) ? values : []));
        return;
      }
      case 0x81: {
        // NEWOBJ
        const values = this.#pop();
        const of = this.#pop();
        if (!isObject(of) || of.kind !== 'class' || !Array.isArray(values))
          throw new Error('creates an object of something that is not a class');
        this.#push({ kind: 'object', class: of.name, fields: values });
        return;
      }
      case 0x62: {
        // BUILD: the fields of an object; attributes of an OrderedDict, such as the versions of modules, are ignored
        const fields = this.#pop();
        const of = this.#top();
        if (of instanceof Map) return;
        if (!isObject(of) || of.kind !== 'object') throw new Error('sets attributes of a value without attributes');
        (of as { fields: Pickled }).fields = fields;
        return;
      }
      case 0x51: // BINPERSID
        this.#push(storageOf(this.#pop()));
        return;
      default:
        throw new Error(`has the instruction 0x${code.toString(16)}, which tensors and plain data do not need`);
    }
  }

  #named(name: string): Global {
    const found = globals.get(name) ?? (this.#classes.has(name) ? { kind: 'class' as const, name } : undefined);
    if (found === undefined)
      throw new Error(`names ${name}, which is neither a tensor nor plain data; it is not called`);
    return found;
  }
  #remembered(number: number): Pickled {
    const value = this.#memo.get(number);
    if (value === undefined) throw new Error('refers to a value that it has not stored');
    return value;
  }
  #list(): Pickled[] {
    const list = this.#top();
    if (!Array.isArray(list)) throw new Error('appends to a value that is not a list');
    return list as Pickled[];
  }
  #set(values: readonly Pickled[]): void {
    const map = this.#top();
    if (!(map instanceof Map) || values.length % 2 !== 0)
      throw new Error('sets items of a value that is not a dictionary');
    for (let i = 0; i < values.length; i += 2) map.set(values[i]!, values[i + 1]!);
  }
}

function integer(bytes: Buffer): number | bigint {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]!);
  if (bytes.length > 0 && bytes[bytes.length - 1]! >= 128) value -= 1n << BigInt(8 * bytes.length);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** `('storage', type, key, place, elements)` */
function storageOf(id: Pickled): PickledStorage {
  const [what, type, key, , elements] = Array.isArray(id) ? (id as readonly Pickled[]) : [];
  const isStorage = type !== undefined && isObject(type) && type.kind === 'storage';
  if (what !== 'storage' || !isStorage || typeof key !== 'string' || !isCount(elements))
    throw new Error('refers to an invalid storage');
  return { kind: 'pickled-storage', type: type.name, key, elements };
}

function called(what: Pickled, values: readonly Pickled[]): Pickled {
  if (!isObject(what)) throw new Error('calls a value that is not a function');
  switch (what.kind) {
    case 'dict':
      if (values.length === 0) return new Map();
      break;
    case 'tuple':
      if (values.length === 1 && Array.isArray(values[0])) return values[0];
      break;
    case 'class':
      return { kind: 'object', class: what.name, fields: values };
    case 'device':
      if (values.every(value => typeof value === 'string' || typeof value === 'number')) return values.join(':');
      break;
    case 'parameter': {
      const [tensor] = values;
      if (tensor !== undefined && isObject(tensor) && tensor.kind === 'tensor' && 'storage' in tensor) return tensor;
      break;
    }
    case 'tensor': {
      const [storage, offset, shape, strides] = values;
      const isStorage = storage !== undefined && isObject(storage) && storage.kind === 'pickled-storage';
      if (!isStorage || !isCount(offset) || !isCounts(shape) || !isCounts(strides) || shape.length !== strides.length)
        break;
      const last = shape.reduce((sum, size, i) => sum + (size - 1) * strides[i]!, offset);
      if (!shape.includes(0) && last >= storage.elements) throw new Error('has a tensor beyond the end of its storage');
      return { kind: 'tensor', storage, offset, shape, strides };
    }
    default:
  }
  throw new Error(`calls a ${what.kind} with invalid arguments`);
}
