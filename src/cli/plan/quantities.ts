// Numbers as people write them on a command line: 1T tokens, 8h, 1..16 nodes.
import { TrenioError } from '../../base/errors.ts';
import { type MicroUsd, parseUsd } from '../../base/money.ts';
import { nearestName } from '../../base/nearest.ts';

const NAME = 'plan';
const bad = (option: string, text: string, expected: string): TrenioError =>
  new TrenioError('BAD_ARGUMENT', { command: NAME, argument: option, got: `'${text}'`, expected });

const steps: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9, g: 1e9, t: 1e12 };

/** A hundred times the largest training so far; beyond it, sums of money and time are no longer exact. */
export const MOST = 1e16;

/** `25000`, `16k`, `1.5M`, `300B`, `1T`, `1e12`: above 0, at most 10¹⁶. */
export function parseQuantity(option: string, text: string): number {
  const match = /^([\d_]*\.?\d+(?:e\+?\d+)?)([kKmMbBgGtT]?)$/.exec(text.trim());
  const value = match ? Number(match[1]!.replaceAll('_', '')) * steps[match[2]!.toLowerCase()]! : Number.NaN;
  if (value > 0 && value <= MOST) return value;
  if (value > MOST) throw bad(option, text, 'a number of at most 1e16');
  throw bad(option, text, 'a number above 0, such as 25000, 16k, 1.5M, 300B or 1T');
}

const seconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, min: 60, m: 60, h: 3600, d: 86_400, w: 604_800 };

const LONGEST = 1000 * 365.25 * 86_400;

/** `90s`, `30min`, `8h`, `1.5d`, `2w`, in seconds: above 0, at most a thousand years. */
export function parseSpan(option: string, text: string): number {
  const match = /^(\d*\.?\d+)\s*(ms|s|min|m|h|d|w)$/.exec(text.trim());
  const value = match ? Number(match[1]) * seconds[match[2]!]! : Number.NaN;
  if (value > 0 && value <= LONGEST) return value;
  if (value > LONGEST) throw bad(option, text, 'a duration of at most a thousand years');
  throw bad(option, text, 'a duration above 0, such as 90s, 30min, 8h or 2d');
}

/** `500`, `$41.47`, `1.5k`: above 0. */
export function parseMoney(option: string, text: string): MicroUsd {
  const match = /^(\$?[\d.]+)([kKmM]?)$/.exec(text.trim());
  const amount = match ? parseUsd(match[1]!) : undefined;
  const value = amount === undefined ? 0 : Math.round(amount * steps[match![2]!.toLowerCase()]!);
  if (value > 0 && Number.isSafeInteger(value)) return value as MicroUsd;
  throw bad(option, text, 'US dollars above 0, such as 500, 41.47 or 20k');
}

const binary: Readonly<Record<string, number>> = {
  GB: 1e9,
  GiB: 2 ** 30,
  MB: 1e6,
  MiB: 2 ** 20,
  TB: 1e12,
  TiB: 2 ** 40,
};

/** `14GiB`, `16GB`: above 0. */
export function parseBytes(option: string, text: string): number {
  const match = /^(\d*\.?\d+)\s*([GMT]i?B)$/.exec(text.trim());
  const value = match ? Number(match[1]) * binary[match[2]!]! : Number.NaN;
  if (value > 0) return value;
  throw bad(option, text, 'an amount of memory above 0, such as 14GiB or 16GB');
}

const sizes: Readonly<Record<string, number>> = { '': 1, B: 1, kB: 1e3, KB: 1e3, KiB: 2 ** 10, ...binary };

/** `115kB`, `12MiB`, `4096`: 0 or more, at most 10¹⁶. */
export function parseSize(option: string, text: string): number {
  const match = /^(\d*\.?\d+)\s*([kKMGT]?i?B|)$/.exec(text.trim());
  const value = match ? Number(match[1]) * (sizes[match[2]!] ?? Number.NaN) : Number.NaN;
  if (value >= 0 && value <= MOST) return value;
  if (value > MOST) throw bad(option, text, 'at most 1e16 bytes');
  throw bad(option, text, 'a size in bytes, 0 or more, such as 4096, 115kB or 12MiB');
}

/** `2GB/s`, `500MiB/s`, `100Gbps`, in bytes per second: above 0, at most 10¹⁶. */
export function parseRate(option: string, text: string): number {
  const match = /^(\d*\.?\d+)\s*(?:([kKMGT]i?B)\/s|([kKMGT])bps)$/.exec(text.trim());
  const unit = match?.[2] === undefined ? steps[match?.[3]?.toLowerCase() ?? '']! / 8 : (sizes[match[2]] ?? Number.NaN);
  const value = match ? Number(match[1]) * unit : Number.NaN;
  if (value > 0 && value <= MOST) return value;
  if (value > MOST) throw bad(option, text, 'at most 1e16 bytes per second');
  throw bad(option, text, 'a bandwidth above 0, such as 2GB/s, 500MB/s or 100Gbps');
}

/** `a,b, c`: names, none of them empty, each once. */
export function parseNames(option: string, text: string): readonly string[] {
  const names = text.split(',').map(name => name.trim());
  if (names.every(name => name !== '')) return [...new Set(names)];
  throw bad(option, text, 'names separated by commas');
}

const MOST_NODES = 100_000;
/**
 * `4`, `1,2,4`, or `1..16`, which doubles: 1, 2, 4, 8, 16 (typical cluster sizes, and divisors of typical batches). The end is
 * always included.
 */
export function parseNodes(option: string, text: string): readonly number[] {
  const counts: number[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(\d+)(?:\.\.(\d+))?\s*$/.exec(part);
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? match?.[1]);
    if (!(first >= 1 && last >= first && last <= MOST_NODES))
      throw bad(option, text, `integers from 1 to ${MOST_NODES}: 4, or 1,2,4, or 1..16 (which doubles)`);
    for (let count = first; count < last; count *= 2) counts.push(count);
    counts.push(last);
  }
  return [...new Set(counts)].toSorted((a, b) => a - b);
}

/** One of a closed set. */
export function parseChoice<T extends string>(option: string, text: string, known: readonly T[]): T {
  const found = known.find(name => name === text);
  if (found !== undefined) return found;
  const nearest = nearestName(text, known);
  throw bad(option, text, `one of ${known.join(', ')}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}`);
}

/** `2026-12-01` or `2026-12-01T09:00Z`. */
export function parseDate(option: string, text: string): Date {
  const date = /^\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?$/.test(text) ? new Date(text) : undefined;
  if (date !== undefined && !Number.isNaN(date.getTime())) return date;
  throw bad(option, text, 'a day in UTC: 2026-12-01, or 2026-12-01T09:00Z');
}

/** An integer above 0, suffixes allowed: `--global-batch 1k`. */
export function parseCount(option: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const value = parseQuantity(option, text);
  if (value > most) throw bad(option, text, `an integer of at most ${most.toLocaleString('en-US')}`);
  if (Number.isSafeInteger(value)) return value;
  throw bad(option, text, 'an integer above 0');
}
