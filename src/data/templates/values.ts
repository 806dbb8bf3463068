// The values of templates, with the types of Python: int is a bigint, float a number, str a string, list an array. Other types
// are classes. A number from JavaScript is an int if it is whole, because JavaScript has one type of number.
import { PythonError, type Run, typeError } from './run.ts';

export type Value = null | boolean | bigint | number | string | Value[] | Thing;
export type Kwargs = Map<string, Value>;

/** Every value that is an object of a class. */
export abstract class Thing {
  /** The name of Python's type. */
  abstract readonly type: string;
}

export class Undefined extends Thing {
  readonly type = 'Undefined';
  readonly problem: string;
  readonly kind: 'UndefinedError' | 'SecurityError';
  constructor(problem: string, kind: 'UndefinedError' | 'SecurityError' = 'UndefinedError') {
    super();
    this.problem = problem;
    this.kind = kind;
  }
  /** The error of an operation on the undefined value. */
  error(): PythonError {
    return new PythonError(this.kind, this.problem);
  }
}

export class Tuple extends Thing {
  readonly type = 'tuple';
  readonly items: readonly Value[];
  /** The names of the fields of a named tuple. */
  readonly fields: readonly string[];
  constructor(items: readonly Value[], fields: readonly string[] = []) {
    super();
    this.items = items;
    this.fields = fields;
  }
}

/** A str that is marked as escaped; joining it with other text escapes that text. */
export class Markup extends Thing {
  readonly type = 'Markup';
  readonly text: string;
  constructor(text: string) {
    super();
    this.text = text;
  }
}

export class Dict extends Thing {
  readonly type = 'dict';
  readonly #entries = new Map<unknown, readonly [Value, Value]>();
  get size(): number {
    return this.#entries.size;
  }
  /** @throws {PythonError} for an unhashable key */
  get(key: Value): Value | undefined {
    return this.#entries.get(hashed(key))?.[1];
  }
  set(key: Value, value: Value): void {
    const hash = hashed(key);
    // As in Python, the first of several equal keys stays.
    this.#entries.set(hash, [this.#entries.get(hash)?.[0] ?? key, value]);
  }
  has(key: Value): boolean {
    return this.#entries.has(hashed(key));
  }
  entries(): IterableIterator<readonly [Value, Value]> {
    return this.#entries.values();
  }
  static from(entries: Iterable<readonly [Value, Value]>): Dict {
    const dict = new Dict();
    for (const [key, value] of entries) dict.set(key, value);
    return dict;
  }
}

/** `d.keys()`, `d.values()`, `d.items()`. */
export class DictView extends Thing {
  readonly type: 'dict_keys' | 'dict_values' | 'dict_items';
  readonly dict: Dict;
  constructor(type: 'dict_keys' | 'dict_values' | 'dict_items', dict: Dict) {
    super();
    this.type = type;
    this.dict = dict;
  }
  *[Symbol.iterator](): Generator<Value> {
    for (const [key, value] of this.dict.entries())
      yield this.type === 'dict_keys' ? key : this.type === 'dict_values' ? value : new Tuple([key, value]);
  }
}

export class Range extends Thing {
  readonly type = 'range';
  readonly start: bigint;
  readonly stop: bigint;
  readonly stride: bigint;
  readonly length: number;
  constructor(start: bigint, stop: bigint, stride: bigint) {
    super();
    [this.start, this.stop, this.stride] = [start, stop, stride];
    const span = stride > 0n ? stop - start : start - stop;
    const size = stride > 0n ? stride : -stride;
    this.length = span <= 0n ? 0 : Number((span + size - 1n) / size);
  }
  at(index: number): bigint {
    return this.start + this.stride * BigInt(index);
  }
}

/** An iterator: what `map`, `select` and similar filters return. It can be used once. */
export class Iter extends Thing {
  readonly type: string;
  readonly source: Iterator<Value>;
  constructor(source: Iterator<Value>, type = 'generator') {
    super();
    this.source = source;
    this.type = type;
  }
}

export class Namespace extends Thing {
  readonly type = 'Namespace';
  readonly values: Dict;
  constructor(values: Dict) {
    super();
    this.values = values;
  }
}

/** A function, method or macro. */
export class Func extends Thing {
  readonly type: string;
  readonly name: string;
  readonly call: (run: Run, args: readonly Value[], kwargs: Kwargs) => Value;
  readonly attributes: ReadonlyMap<string, Value>;
  constructor(
    name: string,
    call: (run: Run, args: readonly Value[], kwargs: Kwargs) => Value,
    type = 'builtin_function_or_method',
    attributes: ReadonlyMap<string, Value> = new Map(),
  ) {
    super();
    this.name = name;
    this.call = call;
    this.type = type;
    this.attributes = attributes;
  }
}

/** An object with computed attributes (`loop`, `cycler`), which may be callable or have a length. */
export abstract class Special extends Thing {
  abstract attribute(run: Run, name: string): Value | undefined;
  call?(run: Run, args: readonly Value[], kwargs: Kwargs): Value;
  size?(run: Run): number;
  /** `repr`, if it shows more than the type. */
  shown?(): string;
}

/** The first value that exists; None exists. */
export function firstOf(...values: readonly [...(Value | undefined)[], () => Value]): Value {
  const otherwise = values.at(-1) as () => Value;
  const found = values.slice(0, -1).find(value => value !== undefined) as Value | undefined;
  return found === undefined ? otherwise() : found;
}
export const isText = (value: Value): value is string | Markup => typeof value === 'string' || value instanceof Markup;
export const textOf = (value: string | Markup): string => (typeof value === 'string' ? value : value.text);

export function typeName(value: Value): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Thing) return value.type;
  const names = { boolean: 'bool', bigint: 'int', number: 'float', string: 'str' } as const;
  return names[typeof value as keyof typeof names];
}

/** The key of a value in a map, equal for equal values. */
export function hashed(value: Value): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  // Texts that start with NUL get another, so that none equals the key of a tuple.
  if (typeof value === 'string') return value.startsWith('\0') ? `\0s${value}` : value;
  if (value instanceof Markup) return hashed(value.text);
  if (value instanceof Tuple) return `\0t${value.items.map(hashText).join('')}`;
  if (value instanceof Undefined) return Undefined;
  if (Array.isArray(value) || value instanceof Dict) throw typeError(`unhashable type: '${typeName(value)}'`);
  return value;
}
const objectIds = new WeakMap<object, number>();
let nextObjectId = 0;
function hashText(value: Value): string {
  const hash = hashed(value);
  let text: string;
  if (typeof hash === 'object' && hash !== null) {
    if (!objectIds.has(hash)) objectIds.set(hash, nextObjectId++);
    text = `${objectIds.get(hash)}`;
  } else text = hash === Undefined ? '' : String(hash);
  return `${typeof hash} ${text.length} ${text}`;
}

export function isTrue(run: Run, value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return false;
  if (typeof value !== 'object') return true;
  if (value instanceof Undefined) return false;
  const length = lengthIfKnown(run, value);
  return length === undefined || length > 0;
}

const surrogate = /[\ud800-\udfff]/;
/** The last long texts whose code points were counted, so that a loop over positions does not count them each time. */
const counted: { readonly text: string; readonly points: readonly string[] | undefined }[] = [];
/** The code points of a text, or undefined if each is one UTF-16 unit. */
export function wideCharacters(run: Run, text: string): readonly string[] | undefined {
  if (text.length > 256) {
    const known = counted.find(entry => entry.text === text);
    if (known !== undefined) return known.points;
  }
  run.read(text.length);
  let points: readonly string[] | undefined;
  if (surrogate.test(text)) {
    run.allocate(text.length * 8);
    points = Array.from(text);
  }
  if (text.length > 256) {
    counted.unshift({ text, points });
    counted.length = Math.min(counted.length, 4);
  }
  return points;
}
/** Frees the texts that `wideCharacters` keeps. */
export function forgetTexts(): void {
  counted.length = 0;
}

export const textLength = (run: Run, text: string): number => wideCharacters(run, text)?.length ?? text.length;

/** `len(value)`, or undefined for a value without a length. */
export function lengthIfKnown(run: Run, value: Value): number | undefined {
  if (isText(value)) return textLength(run, textOf(value));
  if (Array.isArray(value)) return value.length;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Dict) return value.size;
  if (value instanceof DictView) return value.dict.size;
  if (value instanceof Range) return value.length;
  if (value instanceof Undefined) return 0;
  if (value instanceof Special) return value.size?.(run);
  return undefined;
}
export function lengthOf(run: Run, value: Value): number {
  const length = lengthIfKnown(run, value);
  if (length === undefined) throw typeError(`object of type '${typeName(value)}' has no len()`);
  return length;
}

function* rangeValues(range: Range): Generator<Value> {
  for (let i = 0; i < range.length; i++) yield range.at(i);
}
function* keysOf(dict: Dict): Generator<Value> {
  for (const [key] of dict.entries()) yield key;
}

/** `iter(value)`, or undefined for a value that cannot be iterated. */
export function iteratorIfAny(value: Value): Iterator<Value> | undefined {
  if (isText(value)) return textOf(value)[Symbol.iterator]();
  if (Array.isArray(value)) return value[Symbol.iterator]();
  if (value instanceof Tuple) return value.items[Symbol.iterator]();
  if (value instanceof Dict) return keysOf(value);
  if (value instanceof DictView) return value[Symbol.iterator]();
  if (value instanceof Range) return rangeValues(value);
  if (value instanceof Iter) return value.source;
  if (value instanceof Undefined) return [][Symbol.iterator]();
  return undefined;
}
export function iteratorOf(value: Value): Iterator<Value> {
  const iterator = iteratorIfAny(value);
  if (iterator === undefined) throw typeError(`'${typeName(value)}' object is not iterable`);
  return iterator;
}
/** The values of `value`, each charged as a step. */
export function* each(run: Run, value: Value): Generator<Value> {
  const iterator = iteratorOf(value);
  for (let next = iterator.next(); !next.done; next = iterator.next()) {
    run.step();
    yield next.value;
  }
}
export function listOf(run: Run, value: Value): Value[] {
  if (Array.isArray(value)) {
    run.allocate(8 * value.length);
    return value.slice();
  }
  const list: Value[] = [];
  for (const item of each(run, value)) {
    run.allocate(8);
    list.push(item);
  }
  return list;
}

const isNumber = (value: Value): value is boolean | bigint | number =>
  typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'number';
const asNumber = (value: boolean | bigint | number): bigint | number =>
  typeof value === 'boolean' ? BigInt(value) : value;

/** `a == b`. */
export function equals(run: Run, a: Value, b: Value): boolean {
  run.step();
  // biome-ignore lint/suspicious/noDoubleEquals: compares an int and a float by value
  if (isNumber(a)) return isNumber(b) && asNumber(a) == asNumber(b);
  if (isText(a)) {
    if (!isText(b)) return false;
    const [left, right] = [textOf(a), textOf(b)];
    if (left.length === right.length) run.read(left.length);
    return left === right;
  }
  if (Array.isArray(a)) return a === b || (Array.isArray(b) && sameItems(run, a, b));
  if (a instanceof Tuple) return b instanceof Tuple && sameItems(run, a.items, b.items);
  if (a instanceof Dict) {
    if (!(b instanceof Dict) || a.size !== b.size) return false;
    for (const [key, value] of a.entries()) {
      const other = b.get(key);
      if (other === undefined || !(value === other || equals(run, value, other))) return false;
    }
    return true;
  }
  if (a instanceof Range)
    return (
      b instanceof Range &&
      a.length === b.length &&
      (a.length === 0 || (a.start === b.start && (a.length === 1 || a.stride === b.stride)))
    );
  if (a instanceof DictView && a.type !== 'dict_values') {
    if (!(b instanceof DictView) || b.type === 'dict_values' || a.dict.size !== b.dict.size) return false;
    for (const item of a) if (!contains(run, b, item)) return false;
    return true;
  }
  if (a instanceof Undefined) return b instanceof Undefined;
  return a === b;
}
function sameItems(run: Run, a: readonly Value[], b: readonly Value[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i] || equals(run, item, b[i]!));
}

/** `item in container`. */
export function contains(run: Run, container: Value, item: Value): boolean {
  run.step();
  if (isText(container)) {
    if (!isText(item)) throw typeError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
    run.read(textOf(container).length);
    return textOf(container).includes(textOf(item));
  }
  if (container instanceof Dict) return container.has(item);
  if (container instanceof DictView && container.type === 'dict_keys') return container.dict.has(item);
  if (container instanceof DictView && container.type === 'dict_items') {
    if (!(item instanceof Tuple) || item.items.length !== 2) return false;
    const found = container.dict.get(item.items[0]!);
    return found !== undefined && equals(run, found, item.items[1]!);
  }
  if (iteratorIfAny(container) === undefined)
    throw typeError(`argument of type '${typeName(container)}' is not iterable`);
  for (const other of each(run, container)) if (other === item || equals(run, item, other)) return true;
  return false;
}

/** Compares texts by code points, as Python does: UTF-16 units order surrogates before U+E000. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left === right) continue;
    const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
    return rank(left) - rank(right);
  }
  return a.length - b.length;
}

export type Order = '<' | '<=' | '>' | '>=';
/** `a < b` and the other orders. */
export function ordered(run: Run, order: Order, a: Value, b: Value): boolean {
  run.step();
  const holds = (difference: number): boolean =>
    order === '<'
      ? difference < 0
      : order === '<='
        ? difference <= 0
        : order === '>'
          ? difference > 0
          : difference >= 0;
  if (isNumber(a) && isNumber(b)) {
    const [left, right] = [asNumber(a), asNumber(b)];
    return order === '<' ? left < right : order === '<=' ? left <= right : order === '>' ? left > right : left >= right;
  }
  if (isText(a) && isText(b)) {
    run.read(Math.min(textOf(a).length, textOf(b).length));
    return holds(compareText(textOf(a), textOf(b)));
  }
  const both =
    Array.isArray(a) && Array.isArray(b)
      ? [a, b]
      : a instanceof Tuple && b instanceof Tuple
        ? [a.items, b.items]
        : undefined;
  if (both !== undefined) {
    const [left, right] = both as [readonly Value[], readonly Value[]];
    for (let i = 0; i < Math.min(left.length, right.length); i++)
      if (left[i] !== right[i] && !equals(run, left[i]!, right[i]!)) return ordered(run, order, left[i]!, right[i]!);
    return holds(left.length - right.length);
  }
  for (const side of [a, b]) if (side instanceof Undefined) throw side.error();
  throw typeError(`'${order}' not supported between instances of '${typeName(a)}' and '${typeName(b)}'`);
}

/** A stable sort by keys. */
export function sorted(run: Run, values: readonly Value[], keyOf: (value: Value) => Value, reverse = false): Value[] {
  run.allocate(16 * values.length);
  const keyed = values.map(value => ({ value, key: keyOf(value) }));
  const less = (a: Value, b: Value): boolean => ordered(run, '<', a, b);
  const order = (a: Value, b: Value): number => {
    if (typeof a !== 'string' || typeof b !== 'string') return less(a, b) ? -1 : less(b, a) ? 1 : 0;
    run.step();
    return compareText(a, b);
  };
  keyed.sort((a, b) => order(a.key, b.key) * (reverse ? -1 : 1));
  return keyed.map(({ value }) => value);
}

/** A value from JavaScript. Fields that are undefined do not exist. */
export function fromJavaScript(value: unknown, depth = 0): Value {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint' || typeof value === 'string')
    return value;
  if (value === undefined) return null;
  if (typeof value === 'number') return Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
  if (depth > 500) throw new PythonError('ValueError', 'a variable is nested more than 500 levels deep');
  if (Array.isArray(value)) return value.map(item => fromJavaScript(item, depth + 1));
  if (typeof value === 'object') {
    const dict = new Dict();
    for (const [key, field] of value instanceof Map ? value : Object.entries(value))
      if (field !== undefined) dict.set(fromJavaScript(key, depth + 1), fromJavaScript(field, depth + 1));
    return dict;
  }
  throw new PythonError('TypeError', `a variable is a ${typeof value}, expected data`);
}
