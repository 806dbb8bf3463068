// The limits of a group, with real programs: a fork bomb, and a program that takes all memory.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { ControlGroup } from './control-group.ts';

const name = (test: string): string => `group-${test}-${process.pid}`;
const probe = ControlGroup.make(name('probe'), { memoryBytes: 1e9, cores: undefined, tasks: 100 });
const hasGroups = probe !== undefined;
await probe?.remove();

function runIn(group: ControlGroup, ...command: readonly string[]): { readonly output: string; readonly code: number } {
  const [program, ...args] = [...group.enter, ...command];
  const { stdout, stderr, status } = spawnSync(program!, args, { encoding: 'utf8', timeout: 150_000 });
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

test.skipIf(!hasGroups)(
  'groups of a maker that was killed are removed by the next one, whatever the clock says; others are kept',
  async () => {
    const limits = { memoryBytes: 1e9, cores: undefined, tasks: 40 };
    const module = JSON.stringify(new URL('./control-group.ts', import.meta.url).href);
    const make = `(await import(${module})).ControlGroup.make('${name('killed')}', ${JSON.stringify({ ...limits, cores: 1 })})`;
    spawnSync(process.execPath, ['--input-type=module', '-e', `${make}; process.kill(process.pid, 'SIGKILL')`]);
    const left = (text: string): readonly string[] =>
      readdirSync('/sys/fs/cgroup', { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith(`-${text}`));
    expect(left(name('killed'))).not.toEqual([]);
    const kept = ControlGroup.make(name('kept'), limits)!;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1e9);
    const next = ControlGroup.make(name('next'), limits)!;
    clock.mockRestore();
    expect([left(name('killed')), left(name('kept')).length > 0]).toEqual([[], true]);
    for (const group of [kept, next]) await group.remove();
  },
);

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
