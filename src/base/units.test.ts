import { expect, test } from 'vitest';
import { formatBytes, formatDuration, formatLongDuration } from './units.ts';

test('bytes', () => {
  expect([0, 1023, 1024, 1024 ** 2 - 1, 1.5 * 1024 ** 3, 2 ** 60].map(formatBytes)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.0 MiB',
    '1.5 GiB',
    '1024.0 PiB',
  ]);
});

test('durations', () => {
  expect([0, 0.85, 0.9999, 4.21, 59.97, 125, 3599.7, 3720, 90_000, Number.NaN].map(formatDuration)).toEqual([
    '0 ms',
    '850 ms',
    '1.0 s',
    '4.2 s',
    '1 min 00 s',
    '2 min 05 s',
    '1 h 00 min',
    '1 h 02 min',
    '25 h 00 min',
    '?',
  ]);
});

test('long durations: days from two days up, years from two years up', () => {
  const day = 86_400;
  expect(
    [47 * 3600, 2 * day, 99.96 * day, 208.33 * day, 49_054 * 3600, 250 * 365.25 * day].map(formatLongDuration),
  ).toEqual(['47 h 00 min', '2 days', '100 days', '208 days', '5.6 years', '250 years']);
});
