// A process that is tied to its parent, which is killed. The parent is an intermediate process of ours.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const file = new URL('./die-with-parent.ts', import.meta.url).href;

/** The code of a child that ties itself to its parent and then blocks forever. */
const childCode = (call: string) => `
  import { dieWithParent, watchFromThread } from '${file}';
  import { writeSync } from 'node:fs';
  ${call};
  // Wait for the watching thread to start; afterwards the main thread is blocked.
  setTimeout(() => {
    writeSync(1, 'tied ' + process.pid + '\\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
  }, 300);
`;
const parentCode = (child: string) => `
  import { spawn } from 'node:child_process';
  spawn(process.execPath, ['--input-type=module', '--eval', ${JSON.stringify(child)}], { stdio: 'inherit', detached: true });
  setInterval(() => {}, 1000);
`;

test.each([
  ['the kernel, where it can', 'dieWithParent(process.ppid)'],
  ['a thread that looks', 'watchFromThread(process.ppid)'],
])('dies with its parent: %s', async (_, call) => {
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', parentCode(childCode(call))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  expect(line.toString()).toMatch(/^tied \d+\n$/);
  // The child also has the pipe open: it closes when both have ended.
  const closed = once(parent.stdout, 'close');
  parent.stdout.resume();
  parent.kill('SIGKILL');
  await closed;
});

test('ends at once if the parent has already ended', async () => {
  const code = `import { dieWithParent } from '${file}'; dieWithParent(process.ppid + 1); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});
