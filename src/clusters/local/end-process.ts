// Ends processes that a supervisor started.
import type { ProcessIdentity } from '../../base/process-identity.ts';

/** Sends a signal to a process and, without namespaces, to those it started in its session. */
export function endProcess({ pid }: ProcessIdentity, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid])
    try {
      process.kill(target, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}
