import { expect, test } from 'vitest';
import { countTests, type Report, secondsByKind } from './count-tests.ts';

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

test('adds up processor time by kind', () => {
  const lines = 'unit 1.5\nunit alone 2\nsystem 20\nunit 0.6\n';
  expect(secondsByKind(lines)).toBe('processor time in seconds: system 20, unit 2, unit alone 2');
});
