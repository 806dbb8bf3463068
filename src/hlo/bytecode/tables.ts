// The tables of attributes and types: entries refer to each other by number and are read when they are first asked for.
import { readBuiltinAttribute, readBuiltinType } from './builtin.ts';
import type { Container, Entry } from './container.ts';
import type { Cursor } from './cursor.ts';
import type { AnyType, Attribute } from './values.ts';
import { readVhloAttribute, readVhloType } from './vhlo.ts';

/** Entries may refer to entries; more deeply than this they refer to each other in a circle. */
const maxDepth = 200;

export class Tables {
  readonly #container: Container;
  readonly #attributes = new Map<number, Attribute>();
  readonly #types = new Map<number, AnyType>();
  #depth = 0;

  constructor(container: Container) {
    this.#container = container;
  }

  attribute(index: number, asker: Cursor): Attribute {
    return this.#entry(index, asker, this.#container.attributes, this.#attributes, 'attribute', (entry, data) => {
      if (!entry.isCustom) return { kind: 'text', value: data.text() };
      if (entry.dialect === 'vhlo') return readVhloAttribute(new EntryReader(this, data));
      if (entry.dialect === 'builtin') return readBuiltinAttribute(new EntryReader(this, data));
      return data.refuse(`attributes of the dialect ${entry.dialect} are not known`);
    });
  }
  type(index: number, asker: Cursor): AnyType {
    return this.#entry(index, asker, this.#container.types, this.#types, 'type', (entry, data) => {
      if (!entry.isCustom) return { kind: 'other', name: data.text() };
      if (entry.dialect === 'vhlo') return readVhloType(new EntryReader(this, data));
      if (entry.dialect === 'builtin') return readBuiltinType(new EntryReader(this, data));
      return data.refuse(`types of the dialect ${entry.dialect} are not known`);
    });
  }
  string(index: number, asker: Cursor): string {
    return this.#container.strings[index] ?? asker.refuse(`there is no string ${index}`);
  }

  #entry<T>(
    index: number,
    asker: Cursor,
    entries: readonly Entry[],
    known: Map<number, T>,
    what: string,
    read: (entry: Entry, data: Cursor) => T,
  ): T {
    const before = known.get(index);
    if (before !== undefined) return before;
    const entry = entries[index] ?? asker.refuse(`there is no ${what} ${index}`);
    if (this.#depth === maxDepth) asker.refuse(`the ${what} ${index} contains itself`);
    this.#depth++;
    try {
      entry.data.at = 0;
      const value = read(entry, entry.data);
      known.set(index, value);
      return value;
    } finally {
      this.#depth--;
    }
  }
}

/** What the reader of one entry can do: read primitives, and look up other entries. */
export class EntryReader {
  readonly data: Cursor;
  readonly #tables: Tables;

  constructor(tables: Tables, data: Cursor) {
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
