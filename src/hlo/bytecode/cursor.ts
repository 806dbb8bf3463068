// Reads the primitive encodings of MLIR bytecode ("MLIR Bytecode Format", section "Encoding") from a range of bytes. Every
// read is checked: any damaged input is reported as HLO_BYTECODE with the offset.
import { TrenioError } from '../../base/errors.ts';

export class Cursor {
  readonly bytes: Uint8Array;
  /** Where this range begins in the file. */
  readonly start: number;
  at = 0;

  constructor(bytes: Uint8Array, start = 0) {
    this.bytes = bytes;
    this.start = start;
  }
  get left(): number {
    return this.bytes.length - this.at;
  }

  refuse(detail: string): never {
    throw new TrenioError('HLO_BYTECODE', { offset: this.start + this.at, detail });
  }

  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) this.refuse('the data end prematurely');
    this.at++;
    return byte;
  }
  take(count: number): Cursor {
    if (count > this.left) this.refuse(`${count} bytes expected, ${this.left} left`);
    const part = new Cursor(this.bytes.subarray(this.at, this.at + count), this.start + this.at);
    this.at += count;
    return part;
  }

  /** A PrefixVarInt: the number of zeros below the lowest set bit of the first byte is the number of bytes that follow. */
  bigint(): bigint {
    const first = this.byte();
    if (first & 1) return BigInt(first >> 1);
    const more = first === 0 ? 8 : 31 - Math.clz32(first & -first);
    let value = 0n;
    for (let i = 0; i < more; i++) value |= BigInt(this.byte()) << BigInt(8 * i);
    return first === 0 ? value : (value << BigInt(7 - more)) | BigInt(first >> (more + 1));
  }
  varint(): number {
    const first = this.bytes[this.at];
    if (first !== undefined && first & 1) {
      this.at++;
      return first >> 1;
    }
    const value = this.bigint();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) this.refuse(`the number ${value} is too large`);
    return Number(value);
  }
  /** A number and the flag in its lowest bit. */
  flagged(): readonly [value: number, flag: boolean] {
    const both = this.varint();
    return [Math.floor(both / 2), both % 2 === 1];
  }
  /** A signed number, zigzag-encoded. */
  signedBigint(): bigint {
    const zigzag = this.bigint();
    return zigzag & 1n ? -((zigzag + 1n) >> 1n) : zigzag >> 1n;
  }
  signed(): number {
    const value = this.signedBigint();
    if (value === -(2n ** 63n)) return Number.MIN_SAFE_INTEGER;
    if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER))
      this.refuse(`the number ${value} is too large`);
    return Number(value);
  }
  list<T>(read: () => T): readonly T[] {
    const count = this.count();
    return Array.from({ length: count }, read);
  }
  /** A number of items that each take at least one byte. */
  count(): number {
    const count = this.varint();
    if (count > this.left) this.refuse(`${count} elements expected, ${this.left} bytes left`);
    return count;
  }
  /** An integer of this many bits. */
  integer(width: number): bigint {
    if (width <= 8) return BigInt.asIntN(width, BigInt(this.byte()));
    return BigInt.asIntN(width, this.signedBigint());
  }
  text(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) this.refuse('an unterminated string');
    const text = new TextDecoder().decode(this.bytes.subarray(this.at, end));
    this.at = end + 1;
    return text;
  }
}
