// Human-readable bytes and durations. GB is 10⁹ bytes, GiB is 2³⁰; both are used, never mixed.

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/**
 * `1.5 GiB`; bytes below 1024 have no decimals.
 * @example
 * formatBytes(1.5 * 2 ** 30) // '1.5 GiB'
 */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < BINARY.length - 1) {
    value /= 1024;
    unit++;
  }
  // 1023.96 would be rounded to 1024.0, which is 1.0 of the next unit.
  if (unit > 0 && unit < BINARY.length - 1 && Number(value.toFixed(1)) >= 1024) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(1)} ${BINARY[unit]!}`;
}

const DECIMAL = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/**
 * `16.4 kB`, `2 GB`: powers of 1000, at most three digits. Rates of storage and networks are published in these units.
 * @example
 * formatDecimalBytes(16_384) // '16.4 kB'
 */
export function formatDecimalBytes(bytes: number): string {
  let value = Number(bytes.toPrecision(3));
  let unit = 0;
  while (Math.abs(value) >= 1000 && unit < DECIMAL.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${Number(value.toPrecision(3))} ${DECIMAL[unit]!}`;
}

/**
 * `850 ms`, `4.2 s`, `2 min 05 s`, `1 h 02 min`: two units at most.
 * @example
 * formatDuration(3725) // '1 h 02 min'
 */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?';
  const s = Math.max(0, seconds);
  if (s < 0.9995) return `${Math.round(s * 1000)} ms`;
  if (s < 59.95) return `${s.toFixed(1)} s`;
  const whole = Math.round(s);
  const two = (n: number): string => n.toString().padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  const minutes = Math.round(s / 60);
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

const DAY = 86_400;
const YEAR = 365.25 * DAY;

/** Days from two days up, and years from two years up: 208 days is easier to read than 5,000 hours. */
export function formatLongDuration(seconds: number): string {
  if (!(seconds >= 2 * DAY && Number.isFinite(seconds))) return formatDuration(seconds);
  const [value, unit] = seconds < 2 * YEAR ? [seconds / DAY, 'days'] : [seconds / YEAR, 'years'];
  return `${value < 100 ? Number(value.toFixed(1)) : Math.round(value).toLocaleString('en-US')} ${unit}`;
}
