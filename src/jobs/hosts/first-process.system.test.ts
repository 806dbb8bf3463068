import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signalProgram } from './first-process.ts';

test('a program without a namespace that blocks SIGTERM is not killed by it', async () => {
  const child = spawn('env', ['--block-signal=TERM', 'sleep', '600'], { detached: true, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  await sleep(500);
  signalProgram(child.pid!, 'SIGTERM');
  await sleep(500);
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  signalProgram(child.pid!, 'SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  // A program that has ended already.
  signalProgram(child.pid!, 'SIGTERM');
});
