// Modules that hold modules: lists, named by position as in PyTorch ('0', '1' …), and dictionaries.
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import { checkIterable, type Tensor, userLocation, wrongArgument } from '../../tensor/index.ts';
import { Module } from '../module/module.ts';
import { checkMemberName } from '../module/module-members.ts';

/** A module from tensor to tensor. */
export interface Unary extends Module {
  forward(x: Tensor): Tensor;
}

function checkModule(call: string, module: unknown): void {
  if (!(module instanceof Module))
    throw wrongArgument({ call, argument: 'an entry' }, module, 'a module', 'give layers such as new Linear(8, 2)');
}
/** The error for calling a container. */
const notCalled = (name: string): TrenioError =>
  new TrenioError(
    'UNSUPPORTED',
    {
      what: `calling a ${name}`,
      where: 'nn',
      instead: `call the modules in it: for (const layer of layers) x = layer(x)`,
    },
    { location: userLocation() },
  );

/** The common part of module lists. Entries are also properties: `layers[0]`. */
abstract class ModuleSequence<M extends Module> extends Module {
  readonly [index: number]: M;
  readonly #list: M[] = [];

  /** The number of modules. */
  override get length(): number {
    return this.#list.length;
  }
  /** The module at a position; negative ones count from the end. */
  at(index: number): M | undefined {
    return this.#list.at(index);
  }
  /** Appends a module. */
  append(module: M): this {
    return this.insert(this.length, module);
  }
  /** Appends modules. */
  extend(modules: Iterable<M>): this {
    for (const module of modules) this.append(module);
    return this;
  }
  /** Inserts a module at a position. */
  insert(index: number, module: M): this {
    checkModule(this.constructor.name, module);
    this.#list.splice(index, 0, module);
    return this.#number();
  }
  /** Removes and returns the module at a position, by default the last one. */
  pop(index = -1): M | undefined {
    const [module] = this.#list.splice(index, 1);
    delete (this as unknown as Record<number, M>)[this.#list.length];
    this.#number();
    return module;
  }
  protected override putModule(name: string, module: Module): void {
    const at = [...this.ownFields()].findIndex(([known]) => known === name);
    checkModule(this.constructor.name, module);
    if (at < 0) this.append(module as M);
    else {
      this.#list[at] = module as M;
      this.#number();
    }
  }
  #number(): this {
    this.#list.forEach((module, i) => {
      Object.defineProperty(this, String(i), { value: module, enumerable: true, configurable: true });
    });
    return this;
  }
  /** The modules, in order. */
  [Symbol.iterator](): Iterator<M> {
    return this.#list[Symbol.iterator]();
  }
  protected override get isList(): boolean {
    return true;
  }
}

/**
 * A list of modules, each registered under its position.
 *
 *     blocks = new ModuleList(Array.from({ length: 4 }, () => new Block(64)));
 *     forward(x: Tensor) { for (const block of this.blocks) x = block(x); return x; }
 *
 * @throws {WRONG_ARGUMENT} for entries that are not modules
 * @example
 * const layers = new nn.ModuleList([new nn.Linear(4, 8), new nn.Linear(8, 2)]);
 * let x = randn(3, 4);
 * for (const layer of layers) x = layer(x).relu();
 * x.shape // [3, 2]
 */
export class ModuleList<M extends Module = Module> extends ModuleSequence<M> {
  constructor(modules: Iterable<M> = []) {
    super();
    checkIterable({ call: 'ModuleList', argument: 'the list' }, modules, 'an array of modules');
    this.extend(modules);
  }
  /** The same as `append`. */
  push(module: M): void {
    this.append(module);
  }
  protected override get collapses(): boolean {
    return true;
  }
  /** A list cannot be called; its modules can. @throws {UNSUPPORTED} */
  override forward(): never {
    throw notCalled('ModuleList');
  }
}

/**
 * A chain of modules: each gets the result of the previous one. Passed as a list, or as an object with names.
 *
 *     new Sequential(new Linear(8, 16), new ReLU(), new Linear(16, 2))
 *     new Sequential({ hidden: new Linear(8, 16), act: new ReLU(), out: new Linear(16, 2) })
 *
 * @throws {WRONG_ARGUMENT} for entries that are not modules
 * @example
 * const model = new nn.Sequential(new nn.Linear(4, 8), new nn.ReLU(), new nn.Linear(8, 2));
 * model(randn(3, 4)).shape // [3, 2]
 */
export const Sequential: SequentialConstructor = class Sequential extends ModuleSequence<Unary> {
  readonly #names: readonly string[] | undefined;
  constructor(...modules: readonly Module[] | [Readonly<Record<string, Module>>]) {
    super();
    const [first] = modules;
    const isNamed = modules.length === 1 && typeof first === 'object' && first !== null && !Array.isArray(first);
    const named = isNamed ? (first as Readonly<Record<string, Module>>) : undefined;
    this.#names = named && Object.keys(named);
    for (const name of this.#names ?? []) checkMemberName('Sequential', name);
    this.extend((named === undefined ? modules : Object.values(named)) as readonly Unary[]);
  }
  protected override *ownFields(): Generator<readonly [string, unknown]> {
    for (let i = 0; i < this.length; i++) yield [this.#names?.[i] ?? String(i), this.at(i)];
  }
  override forward(x: Tensor): Tensor {
    let y = x;
    for (const module of this) y = module(y);
    return y;
  }
} as unknown as SequentialConstructor;
type Layers = readonly Module[] | readonly [Readonly<Record<string, Module>>];
/** A chain of modules. Its layers keep their types where they are given one by one: `net[0].weight`. */
export type Sequential<T extends Layers = readonly Module[]> = Chain & {
  readonly [K in keyof T as K extends `${number}` ? K : never]: T[K] extends Module ? T[K] : Unary;
};
interface Chain extends ModuleSequence<Unary> {
  forward(x: Tensor): Tensor;
}
/** The constructor of `Sequential`: its results know the types of their layers. */
export interface SequentialConstructor {
  new <T extends Layers = readonly Module[]>(...modules: T): Sequential<T>;
  /** The prototype of its results. */
  readonly prototype: Sequential;
}

/** The common part of containers by name; `get` suggests the nearest name for unknown ones. */
abstract class Dictionary<V> extends Module {
  readonly #entries = new Map<string, V>();
  protected abstract accepts(value: unknown): V;

  /** The entry with this name. @throws {UNKNOWN_MEMBER} */
  protected find(name: string, kind: string): V {
    const found = this.#entries.get(name);
    if (found !== undefined) return found;
    const known = [...this.#entries.keys()];
    throw new TrenioError(
      'UNKNOWN_MEMBER',
      { module: this.constructor.name, kind, name: String(name), nearest: nearestName(String(name), known), known },
      { location: userLocation() },
    );
  }
  /** Adds or replaces an entry. */
  set(name: string, value: V): this {
    checkMemberName(`${this.constructor.name}.set`, name);
    this.#entries.set(name, this.accepts(value));
    // As in PyTorch, an entry is also an attribute, unless the dictionary has a member of this name.
    if (!(name in this))
      Object.defineProperty(this, name, {
        get: () => this.#entries.get(name),
        set: (given: V) => this.set(name, given),
        enumerable: false,
        configurable: true,
      });
    return this;
  }
  /** Adds or replaces entries. */
  update(entries: Readonly<Record<string, V>> | Iterable<readonly [string, V]>): this {
    const list = Symbol.iterator in entries ? (entries as Iterable<readonly [string, V]>) : Object.entries(entries);
    for (const [name, value] of list) this.set(name, value as V);
    return this;
  }
  /** Whether there is an entry with this name. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }
  /** Removes an entry; returns false if there is none. */
  delete(name: string): boolean {
    return this.#removed(name);
  }
  #removed(name: string): boolean {
    if (this.#entries.delete(name)) return Object.hasOwn(this, name) ? Reflect.deleteProperty(this, name) : true;
    return false;
  }
  /** Removes an entry and returns it. @throws {UNKNOWN_MEMBER} where there is none */
  pop(name: string): V {
    const found = this.find(name, 'entry');
    this.#removed(name);
    return found;
  }
  /** The same as `entries`. */
  items(): Iterator<[string, V]> & Iterable<[string, V]> {
    return this.entries();
  }
  /** Removes all entries. */
  clear(): void {
    for (const name of [...this.#entries.keys()]) this.#removed(name);
  }
  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }
  /** The names, in insertion order. */
  keys(): Iterator<string> & Iterable<string> {
    return this.#entries.keys();
  }
  /** The entries, in insertion order. */
  values(): Iterator<V> & Iterable<V> {
    return this.#entries.values();
  }
  /** The names and entries, in insertion order. */
  entries(): Iterator<[string, V]> & Iterable<[string, V]> {
    return this.#entries.entries();
  }
  /** The names and entries, in insertion order. */
  [Symbol.iterator](): Iterator<[string, V]> {
    return this.#entries.entries();
  }
  protected override putModule(name: string, module: Module): void {
    this.set(name, module as V);
  }
  protected override ownFields(): Iterable<readonly [string, unknown]> {
    return this.#entries.entries();
  }
  /** A dictionary cannot be called. @throws {UNSUPPORTED} */
  override forward(): never {
    throw notCalled(this.constructor.name);
  }
}

/**
 * Modules by name, which are also its members.
 *
 *     heads = new ModuleDict({ cls: new Linear(8, 2), box: new Linear(8, 4) });
 *     forward(x: Tensor) { return this.heads.cls(x); } // or this.heads.get('cls')(x)
 *
 * @throws {WRONG_ARGUMENT} for entries that are not modules
 * @example
 * const heads = new nn.ModuleDict({ mean: new nn.Linear(4, 1), spread: new nn.Linear(4, 1) });
 * [...heads.keys()] // ['mean', 'spread']
 * heads.mean(ones(2, 4)).shape // [2, 1]
 */
export const ModuleDict: ModuleDictConstructor = class ModuleDict<
  T extends Record<string, Module> = Record<string, Module>,
> extends Dictionary<Module> {
  constructor(modules: T = {} as T) {
    super();
    this.update(modules);
  }
  /** The module with this name. @throws {UNKNOWN_MEMBER} for an unknown name */
  get<K extends keyof T & string>(name: K): T[K] {
    return this.find(name, 'module') as T[K];
  }
  protected override accepts(value: unknown): Module {
    checkModule('ModuleDict', value);
    return value as Module;
  }
} as unknown as ModuleDictConstructor;
/** Modules by name. */
export type ModuleDict<T extends Record<string, Module> = Record<string, Module>> = Dictionary<Module> & {
  /** The module with this name. @throws {UNKNOWN_MEMBER} for an unknown name */
  get<K extends keyof T & string>(name: K): T[K];
} & { [K in Exclude<keyof T, keyof Dictionary<Module> | 'get'>]: T[K] };
/** The constructor of `ModuleDict`: its results have their entries as members. */
export interface ModuleDictConstructor {
  new <T extends Record<string, Module> = Record<string, Module>>(modules?: T): ModuleDict<T>;
  /** The prototype of its results. */
  readonly prototype: ModuleDict;
}

export { Dictionary, ModuleSequence };
