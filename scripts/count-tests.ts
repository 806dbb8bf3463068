// Vitest's JSON report → "passed failed", for .ci/run. Counts tests; a file that could not be run, an error outside
// of tests and a missing report each count as a failure. Processor time by kind of test, and of the dearest files
// (test/cpu-seconds.ts), goes to stderr.
//
//   node scripts/count-tests.ts report.json <exit code of vitest> [cpu-seconds.txt]
import { readFileSync } from 'node:fs';

export interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

export function countTests(
  report: Report | undefined,
  exitCode: number,
): { readonly passed: number; readonly failed: number } {
  if (report === undefined) return { passed: 0, failed: 1 };
  const unrunnable = report.testResults.filter(
    file => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + unrunnable;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/** Lines of kind, seconds and file, between tabs: the seconds of each kind, and the files that took most. */
export function processorTime(lines: string): string {
  const kinds = new Map<string, number>();
  const files: [file: string, seconds: number][] = [];
  for (const line of lines.split('\n')) {
    const [kind = '', seconds, file] = line.split('\t');
    if (file === undefined) continue;
    kinds.set(kind, (kinds.get(kind) ?? 0) + Number(seconds));
    files.push([file, Number(seconds)]);
  }
  const mostFirst = (counted: Iterable<readonly [name: string, seconds: number]>): string[] =>
    [...counted].sort((a, b) => b[1] - a[1]).map(([name, seconds]) => `${name} ${seconds.toFixed(0)}`);
  const most = mostFirst(files).slice(0, 20);
  return `processor time in seconds: ${mostFirst(kinds).join(', ')}\nof these: ${most.join(', ')}`;
}

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const [path = '', exitCode = '1', cpu] = process.argv.slice(2);
  if (cpu !== undefined) console.error(processorTime(readFileSync(cpu, 'utf8')));
  const { passed, failed } = countTests(readReport(path), Number(exitCode));
  console.log(`${passed} ${failed}`);
}
