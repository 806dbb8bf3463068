// Event files that cannot be written: the script gets an error, even in a loop that never awaits, and nothing follows a torn
// record.
import { mkdirSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EventFile } from './event-file.ts';

test('a failure is an error of flush, of close and of later events', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-events-'));
  const options = { wallTime: 1, maxQueue: 1 };
  const good = new EventFile(folder.path, options);
  // A folder is in place of the next file.
  const path = good.path.replace(/\d+$/, n => `${Number(n) + 1}`);
  mkdirSync(path);
  const bad = new EventFile(folder.path, options);
  expect(bad.path).toBe(path);
  const event = { wallTime: 1, step: 0, what: { kind: 'file version', version: 'x', writer: 'y' } } as const;
  const unwritable = expect.objectContaining({ code: 'EVENT_FILE_UNWRITABLE', message: expect.stringContaining(path) });
  expect(() => bad.flush()).toThrow(unwritable);
  expect(() => bad.add(event)).toThrow(unwritable);
  expect(() => bad.close()).toThrow(unwritable);
  bad.close();
  good.add(event);
  good.close();
});
