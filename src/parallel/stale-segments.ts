// Shared memory of launchers that were killed before their ranks had all attached: its name would stay until the machine
// restarts. The next launcher removes it. (After all ranks have attached there is no name any more.)
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

// createSegment's names: /trenio-<pid of the launcher>-<random>
const NAME = /^trenio-(\d+)-[0-9a-f]+$/;

/** Removes the segments of processes that are gone; returns their names. Arguments are for tests. */
export function removeStaleSegments(
  folder = '/dev/shm',
  isRunning: (pid: number) => boolean = processRuns,
): readonly string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    // Only Linux shows shared memory as files.
    return [];
  }
  return names.filter(name => {
    const pid = Number(NAME.exec(name)?.[1]);
    if (!(pid > 0) || isRunning(pid)) return false;
    try {
      rmSync(join(folder, name));
      return true;
    } catch {
      // Another user's, or somebody was quicker.
      return false;
    }
  });
}

function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
