// The most memory this process has had in use so far.
import { readFileSync } from 'node:fs';

/** Resident, shared pages included. */
export function peakResidentBytes(): number {
  try {
    // Not getrusage's: that one starts with what the process that started this one had.
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    if (found !== null) return Number(found[1]) * 1024;
  } catch {
    // not Linux
  }
  return process.resourceUsage().maxRSS * 1024;
}
