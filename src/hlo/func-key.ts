// A key for the computation of a function: functions with equal keys compute the same results. Used by caches of compiled
// programs. Values are numbered in program order, so that neither their ids nor the function's name matter.
//
// The structure is written as 32-bit words into one buffer, which is hashed once: strings would take ten times as long.
// The key includes result types, because declared sizes and scales may not follow from the operands.
import { createHash, hash } from 'node:crypto';
import { comparisonDirections, comparisonTypes, precisions, rngAlgorithms } from './attributes.ts';
import { IdNumbers } from './id-numbers.ts';
import type { Literal } from './literal.ts';
import { bytesOf } from './literal.ts';
import { opTable } from './op-table.ts';
import type { Func, Module, Region, Value } from './program.ts';
import { elementTypes, sameType, type Type } from './types.ts';

/**
 * Hexadecimal SHA-256. Calls are identified by the callee's name only: use `moduleKey` for modules with calls.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.funcKey(main) === hlo.funcKey(main) // true
 */
export function funcKey(func: Func): string {
  let key = funcKeys.get(func);
  if (key === undefined) {
    const encoder = new Encoder();
    encoder.func(func);
    key = encoder.digest();
    funcKeys.set(func, key);
  }
  return key;
}
/** A function apart from its numbers: functions with equal keys have the same ops, connected in the same way. */
export interface Structure {
  /** Hexadecimal SHA-256. */
  readonly key: string;
  /** The sizes in types and the numbers in attributes, in program order. */
  readonly numbers: readonly number[];
  /** The values of constants, in program order. */
  readonly literals: readonly Literal[];
}
/** @example hlo.structureOf(main).numbers // [2, 2] for a function from tensor<2xf32> to tensor<2xf32> */
export function structureOf(func: Func): Structure {
  const apart = { numbers: [] as number[], literals: [] as Literal[] };
  const encoder = new Encoder(apart);
  encoder.func(func);
  return { key: encoder.digest(), ...apart };
}

/** Functions are immutable, and each key is needed twice: by the device and by its backend. */
const funcKeys = new WeakMap<Func, string>();

/**
 * A string that is equal for modules with the same computation, regardless of names and locations.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const module = hlo.moduleOf(main);
 * hlo.moduleKey(module).length // 64
 */
export function moduleKey(module: Module): string {
  const encoder = new Encoder();
  encoder.word(module.numReplicas);
  encoder.word(module.numPartitions);
  encoder.attribute(module.meshes);
  module.functions.forEach((func, i) => {
    encoder.string(i === 0 ? '' : func.name);
    encoder.string(funcKey(func));
  });
  return encoder.digest();
}

const opNumbers = new Map(Object.keys(opTable).map((name, i) => [name, i]));
/** Strings of closed sets take one word. Others are written out. */
const knownStrings = new Map<string, number>(
  [...elementTypes, ...comparisonDirections, ...comparisonTypes, ...precisions, ...rngAlgorithms].map((text, i) => [
    text,
    i,
  ]),
);
const typeNumbers = new Map<string, number>(elementTypes.map((name, i) => [name, i]));
const otherTypes = {
  token: -1,
  tuple: -2,
  future: -3,
  quantized: -4,
  bounded: -5,
  encoded: -6,
  asOperand: -7,
} as const;
/** Digests of constants too large to be copied into the buffer, kept as long as the literal lives. */
const digests = new WeakMap<Literal, Uint8Array>();
const inlineBytes = 256;

const float = new Float64Array(1);
const floatWords = new Int32Array(float.buffer);

/** The memory of an encoder that is done: allocating it for each program would take longer than writing it. */
let spare: Int32Array<ArrayBuffer> | undefined;

class Encoder {
  #words = spare ?? new Int32Array(1 << 14);
  #length = 0;
  #numbers = new IdNumbers(0, 0);
  #values = 0;
  readonly #apart: { readonly numbers: number[]; readonly literals: Literal[] } | undefined;

  /** `apart`: where to put numbers and constants, which are then not part of the digest. */
  constructor(apart?: { readonly numbers: number[]; readonly literals: Literal[] }) {
    this.#apart = apart;
    spare = undefined;
  }

  digest(): string {
    spare = this.#words;
    this.#numbers.release();
    return hash('sha256', new Uint8Array(this.#words.buffer, 0, 4 * this.#length), 'hex');
  }

  word(value: number): void {
    if (this.#length === this.#words.length) {
      const grown = new Int32Array(2 * this.#words.length);
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words[this.#length++] = value;
  }

  func(func: Func): void {
    const { ops } = func.body;
    this.#numbers = new IdNumbers(ops[ops.length >> 1]?.results[0]?.id ?? 0, ops.length);
    this.#region(func.body);
    for (const alias of func.aliases) this.word(alias ?? -1);
    if (func.declaredResults !== undefined) this.#types(func.declaredResults);
  }

  string(text: string): void {
    const known = knownStrings.get(text);
    if (known !== undefined) {
      this.word(-1 - known);
      return;
    }
    this.word(text.length);
    for (let i = 0; i < text.length; i++) this.word(text.charCodeAt(i));
  }

  #region(region: Region): void {
    this.word(region.args.length);
    for (const arg of region.args) {
      this.#define(arg);
      this.#type(arg.type);
    }
    this.word(region.ops.length);
    for (const op of region.ops) {
      this.word(opNumbers.get(op.name)!);
      this.word(op.operands.length);
      for (const v of op.operands) this.word(this.#numberOf(v));
      this.attribute(op.attributes);
      this.word(op.regions.length);
      for (const inner of op.regions) this.#region(inner);
      const first = op.operands[0]?.type;
      for (const v of op.results) {
        this.#define(v);
        if (this.#apart === undefined && first !== undefined && sameType(first, v.type))
          this.word(otherTypes.asOperand);
        else this.#type(v.type);
      }
    }
    this.word(region.results.length);
    for (const v of region.results) this.word(this.#numberOf(v));
  }

  #define(value: Value): void {
    this.#numbers.set(value.id, this.#values++);
  }
  #numberOf(value: Value): number {
    return this.#numbers.get(value.id) ?? -1;
  }

  /** The first word distinguishes tensors of numbers, by element type, from all other values. */
  #type(type: Type): void {
    if (type.kind !== 'tensor') {
      this.word(otherTypes[type.kind]);
      if (type.kind !== 'token') this.#types(type.elements);
      return;
    }
    const { elementType, shape, quantization, bounds, encoding } = type;
    if (quantization !== undefined) {
      this.word(otherTypes.quantized);
      this.attribute(quantization);
    }
    if (bounds !== undefined) {
      this.word(otherTypes.bounded);
      this.attribute(bounds);
    }
    if (encoding !== undefined) {
      this.word(otherTypes.encoded);
      this.string(encoding);
    }
    this.word(typeNumbers.get(elementType)!);
    this.word(shape.length);
    for (const dim of shape) this.#number(dim);
  }
  #types(types: readonly Type[]): void {
    this.word(types.length);
    for (const type of types) this.#type(type);
  }

  #number(value: number): void {
    if (this.#apart !== undefined) {
      this.#apart.numbers.push(value);
      return;
    }
    // An integer that fits takes one word; anything else is marked and takes three.
    if ((value | 0) === value && value !== -0x80000000) this.word(value);
    else {
      float[0] = value;
      this.word(-0x80000000);
      this.word(floatWords[0]!);
      this.word(floatWords[1]!);
    }
  }

  /** Any attribute value; each kind has a prefix. */
  attribute(value: unknown): void {
    switch (typeof value) {
      case 'number':
        this.word(1);
        this.#number(value);
        return;
      case 'string':
        this.word(2);
        this.string(value);
        return;
      case 'boolean':
        this.word(value ? 3 : 4);
        return;
      case 'object':
        break;
      default:
        this.word(5);
        return;
    }
    if (Array.isArray(value)) {
      this.word(6);
      this.word(value.length);
      for (const item of value) this.attribute(item);
      return;
    }
    if (isLiteral(value)) {
      this.word(7);
      this.#literal(value);
      return;
    }
    this.word(8);
    for (const key in value) {
      this.word(attributeNumber(key));
      this.attribute((value as Record<string, unknown>)[key]);
    }
    this.word(9);
  }

  #literal(value: Literal): void {
    this.#type(value.type);
    if (this.#apart !== undefined) {
      this.#apart.literals.push(value);
      return;
    }
    let bytes = bytesOf(value);
    if (bytes.length > inlineBytes) {
      let digest = digests.get(value);
      if (digest === undefined) {
        digest = createHash('sha256').update(bytes).digest();
        digests.set(value, digest);
      }
      bytes = digest;
    }
    for (const byte of bytes) this.word(byte);
  }
}

/**
 * A word for the name of an attribute: FNV-1a, computed once per name. Names only distinguish the fields of one object, and a
 * test asserts that no two names of the language share a word.
 */
const attributeNumbers = new Map<string, number>();
export function attributeNumber(name: string): number {
  let number = attributeNumbers.get(name);
  if (number === undefined) {
    number = 0x811c9dc5;
    for (let i = 0; i < name.length; i++) number = Math.imul(number ^ name.charCodeAt(i), 0x01000193);
    attributeNumbers.set(name, number);
  }
  return number;
}

function isLiteral(value: unknown): value is Literal {
  return typeof value === 'object' && value !== null && 'data' in value && ArrayBuffer.isView(value.data);
}
