import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorCatalog } from '../src/base/error-catalog.ts';
import { generatedDocs } from './write-docs.ts';

const onDisk = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

describe('documents made from the source are up to date (node scripts/write-docs.ts)', () => {
  test.each(generatedDocs)('$path', ({ path, text }) => {
    expect(onDisk(path)).toBe(text());
  });

  test('docs/errors.md and the catalog have the same codes', () => {
    const documented = [...onDisk('docs/errors.md').matchAll(/^## (\w+)$/gm)].map(match => match[1]!);
    const codes = Object.keys(errorCatalog);
    expect(codes.filter(code => !documented.includes(code))).toEqual([]);
    expect(documented.filter(code => !codes.includes(code))).toEqual([]);
  });

  test('no text is empty or lacks its data', () => {
    const text = onDisk('docs/errors.md');
    expect(text).not.toMatch(/undefined|\[object|NaN|``/);
  });
});
