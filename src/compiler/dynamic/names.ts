// The locals of the step function: C names that are declared once and reused for the same text.
import type { Writer } from '../c/writer.ts';
import { constantOf } from './sizes.ts';
import type { ValueStorage } from './value-storage.ts';

interface Scope {
  readonly bound: Map<string, string>;
  readonly storage: ValueStorage;
}

export class Names {
  readonly out: Writer;
  readonly #types = new Map<string, string>();
  readonly #scopes: Scope[] = [];

  constructor(out: Writer) {
    this.out = out;
  }

  typeOf(name: string): string {
    return this.#types.get(name)!;
  }
  get storage(): ValueStorage {
    return this.#scopes.at(-1)!.storage;
  }
  /** The output of `body` is in a separate block, or in no block for the function's body. */
  scope(storage: ValueStorage, body: () => void): void {
    this.#scopes.push({ bound: new Map(), storage });
    body();
    this.#scopes.pop();
  }
  name(cType: string): string {
    const name = `g${this.#types.size}`;
    this.#types.set(name, cType);
    return name;
  }
  /** A constant local; the same text in scope returns the same name. */
  bind(cType: string, text: string): string {
    if (/^g\d+$/.test(text) || constantOf(text) !== undefined) return text;
    return this.once(`${cType} ${text}`, () => {
      const name = this.name(cType);
      this.out.line(`${cType} const ${name} = ${text};`);
      return name;
    });
  }
  once(key: string, make: () => string): string {
    for (const { bound } of this.#scopes) {
      const known = bound.get(key);
      if (known !== undefined) return known;
    }
    const made = make();
    this.#scopes.at(-1)!.bound.set(key, made);
    return made;
  }
}
