import { execFileSync } from 'node:child_process';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { isForTests } from './test-files.ts';

const root = join(import.meta.dirname, '..');

// The compiler adds to what tsconfig.build.json includes whatever that imports: helpers of tests that a published file uses
// would be among it.
test('what is published holds no tests, and imports none of their helpers', () => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const listed = execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--listFilesOnly'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const own = listed
    .split('\n')
    .map(path => relative(root, path).split(sep).join('/'))
    .filter(path => path.startsWith('src/'));
  expect(own).toContain('src/index.ts');
  expect(own.filter(isForTests)).toEqual([]);
});

test('names of what is for tests', () => {
  const tests = [
    'src/a.test.ts',
    'src/b.testing.ts',
    'src/b.testing.d.ts',
    'src/b.testing.js',
    'src/cli/plan/fixtures/train.ts',
  ];
  expect(tests.filter(isForTests)).toEqual(tests);
  expect(['src/testing-tool.ts', 'src/contest.ts', 'src/fixtures.ts'].filter(isForTests)).toEqual([]);
});
