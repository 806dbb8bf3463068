// Round numbers for an axis: the first is at most the smallest value, the last at least the largest.
export function axisTicks(low: number, high: number, count: number): readonly number[] {
  const span = high - low || Math.abs(high) || 1;
  const size = 10 ** Math.floor(Math.log10(span / count));
  const step = size * ([1, 2, 2.5, 5, 10].find(factor => span / (size * factor) <= count) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
