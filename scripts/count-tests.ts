// Vitest's JSON report → "passed failed", for .ci/run. Counts tests; a file that could not be run, an error outside
// of tests and a missing report each count as a failure.
//
//   node scripts/count-tests.ts report.json <exit code of vitest>
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

function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const [path = '', exitCode = '1'] = process.argv.slice(2);
  const { passed, failed } = countTests(readReport(path), Number(exitCode));
  console.log(`${passed} ${failed}`);
}
