// The limits of a group, with real programs: a fork bomb, and a program that takes all memory.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ControlGroup } from './control-group.ts';

const name = (test: string): string => `group-${test}-${process.pid}`;
const probe = ControlGroup.make(name('probe'), { memoryBytes: 1e9, cores: undefined, tasks: 100 });
const hasGroups = probe !== undefined;
await probe?.remove();

function runIn(group: ControlGroup, ...command: readonly string[]): { readonly output: string; readonly code: number } {
  const [program, ...args] = [...group.enter, ...command];
  const { stdout, stderr, status } = spawnSync(program!, args, { encoding: 'utf8', timeout: 20_000 });
  return { output: `${stdout}${stderr}`, code: status ?? -1 };
}

test.skipIf(!hasGroups)('a fork bomb cannot exceed its process limit', async () => {
  const group = ControlGroup.make(name('forks'), { memoryBytes: 1e9, cores: undefined, tasks: 40 })!;
  try {
    const script = `
      const { spawn } = require('node:child_process');
      const children = Array.from({ length: 100 }, () => spawn('sleep', ['60']).on('error', () => {}));
      console.log(children.filter(({ pid }) => pid === undefined).length);
      // Without a process, kill() would signal this group.
      for (const { pid } of children) if (pid !== undefined) process.kill(pid, 'SIGKILL');
    `;
    const { output, code } = runIn(group, process.execPath, '-e', script);
    expect(Number(output)).toBeGreaterThanOrEqual(60);
    expect(code).toBe(0);
  } finally {
    await group.remove();
  }
});

test.skipIf(!hasGroups)('a program that exceeds its memory is killed and counted', async () => {
  const group = ControlGroup.make(name('memory'), { memoryBytes: 100e6, cores: undefined, tasks: 50 })!;
  try {
    const { code } = runIn(group, process.execPath, '-e', 'const a = []; for (;;) a.push(Buffer.alloc(1e7, 1))');
    expect(code).not.toBe(0);
    expect(group.memoryKills).toBeGreaterThan(0);
  } finally {
    await group.remove();
  }
});
