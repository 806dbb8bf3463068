import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConsoleSessions } from './console-sessions.ts';

test('a one-time token ends after an hour', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-sessions-'));
  let now = 0;
  const sessions = new ConsoleSessions(
    folder.path,
    () => undefined,
    () => now,
  );
  const [early, late] = [sessions.createToken('A'), sessions.createToken('A')];
  now = 3_600_000;
  expect(sessions.useToken(early)).toBeDefined();
  now++;
  expect(sessions.useToken(late)).toBeUndefined();
  sessions.close();
});
