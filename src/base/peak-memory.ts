// The most memory this process has had in use so far.
import { readIfThere } from './file-error.ts';

/** Resident, shared pages included. */
export function peakResidentBytes(): number {
  // Not getrusage's on Linux: that one starts with what the process that started this one had.
  const found = /^VmHWM:\s+(\d+) kB$/m.exec(readIfThere('/proc/self/status') ?? '');
  if (found !== null) return Number(found[1]) * 1024;
  return process.resourceUsage().maxRSS * 1024;
}
