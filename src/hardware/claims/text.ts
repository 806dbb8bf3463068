// Formats claims for the page and the terminal.
import type { JudgedClaim } from './claim.ts';

/** Four significant digits, and at least the given number of decimals. */
function formatFigure(value: number, leastDecimals: number): string {
  const counting = Math.max(0, Math.min(4, 3 - Math.floor(Math.log10(Math.abs(value) || 1))));
  return value.toLocaleString('en', { maximumFractionDigits: Math.max(counting, leastDecimals) });
}

function withUnit(figure: string, unit: string): string {
  if (unit === '') return figure;
  if (unit.startsWith('$')) return `$${figure}${unit.slice(1)}`;
  return `${figure} ${figure === '1' && /^(chips|cores|instances)$/.test(unit) ? unit.slice(0, -1) : unit}`;
}

const decimalsOf = (printed: string): number => printed.split('.')[1]?.length ?? 0;

export function formatClaimed({ claim, claimed }: JudgedClaim): string {
  // With the published digits, and thousands separators.
  const decimals = decimalsOf(claim.printed);
  const figure = claimed.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  if (claim.to !== undefined) return withUnit(`${figure} to ${claim.to}`, claim.unit);
  return `${claim.bound === undefined ? '' : `${claim.bound} `}${withUnit(figure, claim.unit)}`;
}

export function formatComputed({ claim, computed }: JudgedClaim): string {
  if (computed === undefined) return '-';
  const unit = claim.computedUnit ?? claim.unit;
  const shown = (value: number): string => withUnit(formatFigure(value, decimalsOf(claim.printed)), unit);
  const { docs, launch } = computed;
  return docs === launch ? shown(docs) : `${shown(docs)} (launch: ${shown(launch)})`;
}

/** `+3.1 %`; empty if the published figure is only a bound, or nothing was computed. */
export function formatDifference({ claim, difference, verdict }: JudgedClaim): string {
  if (difference === undefined || (verdict.startsWith('holds') && claim.bound !== undefined && claim.bound !== 'up to'))
    return '-';
  const percent = difference * 100;
  if (percent > 1000) return `× ${(1 + difference).toLocaleString('en', { maximumFractionDigits: 0 })}`;
  if (Math.abs(percent) < 0.05) return '0';
  const digits = Math.abs(percent) >= 100 ? 0 : 1;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toLocaleString('en', { maximumFractionDigits: digits })} %`;
}
