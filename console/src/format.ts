// The formats of numbers, times and money on the pages.

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const cents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });

export function money(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return '–';
  return usd !== 0 && Math.abs(usd) < 1 ? cents.format(usd) : dollars.format(usd);
}

/** Said beside a sum of costs. Undefined: it is complete. */
export const missingCosts = (jobs: number): string | undefined =>
  jobs === 0 ? undefined : `without ${jobs === 1 ? '1 job that has' : `${count(jobs)} jobs that have`} no price`;

export const count = (value: number): string => value.toLocaleString('en-US');

/** At most four significant digits. */
export function value(number: number | null | undefined): string {
  if (number === null || number === undefined) return '–';
  if (Number.isInteger(number) && Math.abs(number) < 1e6) return count(number);
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? number.toExponential(2) : String(Number(number.toPrecision(4)));
}

/** `4 h 05 min`, `12 min 30 s`, `8 s` */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–';
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  const two = (n: number): string => String(n).padStart(2, '0');
  if (days > 0) return `${days} d ${two(hours % 24)} h`;
  if (hours > 0) return `${hours} h ${two(minutes % 60)} min`;
  if (minutes > 0) return `${minutes} min ${two(seconds % 60)} s`;
  return `${seconds} s`;
}

/** `just now`, `5 min ago`, `3 h ago`, then the date. */
export function ago(ms: number, nowMs: number): string {
  const seconds = (nowMs - ms) / 1000;
  if (seconds < 45) return 'just now';
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  return date(ms);
}

const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const stamps = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const clocks = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
export const date = (ms: number): string => dates.format(ms);
export const moment = (ms: number): string => moments.format(ms);
/** As `date`, with seconds. */
export const stamp = (ms: number): string => stamps.format(ms);
export const clock = (ms: number): string => clocks.format(ms);

/** A tick of a time axis: the day at midnight, else the time, with seconds if there are any. */
export function timeTick(ms: number): string {
  const at = new Date(ms);
  if (at.getSeconds() !== 0) return clock(ms);
  return at.getHours() + at.getMinutes() === 0 ? days.format(ms) : hours.format(ms);
}

export function bytes(size: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let left = size;
  while (left >= 1024 && unit < units.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${unit === 0 ? left : left.toFixed(left < 10 ? 1 : 0)} ${units[unit]}`;
}

export function rate(perSecond: number, unit: string): string {
  for (const [size, prefix] of [
    [1e15, 'P'],
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (perSecond >= size) return `${Number((perSecond / size).toPrecision(3))} ${prefix}${unit}`;
  return `${Number(perSecond.toPrecision(3))} ${unit}`;
}
