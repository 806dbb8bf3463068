import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatIdentity, ownIdentity } from '../../base/process-identity.ts';
import { removeStaleSegments } from './stale-segments.ts';

test('removes only the segments of processes that have ended', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-stale-'));
  try {
    const own = ownIdentity();
    const name = (identity: typeof own): string => `trenio-${formatIdentity(identity)}-ab`;
    // The id of an ended process now belongs to this one; another container shares the folder.
    const gone = name({ ...own, started: '1' });
    const kept = [name(own), name({ ...own, realm: '0123456789ab' }), 'trenio-x-ab', 'trenio-3', `other${gone}`];
    for (const file of [gone, ...kept]) writeFileSync(join(folder, file), '');
    expect(removeStaleSegments(folder)).toEqual([gone]);
    expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
    expect(removeStaleSegments(join(folder, 'none'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
