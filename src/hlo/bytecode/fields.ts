// The attributes of one VHLO op by name, each read with its expected type.

import type { DiscardableAttributes } from '../attributes.ts';
import { numberAt } from '../literal.ts';
import type { Value } from '../program.ts';
import type { TensorType, Type } from '../types.ts';
import { attributeText } from './attribute-text.ts';
import type { Cursor } from './cursor.ts';
import type { Attribute } from './values.ts';

export class Fields {
  readonly op: string;
  readonly operands: readonly Value[];
  readonly resultTypes: readonly Type[];
  readonly #attributes: ReadonlyMap<string, Attribute>;
  readonly #asked = new Set<string>();
  readonly #cursor: Cursor;

  constructor(
    op: string,
    operands: readonly Value[],
    resultTypes: readonly Type[],
    attributes: ReadonlyMap<string, Attribute>,
    cursor: Cursor,
  ) {
    this.op = op;
    this.operands = operands;
    this.resultTypes = resultTypes;
    this.#attributes = attributes;
    this.#cursor = cursor;
  }

  refuse(detail: string): never {
    return this.#cursor.refuse(`${this.op}: ${detail}`);
  }
  get(name: string): Attribute | undefined {
    this.#asked.add(name);
    return this.#attributes.get(name);
  }
  #need<K extends Attribute['kind']>(name: string, kind: K): Extract<Attribute, { kind: K }> {
    const attribute = this.get(name);
    if (attribute?.kind === kind) return attribute as Extract<Attribute, { kind: K }>;
    return this.refuse(`${name} must be given as ${kind}, got ${attribute?.kind ?? 'nothing'}`);
  }

  integer(name: string): number {
    const attribute = this.get(name);
    if (attribute?.kind === 'integer') return Number(attribute.value);
    return this.refuse(`${name} must be an integer, got ${attribute?.kind ?? 'nothing'}`);
  }
  float(name: string): number {
    return this.#need(name, 'float').value;
  }
  boolean(name: string): boolean {
    return this.#need(name, 'boolean').value;
  }
  flag(name: string): boolean {
    const attribute = this.get(name);
    return attribute?.kind === 'unit' || (attribute?.kind === 'boolean' && attribute.value);
  }
  string(name: string): string {
    return this.#need(name, 'string').value;
  }
  /** A name from a closed set. */
  oneOf<const T extends string>(name: string, names: readonly T[]): T {
    const { value } = this.#need(name, 'enum');
    return names.find(n => n === value) ?? this.refuse(`${name} is ${value}, expected ${names.join(', ')}`);
  }
  array(name: string): readonly Attribute[] {
    return this.#need(name, 'array').elements;
  }
  tensor(name: string) {
    return this.#need(name, 'tensor').value;
  }
  /** Dims, as a tensor of i64. */
  dims(name: string): readonly number[] {
    const value = this.tensor(name);
    return Array.from({ length: value.data.length }, (_, i) => numberAt(value, i));
  }
  optionalDims(name: string): readonly number[] | undefined {
    return this.get(name) === undefined ? undefined : this.dims(name);
  }
  booleans(name: string): readonly boolean[] {
    return this.dims(name).map(b => b !== 0);
  }
  /** A matrix as rows of numbers. */
  matrix(name: string): readonly (readonly number[])[] {
    const [rows = 0, columns = 0] = this.tensor(name).type.shape;
    const all = this.dims(name);
    return Array.from({ length: rows }, (_, r) => all.slice(r * columns, (r + 1) * columns));
  }
  pairs(name: string): readonly (readonly [number, number])[] {
    const rows = this.matrix(name);
    if (rows.some(row => row.length !== 2)) this.refuse(`${name} must hold pairs`);
    return rows as readonly (readonly [number, number])[];
  }

  tensorType(result = 0): TensorType {
    const type = this.resultTypes[result];
    return type?.kind === 'tensor' ? type : this.refuse(`result ${result} must be a tensor`);
  }
  /** The result's element type if it differs from that of the first operand. */
  get ownElementType() {
    const { elementType } = this.tensorType();
    const [first] = this.operands;
    return first?.type.kind === 'tensor' && first.type.elementType === elementType ? {} : { elementType };
  }

  /** The attributes that were not read, as text. */
  rest(): DiscardableAttributes | undefined {
    const list = [...this.#attributes].filter(([name]) => !this.#asked.has(name));
    if (list.length === 0) return undefined;
    return Object.fromEntries(list.map(([name, value]) => [name, value.kind === 'unit' ? '' : attributeText(value)]));
  }
}
