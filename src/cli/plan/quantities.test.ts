import { describe, expect, test } from 'vitest';
import { usd } from '../../base/money.ts';
import {
  parseBytes,
  parseChoice,
  parseCount,
  parseDate,
  parseMoney,
  parseNames,
  parseNodes,
  parseQuantity,
  parseRate,
  parseSize,
  parseSpan,
} from './quantities.ts';

describe('numbers as people write them', () => {
  test.each([
    ['25000', 25_000],
    ['16k', 16_000],
    ['1.5M', 1.5e6],
    ['300B', 3e11],
    ['300b', 3e11],
    ['1T', 1e12],
    ['.5T', 5e11],
    ['1e12', 1e12],
    ['3_600_000', 3.6e6],
  ])('%s', (text, value) => expect(parseQuantity('--tokens', text)).toBe(value));

  test.each(['0', '-5', '', 'k', '1X', '1TB', 'NaN', '1.2.3', 'Infinity'])('not %j', text => {
    expect(() => parseQuantity('--tokens', text)).toThrow(
      `trenio plan: --tokens is '${text}', expected a number above 0, such as 25000, 16k, 1.5M, 300B or 1T`,
    );
  });

  test.each(['1e17', '1e30', '1e999', '99999T'])('too large: %s', text => {
    expect(() => parseQuantity('--tokens', text)).toThrow(`--tokens is '${text}', expected a number of at most 1e16`);
  });
  test('too large for what it counts', () => {
    expect(() => parseCount('--global-batch', '2e9', 2 ** 30)).toThrow('an integer of at most 1,073,741,824');
    expect(() => parseSpan('--deadline', '999999999d')).toThrow('a duration of at most a thousand years');
  });

  test('integers', () => {
    expect(parseCount('--global-batch', '1.5k')).toBe(1500);
    expect(() => parseCount('--global-batch', '1.5')).toThrow('an integer above 0');
  });

  test('durations', () => {
    expect(['90s', '30min', '5m', '8h', '1.5d', '2w'].map(text => parseSpan('--deadline', text))).toEqual([
      90, 1800, 300, 28_800, 129_600, 1_209_600,
    ]);
    for (const text of ['8', '0h', '-1h', 'h', '8 hours'])
      expect(() => parseSpan('--deadline', text)).toThrow('a duration');
  });

  test('money', () => {
    expect(['500', '$41.47', '1.5k', '2M'].map(text => parseMoney('--budget', text))).toEqual([
      usd(500),
      usd(41.47),
      usd(1500),
      usd(2e6),
    ]);
    for (const text of ['0', '-5', '5 EUR', '1e3'])
      expect(() => parseMoney('--budget', text)).toThrow('US dollars above 0');
  });

  test('sizes and bandwidths', () => {
    expect(
      ['4096', '115kB', '115KB', '8KiB', '1.5MB', '2 GiB', '0', '0kB', '7B'].map(text =>
        parseSize('--sample-bytes', text),
      ),
    ).toEqual([4096, 115_000, 115_000, 8192, 1.5e6, 2 ** 31, 0, 0, 7]);
    for (const text of ['-1', 'abc', '', '5 apples', '8kb', '1e3', '4iB', 'NaN'])
      expect(() => parseSize('--sample-bytes', text)).toThrow(
        `--sample-bytes is '${text}', expected a size in bytes, 0 or more, such as 4096, 115kB or 12MiB`,
      );
    expect(() => parseSize('--sample-bytes', '99999TB')).toThrow('at most 1e16 bytes');
    expect(
      ['2GB/s', '500MB/s', '100Gbps', '1.5 GiB/s', '400kbps'].map(text => parseRate('--storage-bandwidth', text)),
    ).toEqual([2e9, 5e8, 12.5e9, 1.5 * 2 ** 30, 50_000]);
    for (const text of ['0GB/s', '2GB', '100', 'fast', '-1GB/s', 'GB/s', '', '2GBps'])
      expect(() => parseRate('--storage-bandwidth', text)).toThrow(
        `--storage-bandwidth is '${text}', expected a bandwidth above 0, such as 2GB/s, 500MB/s or 100Gbps`,
      );
  });

  test('memory', () => {
    expect([parseBytes('--memory-limit', '14GiB'), parseBytes('--memory-limit', '16GB')]).toEqual([14 * 2 ** 30, 16e9]);
    expect(() => parseBytes('--memory-limit', '14')).toThrow('14GiB or 16GB');
  });

  test('nodes: one, a list, a range that doubles and has its end', () => {
    expect(parseNodes('--nodes', '4')).toEqual([4]);
    expect(parseNodes('--nodes', '8,1,2,2')).toEqual([1, 2, 8]);
    expect(parseNodes('--nodes', '1..16')).toEqual([1, 2, 4, 8, 16]);
    expect(parseNodes('--nodes', '3..20,1')).toEqual([1, 3, 6, 12, 20]);
    for (const text of ['0', '-1', '4..2', 'a', '1..', '', '1000000']) {
      expect(() => parseNodes('--nodes', text)).toThrow('integers from 1 to 100000');
    }
  });

  test('names, choices, days', () => {
    expect(parseNames('--on', 'a, b,a')).toEqual(['a', 'b']);
    expect(() => parseNames('--on', 'a,,b')).toThrow('names separated by commas');
    expect(() => parseChoice('--by', 'speed', ['time', 'cost'])).toThrow("--by is 'speed', expected one of time, cost");
    expect(parseDate('--start', '2026-12-01').toISOString()).toBe('2026-12-01T00:00:00.000Z');
    expect(parseDate('--start', '2026-12-01T09:00Z').getUTCHours()).toBe(9);
    for (const text of ['tomorrow', '2026-13-01', '01.12.2026']) {
      expect(() => parseDate('--start', text)).toThrow('a day in UTC');
    }
  });
});
