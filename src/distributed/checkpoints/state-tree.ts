// State as JSON and tensors: extracts the tensors from a tree of plain data, each under the name of its path, and inserts them
// again. Values that JSON lacks (maps, infinities, NaN, −0, bigints) are written as objects with one key that starts with `$`.
//
//   { tensors: Map { '0.step' → literal } }
//     ⇄   { "tensors": { "$map": [["0.step", { "$tensor": "optimizer.tensors.0.step" }]] } }
import { TrenioError } from '../../base/errors.ts';
import { described, isLiteral, Tensor, tensor } from '../../tensor/index.ts';
import { isPlainObject, type StateTensor } from './stateful.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Writes state as JSON, and collects its tensors. */
export class StateWriter {
  readonly tensors = new Map<string, StateTensor>();

  /**
   * `path`: the names that led here. `isPlain`: tensors are restored as plain data.
   * @throws {CHECKPOINT_STATE} for what is neither plain data nor a tensor
   */
  write(value: unknown, path: string, isPlain: boolean): Json {
    const below = (key: string | number, child: unknown): Json => this.write(child, `${path}.${key}`, isPlain);
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
    if (typeof value === 'number')
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $number: Object.is(value, -0) ? '-0' : `${value}` };
    if (typeof value === 'bigint') return { $bigint: `${value}` };
    if (value instanceof Tensor) return { [isPlain ? '$literal' : '$tensor']: this.#add(path, value) };
    if (isLiteral(value)) return { $literal: this.#add(path, value) };
    if (value instanceof Map) {
      const entries = [...(value as ReadonlyMap<unknown, unknown>)];
      const other = entries.find(([key]) => typeof key !== 'string');
      if (other !== undefined) throw unsupported(path, `a map with the key ${described(other[0])}`);
      return { $map: entries.map(([key, child]) => [key as string, below(key as string, child)]) };
    }
    if (Array.isArray(value)) return value.map((child: unknown, i) => below(i, child));
    if (!isPlainObject(value)) throw unsupported(path, described(value));
    const entries = Object.entries(value).filter(([, child]) => child !== undefined);
    const written = entries.map(([key, child]): [string, Json] => [key, below(key, child)]);
    // Keys that look like ours.
    if (written.some(([key]) => key.startsWith('$'))) return { $object: written };
    return Object.fromEntries(written);
  }

  #add(path: string, value: StateTensor): string {
    let name = path;
    for (let n = 2; this.tensors.has(name); n++) name = `${path}#${n}`;
    this.tensors.set(name, value);
    return name;
  }
}

/** The names of the tensors in a state. */
export function tensorNames(json: Json): readonly string[] {
  if (typeof json !== 'object' || json === null) return [];
  if (isList(json)) return json.flatMap(tensorNames);
  const name = json.$tensor ?? json.$literal;
  return typeof name === 'string' ? [name] : Object.values(json).flatMap(tensorNames);
}

/** The state that was written, with the given tensors. */
export function readState(json: Json, tensors: ReadonlyMap<string, StateTensor>): unknown {
  const read = (child: Json): unknown => readState(child, tensors);
  if (typeof json !== 'object' || json === null) return json;
  if (isList(json)) return json.map(read);
  const [key, ...more] = Object.keys(json);
  if (key?.startsWith('$') && more.length === 0) {
    const value = json[key]!;
    if (key === '$number') return value === '-0' ? -0 : Number(value);
    if (key === '$bigint') return BigInt(value as string);
    if (key === '$literal') return tensors.get(value as string)!;
    if (key === '$tensor') {
      const read = tensors.get(value as string)!;
      return read instanceof Tensor ? read : tensor(read);
    }
    const entries = (value as readonly (readonly [string, Json])[]).map(
      ([name, child]) => [name, read(child)] as const,
    );
    return key === '$map' ? new Map(entries) : Object.fromEntries(entries);
  }
  return Object.fromEntries(Object.entries(json).map(([name, child]) => [name, read(child)]));
}

const isList = (json: Json): json is readonly Json[] => Array.isArray(json);
const unsupported = (path: string, got: string): TrenioError => new TrenioError('CHECKPOINT_STATE', { path, got });
