// Points of a metric, aggregated by their position on the x axis: one value of a statistic for each position.

export type MetricStatistic = 'Min' | 'Max' | 'Avg' | 'Count' | 'StdDev' | 'Last';

/** Both bounds are inclusive. */
export interface AxisRange {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

interface Group {
  count: number;
  min: number;
  max: number;
  last: number;
  /** Welford's algorithm: the sum of squares would lose digits of values that are far from 0. */
  mean: number;
  squares: number;
}

/** In the order of the x axis. @param at the position of each value on the x axis */
export function aggregate(
  at: Float64Array,
  values: Float64Array,
  statistic: MetricStatistic,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: AxisRange,
): { readonly x: readonly number[]; readonly y: readonly number[] } {
  const groups = new Map<number, Group>();
  for (let i = 0; i < values.length; i++) {
    const [x, value] = [at[i]!, values[i]!];
    if (x < from || x > to) continue;
    let group = groups.get(x);
    if (group === undefined) {
      group = { count: 0, min: value, max: value, last: value, mean: 0, squares: 0 };
      groups.set(x, group);
    }
    group.count++;
    group.min = Math.min(group.min, value);
    group.max = Math.max(group.max, value);
    group.last = value;
    const difference = value - group.mean;
    group.mean += difference / group.count;
    group.squares += difference * (value - group.mean);
  }
  const x = [...groups.keys()].sort((a, b) => a - b);
  return { x, y: x.map(one => statisticOf(groups.get(one)!, statistic)) };
}

function statisticOf({ count, min, max, last, mean, squares }: Group, statistic: MetricStatistic): number {
  switch (statistic) {
    case 'Min':
      return min;
    case 'Max':
      return max;
    case 'Avg':
      return mean;
    case 'Count':
      return count;
    case 'StdDev':
      // The standard deviation of the values themselves, not an estimate for a population.
      return Math.sqrt(squares / count);
    case 'Last':
      return last;
  }
}
