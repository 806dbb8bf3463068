import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runningProcesses } from './running-processes.ts';

test('processes have the script that they run and the name of their user', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'trenio-proc-'));
  const process = (pid: number, uid: number, command: readonly string[], environment: string): void => {
    const folder = join(root.path, 'proc', `${pid}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'cmdline'), command.map(word => `${word}\0`).join(''));
    writeFileSync(join(folder, 'environ'), environment);
    writeFileSync(
      join(folder, 'status'),
      `Name:\tnode\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\nThreads:\t3\nVmRSS:\t  10 kB\n`,
    );
  };
  mkdirSync(join(root.path, 'etc'));
  writeFileSync(join(root.path, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nmary:x:1001:1001::/home/mary:/bin/sh\n');
  const rank = 'TRENIO_LAUNCHER_PID=9\0RANK=1\0WORLD_SIZE=2\0';
  const preload = ['--import', 'file:///trenio/rank-preload.ts'];
  process(10, 1001, ['/usr/bin/node', ...preload, '/home/mary/train.ts', '--lr', '0.1'], rank);
  process(11, 4242, ['node', '-e', 'train()'], rank);
  process(12, 0, ['node', 'other.ts'], 'PATH=/bin\0');
  expect(runningProcesses(root.path)).toMatchObject([
    { pid: 10, rank: 1, worldSize: 2, user: 'mary', script: '/home/mary/train.ts', threads: 3, residentBytes: 10240 },
    { pid: 11, user: '4242', script: undefined },
  ]);
});
