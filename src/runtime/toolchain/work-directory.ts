// Temporary directories in the cache, which are renamed when complete: `tmp-<identity>-<random>`. Their
// names identify their owner, so that those of dead processes can be removed.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { formatIdentity, lifeOf, ownIdentity, parseIdentity } from '../../base/process-identity.ts';

/** For a process whose state cannot be checked; by then it has certainly ended, even if the clocks differ. */
const abandonedMs = 2 * 24 * 60 * 60_000;
const prefix = 'tmp-';

/** A new directory for this process. */
export const workDirectory = (parent: string): string =>
  mkdtempSync(join(parent, `${prefix}${formatIdentity(ownIdentity())}-`));

/** Whether this is a directory of a process that has ended. */
export function isAbandoned(name: string, changedMs: number): boolean {
  if (!name.startsWith(prefix)) return false;
  const identity = parseIdentity(name.slice(prefix.length).replace(/-[^-]*$/, ''));
  const life = identity === undefined ? 'unknown' : lifeOf(identity);
  return life === 'ended' || (life === 'unknown' && Date.now() - changedMs > abandonedMs);
}
