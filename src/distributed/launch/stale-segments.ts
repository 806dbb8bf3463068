// Shared memory of launchers that were killed before their ranks had all attached: its name would stay until the machine
// restarts. The next launcher removes it. (The name is removed once all ranks have attached.)
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';
import { lifeOf, parseIdentity } from '../../base/process-identity.ts';

// createSegment's names: /trenio-<identity of the launcher>-<random>
const NAME = /^trenio-(.+)-[0-9a-f]+$/;

/** Removes the segments of processes that have certainly ended; returns their names. The folder is for tests. */
export function removeStaleSegments(folder = '/dev/shm'): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    expectFileError(error);
    // Only Linux shows shared memory as files.
    return [];
  }
  return names.filter(name => {
    const launcher = parseIdentity(NAME.exec(name)?.[1] ?? '');
    if (launcher === undefined || lifeOf(launcher) !== 'ended') return false;
    try {
      rmSync(join(folder, name));
      return true;
    } catch (error) {
      expectFileError(error);
      // It belongs to another user, or another process was faster.
      return false;
    }
  });
}
