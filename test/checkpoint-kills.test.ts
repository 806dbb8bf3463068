// A run that is killed repeatedly ends with the same weights as an uninterrupted one: a short version of
// bench/checkpoint-kills.ts. A run that is asked to stop saves, and exits with the corresponding code.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkpointKills } from '../bench/checkpoint-kills.ts';
import { listCheckpoints } from '../src/distributed/checkpoints/folder.ts';
import { leftovers, scripts, startTrenio, trenio, workFolder } from './system.ts';

test('killed six times at random moments, on one and two ranks', { timeout: 600_000 }, async () => {
  const lines: string[] = [];
  const campaign = { count: 6, seed: 4, ranks: [1, 2], steps: 16, log: (line: string) => void lines.push(line) };
  const result = await checkpointKills(campaign);
  expect(result.faults, lines.join('\n')).toEqual([]);
  expect(result).toMatchObject({ kills: 6, mostStepsLost: 0 });
});

const script = join(scripts, 'killed.ts');
test.each([
  ['SIGTERM', 1, 'from step 0'],
  ['SIGTERM', 2, 'from step 0'],
  // Before there is a checkpointer.
  ['SIGUSR1', 2, 'begun'],
] as const)(
  '%s of the launcher of %d rank(s) after "%s": saved, exit code 75, resumed bit-identically',
  {
    timeout: 180_000,
  },
  async (signal, ranks, line) => {
    using folder = workFolder();
    const words = (name: string, n: number, ...more: string[]) => {
      const to = join(folder.path, name);
      return ['run', `--nproc_per_node=${n}`, script, to, '--steps', '12', '--every', '1000', ...more];
    };
    const variables = { TRENIO_LOG: 'error' };
    const running = startTrenio(words('asked', ranks, '--slow', '300'), { cwd: folder.path, variables });
    await running.says(new RegExp(line));
    running.child.kill(signal);
    const { exitCode, stderr } = await running.ended;
    expect(exitCode, stderr).toBe(75);
    expect(stderr).not.toContain('Debugger');
    expect(stderr).toMatch(/step \d+ is saved in .*; exiting as requested/);
    expect(leftovers(running.child.pid)).toEqual({ processes: [], memory: [] });
    expect(readdirSync(join(folder.path, 'asked')).filter(name => name !== '.lock')).toHaveLength(1);
    const [saved] = await listCheckpoints(join(folder.path, 'asked'));
    // Resume with another number of ranks.
    const resumed = await trenio(words('asked', 3 - ranks), { cwd: folder.path, variables });
    expect(resumed.stdout).toContain(`from step ${saved!.step}`);
    const whole = await trenio(words('whole', 1), { cwd: folder.path, variables });
    const final = /final (\w+)/;
    expect(final.exec(resumed.stdout)?.[1]).toBe(final.exec(whole.stdout)?.[1]);
  },
);

test.each([1, 2])(
  'SIGTERM reaches a training on %d rank(s) that waits only for its device',
  { timeout: 600_000 },
  async ranks => {
    using folder = workFolder();
    const words = [
      'run',
      `--nproc_per_node=${ranks}`,
      script,
      join(folder.path, 'busy'),
      '--steps',
      '1000000',
      '--every',
      '1000000',
    ];
    const running = startTrenio(words, { cwd: folder.path, variables: { TRENIO_LOG: 'error' } });
    await running.says(/from step 0/);
    running.child.kill('SIGTERM');
    const { exitCode, stderr } = await running.ended;
    expect(exitCode, stderr).toBe(75);
  },
);
