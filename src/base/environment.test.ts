import { expect, test } from 'vitest';
import { parseCpuList } from './cpu-list.ts';
import { environmentMarkdown, readVariable } from './environment.ts';

test('docs/environment.md matches the table', async () => {
  await expect(environmentMarkdown()).toMatchFileSnapshot('../../docs/environment.md');
});

test('an unset or empty variable is undefined', () => {
  expect(readVariable('RANK', {})).toBeUndefined();
  expect(readVariable('TRENIO_BACKEND', { TRENIO_BACKEND: '' })).toBeUndefined();
});

test('values are parsed', () => {
  expect(readVariable('RANK', { RANK: '3' })).toBe(3);
  expect(readVariable('TRENIO_BACKEND', { TRENIO_BACKEND: 'interpreter' })).toBe('interpreter');
  expect(readVariable('TRENIO_CPUS', { TRENIO_CPUS: '1,3-5' })).toEqual([1, 3, 4, 5]);
  expect(readVariable('TRENIO_SHM', { TRENIO_SHM: '/trenio-1-a' })).toBe('/trenio-1-a');
});

test('the error for a bad value names the expected values', () => {
  const bad = {
    WORLD_SIZE: 'two',
    TRENIO_NUM_THREADS: '0',
    TRENIO_CPUS: '3-1',
    TRENIO_SHM: '/../x/y',
    RANK: '-1',
  };
  expect(() => readVariable('WORLD_SIZE', bad)).toThrowErrorMatchingInlineSnapshot(`
    [TrenioError [BAD_ENVIRONMENT]: environment variable WORLD_SIZE is 'two', expected an integer, 1 or more
      fix: set WORLD_SIZE to an integer, 1 or more, or unset it (docs/environment.md)]
  `);
  for (const name of ['TRENIO_NUM_THREADS', 'TRENIO_CPUS', 'TRENIO_SHM', 'RANK'] as const) {
    expect(() => readVariable(name, bad), name).toThrow(expect.objectContaining({ code: 'BAD_ENVIRONMENT' }));
  }
});

test('lists of CPUs', () => {
  expect(parseCpuList('0')).toEqual([0]);
  expect(parseCpuList('4,0-1,1')).toEqual([0, 1, 4]);
  for (const bad of ['', 'a', '1-', '2-1', '1,,2', '-3', '1.5']) expect(parseCpuList(bad), bad).toBeUndefined();
});
