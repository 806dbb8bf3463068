// The most memory this process has had in use so far.
import { readIfThere } from './file-error.ts';

/** Resident, shared pages included. */
export function peakResidentBytes(): number {
  // Not that of getrusage on Linux, which starts with the memory of the parent process.
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readIfThere('/proc/self/status') ?? '');
  if (found !== null) return Number(found[1]) * 1024;
  return process.resourceUsage().maxRSS * 1024;
}
