// Whether a process that works for the server has ended.
import { lifeOf, type ProcessIdentity } from '../base/process-identity.ts';

/**
 * A process of an earlier boot, another container or another machine cannot be inspected: it counts as ended if its heartbeat has
 * stopped.
 */
const SILENT_MS = 30_000;

/** @param lastSeenMs its last sign of life */
export function isGone(process: ProcessIdentity, lastSeenMs: number, nowMs: number): boolean {
  const life = lifeOf(process);
  return life === 'ended' || (life === 'unknown' && nowMs - lastSeenMs > SILENT_MS);
}
