// The interface for reading one attribute or type: reads primitives, and looks up other entries.
import { bitWidth } from '../ops/element-data.ts';
import type { Cursor } from './cursor.ts';
import type { AnyType, Attribute } from './values.ts';

/** Looks up entries by number; errors for an invalid number are reported at the position of `asker`. */
export interface EntryTables {
  attribute(index: number, asker: Cursor): Attribute;
  type(index: number, asker: Cursor): AnyType;
  string(index: number, asker: Cursor): string;
}

export class EntryReader {
  readonly data: Cursor;
  readonly #tables: EntryTables;

  constructor(tables: EntryTables, data: Cursor) {
    this.#tables = tables;
    this.data = data;
  }
  attribute(): Attribute {
    return this.#tables.attribute(this.data.varint(), this.data);
  }
  optionalAttribute(): Attribute | undefined {
    const [index, isThere] = this.data.flagged();
    return isThere ? this.#tables.attribute(index, this.data) : undefined;
  }
  type(): AnyType {
    return this.#tables.type(this.data.varint(), this.data);
  }
  string(): string {
    return this.#tables.string(this.data.varint(), this.data);
  }
  refuse(detail: string): never {
    return this.data.refuse(detail);
  }
}

/** The bits of a number type; undefined for other types. */
export function bitsOfType(type: AnyType): number | undefined {
  return type.kind === 'element' ? bitWidth(type.elementType) : undefined;
}
export function nameOf(reader: { refuse(detail: string): never }, attribute: Attribute): string {
  return attribute.kind === 'string' ? attribute.value : reader.refuse(`expected a name, got ${attribute.kind}`);
}
