// From values to positions on an axis, and the labels of the axis.

export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** From 0 to at least `most`, in round steps. */
export function linearScale(most: number, from: number, to: number, count = 5): Scale {
  const top = most > 0 ? most : 1;
  const raw = top / count;
  const magnitude = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find(m => m * magnitude >= raw)! * magnitude;
  const last = Math.ceil(top / step - 1e-9);
  const ticks = Array.from({ length: last + 1 }, (_, i) => i * step);
  const end = last * step;
  return { at: value => from + (value / end) * (to - from), ticks };
}

/** Percentages, from 0 to 100 or a little more where something is beyond it. */
export function percentScale(most: number, from: number, to: number): Scale {
  const end = Math.max(100, most);
  const step = end > 300 ? 100 : end > 150 ? 50 : 20;
  const ticks = Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, i) => i * step);
  return { at: value => from + (value / end) * (to - from), ticks };
}

/** A scale for positive values: powers of ten, with numbers between them if there is room. */
export function logScale(values: readonly number[], from: number, to: number): Scale {
  const range = logRange(values);
  const decades = range.high - range.low;
  const inner = decades > 4 ? [1] : decades > 2 ? [1, 3] : decades > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8];
  const candidates: number[] = [];
  for (let power = Math.floor(range.low); power <= range.high; power++)
    for (const m of inner) candidates.push(m * 10 ** power);
  return { at: logPlace(range, from, to), ticks: within(range, candidates) };
}

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const roundSpans: readonly number[] = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
  ...[1, 2, 5, 10, 20, 30],
  ...[1, 2, 5, 10, 20, 30].map(minutes => minutes * MINUTE),
  ...[1, 2, 4, 8, 12].map(hours => hours * HOUR),
  ...[1, 2, 4, 7, 14, 30, 60, 120, 240, 480, 1000, 2000, 5000].map(days => days * DAY),
];
/** The same for seconds, labeled at spans that people speak of, `most` of them at most. */
export function durationScale(values: readonly number[], from: number, to: number, most = 6): Scale {
  const range = logRange(values);
  const ticks = within(range, roundSpans);
  const every = Math.ceil(ticks.length / most);
  return { at: logPlace(range, from, to), ticks: ticks.filter((_, i) => i % every === 0) };
}

interface LogRange {
  readonly low: number;
  readonly high: number;
}
/** A little room on both sides, and some extent where all values are the same. */
function logRange(values: readonly number[]): LogRange {
  const least = Math.log10(Math.min(...values));
  const most = Math.log10(Math.max(...values));
  return { low: least - 0.1, high: Math.max(most, least + 0.3) + 0.1 };
}
const logPlace =
  ({ low, high }: LogRange, from: number, to: number) =>
  (value: number): number =>
    from + ((Math.log10(value) - low) / (high - low)) * (to - from);
const within = ({ low, high }: LogRange, candidates: readonly number[]): readonly number[] =>
  candidates.filter(tick => Math.log10(tick) >= low && Math.log10(tick) <= high);

/** Positions of equal distance for each doubling. */
export function doublingScale(values: readonly number[], from: number, to: number): Scale {
  const least = Math.log2(Math.min(...values));
  const extent = Math.max(1, Math.log2(Math.max(...values)) - least);
  return {
    at: value => from + ((Math.log2(value) - least) / extent) * (to - from),
    ticks: [...new Set(values)].toSorted((a, b) => a - b),
  };
}
