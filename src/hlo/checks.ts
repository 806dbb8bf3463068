// The checks of the StableHLO test suite: two literals compared element by element. Returns the first element that fails and the
// number of failures; undefined if all pass.
import { bytesOf, type Literal, numberAt } from './literal.ts';
import { elementCount, formatType, isFloat, numberKind, sameShape, stridesOf } from './types.ts';

export interface Mismatch {
  readonly index: readonly number[];
  readonly actual: string;
  readonly expected: string;
  /** The distance between them, and the tolerance. */
  readonly difference: string;
  /** The number of failing elements, and of all elements. */
  readonly failing: number;
  readonly elements: number;
}
/** The problem with entry i (a part of a complex number is an entry), or undefined. */
type Judge = (i: number) => string | undefined;

function firstMismatch(actual: Literal, expected: Literal, judge: Judge): Mismatch | undefined {
  const { elementType, shape } = actual.type;
  const elements = elementCount(shape);
  if (elementType !== expected.type.elementType || !sameShape(shape, expected.type.shape)) {
    const difference = 'the types differ';
    const types = { actual: formatType(actual.type), expected: formatType(expected.type) };
    return { index: [], ...types, difference, failing: elements, elements };
  }
  const parts = numberKind(elementType) === 'complex' ? 2 : 1;
  let first: Mismatch | undefined;
  let failing = 0;
  for (let i = 0; i < elements; i++) {
    const difference = judge(i * parts) ?? (parts === 2 ? judge(i * 2 + 1) : undefined);
    if (difference === undefined) continue;
    failing++;
    const index = stridesOf(shape).map((stride, d) => Math.floor(i / stride) % shape[d]!);
    first ??= { index, actual: textOf(actual, i), expected: textOf(expected, i), difference, failing: 0, elements };
  }
  return first && { ...first, failing };
}

function textOf(lit: Literal, i: number): string {
  const entry = (at: number): string => {
    const stored = lit.data[at]!;
    const value = typeof stored === 'bigint' ? stored : numberAt(lit, at);
    return Object.is(value, -0) ? '-0' : String(value);
  };
  return numberKind(lit.type.elementType) === 'complex' ? `(${entry(2 * i)}, ${entry(2 * i + 1)})` : entry(i);
}

/** Equal as IEEE 754 compares: NaN is not equal to anything, -0 equals 0. */
export function notEqual(actual: Literal, expected: Literal): Mismatch | undefined {
  const numbers = isFloat(actual.type.elementType);
  const same = (i: number): boolean =>
    numbers ? numberAt(actual, i) === numberAt(expected, i) : actual.data[i] === expected.data[i];
  return firstMismatch(actual, expected, i => (same(i) ? undefined : 'must be equal'));
}

/** At most `tolerance` apart; NaN matches NaN, and an infinity itself. */
export function notAlmostEqual(actual: Literal, expected: Literal, tolerance: number): Mismatch | undefined {
  return firstMismatch(actual, expected, i => {
    const [a, b] = [numberAt(actual, i), numberAt(expected, i)];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return undefined;
    const distance = Math.abs(a - b);
    return distance <= tolerance ? undefined : `${distance} apart, at most ${tolerance} allowed`;
  });
}

/** Checks that two elements are between `min` and `max` units in the last place of the element type apart. */
export function notClose(actual: Literal, expected: Literal, min: number, max: number): Mismatch | undefined {
  const parts = numberKind(actual.type.elementType) === 'complex' ? 2 : 1;
  const distance = ulpDistance(actual, expected);
  return firstMismatch(actual, expected, i => {
    // For a complex number, the part with the larger distance counts for both parts.
    const far = parts === 2 ? Math.max(distance(i), distance(i ^ 1)) : distance(i);
    return far >= min && far <= max ? undefined : `${far} ULP apart, ${min === 0 ? '' : `${min} … `}${max} allowed`;
  });
}

/** The distance between two different numbers if one is not finite: the largest 64-bit number. */
const unbounded = 2 ** 64;

/** For two literals of one float or complex type: how many numbers of the type lie between entries i. */
export function ulpDistance(actual: Literal, expected: Literal): (i: number) => number {
  const [a, b] = [magnitudesOf(actual), magnitudesOf(expected)];
  return i => {
    const [x, y] = [numberAt(actual, i), numberAt(expected, i)];
    if (x === y || (Number.isNaN(x) && Number.isNaN(y))) return 0;
    if (!Number.isFinite(x) || !Number.isFinite(y)) return unbounded;
    // The words are subtracted separately, so that small differences are exact.
    const sign = x < 0 === y < 0 ? 1 : -1;
    const [high, low] = [a(i)[0] - sign * b(i)[0], a(i)[1] - sign * b(i)[1]];
    return Math.abs(high * 2 ** 32 + low);
  };
}

/** The bits of entry i without its sign, as a high and a low word: ordered like the magnitudes of the numbers. */
function magnitudesOf(lit: Literal): (i: number) => readonly [high: number, low: number] {
  const bytes = bytesOf(lit);
  const { BYTES_PER_ELEMENT: width } = lit.data;
  if (width === 8) {
    const words = new Uint32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, lit.data.length * 2);
    return i => [words[2 * i + 1]! & 0x7fffffff, words[2 * i]!];
  }
  if (width === 4) {
    const words = new Uint32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, lit.data.length);
    return i => [0, words[i]! & 0x7fffffff];
  }
  if (width === 2) {
    const words = new Uint16Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, lit.data.length);
    return i => [0, words[i]! & 0x7fff];
  }
  const signBit = signBits.get(lit.type.elementType.slice(0, 2)) ?? 0;
  return i => [0, lit.type.elementType === 'f8E8M0FNU' ? bytes[i]! : bytes[i]! & (signBit - 1)];
}
const signBits: ReadonlyMap<string, number> = new Map([
  ['f4', 8],
  ['f6', 32],
  ['f8', 128],
]);
