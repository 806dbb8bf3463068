// Where compiled programs are kept.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readVariable, type Variables } from '../base/environment.ts';

export function cacheDirectory(variables?: Variables): string {
  const parent = readVariable('XDG_CACHE_HOME', variables) ?? join(homedir(), '.cache');
  return readVariable('TRENIO_CACHE_DIR', variables) ?? join(parent, 'trenio');
}
