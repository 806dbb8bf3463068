// Leftovers of launchers that were killed: the next launcher removes them.
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';
import { formatIdentity, lifeOf, ownIdentity, parseIdentity } from '../../base/process-identity.ts';

// createSegment's names: /trenio-<identity of the launcher>-<random>. A name stays if the launcher was killed before its ranks
// had all attached.
const SEGMENT = /^trenio-(.+)-[0-9a-f]+$/;
const LOGS = /^trenio-run-.*_([^_]+)_[^_]{6}$/;

/** The start of the name of a run's temporary folder for logs; mkdtemp adds six characters. */
export const temporaryLogsPrefix = (run: string): string => `trenio-run-${run}_${formatIdentity(ownIdentity())}_`;

/** Removes the segments of processes that have certainly ended; returns their names. The folder is for tests. */
export const removeStaleSegments = (folder = '/dev/shm'): readonly string[] => removeStale(folder, SEGMENT);

/** Removes the temporary folders for logs of processes that have certainly ended; returns their names. */
export const removeStaleLogs = (folder = tmpdir()): readonly string[] => removeStale(folder, LOGS);

/** @param pattern of names, with a group for the identity of the launcher */
function removeStale(folder: string, pattern: RegExp): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    expectFileError(error);
    // Only Linux shows shared memory as files.
    return [];
  }
  return names.filter(name => {
    const launcher = parseIdentity(pattern.exec(name)?.[1] ?? '');
    if (launcher === undefined || lifeOf(launcher) !== 'ended') return false;
    try {
      rmSync(join(folder, name), { recursive: true });
      return true;
    } catch (error) {
      expectFileError(error);
      // It belongs to another user, or another process was faster.
      return false;
    }
  });
}
