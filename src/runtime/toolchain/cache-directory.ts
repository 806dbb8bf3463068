// The directory of compiled programs.
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVariable, type Variables } from '../../base/environment.ts';

export function cacheDirectory(variables?: Variables): string {
  const parent = readVariable('XDG_CACHE_HOME', variables) ?? defaultParent();
  return readVariable('TRENIO_CACHE_DIR', variables) ?? join(parent, 'trenio');
}

function defaultParent(): string {
  try {
    return join(homedir(), '.cache');
  } catch {
    // The user has no name and HOME is not set, as in containers that run under an arbitrary user id.
    return join(tmpdir(), `cache-${process.getuid?.()}`);
  }
}
