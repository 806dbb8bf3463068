import { expect, test } from 'vitest';
import { testsOf } from './changed-tests.ts';

const texts = new Map([
  ['src/base/lock.ts', ''],
  ['src/base/lock.test.ts', "import { lock } from './lock.ts';"],
  ['src/base/holder.system.test.ts', "// starts: src/base/lock.ts\nimport { spawn } from 'node:child_process';"],
  ['src/jobs/jobs.ts', "const { lock } = await import('../base/lock.ts');"],
  ['src/jobs/jobs.test.ts', "import { jobs } from './jobs.ts';"],
  ['src/cli/main.ts', "import { run } from '../tensor/run.ts';"],
  ['src/tensor/run.ts', ''],
  ['test/run.test.ts', "import { trenio } from './system.ts';"],
  ['test/system.ts', ''],
  ['test/pages.test.ts', "const pages = ['README.md'];"],
]);

test('a change reaches the tests that import it, directly or not, and those that start it', () => {
  expect(testsOf(['src/base/lock.ts'], texts)).toEqual([
    'src/base/lock.test.ts',
    'src/base/holder.system.test.ts',
    'src/jobs/jobs.test.ts',
  ]);
  expect(testsOf(['src/tensor/run.ts'], texts)).toEqual(['test/run.test.ts', 'test/pages.test.ts']);
  expect(testsOf(['test/system.ts'], texts)).toEqual(['test/run.test.ts']);
});

test('documents reach the tests that name one, and what is neither code nor a document all tests', () => {
  expect(testsOf(['docs/data.md'], texts)).toEqual(['test/pages.test.ts']);
  expect(testsOf(['package.json'], texts)).toHaveLength(5);
});
