// The name of the memory shared by the ranks of a host: it identifies the process that created it, so that segments left by a
// crash are found.
import { randomBytes } from 'node:crypto';
import { formatIdentity, ownIdentity } from '../../base/process-identity.ts';

/** A unique name. */
export function newSegmentName(): string {
  // macOS allows 31 characters.
  const creator = process.platform === 'darwin' ? `${process.pid}` : formatIdentity(ownIdentity());
  return `/trenio-${creator}-${randomBytes(6).toString('hex')}`;
}
