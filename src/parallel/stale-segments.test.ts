import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeStaleSegments } from './stale-segments.ts';

test('removes what belongs to processes that are gone, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-stale-'));
  try {
    for (const name of ['trenio-1-ab', 'trenio-2-cd', 'trenio-x-ab', 'trenio-3', 'other-2-cd'])
      writeFileSync(join(folder, name), '');
    expect(removeStaleSegments(folder, pid => pid === 1)).toEqual(['trenio-2-cd']);
    expect(readdirSync(folder).toSorted()).toEqual(['other-2-cd', 'trenio-1-ab', 'trenio-3', 'trenio-x-ab']);
    expect(removeStaleSegments(join(folder, 'none'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
