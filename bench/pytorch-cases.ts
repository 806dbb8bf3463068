// Random calls of every row of the tensor surface, compared with PyTorch: the samples of rows with other data types, shapes,
// contents and options, valid and invalid. Reports values and gradients that differ, calls that only one of both refuses, and
// untyped errors.
//
//   PYTHON=/path/to/python node bench/pytorch-cases.ts [--seed 1] [--count 12] [--signs] [--kind wrong] [names of rows …]
//
// `count` is per row. Python needs torch. `--dtype c64` runs the samples in one type; `--signs` compares signs of zero, too;
// `--kind` prints one kind of difference. Of results at random, data types and shapes are compared. Wrong results in rows whose
// difference docs/pytorch.md names, those of operands that are infinite, NaN or beyond 1e20, and accepted calls that it names
// are counted apart.
import './help.ts';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { acceptedKindOf } from '../scripts/surface/accepted.ts';
import { isTrenioError } from '../src/base/errors.ts';
import { InterpreterBackend } from '../src/runtime/backends/interpreter/interpreter-backend.ts';
import { EagerMode } from '../src/tensor/debugging/eager.ts';
import { Device } from '../src/tensor/device.ts';
import type { GoldenCase, GoldenOutcome } from '../src/tensor/surface/golden.testing.ts';
import { rows } from '../src/tensor/surface/index.ts';
import { type Param, snakeCase } from '../src/tensor/surface/params.ts';
import { differenceOf, finished, startCase } from '../src/tensor/surface/pytorch.testing.ts';
import type { Row, Variant } from '../src/tensor/surface/row.ts';
import { randomRows } from '../src/tensor/surface/rows/random.ts';
import {
  type ArgumentJson,
  type ArgumentsJson,
  argumentsOf,
  samplesOf,
  type TensorJson,
} from '../src/tensor/surface/samples.testing.ts';

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '12' },
    dtype: { type: 'string' },
    signs: { type: 'boolean', default: false },
    kind: { type: 'string' },
  },
  allowPositionals: true,
});
const chosen = positionals.length === 0 ? rows : rows.filter(row => positionals.includes(row.name));

let state = Number(values.seed) >>> 0;
/** mulberry32 */
function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const below = (n: number): number => Math.floor(random() * n);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
const chance = (p: number): boolean => random() < p;

const dtypes = ['f64', 'f32', 'bf16', 'f16', 'i64', 'i32', 'i16', 'i8', 'ui8', 'i1', 'c64', 'c128'];
const floats = ['f64', 'f32', 'bf16', 'f16'];
const limits: Readonly<Record<string, readonly number[]>> = {
  i64: [2 ** 53, -(2 ** 53)],
  i32: [2 ** 31 - 1, -(2 ** 31)],
  i16: [2 ** 15 - 1, -(2 ** 15)],
  i8: [127, -128],
  ui8: [255, 128],
  i1: [],
};
const edges = [
  0,
  '-0',
  1,
  -1,
  0.5,
  -0.5,
  2,
  -2,
  'Infinity',
  '-Infinity',
  'NaN',
  1e-40,
  -1e-40,
  1e30,
  -1e30,
  3e38,
  1e-30,
  100,
  -100,
];
const isRandom = ({ name }: Row): boolean =>
  name in randomRows || /^(rrelu|gumbelSoftmax|empty|emptyLike|newEmpty)$/.test(name);
const isTensor = (value: ArgumentJson): value is TensorJson =>
  typeof value === 'object' && value !== null && 'dtype' in value;

type Contents = 'keep' | 'edges' | 'ties' | 'fresh';
function element(dtype: string, contents: Contents): number | string | boolean {
  if (dtype === 'i1') return chance(0.5);
  if (dtype in limits) {
    if (contents === 'edges' && chance(0.3)) return pick(limits[dtype]!);
    const whole = contents === 'ties' ? below(3) : below(9) - 4;
    return dtype === 'ui8' ? Math.abs(whole) : whole;
  }
  if (contents === 'edges') return pick(edges);
  if (contents === 'ties') return below(3) - 1;
  return Math.round((random() * 6 - 3) * 64) / 64 + 0;
}
/** Converts what an element of another type was. */
function converted(dtype: string, x: number | string | boolean): number | string | boolean {
  const value = Number(x);
  if (dtype === 'i1') return value !== 0;
  if (!(dtype in limits)) return Number.isFinite(value) ? value : x;
  const whole = Number.isFinite(value) ? Math.trunc(value) + 0 : 0;
  const [most = 0, least = 0] = limits[dtype]!;
  return dtype === 'ui8' ? Math.min(Math.abs(whole), most) : Math.max(least, Math.min(whole, most));
}
function refilled(x: TensorJson, dtype: string, shape: readonly number[], contents: Contents): TensorJson {
  const count = shape.reduce((n, size) => n * size, dtype.startsWith('c') ? 2 : 1);
  const data = Array.from({ length: count }, (_, i) =>
    contents === 'keep' && x.data.length > 0 ? converted(dtype, x.data[i % x.data.length]!) : element(dtype, contents),
  );
  return { dtype, shape, data };
}
const mapTensors = (value: ArgumentJson, change: (x: TensorJson) => TensorJson): ArgumentJson =>
  isTensor(value)
    ? change(value)
    : Array.isArray(value)
      ? value.map((entry: ArgumentJson) => mapTensors(entry, change))
      : value;
const mapAll = (all: ArgumentsJson, change: (x: TensorJson) => TensorJson): ArgumentsJson =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, mapTensors(value, change)]));
const mapOne = (all: ArgumentsJson, change: (x: TensorJson) => TensorJson): ArgumentsJson => {
  const names = Object.keys(all).filter(name => isTensor(all[name]!) || Array.isArray(all[name]));
  if (names.length === 0) return all;
  const name = pick(names);
  return { ...all, [name]: mapTensors(all[name]!, change) };
};
const isFloating = (x: TensorJson): boolean => !(x.dtype in limits);

const changes: readonly ((all: ArgumentsJson) => ArgumentsJson)[] = [
  // another float type for the floats, or for all
  all => {
    const dtype = pick(floats);
    return mapAll(all, x => (isFloating(x) ? refilled(x, dtype, x.shape, 'keep') : x));
  },
  all => {
    const dtype = pick(dtypes);
    return mapAll(all, x => (isFloating(x) ? refilled(x, dtype, x.shape, 'keep') : x));
  },
  all => {
    const dtype = pick(dtypes);
    return mapOne(all, x => refilled(x, dtype, x.shape, 'keep'));
  },
  // other elements
  all => mapAll(all, x => (isFloating(x) ? refilled(x, x.dtype, x.shape, 'edges') : x)),
  all => mapAll(all, x => (isFloating(x) ? refilled(x, x.dtype, x.shape, 'ties') : x)),
  all => mapAll(all, x => (isFloating(x) ? refilled(x, x.dtype, x.shape, 'fresh') : x)),
  all => mapOne(all, x => refilled(x, x.dtype, x.shape, 'edges')),
  // other sizes, the same for equal sizes
  all => {
    const sizes = new Map<number, number>();
    const renamed = (size: number): number => {
      if (!sizes.has(size)) sizes.set(size, pick([size, 0, 1, 2, 3, 4, 5]));
      return sizes.get(size)!;
    };
    return mapAll(all, x => refilled(x, x.dtype, x.shape.map(renamed), 'keep'));
  },
  // more or fewer dims
  all => {
    const lead = pick([[1], [2], [2, 1], [0]]);
    return mapAll(all, x => refilled(x, x.dtype, [...lead, ...x.shape], isFloating(x) ? 'fresh' : 'keep'));
  },
  all => mapAll(all, x => refilled(x, x.dtype, x.shape.slice(1), 'keep')),
  all => mapAll(all, x => refilled(x, x.dtype, [], 'keep')),
  all => mapOne(all, x => refilled(x, x.dtype, [], 'keep')),
  all =>
    mapOne(all, x =>
      refilled(
        x,
        x.dtype,
        x.shape.map(size => (chance(0.4) ? 1 : size)),
        'keep',
      ),
    ),
  all =>
    mapOne(all, x =>
      refilled(x, x.dtype, pick([[], [0], [1], [3], [2, 3], [1, 3], [2, 0], [2, 2], [2, 1, 3]]), 'keep'),
    ),
];
function value(param: Param<unknown>): ArgumentJson | undefined {
  const { expected } = param;
  const integer = (): number => pick([0, 1, 2, 3, -1, -2, -3, 4, 5]);
  const real = (): number => pick([0, 1, 2, -1, 0.5, -0.5, 1.5, 3, 10, 1e-5]);
  if (expected === 'true or false') return chance(0.5);
  if (/^'/.test(expected)) return pick(expected.split(' or ').map(choice => choice.slice(1, -1)));
  if (expected === 'a number') return real();
  if (expected.startsWith("a number or 'fro'") || expected.startsWith("a number, 'fro'"))
    return pick([0, 1, 2, -1, 'fro']);
  if (expected === 'a tensor or a number' && chance(0.5)) return pick([0, 1, 2, -1, 0.5, true]);
  if (expected === 'a tensor or a number' || expected === 'a tensor')
    return refilled(
      { dtype: 'f32', shape: [], data: [] },
      pick(dtypes),
      pick([[], [1], [3], [2, 3], [2], [4]]),
      'fresh',
    );
  if (expected.startsWith('an integer of at least')) return below(5);
  if (
    expected.startsWith('a dim or') ||
    expected.startsWith('an integer or an array') ||
    expected.startsWith('an integer, an array')
  )
    return chance(0.6) ? integer() : Array.from({ length: below(4) }, integer);
  if (expected.startsWith('an array of') || expected === 'integers') return Array.from({ length: below(4) }, integer);
  if (expected.startsWith('an integer') || expected.startsWith('a dim')) return integer();
  if (expected.startsWith('a data type'))
    return pick(['float64', 'float32', 'bfloat16', 'int64', 'int32', 'uint8', 'bool', 'complex64']);
  return undefined;
}
function mutated(variant: Variant, all: ArgumentsJson): ArgumentsJson {
  let now = all;
  const params = Object.entries(variant.params);
  if (values.dtype !== undefined)
    now = mapAll(now, x => (isFloating(x) ? refilled(x, values.dtype!, x.shape, 'fresh') : x));
  for (let i = values.dtype === undefined ? 1 + below(3) : 0; i > 0; i--) {
    if (chance(0.6)) now = pick(changes)(now);
    else {
      const others = params.filter(([name, { expected }]) => !/tensor/.test(expected) || !(name in now));
      if (others.length === 0) continue;
      const [name, param] = pick(others);
      if (name in now && param.isOptional && chance(0.3)) {
        now = Object.fromEntries(Object.entries(now).filter(([other]) => other !== name));
        continue;
      }
      const made = value(param);
      if (made !== undefined && made !== null) now = { ...now, [name]: made };
    }
  }
  // in the order of the parameters
  return Object.fromEntries(params.filter(([name]) => name in now).map(([name]) => [name, now[name]!]));
}

const made = chosen
  .filter(row => row.variants.some((_, i) => samplesOf(row, i).length > 0))
  .map(row => ({
    row,
    cases: Array.from({ length: Number(values.count) }, () => {
      const at = below(row.variants.length);
      const i = samplesOf(row, at).length > 0 ? at : 0;
      const variant = row.variants[i]!;
      return { variant: i, arguments: mutated(variant, argumentsOf(row, variant, pick(samplesOf(row, i)))) };
    }),
  }));
const requests = made.map(({ row, cases }) => ({
  name: row.name,
  torch: row.torch[0]!,
  gradient: row.gradient !== 'none',
  signs: row.freeSigns,
  uncompared: row.uncompared,
  cases: cases.map(entry => ({
    ...entry,
    spelling: Object.fromEntries(
      Object.entries(row.variants[entry.variant]!.params).map(([name, param]) => [
        name,
        param.torch ?? snakeCase(name),
      ]),
    ),
    self: row.self,
    places: Object.entries(row.variants[entry.variant]!.params).flatMap(([name, param]) =>
      param.byNameOnly ? [] : [name],
    ),
    variadic: [],
  })),
}));
const python = spawnSync(
  process.env.PYTHON ?? 'python3',
  [fileURLToPath(new URL('../scripts/golden/run.py', import.meta.url))],
  { input: JSON.stringify(requests), encoding: 'utf8', maxBuffer: 1 << 29 },
);
if (python.status !== 0) throw new Error(python.stderr);
// MKL prints its complaints to standard output
const answers = JSON.parse(python.stdout.slice(python.stdout.indexOf('[{'))) as readonly {
  readonly name: string;
  readonly cases: readonly GoldenCase[];
}[];

type Kind =
  | 'wrong'
  | 'wrong of a named difference'
  | 'wrong beyond finite numbers'
  | 'sign of zero'
  | 'refused'
  | 'accepted'
  | 'accepted as documented'
  | 'untyped';
const found: { readonly kind: Kind; readonly row: Row; readonly text: string }[] = [];
let total = 0;
let valid = 0;
function outcomeOf(row: Row, golden: GoldenCase): GoldenOutcome | { readonly untyped: string } {
  const device = new Device(new InterpreterBackend(), { seed: 1, eager: new EagerMode('never'), log: () => {} });
  try {
    return finished(startCase(device, row, golden));
  } catch (error) {
    if (isTrenioError(error)) return { raises: error.message };
    return {
      untyped:
        error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ') : String(error),
    };
  }
}
/** Without the elements and gradients of results at random. */
const comparable = (row: Row, outcome: GoldenOutcome): GoldenOutcome =>
  'raises' in outcome || !isRandom(row)
    ? outcome
    : { results: outcome.results.map(({ dtype, shape }) => ({ dtype, shape, data: [] })) };
const isHuge = (x: ArgumentJson): boolean =>
  isTensor(x) ? x.data.some(one => !(Math.abs(Number(one)) < 1e20)) : Array.isArray(x) && x.some(isHuge);
function kindOf(row: Row, golden: GoldenCase, got: GoldenOutcome): Kind {
  if ('raises' in golden.outcome)
    return acceptedKindOf(row.name, golden.outcome.raises) === undefined ? 'accepted' : 'accepted as documented';
  if ('raises' in got) return 'refused';
  if (row.differs !== undefined) return 'wrong of a named difference';
  return Object.values(golden.arguments).some(isHuge) ? 'wrong beyond finite numbers' : 'wrong';
}
/** Zeros of the other sign in results. */
function otherZeros(expected: GoldenOutcome, got: GoldenOutcome): boolean {
  if ('raises' in expected || 'raises' in got) return false;
  const ours = got.results;
  return expected.results.some((x, i) =>
    x.data.some(
      (one, j) =>
        Number(one) === 0 && Number(ours[i]?.data[j]) === 0 && !Object.is(Number(one), Number(ours[i]!.data[j])),
    ),
  );
}
for (const [i, { row }] of made.entries())
  for (const golden of answers[i]!.cases) {
    total++;
    if (!('raises' in golden.outcome)) valid++;
    const begin = performance.now();
    const got = outcomeOf(row, golden);
    const ms = performance.now() - begin;
    if (ms > 1000)
      console.log(`${(ms / 1000).toFixed(1)} s: ${row.name} ${JSON.stringify(golden.arguments).slice(0, 200)}`);
    const where = `${row.name}#${golden.variant} ${JSON.stringify(golden.arguments)}`;
    if ('untyped' in got) found.push({ kind: 'untyped', row, text: `${where}\n    ${got.untyped}` });
    else {
      const [line] = differenceOf({ ...golden, outcome: comparable(row, golden.outcome) }, comparable(row, got));
      if (line === undefined) {
        if (values.signs && otherZeros(golden.outcome, got))
          found.push({
            kind: 'sign of zero',
            row,
            text: `${where}\n    ${JSON.stringify(golden.outcome)}\n    ${JSON.stringify(got)}`,
          });
        continue;
      }
      found.push({
        kind: kindOf(row, golden, got),
        row,
        text: `${where}\n    PyTorch ${JSON.stringify(golden.outcome).slice(0, 500)}\n    Trenio  ${JSON.stringify(got).slice(0, 500)}`,
      });
    }
  }
const kinds: readonly Kind[] = [
  'untyped',
  'wrong',
  'wrong of a named difference',
  'wrong beyond finite numbers',
  'refused',
  'accepted',
  'accepted as documented',
  'sign of zero',
];
for (const kind of kinds) {
  if (values.kind !== undefined && !values.kind.split(',').includes(kind)) continue;
  const of = found.filter(one => one.kind === kind);
  console.log(`\n== ${kind}: ${of.length}`);
  for (const { text } of of) console.log(text);
}
console.log(
  `\n${total} calls, ${valid} of them valid in PyTorch: ${kinds.map(kind => `${found.filter(one => one.kind === kind).length} ${kind}`).join(', ')}`,
);
