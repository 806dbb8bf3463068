// Random bits of parts, from the counters that the whole has there. Philox computes four words from each counter, so a run of
// elements that starts at a multiple of four words is generated from a later counter:
//
//   tensor<4x8xui32> along dim 1 = 2     part 1: rows of 4 words, from counters 1, 3, 5, 7
import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import { type OpOf, shapeOf, type Value } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import { elementBytes, elementCount, stridesOf } from '../../hlo/types.ts';
import { sizeOfAxes } from './axes.ts';
import type { DeviceIndex } from './device-index.ts';
import { type Layout, whole } from './layout.ts';
import type { Make, Parts } from './parts.ts';

/** The runs of a part are generated one by one; of more, the whole is generated and sliced. */
const maxRuns = 16;
const wordsOfCounter = 4;

/** How the new state and the bits are made; undefined for other generators. */
export function randomPartsOf(
  op: OpOf<'rng_bit_generator'>,
  parts: Parts,
  devices: DeviceIndex,
  mesh: Mesh,
): readonly Make[] | undefined {
  const { rngAlgorithm, type } = op.attributes;
  if (rngAlgorithm === 'THREE_FRY') return undefined;
  const [given] = op.operands;
  const wordsOfElement = Math.ceil(elementBytes(type.elementType) / 4);
  const stateIn = (b: Builder): Value => parts.in(b, given, whole(given.type));
  const generate = (b: Builder, state: Value, shape: readonly number[]): Value =>
    b.emit('rng_bit_generator', [state], { ...op.attributes, type: { ...type, shape } })[1]!;
  const newState: Make = (b, layout) => {
    const counters = Math.ceil((elementCount(type.shape) * wordsOfElement) / wordsOfCounter);
    const isWhole = layout.every(axes => axes.length === 0);
    return isWhole ? advanced(b, stateIn(b), b.constant(literal('ui64', [], [BigInt(counters)]))) : undefined;
  };
  const bits: Make = (b, layout) => {
    const last = layout.findLastIndex(axes => axes.length > 0);
    if (last < 0) return generate(b, stateIn(b), type.shape);
    const runs = runsOf(type.shape, layout, last, wordsOfElement, mesh);
    if (runs === undefined) return undefined;
    const state = advanced(b, stateIn(b), startOf(b, layout, runs, devices));
    const made = runs.offsets.map(offset => {
      const start = offset === 0 ? state : advanced(b, state, b.constant(literal('ui64', [], [BigInt(offset)])));
      return generate(b, start, runs.shape);
    });
    const all = made.length === 1 ? made[0]! : b.emit1('concatenate', made, { dimension: 0 });
    return b.reshape(all, runs.part);
  };
  return [newState, bits];
}

interface Runs {
  readonly part: readonly number[];
  /** The shape of one run. */
  readonly shape: readonly number[];
  /** The counters before each run, from the first one. */
  readonly offsets: readonly number[];
  /** The counters of a part along each dim. */
  readonly counters: readonly number[];
}

/** The parts of memory that a part of a tensor consists of; undefined if they do not start with counters, or are many. */
function runsOf(
  whole: readonly number[],
  layout: Layout,
  last: number,
  wordsOfElement: number,
  mesh: Mesh,
): Runs | undefined {
  const part = whole.map((size, d) => size / sizeOfAxes(layout[d]!, mesh));
  const strides = stridesOf(whole).map(stride => (stride * wordsOfElement) / wordsOfCounter);
  const outer = part.slice(0, last);
  const outerStrides = stridesOf(outer);
  const count = elementCount(outer);
  const length = part[last]! * strides[last]!;
  if (!part.every(Number.isInteger) || !Number.isInteger(length) || count > maxRuns) return undefined;
  const offsets = Array.from({ length: count }, (_, run) =>
    outer.reduce((sum, size, d) => sum + (Math.floor(run / outerStrides[d]!) % size) * strides[d]!, 0),
  );
  return { part, shape: part.slice(last), offsets, counters: part.map((size, d) => size * strides[d]!) };
}

/** The counter at which the part of this device starts. */
function startOf(b: Builder, layout: Layout, { counters }: Runs, devices: DeviceIndex): Value {
  const starts = layout.flatMap((axes, d) => (axes.length === 0 ? [] : [devices.start(axes, counters[d]!)]));
  return b.convert(
    starts.reduce((x, y) => b.add(x, y)),
    'ui64',
  );
}

/** A state some counters later. The counter of two words does not reach the end of its range within one op. */
function advanced(b: Builder, state: Value, counters: Value): Value {
  const [words] = shapeOf(state) as [number];
  const zero = b.constant(literal('ui64', [], [0n]));
  const added = (value: Value, word: number): Value => b.pad(b.reshape(value, [1]), zero, [word], [words - 1 - word]);
  const next = b.add(state, added(counters, 1));
  if (words < 3) return next;
  const low = (x: Value): Value => b.slice(x, [1], [2]);
  const carry = b.convert(b.compare('LT', low(next), low(state)), 'ui64');
  return b.add(next, added(carry, 2));
}
