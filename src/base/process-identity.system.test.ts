import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  formatIdentity,
  lifeOf,
  ownIdentity,
  type ProcessIdentity,
  parseIdentity,
  realm as realmOf,
} from './process-identity.ts';
import { processStat } from './process-stat.ts';

const hasProc = existsSync('/proc/self/stat');

const identityOf = (child: ChildProcess): ProcessIdentity => ({
  ...ownIdentity(),
  pid: child.pid!,
  started: processStat(child.pid!)!.started,
});

test('an identity round-trips through text', () => {
  const own = ownIdentity();
  expect(own.pid).toBe(process.pid);
  expect(parseIdentity(formatIdentity(own))).toEqual(own);
  for (const text of ['', '12', '12-34', '0-1-abcdefabcdef', '12-34-abcdefabcdef-x', '../1-2-abcdefabcdef'])
    expect(parseIdentity(text)).toBeUndefined();
});

test('this process is running; one with the same id and another start time has ended', () => {
  const own = ownIdentity();
  expect(lifeOf(own)).toBe('runs');
  expect(lifeOf({ ...own, started: '1' })).toBe('ended');
});

test('a process in another container, before a restart or on another machine is unknown', () => {
  expect(lifeOf({ ...ownIdentity(), realm: '0123456789ab' })).toBe('unknown');
});

test.skipIf(!hasProc)('stopped, continued, a zombie, gone', async () => {
  const child = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
  const identity = identityOf(child);
  expect(processStat(child.pid!)?.parent).toBe(process.pid);
  expect(lifeOf(identity)).toBe('runs');
  const becomes = async (life: string): Promise<void> => {
    while (lifeOf(identity) !== life) await new Promise(resolve => setTimeout(resolve, 2));
  };
  child.kill('SIGSTOP');
  await becomes('stopped');
  child.kill('SIGCONT');
  await becomes('runs');
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  // A zombie, because this thread is busy and has not reaped it.
  while (lifeOf(identity) === 'runs');
  expect(lifeOf(identity)).toBe('ended');
  await ended;
  expect(lifeOf(identity)).toBe('ended');
});

test('without /proc, `ps` is used', () => {
  const nowhere = '/nowhere';
  const here = { pid: process.pid, realm: realmOf(nowhere) };
  const told = lifeOf({ ...here, started: '1' }, nowhere);
  // Some containers have no `ps`: then the start time is unknown.
  expect(['ended', 'unknown']).toContain(told);
  expect(lifeOf({ ...here, pid: 2 ** 30, started: '1' }, nowhere)).toBe('ended');
});
