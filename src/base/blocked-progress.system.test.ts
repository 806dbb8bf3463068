import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { whileBlocked } from './blocked-progress.ts';

/** The output of a process on standard error while it is blocked for `ms`. */
function written(ms: number, options: string, before = ''): string {
  const url = pathToFileURL(join(import.meta.dirname, 'blocked-progress.ts'));
  const script = `
    import { hideBlockedProgress, whileBlocked } from '${url}';
    const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});
    ${before}
    whileBlocked('compiling 5000 ops', { stream: process.stderr, ${options} }, () =>
      whileBlocked('a part of it', { stream: process.stderr, ${options} }, block));
    process.stderr.write('result\\n');`;
  return spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], { encoding: 'utf8' }).stderr;
}

test('shows the elapsed time of the outermost work while the thread is blocked, and not afterwards', () => {
  expect(written(3000, "medium: 'log', afterMs: 20")).toMatch(/^compiling 5000 ops: \d s\nresult\n$/);
  expect(written(3000, "medium: 'terminal', afterMs: 20").replaceAll('\r\u001b[K', '<')).toMatch(
    /^(?:<compiling 5000 ops: \d s)+<result\n$/,
  );
});

test('shows nothing for quick work, machine-readable output, or other streams', () => {
  expect(written(0, "medium: 'log'")).toBe('result\n');
  expect(written(500, "medium: 'log', afterMs: 20, quiet: true")).toBe('result\n');
  expect(written(500, "medium: 'log', afterMs: 20", 'hideBlockedProgress();')).toBe('result\n');
  const stream = {
    write: () => {
      throw new Error('written');
    },
  };
  expect(whileBlocked('a', { stream, afterMs: 0 }, () => 5)).toBe(5);
});

test('errors thrown by the work are passed on', () => {
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => whileBlocked('a', { stream: process.stderr }, fail)).toThrow('no');
});
