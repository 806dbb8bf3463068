import { execFileSync } from 'node:child_process';
import { join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { isForTests } from './test-files.ts';

const root = join(import.meta.dirname, '..');

// The compiler also emits all files that the included ones import, so a test helper that a published file imports
// would be published.
test('published files contain no tests and import no test helpers', () => {
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

test('recognizes the names of test files', () => {
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
