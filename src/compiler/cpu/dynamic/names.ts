// The locals of the step function: C names that are declared once and reused for the same text.
import { invariant } from '../../../base/errors.ts';
import type { Value } from '../../../hlo/program.ts';
import type { Writer } from '../c/writer.ts';
import { constantOf } from './sizes.ts';
import type { ValueStorage } from './value-storage.ts';

/** The sizes and elements that are known in one run of the program, for readers other than the C compiler. */
export interface RunValues {
  size(value: Value, dim: number): number;
  element(value: Value, position: number): number;
}
/** Computes an integer of the step function from the values of a run. */
export type Origin = (run: RunValues) => number;

interface Scope {
  readonly bound: Map<string, string>;
  readonly storage: ValueStorage;
  /** Sizes that checks have found to be another one. */
  readonly same: Map<string, Known>;
}
type Known = number | string;

export class Names {
  readonly out: Writer;
  readonly #types = new Map<string, string>();
  readonly #scopes: Scope[] = [];
  readonly #origins = new Map<string, Origin>();

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
    this.#scopes.push({ bound: new Map(), storage, same: new Map() });
    body();
    this.#scopes.pop();
  }
  name(cType: string): string {
    const name = `g${this.#types.size}`;
    this.#types.set(name, cType);
    return name;
  }
  /** The representative of all sizes that are known to be equal to this one. */
  canonical(size: Known): Known {
    if (typeof size === 'number') return size;
    for (const { same } of this.#scopes) {
      const other = same.get(size);
      if (other !== undefined) return this.canonical(other);
    }
    return size;
  }
  /** Records that two sizes are equal from here to the end of the block. */
  unite(a: Known, b: Known): void {
    const [x, y] = [this.canonical(a), this.canonical(b)];
    if (x === y) return;
    const { same } = this.#scopes.at(-1)!;
    if (typeof y === 'string') same.set(y, x);
    else if (typeof x === 'string') same.set(x, y);
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
  /** An integer that kernels may be passed. */
  integer(text: string, origin: Origin): string {
    const name = this.bind('int64_t', text);
    this.#origins.set(name, origin);
    return name;
  }
  protected setOrigin(name: string, origin: Origin): void {
    if (!this.#origins.has(name)) this.#origins.set(name, origin);
  }
  /** The number that a size is in a run. */
  numberIn(run: RunValues, size: Known): number {
    if (typeof size === 'number') return size;
    const origin = this.#origins.get(size);
    invariant(origin !== undefined, `the integer ${size} has no origin`);
    return origin(run);
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
