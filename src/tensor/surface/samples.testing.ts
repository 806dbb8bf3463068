// The calls of rows that tests make (test/golden/pytorch/samples.json), and the arguments that they describe, filled with random
// numbers: the same for the same row, variant and sample. They are written into the golden files, so that PyTorch and the tests
// read the same.
import { readFileSync } from 'node:fs';
import { philoxWords } from '../../numerics/philox.ts';
import type { Row, Variant } from './row.ts';

/**
 * An argument of a test sample. Tensors are described as `f32[2,3]`, with their contents after a space, as in
 * `f32[2,3] positive` (see `tensorContents`); or given by `{ dtype, data }`.
 */
export type SampleArgument =
  | string
  | number
  | boolean
  | null
  | readonly SampleArgument[]
  | { readonly dtype: string; readonly data: SampleArgument };
/**
 * The contents of sample tensors: random normal numbers by default (`large`: 100 times as large; integers from -9 to 9),
 * 0.1 and more (integers from 1), -1 to 1, 0 to 1, a permutation of 0 to n - 1, both zeros and infinities (`limits`),
 * these and NaN (`special`).
 */
export const tensorContents = [
  'normal',
  'large',
  'positive',
  'unit',
  'probability',
  'distinct',
  'limits',
  'special',
] as const;
export type Sample = Readonly<Record<string, SampleArgument>>;

export const sampled = JSON.parse(
  readFileSync(new URL('../../../test/golden/pytorch/samples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly (readonly Sample[])[]>>;
/** Calls of a variant, by its number. Each is run here and by PyTorch, with gradients; results and errors must be the same. */
export const samplesOf = (row: Pick<Row, 'name'>, variant: number): readonly Sample[] =>
  sampled[row.name]?.[variant] ?? [];

type Contents = (typeof tensorContents)[number];

/** A tensor as JSON: NaN and infinities are texts; complex numbers (c64, c128) take two entries. */
export interface TensorJson {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: readonly (number | string | boolean)[];
}
export type ArgumentJson = number | string | boolean | null | TensorJson | readonly ArgumentJson[];
export type ArgumentsJson = Readonly<Record<string, ArgumentJson>>;

const description = /^(\w+)\[([\d,]*)\](?: (\w+))?$/;
const special = [0, -0, 1.5, -2, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];

export function argumentsOf(row: Row, variant: Variant, sample: Sample): ArgumentsJson {
  const key = [...`${row.name} ${JSON.stringify(sample)}`].reduce(
    (hash, c) => BigInt.asUintN(64, (hash ^ BigInt(c.codePointAt(0)!)) * 0x100000001b3n),
    0xcbf29ce484222325n,
  );
  let stream = 0n;
  const fill = (value: SampleArgument): ArgumentJson => {
    if (typeof value === 'string') {
      const found = description.exec(value);
      if (found === null) return value;
      const shape = found[2] === '' ? [] : found[2]!.split(',').map(Number);
      return randomTensor(found[1]!, shape, (found[3] ?? 'normal') as Contents, key, stream++ << 32n);
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value === 'object' && value !== null && 'dtype' in value) return given(value.dtype, value.data);
    return value as number | boolean | null;
  };
  return Object.fromEntries(
    Object.keys(variant.params)
      .filter(name => name in sample)
      .map(name => [name, fill(sample[name]!)]),
  );
}

const elementsOf = (data: SampleArgument): (number | string | boolean)[] =>
  Array.isArray(data)
    ? (data as readonly SampleArgument[]).flatMap(elementsOf)
    : [typeof data === 'number' ? jsonNumber(data) : (data as string | boolean)];
function given(dtype: string, data: SampleArgument): TensorJson {
  const shape: number[] = [];
  for (let level: SampleArgument = data; Array.isArray(level); level = level[0] as SampleArgument)
    shape.push(level.length);
  return { dtype, shape, data: elementsOf(data) };
}
function randomTensor(
  dtype: string,
  shape: readonly number[],
  contents: Contents,
  key: bigint,
  counter: bigint,
): TensorJson {
  const count = shape.reduce((n, d) => n * d, dtype.startsWith('c') ? 2 : 1);
  const uniform = [...philoxWords(key, counter, 2 * count)].map(word => (word + 0.5) / 2 ** 32);
  const element = (i: number): number | boolean | string => {
    const [u, v] = [uniform[2 * i]!, uniform[2 * i + 1]!];
    if (dtype === 'i1') return u < 0.5;
    if (contents === 'special') return jsonNumber(special[i % special.length]!);
    if (contents === 'limits') return jsonNumber(special[i % (special.length - 1)]!);
    if (contents === 'distinct')
      return rank(
        uniform.filter((_, j) => j % 2 === 0),
        u,
      );
    if (/^u?i/.test(dtype)) {
      if (contents === 'large') return Math.floor(u * 200) - (dtype.startsWith('u') ? 0 : 100);
      return contents === 'positive' || dtype.startsWith('u') ? 1 + Math.floor(u * 9) : Math.floor(u * 19) - 9;
    }
    const normal = Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
    if (contents === 'positive') return short(0.1 + Math.abs(normal));
    if (contents === 'unit') return short(2 * u - 1);
    if (contents === 'probability') return short(u);
    return short(contents === 'large' ? 100 * normal : normal);
  };
  return { dtype, shape, data: Array.from({ length: count }, (_, i) => element(i)) };
}
const rank = (all: readonly number[], x: number): number => all.filter(y => y < x).length;
/** Few digits: exact in bf16 up to 4, and short in JSON; no negative zero. */
const short = (x: number): number => Math.round(x * 64) / 64 + 0;
export const jsonNumber = (x: number): number | string =>
  Number.isFinite(x) ? (Object.is(x, -0) ? '-0' : x) : String(x);
