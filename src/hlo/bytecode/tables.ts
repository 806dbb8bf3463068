// The tables of attributes and types: entries refer to each other by number and are read on first use.
import { readBuiltinAttribute, readBuiltinType } from './builtin.ts';
import type { Container, Entry } from './container.ts';
import type { Cursor } from './cursor.ts';
import { EntryReader, type EntryTables } from './entry-reader.ts';
import type { AnyType, Attribute } from './values.ts';
import { readVhloAttribute, readVhloType } from './vhlo.ts';

/** Entries may refer to other entries; deeper nesting than this is considered a cycle. */
const maxDepth = 200;
/** Nested entries can expand exponentially: this limits the number of parts per byte of the program. */
const expansion = 64;
/** The number of parts that is always allowed, even for short programs. */
const leastExpansion = 2 ** 20;

export class Tables implements EntryTables {
  readonly #container: Container;
  readonly #attributes = new Map<number, Attribute>();
  readonly #types = new Map<number, AnyType>();
  readonly #limit: number;
  /** The number of parts of each entry, including those of entries that it refers to. */
  readonly #parts = new Map<Attribute | AnyType, number>();
  /** The parts used so far by the entry or program that is being read. */
  #used = 0;
  #depth = 0;

  constructor(container: Container) {
    this.#container = container;
    this.#limit = Math.max(leastExpansion, expansion * container.ir.bytes.length);
  }

  attribute(index: number, asker: Cursor): Attribute {
    return this.#entry(index, asker, this.#container.attributes, this.#attributes, 'attribute', (entry, data) => {
      if (!entry.isCustom) return { kind: 'text', value: data.text() };
      if (entry.dialect === 'vhlo') return readVhloAttribute(new EntryReader(this, data));
      if (entry.dialect === 'builtin') return readBuiltinAttribute(new EntryReader(this, data));
      return data.refuse(`attributes of the dialect ${entry.dialect} are unknown`);
    });
  }
  type(index: number, asker: Cursor): AnyType {
    return this.#entry(index, asker, this.#container.types, this.#types, 'type', (entry, data) => {
      if (!entry.isCustom) return { kind: 'other', name: data.text() };
      if (entry.dialect === 'vhlo') return readVhloType(new EntryReader(this, data));
      if (entry.dialect === 'builtin') return readBuiltinType(new EntryReader(this, data));
      return data.refuse(`types of the dialect ${entry.dialect} are unknown`);
    });
  }
  string(index: number, asker: Cursor): string {
    return this.#container.strings[index] ?? asker.refuse(`there is no string ${index}`);
  }

  #entry<T extends Attribute | AnyType>(
    index: number,
    asker: Cursor,
    entries: readonly Entry[],
    known: Map<number, T>,
    what: string,
    read: (entry: Entry, data: Cursor) => T,
  ): T {
    const before = known.get(index);
    if (before !== undefined) {
      this.#use(this.#parts.get(before)!, asker);
      return before;
    }
    const entry = entries[index] ?? asker.refuse(`there is no ${what} ${index}`);
    if (this.#depth === maxDepth) asker.refuse(`the ${what} ${index} contains itself`);
    this.#depth++;
    const outer = this.#used;
    this.#used = 1;
    try {
      entry.data.at = 0;
      const value = read(entry, entry.data);
      known.set(index, value);
      // Only the file and line of nested locations are kept.
      this.#parts.set(value, value.kind === 'location' ? 1 : this.#used);
      this.#used = outer;
      this.#use(this.#parts.get(value)!, asker);
      return value;
    } finally {
      this.#depth--;
    }
  }

  #use(parts: number, asker: Cursor): void {
    this.#used += parts;
    if (this.#used > this.#limit)
      asker.refuse(`attributes and types of more parts than a program of its size may have (${this.#limit})`);
  }
}
