import { expect, test } from 'vitest';
import { countTests, processorTime, type Report } from './count-tests.ts';

const report = (passed: number, failed: number, files: Report['testResults'] = []): Report => ({
  numPassedTests: passed,
  numFailedTests: failed,
  testResults: files,
});

test('counts tests, files that could not be run, and failures outside of tests', () => {
  expect(countTests(report(3, 0), 0)).toEqual({ passed: 3, failed: 0 });
  expect(countTests(report(3, 2, [{ status: 'failed', assertionResults: [{}] }]), 1)).toEqual({ passed: 3, failed: 2 });
  expect(countTests(report(3, 0, [{ status: 'failed', assertionResults: [] }]), 1)).toEqual({ passed: 3, failed: 1 });
  expect(countTests(report(3, 0), 1)).toEqual({ passed: 3, failed: 1 });
  expect(countTests(undefined, 0)).toEqual({ passed: 0, failed: 1 });
});

test('adds up processor time', () => {
  const lines = 'unit\t1.5\ta.test.ts\nunit alone\t2\tb.test.ts\nsystem\t20\ttest/c.test.ts\nunit\t0.6\td.test.ts\n';
  expect(processorTime(lines)).toBe(
    'processor time in seconds: system 20, unit 2, unit alone 2\nof these: test/c.test.ts 20, b.test.ts 2, a.test.ts 2, d.test.ts 1',
  );
});
