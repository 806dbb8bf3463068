// Whether a process that runs something for the server is gone.
import { lifeOf, type ProcessIdentity } from '../base/process-identity.ts';

/** A process of an earlier boot, another container or another machine cannot be looked at: it is gone if it is silent. */
const SILENT_MS = 30_000;

/** @param lastSeenMs its last sign of life */
export function isGone(process: ProcessIdentity, lastSeenMs: number, nowMs: number): boolean {
  const life = lifeOf(process);
  return life === 'ended' || (life === 'unknown' && nowMs - lastSeenMs > SILENT_MS);
}
