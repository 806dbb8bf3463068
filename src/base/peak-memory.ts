// The peak memory of this process.
import { readIfThere } from './file-error.ts';

/** Resident memory, including shared pages. */
export function peakResidentBytes(): number {
  // Does not use getrusage on Linux, which starts with the memory of the parent process.
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readIfThere('/proc/self/status') ?? '');
  if (found !== null) return Number(found[1]) * 1024;
  return process.resourceUsage().maxRSS * 1024;
}
