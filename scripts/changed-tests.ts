// The tests that a change can reach: those that import a changed file, directly or not, and those that start one.
//
//   node scripts/changed-tests.ts [REVISION]    runs them; changes since REVISION, by default those not committed
//
// A system test starts the command line, and with it everything, unless it says less: `// starts: src/base/file-lock.ts`. A
// change of documents reaches tests that name a document; one of what is neither code nor a document (package.json, a golden
// file) all tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { importsOf } from './check-imports.ts';

const started = /^\/\/ starts: (.*)$/m;
const isSystemTest = (file: string): boolean => /\.system\.test\.ts$|^test\/.*\.test\.ts$/.test(file);

/** The files that a test depends on, among these with their texts; paths within the repository. */
export function reachedFrom(test: string, texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set([test]);
  for (const file of found) {
    const text = texts.get(file) ?? '';
    const starts = started.exec(text)?.[1]?.split(/,\s*/) ?? [];
    if (file === test && starts.length === 0 && isSystemTest(test)) starts.push('src/cli/main.ts');
    for (const target of [...starts, ...importsOf(text).map(path => join(dirname(file), path))])
      if (texts.has(target)) found.add(target);
  }
  return found;
}

/** The tests that changes of these files can reach. */
export function testsOf(changed: readonly string[], texts: ReadonlyMap<string, string>): readonly string[] {
  const tests = [...texts.keys()].filter(file => file.endsWith('.test.ts'));
  const documents = changed.some(file => file.endsWith('.md'));
  const code = changed.filter(file => !file.endsWith('.md'));
  if (code.some(file => !texts.has(file))) return tests;
  return tests.filter(test => {
    const reached = reachedFrom(test, texts);
    return (
      code.some(file => reached.has(file)) || (documents && [...reached].some(file => readsDocuments(texts.get(file)!)))
    );
  });
}
const readsDocuments = (text: string): boolean => /[\w/]\.md'|'docs'/.test(text);

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter(line => line !== '');
  const changed = [
    ...git('diff', '--name-only', process.argv[2] ?? 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const files = globSync('{src,contrib,test,scripts,bench,docs,examples}/**/*.ts', { cwd: root });
  const tests = testsOf(changed, new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')])));
  if (tests.length === 0) console.log('no test can be reached');
  else {
    console.log(`${changed.length} files changed, ${tests.length} test files can be reached`);
    const run = ['run', '--project', '!smoke', ...tests.map(test => relative(process.cwd(), join(root, test)))];
    process.exitCode = spawnSync('vitest', run, { stdio: 'inherit' }).status ?? 1;
  }
}
