// Pickles of tensors and plain data, as torch.save writes them. A pickle is a program for a small stack machine that may call any
// function of Python. Here it can name only what globals.ts lists, and classes that the caller expects; no code is run.
import { called, globalOf, numpyValue, storageOf } from './globals.ts';
import { type Global, hasKind, type NumpyArray, type NumpyDtype, type Pickled } from './pickled.ts';

class Mark {}
const mark = new Mark();

/**
 * `classes`: names of classes, enumerations and constants that may be used as well; their objects become data.
 * @throws {Error} with a message about the pickle, which begins with a verb
 */
export function unpickle(bytes: Uint8Array, classes: ReadonlySet<string> = new Set()): Pickled {
  return new Machine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), classes).run();
}

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
      case 0x8a: // LONG1, LONG4
        this.#push(integer(this.#take(this.#byte())));
        return;
      case 0x8b:
        this.#push(integer(this.#take(this.#take(4).readInt32LE())));
        return;
      case 0x43: // SHORT_BINBYTES, BINBYTES, BINBYTES8, BYTEARRAY8
        this.#push(Uint8Array.from(this.#take(this.#byte())));
        return;
      case 0x42:
        this.#push(Uint8Array.from(this.#take(this.#take(4).readUInt32LE())));
        return;
      case 0x8e:
      case 0x96:
        this.#push(Uint8Array.from(this.#take(Number(this.#take(8).readBigUInt64LE()))));
        return;
      case 0x8f: // EMPTY_SET
        this.#push(new Set());
        return;
      case 0x90: {
        // ADDITEMS
        const values = this.#toMark();
        const set = this.#top();
        if (!(set instanceof Set)) throw new Error('adds items to a value that is not a set');
        for (const value of values) set.add(value);
        return;
      }
      case 0x91: // FROZENSET
        this.#push(new Set(this.#toMark()));
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
        if (!hasKind(of) || of.kind !== 'class' || !Array.isArray(values))
          throw new Error('creates an object of something that is not a class');
        this.#push(called(of, values as readonly Pickled[]));
        return;
      }
      case 0x62: {
        // BUILD: the fields of an object
        const fields = this.#pop();
        build(this.#top(), fields);
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
    const found = this.#classes.has(name) ? { kind: 'class' as const, name } : globalOf(name);
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

/** Attributes of an OrderedDict, such as the versions of modules, and of a tensor are ignored. */
function build(of: Pickled, fields: Pickled): void {
  if (of instanceof Map) return;
  const [, second, third, fourth, fifth] = Array.isArray(fields) ? (fields as readonly Pickled[]) : [];
  switch (hasKind(of) ? of.kind : undefined) {
    case 'tensor':
      return;
    case 'object':
      (of as { fields: Pickled }).fields = fields;
      return;
    case 'numpy-dtype':
      (of as NumpyDtype).isBigEndian = second === '>';
      return;
    case 'numpy-array':
      // (version, shape, dtype, whether it has the order of Fortran, bytes)
      if (!hasKind(third) || third.kind !== 'numpy-dtype') break;
      (of as NumpyArray).value = numpyValue(third as NumpyDtype, second, fourth, fifth);
      return;
    default:
  }
  throw new Error('sets attributes of a value without attributes');
}
