// Histograms and precision-recall curves of values on the host, counted as PyTorch's SummaryWriter counts them.
import { TrenioError } from '../base/errors.ts';
import { userLocation } from '../tensor/location.ts';
import type { Histogram } from './messages.ts';

/**
 * How to divide values into buckets: the exponential ones of TensorBoard, a number of equal ones, or explicit edges in ascending
 * order.
 */
export type HistogramBins = 'tensorflow' | number | readonly number[];

/** Buckets on both sides of 0, each 10 % wider than the previous one. */
const tensorflowBins: readonly number[] = (() => {
  const positive: number[] = [];
  for (let edge = 1e-12; edge < 1e20; edge *= 1.1) positive.push(edge);
  return [...positive.map(edge => -edge).reverse(), 0, ...positive];
})();

/**
 * @throws {INVALID_OPTION} if there are no values, or one is not finite
 */
export function histogramOf(values: readonly number[], bins: HistogramBins, maxBins: number | undefined): Histogram {
  if (values.length === 0) throw wrongValues('at least one value', 'none');
  let [min, max, sum, sumSquares] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const value of values) {
    if (!Number.isFinite(value)) throw wrongValues('finite values', String(value));
    min = Math.min(min, value);
    max = Math.max(max, value);
    sum += value;
    sumSquares += value * value;
  }
  const edges = bins === 'tensorflow' ? tensorflowBins : typeof bins === 'number' ? equalBins(min, max, bins) : bins;
  let counts = countsOf(values, edges);
  let limits: readonly number[] = edges;
  if (maxBins !== undefined && counts.length > maxBins) {
    const width = Math.floor(counts.length / maxBins);
    const merged: number[] = [];
    const starts: number[] = [];
    for (let i = 0; i < counts.length; i += width) {
      merged.push(counts.slice(i, i + width).reduce((a, b) => a + b, 0));
      starts.push(limits[i]!);
    }
    limits = [...starts, limits.at(-1)!];
    counts = merged;
  }
  // Only the nonempty part, preceded by one empty bucket, because only right ends are written.
  const first = counts.findIndex(count => count > 0);
  const end = counts.findLastIndex(count => count > 0) + 1;
  if (first === -1) throw wrongValues('values within the bins', `values from ${min} to ${max}`);
  return {
    min,
    max,
    num: values.length,
    sum,
    sumSquares,
    bucketLimit: limits.slice(first, end + 1),
    bucket: first > 0 ? counts.slice(first - 1, end) : [0, ...counts.slice(0, end)],
  };
}
const wrongValues = (expected: string, got: string): TrenioError =>
  new TrenioError(
    'INVALID_OPTION',
    { what: 'addHistogram', option: 'values', got, expected },
    { location: userLocation() },
  );

function equalBins(min: number, max: number, bins: number): readonly number[] {
  const [low, high] = min === max ? [min - 0.5, max + 0.5] : [min, max];
  return Array.from({ length: bins + 1 }, (_, i) => (i === bins ? high : low + (i * (high - low)) / bins));
}
/** The number of values in each bin; the right end belongs to the last. */
function countsOf(values: readonly number[], edges: readonly number[]): number[] {
  const counts = new Array<number>(edges.length - 1).fill(0);
  for (const value of values) {
    let [low, high] = [0, edges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edges[middle]! <= value) low = middle + 1;
      else high = middle;
    }
    const bin = value === edges.at(-1) ? counts.length - 1 : low - 1;
    if (bin >= 0 && bin < counts.length) counts[bin]!++;
  }
  return counts;
}

const leastCount = 1e-7;
/** Rows of true positives, false positives, true negatives, false negatives, precision and recall, at each threshold. */
export function precisionRecall(
  labels: readonly number[],
  predictions: readonly number[],
  thresholds: number,
  weights: readonly number[] | undefined,
): readonly (readonly number[])[] {
  const truePositives = new Array<number>(thresholds).fill(0);
  const falsePositives = new Array<number>(thresholds).fill(0);
  predictions.forEach((prediction, i) => {
    const bucket = Math.min(thresholds - 1, Math.max(0, Math.floor(prediction * (thresholds - 1))));
    const weight = weights?.[i] ?? 1;
    truePositives[bucket]! += labels[i]! * weight;
    falsePositives[bucket]! += (1 - labels[i]!) * weight;
  });
  for (const counts of [truePositives, falsePositives])
    for (let i = thresholds - 2; i >= 0; i--) counts[i]! += counts[i + 1]!;
  const trueNegatives = falsePositives.map(count => falsePositives[0]! - count);
  const falseNegatives = truePositives.map(count => truePositives[0]! - count);
  const share = (others: readonly number[]): number[] =>
    truePositives.map((count, i) => count / Math.max(leastCount, count + others[i]!));
  return [truePositives, falsePositives, trueNegatives, falseNegatives, share(falsePositives), share(falseNegatives)];
}
