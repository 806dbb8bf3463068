// The space of a tuning job: ranges of hyperparameters. A configuration is a point of the unit cube, one coordinate for each
// range, so that searches are independent of types and scales.
//
//   linear            u = (x - min) / (max - min)
//   logarithmic       u = log(x / min) / log(max / min)                          0 < min
//   reverse log.      u = log((1 - min) / (1 - x)) / log((1 - min) / (1 - max))   0 ≤ min, max < 1: values near 1
//   integer           the cube is divided into equal parts (or parts of equal logarithm), one for each
//   categorical       the same, one for each value

export type Scaling = 'linear' | 'logarithmic' | 'reverse-logarithmic';

export type ParameterRange =
  | {
      readonly kind: 'continuous';
      readonly name: string;
      readonly min: number;
      readonly max: number;
      readonly scaling: Scaling;
    }
  | {
      readonly kind: 'integer';
      readonly name: string;
      readonly min: number;
      readonly max: number;
      readonly scaling: Scaling;
    }
  | { readonly kind: 'categorical'; readonly name: string; readonly values: readonly string[] };

export type SearchSpace = readonly ParameterRange[];
/** A coordinate in [0, 1) for each range. */
export type Point = readonly number[];

/** Why a range cannot be searched; undefined if it can. */
export function rangeProblem(range: ParameterRange): string | undefined {
  if (range.kind === 'categorical')
    return new Set(range.values).size === range.values.length ? undefined : 'its values are not distinct';
  const { min, max, scaling, kind } = range;
  if (!Number.isFinite(min) || !Number.isFinite(max)) return 'MinValue and MaxValue must be numbers';
  if (min > max) return `MinValue ${min} is greater than MaxValue ${max}`;
  if (kind === 'integer' && !(Number.isSafeInteger(min) && Number.isSafeInteger(max)))
    return 'MinValue and MaxValue must be integers';
  if (scaling === 'logarithmic' && min <= 0) return `logarithmic scaling needs a MinValue greater than 0, got ${min}`;
  if (scaling === 'reverse-logarithmic' && (min < 0 || max >= 1))
    return `reverse logarithmic scaling needs values from 0 to below 1, got ${min} to ${max}`;
  if (scaling === 'reverse-logarithmic' && kind === 'integer')
    return 'reverse logarithmic scaling is for continuous ranges';
  return undefined;
}

/** The scaling for `Auto`: logarithmic if the values span orders of magnitude. */
export const autoScaling = (min: number, max: number): Scaling =>
  min > 0 && max / min >= 100 ? 'logarithmic' : 'linear';

/** The hyperparameters at a point, as text. */
export const configurationAt = (space: SearchSpace, point: Point): Readonly<Record<string, string>> =>
  Object.fromEntries(space.map((range, i) => [range.name, valueAt(range, point[i]!)]));

function valueAt(range: ParameterRange, u: number): string {
  switch (range.kind) {
    case 'continuous':
      return String(continuousAt(range, u));
    case 'integer':
      return String(integerAt(range, u));
    case 'categorical':
      return range.values[partOf(u, range.values.length)]!;
  }
}

const partOf = (u: number, count: number): number => Math.min(count - 1, Math.floor(u * count));
const clamp = (x: number, min: number, max: number): number => Math.min(max, Math.max(min, x));

type Numeric = Extract<ParameterRange, { readonly min: number }>;

function continuousAt({ min, max, scaling }: Numeric, u: number): number {
  switch (scaling) {
    case 'linear':
      return clamp(min + u * (max - min), min, max);
    case 'logarithmic':
      return clamp(min * (max / min) ** u, min, max);
    case 'reverse-logarithmic':
      return clamp(1 - (1 - min) * ((1 - max) / (1 - min)) ** u, min, max);
  }
}

function integerAt({ min, max, scaling }: Numeric, u: number): number {
  if (scaling === 'linear') return min + partOf(u, max - min + 1);
  return clamp(Math.round((min - 0.5) * ((max + 0.5) / (min - 0.5)) ** u), min, max);
}

/** The coordinate of the middle of an integer's part. */
function coordinateOf({ min, max, scaling }: Numeric, value: number): number {
  return scaling === 'linear'
    ? (value - min + 0.5) / (max - min + 1)
    : Math.log(value / (min - 0.5)) / Math.log((max + 0.5) / (min - 0.5));
}

/**
 * A point as input of the regression: coordinates with the same value are equal, and different categories are equidistant (each
 * has a dimension).
 */
export const featuresOf = (space: SearchSpace, point: Point): readonly number[] =>
  space.flatMap((range, i) => rangeFeatures(range, point[i]!));

function rangeFeatures(range: ParameterRange, u: number): readonly number[] {
  switch (range.kind) {
    case 'continuous':
      return [u];
    case 'integer':
      return [coordinateOf(range, integerAt(range, u))];
    case 'categorical': {
      const index = partOf(u, range.values.length);
      return range.values.map((_, j) => (j === index ? Math.SQRT1_2 : 0));
    }
  }
}

/** The number of configurations of a grid over categorical ranges. */
export const gridSize = (space: SearchSpace): number =>
  space.reduce((size, range) => size * (range.kind === 'categorical' ? range.values.length : 1), 1);

/** A point of the grid; the last range changes fastest. */
export function gridPoint(space: SearchSpace, index: number): Point {
  const point: number[] = [];
  let rest = index;
  for (const range of space.toReversed()) {
    const count = range.kind === 'categorical' ? range.values.length : 1;
    point.unshift(((rest % count) + 0.5) / count);
    rest = Math.floor(rest / count);
  }
  return point;
}
