// Real processes, because Node's handling of uncaught errors cannot be observed from inside.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TrenioError } from './errors.ts';
import { describeUncaught } from './uncaught.ts';

const source = (name: string): string => JSON.stringify(join(import.meta.dirname, name));
const error = `new TrenioError('NO_TENSORS', { op: 'cat' })`;
const text = 'TrenioError [NO_TENSORS]: cat: the list of tensors is empty\n  fix: pass at least one tensor\n';

function die(body: string, variables: Record<string, string> = {}): readonly [number | null, string] {
  const program = `
    import { TrenioError } from ${source('errors.ts')};
    import { tellUncaughtErrors } from ${source('uncaught.ts')};
    tellUncaughtErrors();
    ${body}`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
    encoding: 'utf8',
    env: { ...process.env, ...variables },
  });
  return [status, stderr];
}

test('a thrown or rejected TrenioError prints its text and the lines of the program', () => {
  for (const body of [`throw ${error}`, `setTimeout(() => { throw ${error} })`, `void Promise.reject(${error})`]) {
    const [status, stderr] = die(body);
    expect([status, stderr.replaceAll(/^ {4}at .*\[eval\d*\].*\n/gm, '')], body).toEqual([1, text]);
  }
});

test('other errors, TRENIO_DEBUG, and programs that handle errors themselves are left alone', () => {
  expect(die(`throw new RangeError('x')`)[1]).toMatch(/RangeError: x\n {4}at [\s\S]*Node\.js v/);
  for (const value of ['1', 'maybe']) {
    expect(die(`throw ${error}`, { TRENIO_DEBUG: value })[1]).toMatch(/NO_TENSORS[\s\S]*Node\.js v/);
  }
  expect(die(`process.on('uncaughtException', () => process.exit(7)); throw ${error}`)).toEqual([7, '']);
  expect(die(`process.on('unhandledRejection', () => process.exit(8)); void Promise.reject(${error})`)).toEqual([
    8,
    '',
  ]);
});

test('a line that is already in the text is not printed twice', () => {
  const location = { file: '/home/me/train.ts', line: 3, column: 7 };
  const thrown = new TrenioError('NO_TENSORS', { op: 'cat' }, { location });
  thrown.stack = [
    thrown.stack!.split('\n')[0],
    `    at cat (${new URL('../tensor/functions.ts', import.meta.url)}:1:2)`,
    '    at step (file:///home/me/train.ts:3:7)',
    '    at epoch (file:///home/me/train.ts:9:3)',
    '    at ModuleJob.run (node:internal/modules/esm/module_job:561:25)',
  ].join('\n');
  expect(describeUncaught(thrown)).toBe(
    [
      'TrenioError [NO_TENSORS]: cat: the list of tensors is empty',
      '  at /home/me/train.ts:3:7',
      '  fix: pass at least one tensor',
      '    at epoch (file:///home/me/train.ts:9:3)',
    ].join('\n'),
  );
});
