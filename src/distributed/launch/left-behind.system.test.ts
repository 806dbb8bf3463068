import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import { formatIdentity, ownIdentity, type ProcessIdentity } from '../../base/process-identity.ts';
import { removeStaleLogs, removeStaleSegments } from './left-behind.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-stale-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('removes only the segments of processes that have ended', () => {
  const own = ownIdentity();
  const name = (identity: ProcessIdentity): string => `trenio-${formatIdentity(identity)}-ab`;
  // The id of an ended process now belongs to this one; another container shares the folder.
  const gone = name({ ...own, started: '1' });
  const kept = [name(own), name({ ...own, realm: '0123456789ab' }), 'trenio-x-ab', 'trenio-3', `other${gone}`];
  for (const file of [gone, ...kept]) writeFileSync(join(folder, file), '');
  expect(removeStaleSegments(folder)).toEqual([gone]);
  expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
  expect(removeStaleSegments(join(folder, 'none'))).toEqual([]);
});

test('removes the logs of a launcher that was killed, and of no other', () => {
  const logs = new URL('rank-logs.ts', import.meta.url).href;
  const script = `
    import { logFilesOf, makeLogs, NO_STREAMS } from '${logs}';
    const logs = makeLogs({ logDir: undefined, run: 'a_b-1', cwd: '/', redirects: NO_STREAMS, tee: NO_STREAMS, shown: undefined });
    logFilesOf(logs, 0, 0);
    process.kill(process.pid, 'SIGKILL');`;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    env: { ...inheritedVariables(), TMPDIR: folder },
    encoding: 'utf8',
  });
  expect(signal, stderr).toBe('SIGKILL');
  const left = readdirSync(folder);
  expect(left).toHaveLength(1);
  const kept = [`trenio-run-x_${formatIdentity(ownIdentity())}_abcdef`, 'trenio-run-x_abcdef', 'trenio-run-'];
  for (const name of kept) mkdirSync(join(folder, name));
  expect(removeStaleLogs(folder)).toEqual(left);
  expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
});
