// Classes and functions that can be sent to a loader worker. A thread shares no objects with others, and neither code nor
// closures can be copied. But a module can be imported again there: values that a module registers here are sent as the name of
// their export, and objects of a registered class as that name and their public fields.
//
//   main thread   ImageFolder { root, samples }   ──▶   ['class', url, 'ImageFolder', { root, samples }]
//   worker        (await import(url)).ImageFolder.prototype + fields
//
// Batches of plain data are sent unchanged.
import { pathToFileURL } from 'node:url';
import { described } from '../../base/described.ts';
import { TrenioError } from '../../base/errors.ts';
import { formatType } from '../../hlo/types.ts';
import { Callable } from '../../nn/module/callable.ts';
import { isReadable } from '../files/host-array.ts';

interface Exported {
  readonly module: string;
  /** The name of the export. */
  readonly name: string;
  /** Large arrays are put into shared memory, once for all workers. */
  readonly sharesArrays: boolean;
}
/** A function or a class, which may have a private constructor. */
export type WorkerExport =
  | ((...args: never) => unknown)
  | {
      /** The prototype of a class. */
      readonly prototype: object;
      /** The name of the function or class. */
      readonly name: string;
    };

const exported = new WeakMap<object, Exported>();

/**
 * Lets loader workers (`numWorkers`) use what a module exports: datasets, transforms, collate functions and functions for `map`.
 * Write it at the end of the module; the names must be those of the exports. Objects of these classes are sent with their public
 * fields: private `#fields` cannot be copied.
 * @throws {INVALID_OPTION}
 * @example
 * ```ts no-run
 * class Squares {
 *   readonly length = 100;
 *   get(i: number) {
 *     return [i, i * i] as const;
 *   }
 * }
 * exportToWorkers(import.meta.url, { Squares });
 * const loader = new DataLoader(new Squares(), { batchSize: 10, numWorkers: 2 });
 * ```
 */
export function exportToWorkers(moduleUrl: string, exports: Readonly<Record<string, WorkerExport>>): void {
  register(moduleUrl, exports, false);
}

/** As `exportToWorkers`, for datasets that hold large arrays, which all workers then share. */
export function exportSharedToWorkers(moduleUrl: string, exports: Readonly<Record<string, WorkerExport>>): void {
  register(moduleUrl, exports, true);
}

function register(module: string, exports: Readonly<Record<string, WorkerExport>>, sharesArrays: boolean): void {
  const invalid = (option: string, got: unknown, expected: string): TrenioError =>
    new TrenioError('INVALID_OPTION', { what: 'exportToWorkers', option, got: described(got), expected });
  if (typeof module !== 'string' || !module.startsWith('file:'))
    throw invalid('moduleUrl', module, 'import.meta.url of the module that exports them');
  for (const [name, value] of Object.entries(exports)) {
    if (typeof value !== 'function') throw invalid(name, value, 'a class or a function that the module exports');
    exported.set(value, { module, name, sharesArrays });
  }
}

/** A tree that can be posted to a thread. */
export type Sendable = unknown;

interface SentFunction {
  readonly kind: 'trenio.function';
  readonly module: string;
  /** The name of the function. */
  readonly name: string;
}
interface SentObject {
  readonly kind: 'trenio.object';
  readonly module: string;
  /** The name of the class. */
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** From this size on, arrays of datasets that request it are shared. */
const sharedFromBytes = 1 << 16;
const sharedCopies = new WeakMap<ArrayBufferLike, SharedArrayBuffer>();

/**
 * `value` as it can be posted: references in place of registered functions and objects of registered classes.
 * @throws {NOT_SENDABLE} with the path to what cannot be sent
 */
export function encode(value: unknown, path: string): Sendable {
  return encoder(path)(value, path, false);
}

function encoder(root: string): (value: unknown, path: string, share: boolean) => unknown {
  const seen = new Map<object, unknown>();
  const fail = (path: string, what: string, reason: string): TrenioError =>
    new TrenioError('NOT_SENDABLE', { root, path, what, reason });
  const visit = (value: unknown, path: string, share: boolean): unknown => {
    if (typeof value === 'function' && !(value instanceof Callable)) {
      const found = exported.get(value);
      const name = value.name === '' ? 'a function without a name' : `the function ${value.name}`;
      if (found === undefined) throw fail(path, name, 'functions share variables with the code around them');
      requireImportable(found, path, fail);
      return { kind: 'trenio.function', module: found.module, name: found.name } satisfies SentFunction;
    }
    if (typeof value === 'symbol') throw fail(path, 'a symbol', 'symbols cannot be copied');
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
    const known = seen.get(value);
    if (known !== undefined) return known;
    if (ArrayBuffer.isView(value)) {
      const out = share ? sharedView(value) : compact(value);
      seen.set(value, out);
      return out;
    }
    if (value instanceof Date || value instanceof RegExp || value instanceof ArrayBuffer) return value;
    if (Array.isArray(value)) {
      const out: unknown[] = [];
      seen.set(value, out);
      for (let i = 0; i < value.length; i++) out.push(visit(value[i], `${path}[${i}]`, share));
      return out;
    }
    if (value instanceof Map || value instanceof Set) {
      const out = value instanceof Map ? new Map<unknown, unknown>() : new Set<unknown>();
      seen.set(value, out);
      if (out instanceof Map)
        for (const [key, entry] of value as Map<unknown, unknown>)
          out.set(visit(key, path, share), visit(entry, `${path}.get(${String(key)})`, share));
      else for (const entry of value as Set<unknown>) out.add(visit(entry, path, share));
      return out;
    }
    if (isReadable(value))
      throw fail(path, `a tensor, ${formatType(value.type)}`, 'tensors belong to the thread that made them');
    const prototype = Object.getPrototypeOf(value) as { readonly constructor?: WorkerExport } | null;
    const fields: Record<string, unknown> = {};
    if (prototype === null || prototype === Object.prototype) {
      // Data that looks like a reference would make the other thread import a module that the data names.
      if (isSentFunction(value) || isSentObject(value))
        throw fail(path, `an object whose kind is ${value.kind}`, 'Trenio uses this name for references to modules');
      seen.set(value, fields);
      for (const [name, entry] of Object.entries(value)) fields[name] = visit(entry, `${path}.${name}`, share);
      return fields;
    }
    const owner = prototype.constructor;
    const found = owner && exported.get(owner);
    if (found === undefined)
      throw fail(
        path,
        `an object of class ${owner?.name || 'without a name'}`,
        'the worker does not know which module exports the class',
      );
    requireImportable(found, path, fail);
    const out: SentObject = { kind: 'trenio.object', module: found.module, name: found.name, fields };
    seen.set(value, out);
    for (const [name, entry] of Object.entries(value))
      fields[name] = visit(entry, `${path}.${name}`, share || found.sharesArrays);
    return out;
  };
  return visit;
}

function requireImportable(
  { module, name }: Exported,
  path: string,
  fail: (path: string, what: string, reason: string) => TrenioError,
): void {
  const script = process.argv[1];
  if (script !== undefined && module === pathToFileURL(script).href)
    throw fail(path, name, 'it is defined in the script itself, which a worker would run again');
}

/** Only the part of the buffer that the view covers: posting a view copies its whole buffer. */
function compact(view: ArrayBufferView): ArrayBufferView {
  return view.byteLength === view.buffer.byteLength ? view : copyInto(view, new ArrayBuffer(view.byteLength));
}
function sharedView(view: ArrayBufferView): ArrayBufferView {
  if (view.byteLength < sharedFromBytes || view.buffer instanceof SharedArrayBuffer) return compact(view);
  if (view.byteLength !== view.buffer.byteLength) return copyInto(view, new SharedArrayBuffer(view.byteLength));
  let copy = sharedCopies.get(view.buffer);
  if (copy === undefined) {
    copy = new SharedArrayBuffer(view.byteLength);
    sharedCopies.set(view.buffer, copy);
  }
  // Copied each time, because the elements may have changed.
  return copyInto(view, copy);
}
function copyInto(view: ArrayBufferView, buffer: ArrayBufferLike): ArrayBufferView {
  new Uint8Array(buffer).set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  const View = view.constructor as new (buffer: ArrayBufferLike) => ArrayBufferView;
  return view instanceof Uint8Array ? new Uint8Array(buffer) : new View(buffer);
}

const isSentFunction = (value: object): value is SentFunction => (value as SentFunction).kind === 'trenio.function';
const isSentObject = (value: object): value is SentObject => (value as SentObject).kind === 'trenio.object';

/**
 * Decodes, in another thread, what `encode` made.
 * @throws {NOT_SENDABLE} if a module does not export what it registered
 */
export async function decode(sent: Sendable, path: string): Promise<unknown> {
  const modules = new Map<string, Readonly<Record<string, unknown>>>();
  const names: SentFunction[] = [];
  const collect = (value: unknown, seen: Set<object>): void => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return;
    seen.add(value);
    if (isSentFunction(value)) names.push(value);
    else if (isSentObject(value)) {
      names.push({ ...value, kind: 'trenio.function' });
      collect(value.fields, seen);
    } else if (value instanceof Map || value instanceof Set) for (const entry of value) collect(entry, seen);
    else if (Array.isArray(value)) for (const entry of value) collect(entry, seen);
    else for (const entry of Object.values(value)) collect(entry, seen);
  };
  collect(sent, new Set());
  for (const { module, name } of names) {
    if (!modules.has(module)) modules.set(module, (await import(module)) as Readonly<Record<string, unknown>>);
    if (typeof modules.get(module)![name] !== 'function')
      throw new TrenioError('NOT_SENDABLE', {
        root: path,
        path,
        what: name,
        reason: `${module} does not export it under this name`,
      });
  }
  const done = new Map<object, unknown>();
  const revive = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
    const known = done.get(value);
    if (known !== undefined) return known;
    if (isSentFunction(value)) return modules.get(value.module)![value.name];
    if (isSentObject(value)) {
      const { prototype } = modules.get(value.module)![value.name] as { readonly prototype: object };
      const object = (
        prototype instanceof Callable
          ? Reflect.construct(Callable, [], prototype.constructor)
          : Object.create(prototype)
      ) as Record<string, unknown>;
      done.set(value, object);
      for (const [name, entry] of Object.entries(value.fields)) object[name] = revive(entry);
      return object;
    }
    if (value instanceof Map) {
      const map = new Map<unknown, unknown>();
      done.set(value, map);
      for (const [key, entry] of value) map.set(revive(key), revive(entry));
      return map;
    }
    if (value instanceof Set) {
      const set = new Set<unknown>();
      done.set(value, set);
      for (const entry of value) set.add(revive(entry));
      return set;
    }
    if (value instanceof Date || value instanceof RegExp || value instanceof ArrayBuffer) return value;
    if (value instanceof SharedArrayBuffer) return value;
    done.set(value, value);
    const record = value as Record<string, unknown>;
    for (const name of Object.keys(record)) {
      const entry = record[name];
      if (typeof entry === 'object' && entry !== null) record[name] = revive(entry);
    }
    return value;
  };
  return revive(sent);
}
