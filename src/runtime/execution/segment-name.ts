// The name of memory that the ranks of a host share: it says which process made it, so that what a crash left is found.
import { randomBytes } from 'node:crypto';
import { formatIdentity, ownIdentity } from '../../base/process-identity.ts';

/** A name that no other memory has. */
export function newSegmentName(): string {
  // macOS allows 31 characters.
  const creator = process.platform === 'darwin' ? `${process.pid}` : formatIdentity(ownIdentity());
  return `/trenio-${creator}-${randomBytes(6).toString('hex')}`;
}
