// The elements of `dense<…>`, once their type is known: a splat, nested lists, or raw bytes in hexadecimal. Works on
// the characters themselves, since a program may have megabytes of them.
import { storageOf } from '../element-codec.ts';
import { bytesOf, type Literal, zeros } from '../literal.ts';
import { type ElementType, elementCount, elementTypes, maxRank, numberKind, type TensorType } from '../types.ts';
import type { Source } from './source.ts';

/** The literal whose text, between `<` and `>`, is from `start` to `end`. */
export function readElements(source: Source, type: TensorType, start: number, end: number): Literal {
  const from = skipSpace(source.text, start, end);
  if (type.shape.some(d => d < 0)) source.fail(start, 'a static type');
  if (from < end && source.text[from] === '"') return readBytes(source, type, from);
  const count = elementCount(type.shape);
  const literal = zeros(type);
  if (from === end) {
    if (count !== 0) source.fail(start, `${count} elements`, 'none');
    return literal;
  }
  new ElementReader(source, literal, from, end).run();
  return literal;
}

/** `"0x…"`: the elements in order, each little-endian; a single one is a splat. */
function readBytes(source: Source, type: TensorType, quote: number): Literal {
  const { text } = source;
  const close = text.indexOf('"', quote + 1);
  if (!text.startsWith('0x', quote + 1)) source.fail(quote, "a string of hexadecimal digits after '0x'");
  return literalOfHex(source, type, quote, quote + 3, close);
}

/** A literal whose bytes are the hexadecimal digits from `start` to `end`. */
export function literalOfHex(source: Source, type: TensorType, at: number, start: number, end: number): Literal {
  const literal = zeros(type);
  const target = bytesOf(literal);
  const count = elementCount(type.shape);
  const given = (end - start) / 2;
  const one = count === 0 ? 0 : target.length / count;
  const packed = type.elementType === 'i1' && given === Math.ceil(count / 8) && given < count;
  if (given !== target.length && given !== one && !packed)
    source.fail(at, `${2 * target.length} digits for ${count} elements`, `${end - start} digits`);
  const bytes = given === target.length ? target : new Uint8Array(given);
  const written = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).write(source.text.slice(start, end), 'hex');
  if (written !== given) source.fail(start + 2 * written, 'hexadecimal digits');
  if (given !== target.length) {
    // A byte that is not a boolean holds eight of them, as older versions of MLIR wrote booleans.
    const single = given === 1 && (bytes[0]! <= 1 || bytes[0] === 0xff);
    if (packed && !single) for (let i = 0; i < count; i++) target[i] = (bytes[i >> 3]! >> (i & 7)) & 1;
    else for (let i = 0; i < target.length; i += one) target.set(bytes, i);
  }
  normalize(literal);
  return literal;
}

/** For elements smaller than a byte, clears the unused bits. */
function normalize(literal: Literal): void {
  const { elementType } = literal.type;
  const { data } = literal;
  if (elementType === 'i1') for (let i = 0; i < data.length; i++) data[i] = data[i] ? 1 : 0;
  else if (/^u?i[24]$/.test(elementType)) {
    const store = storageOf(elementType)!;
    for (let i = 0; i < data.length; i++) data[i] = store(Number(data[i]));
  } else if (elementType.startsWith('f4') || elementType.startsWith('f6E')) {
    const mask = elementType.startsWith('f4') ? 15 : 63;
    for (let i = 0; i < data.length; i++) data[i] = Number(data[i]) & mask;
  }
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) at++;
    else if (code === 47 && text.charCodeAt(at + 1) === 47) {
      const line = text.indexOf('\n', at);
      at = line < 0 || line > end ? end : line + 1;
    } else break;
  }
  return at;
}

/** Bits of an element, or of one part of a complex number. */
const bitsOf: ReadonlyMap<ElementType, number> = new Map(
  elementTypes.map(type => [type, type === 'tf32' ? 19 : Number(/\d+/.exec(type)![0])]),
);

class ElementReader {
  readonly #source: Source;
  readonly #text: string;
  readonly #literal: Literal;
  readonly #shape: readonly number[];
  readonly #end: number;
  readonly #store: (value: number) => number;
  readonly #bits: number;
  #at: number;
  /** The entry of the data that is written next. */
  #entry = 0;

  constructor(source: Source, literal: Literal, start: number, end: number) {
    this.#source = source;
    this.#text = source.text;
    this.#literal = literal;
    this.#shape = literal.type.shape;
    this.#at = start;
    this.#end = end;
    this.#store = storageOf(literal.type.elementType) ?? (value => value);
    this.#bits = bitsOf.get(literal.type.elementType)!;
  }

  run(): void {
    const { data, type } = this.#literal;
    if (this.#text.charCodeAt(this.#at) === 91 /* [ */) this.#list(0);
    else {
      this.#element();
      const size = type.elementType.startsWith('complex') ? 2 : 1;
      if (data.length === 0) return;
      if (size === 1) (data as Float64Array).fill(data[0] as number);
      else for (let i = 2; i < data.length; i++) data[i] = data[i - 2]!;
    }
    this.#skip();
    if (this.#at < this.#end) this.#fail(this.#at, "'>'");
  }

  #list(dim: number): void {
    if (dim >= this.#shape.length || dim >= maxRank) this.#fail(this.#at, 'a number');
    const size = this.#shape[dim]!;
    const open = this.#at++;
    const inner = dim + 1 === this.#shape.length;
    let count = 0;
    this.#skip();
    if (this.#code() === 93) this.#at++;
    else
      for (;;) {
        if (count++ === size) this.#fail(this.#at, `${size} elements in dim ${dim}`, 'more');
        if (!inner) {
          if (this.#code() !== 91) this.#fail(this.#at, "'['");
          this.#list(dim + 1);
        } else this.#element();
        this.#skip();
        const code = this.#code();
        this.#at++;
        if (code === 93) break;
        if (code !== 44) this.#fail(this.#at - 1, "',' or ']'");
        this.#skip();
      }
    if (count !== size) this.#fail(open, `${size} elements in dim ${dim}`, String(count));
  }

  #code(): number {
    return this.#at < this.#end ? this.#text.charCodeAt(this.#at) : -1;
  }
  #skip(): void {
    // Usually there is nothing or one space.
    const code = this.#text.charCodeAt(this.#at);
    if (code <= 32 || code === 47) this.#at = skipSpace(this.#text, this.#at, this.#end);
  }
  #fail(at: number, expected: string, found?: string): never {
    return this.#source.fail(at, expected, found);
  }

  #element(): void {
    const { elementType } = this.#literal.type;
    const kind = numberKind(elementType);
    if (kind !== 'complex') {
      this.#number(kind === 'float', elementType);
      return;
    }
    if (this.#code() !== 40) this.#fail(this.#at, 'a pair (real, imaginary)');
    this.#at++;
    this.#skip();
    const part = elementType === 'complex<f32>' ? 'f32' : 'f64';
    this.#number(true, part);
    this.#skip();
    if (this.#code() !== 44) this.#fail(this.#at, "','");
    this.#at++;
    this.#skip();
    this.#number(true, part);
    this.#skip();
    if (this.#code() !== 41) this.#fail(this.#at, "')'");
    this.#at++;
  }

  #number(isFloat: boolean, type: ElementType): void {
    const { data } = this.#literal;
    const start = this.#at;
    const text = this.#text;
    let at = start;
    let pointed = false;
    for (; at < this.#end; at++) {
      const code = text.charCodeAt(at);
      // Space and the characters that end a number.
      if (code <= 32 || code === 44 || code === 93 || code === 41 || code === 47) break;
      if (code === 46) pointed = true;
    }
    this.#at = at;
    const token = text.slice(start, at);
    const entry = this.#entry++;
    if (token === 'true' || token === 'false') {
      if (type !== 'i1') this.#fail(start, `a number of type ${type}`);
      data[entry] = token === 'true' ? 1 : 0;
    } else if (isFloat) {
      if (token.startsWith('0x')) this.#floatBits(entry, token, type, start);
      else {
        const value = pointed ? Number(token) : Number.NaN;
        if (Number.isNaN(value)) this.#fail(start, `a number of type ${type}, with a decimal point`);
        data[entry] = this.#store(value);
      }
    } else this.#integer(entry, token, type, start);
  }

  #integer(entry: number, token: string, type: ElementType, start: number): void {
    const { data } = this.#literal;
    if (!/^(?:-?\d+|0x[0-9A-Fa-f]+)$/.test(token)) this.#fail(start, `an integer of type ${type}`);
    const short = Number(token);
    const value = Number.isSafeInteger(short) ? short : BigInt(token);
    const bits = this.#bits;
    // A number without a sign may use all bits of the type.
    const fits = value < 2 ** bits && (value >= 0 || (!type.startsWith('u') && value >= -(2 ** (bits - 1))));
    if (!fits) this.#fail(start, `an integer that fits ${type}`);
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) data[entry] = BigInt(value);
    else data[entry] = this.#store(Number(value));
  }

  /** The bits of a float, in hexadecimal. */
  #floatBits(entry: number, token: string, type: ElementType, start: number): void {
    const { data } = this.#literal;
    const width = this.#bits;
    if (!/^0x[0-9A-Fa-f]+$/.test(token)) this.#fail(start, 'hexadecimal digits');
    const bits = BigInt(token);
    if (bits >= 1n << BigInt(width)) this.#fail(start, `the bits of a ${type}`);
    if (data instanceof Float64Array) new BigUint64Array(data.buffer, data.byteOffset)[entry] = bits;
    else if (data instanceof Float32Array)
      // tf32 has the upper 19 of the bits of an f32.
      new Uint32Array(data.buffer, data.byteOffset)[entry] = Number(bits) << (type === 'tf32' ? 13 : 0);
    else if (data instanceof Float16Array) new Uint16Array(data.buffer, data.byteOffset)[entry] = Number(bits);
    else data[entry] = Number(bits);
  }
}
