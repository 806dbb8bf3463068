// Numbers as the tables and the page of a plan write them.

/** Four significant digits: `1,234`, `47.95`, `1.234M`. */
export function compact(value: number): string {
  if (value >= 1e9) return `${Number((value / 1e9).toPrecision(4))}B`;
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(4))}M`;
  return Number(value.toPrecision(4)).toLocaleString('en-US');
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
