// Reduces a series to the resolution of a chart: for each pixel column the first, the smallest, the largest and the last point,
// so that the line through them covers the same pixels as one through all points (M4).
//
// Jugel et al., M4: A Visualization-Oriented Time Series Data Aggregation, VLDB 2014.

/** The indices of the points to draw, ascending. @param x ascending @param columns pixels of the chart's width */
export function downsample(x: Float64Array, y: Float64Array, columns: number, from = 0, to = x.length): Uint32Array {
  const count = to - from;
  if (count <= columns * 4) return Uint32Array.from({ length: count }, (_, i) => from + i);
  const start = x[from]!;
  const width = (x[to - 1]! - start) / columns || 1;
  const kept: number[] = [];
  let first = from;
  while (first < to) {
    const column = Math.min(columns - 1, Math.floor((x[first]! - start) / width));
    const end = column === columns - 1 ? Number.POSITIVE_INFINITY : start + (column + 1) * width;
    let [least, most, last] = [first, first, first];
    for (let i = first + 1; i < to && x[i]! < end; i++) {
      if (y[i]! < y[least]!) least = i;
      if (y[i]! > y[most]!) most = i;
      last = i;
    }
    const middle = least < most ? [least, most] : [most, least];
    for (const index of [first, ...middle, last]) if (index !== kept.at(-1)) kept.push(index);
    first = last + 1;
  }
  return Uint32Array.from(kept);
}
