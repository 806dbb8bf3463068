import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { processStat, sameProcess, stateOf, thisProcess } from './process-identity.ts';

describe('a process identity', () => {
  const mine = thisProcess();

  test('this process runs', () => {
    expect(stateOf(mine)).toBe('running');
    expect(sameProcess(mine, thisProcess())).toBe(true);
  });

  test.skipIf(mine.startTicks === null)('the same number, started at another time, is another process', () => {
    const reused = { ...mine, startTicks: mine.startTicks! + 1 };
    expect(stateOf(reused)).toBe('ended');
    expect(sameProcess(mine, reused)).toBe(false);
  });

  test.skipIf(mine.boot === null)('before the last boot', () => {
    expect(stateOf({ ...mine, boot: '00000000-0000-0000-0000-000000000000' })).toBe('ended');
  });

  test('what cannot be seen from here', () => {
    expect(stateOf({ ...mine, host: `${mine.host}-2` })).toBe('unknown');
    expect(stateOf({ ...mine, pidNamespace: 'pid:[1]' })).toBe('unknown');
  });

  test('a process that has ended', async () => {
    const child = spawn(process.execPath, ['--eval', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const identity = { ...mine, pid: child.pid!, startTicks: processStat(child.pid!)?.startTicks ?? null };
    expect(stateOf(identity)).toBe('running');
    child.stdin.end();
    await once(child, 'exit');
    expect(stateOf(identity)).toBe('ended');
  });

  test.runIf(process.platform === 'linux')('a zombie has ended', async () => {
    // The shell becomes a program that never asks for the exit code of its child.
    const child = spawn('sh', ['-c', 'sleep 60 & echo $!; exec tail -f /dev/null'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise(resolve => setTimeout(resolve, 5));
    };
    await until(() => processStat(child.pid!)?.name === 'tail');
    process.kill(pid, 'SIGKILL');
    await until(() => processStat(pid)?.zombie === true);
    expect(stateOf({ ...mine, pid, startTicks: processStat(pid)!.startTicks })).toBe('ended');
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test.runIf(process.platform === 'linux')('what Linux says of this process', () => {
    expect(processStat(process.pid)).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false });
    expect(processStat(2 ** 22 + 1)).toBeUndefined();
  });
});
