// `trenio run` with real processes.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { processStat } from '../../base/process-stat.ts';
import { machineCpus } from '../../distributed/launch/machine-cpus.ts';
import { CliProcess, gone, isRunning, segmentsOf, trenio } from '../process.testing.ts';

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../distributed/launch/fixtures/${name}.ts`, import.meta.url));
const linux = process.platform === 'linux';
const folder = mkdtempSync(join(tmpdir(), 'trenio-run-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function startTwo(...args: string[]): Promise<{ launcher: CliProcess; pids: number[] }> {
  const launcher = new CliProcess(['run', '--nproc_per_node=2', fixture('wait'), ...args]);
  const pids = (await launcher.outputs(/pid (\d+)/g, 2)).map(match => Number(match[1]));
  return { launcher, pids };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 20));
}

/** Nothing is left of a launcher and its ranks. */
async function expectNothingLeft(launcher: CliProcess, pids: readonly number[]): Promise<void> {
  await Promise.all(pids.map(gone));
  expect(segmentsOf(launcher.child.pid!)).toEqual([]);
}

describe('trenio run', () => {
  test('each rank has its number and its share of the cores', async () => {
    const { exitCode, stdout, stderr } = await trenio(
      'run',
      '--nproc_per_node=2',
      fixture('environment'),
      '--lr',
      '1e-4',
      '--json',
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    const ranks = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line.replace(/^\[rank \d\] /, '')) as Record<string, unknown> & { cpus: number[] })
      .toSorted((a, b) => Number(a.RANK) - Number(b.RANK));
    const half = machineCpus().cpus.length / 2;
    for (const [rank, seen] of ranks.entries()) {
      expect(seen).toMatchObject({
        RANK: `${rank}`,
        LOCAL_RANK: `${rank}`,
        WORLD_SIZE: '2',
        LOCAL_WORLD_SIZE: '2',
        TRENIO_LAUNCHER_PID: null,
        sharedMemory: true,
        args: ['--lr', '1e-4', '--json'],
      });
      expect(Number(seen.TRENIO_NUM_THREADS)).toBeGreaterThanOrEqual(Math.max(1, Math.floor(half)));
    }
    if (linux && half >= 1) expect(ranks[0]!.cpus.filter(cpu => ranks[1]!.cpus.includes(cpu))).toEqual([]);
  });

  test.runIf(linux)('a rank that stays stopped while others run is ended, with that reason', async () => {
    const launcher = new CliProcess(['run', '--nproc_per_node=2', '--timeout', '2', fixture('wait')]);
    const pids = (await launcher.outputs(/pid (\d+)/g, 2)).map(match => Number(match[1]));
    process.kill(pids[0]!, 'SIGSTOP');
    const { exitCode, stderr } = await launcher.finished;
    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(/rank \d \S*.*\(process \d+\) was stopped \(SIGSTOP\) for 7 s, and ended/);
    await expectNothingLeft(launcher, pids);
  });

  test('a single rank has no prefix, no shared memory, and all cores', async () => {
    const { exitCode, stdout } = await trenio('run', '--no-pin', fixture('environment'));
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      RANK: '0',
      WORLD_SIZE: '1',
      sharedMemory: null,
      TRENIO_CPUS: null,
      args: [],
    });
  });

  test('a layout says how many ranks there are, and each gets it', async () => {
    const { exitCode, stdout } = await trenio('run', '--layout', 'dp_shard=1,tp=2', fixture('environment'));
    expect(exitCode).toBe(0);
    const ranks = [...stdout.matchAll(/\{.*\}/g)].map(([line]) => JSON.parse(line) as Record<string, unknown>);
    expect(ranks.map(seen => [seen.WORLD_SIZE, seen.TRENIO_LAYOUT])).toEqual(Array(2).fill(['2', 'dp_shard=1,tp=2']));
  });

  test('lines of ranks do not mix', async () => {
    const { exitCode, stdout } = await trenio('run', '--nproc-per-node', '2', fixture('lines'));
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    const texts = [...Array.from({ length: 20 }, (_, i) => `abcdef ${i}`), 'no newline at the end'];
    const ofOne = lines.filter(line => line.startsWith('[rank 1] '));
    expect(ofOne).toEqual(texts.map(text => `[rank 1] ${text}`));
    expect(lines.filter(line => !ofOne.includes(line)).map(line => line.replace('[rank 0] ', ''))).toEqual(texts);
  });

  test('lines of rank 0 have a prefix only once another rank has printed to the same stream', async () => {
    const { stdout, stderr } = await trenio('run', '--nproc_per_node=2', fixture('turns'));
    expect(stdout).toBe('epoch 1\n[rank 1] late\n[rank 0] epoch 2\n');
    expect(stderr).toBe('warning\n');
    const only = await trenio('run', '--nproc_per_node=2', '--local-ranks-filter=1', fixture('turns'));
    expect([only.stdout, only.stderr]).toEqual(['[rank 1] late\n', '']);
  });

  test('a rank that fails ends the others, is named, quoted, and gives the exit code', async () => {
    const launcher = new CliProcess(['run', '--nproc_per_node=2', fixture('wait'), '--fail-rank', '1', '--block']);
    const { exitCode, stderr, stdout } = await launcher.finished;
    expect(exitCode).toBe(3);
    expect(stderr.replace(/process \d+/, 'process N')).toBe(
      [
        '[rank 1] Error: the loss is not a number',
        '[rank 1]     at step 7',
        'trenio run: rank 1 of 2 (process N) ended with exit code 3; the other rank was ended; its last lines:',
        '  | Error: the loss is not a number',
        '  |     at step 7',
        '  fix: see the output of rank 1; to debug with a single rank, run the script with --nproc_per_node=1',
        '',
      ].join('\n'),
    );
    await expectNothingLeft(
      launcher,
      [...stdout.matchAll(/pid (\d+)/g)].map(match => Number(match[1])),
    );
  });

  test('a rank that is killed counts as failed', async () => {
    const { exitCode, stderr } = await trenio('run', '--nproc_per_node=2', fixture('wait'), '--kill-rank', '0');
    expect(exitCode).toBe(137);
    expect(stderr).toMatch(
      /rank 0 of 2 \(process \d+\) was ended by SIGKILL; the other rank was ended\n {2}fix: unless it was killed on purpose, the system ran out of memory/,
    );
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends everything, with code %d', async (signal, code) => {
    const { launcher, pids } = await startTwo('--child');
    const children = (await launcher.outputs(/child (\d+)/g, 2)).map(match => Number(match[1]));
    launcher.child.kill(signal);
    expect((await launcher.finished).exitCode).toBe(code);
    await expectNothingLeft(launcher, [...pids, ...children]);
  });

  test('a rank that blocks, or ignores the signal, is killed at the second Ctrl-C', async () => {
    const { launcher, pids } = await startTwo('--ignore-term');
    launcher.child.kill('SIGINT');
    // The ranks have received the signal and keep running; the launcher is in its grace period.
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(pids.every(isRunning)).toBe(true);
    launcher.child.kill('SIGINT');
    expect((await launcher.finished).exitCode).toBe(130);
    await expectNothingLeft(launcher, pids);
  });

  test.each([['--block'], ['--ignore-term']])('a launcher that is killed takes its ranks with it (%s)', async flag => {
    const { launcher, pids } = await startTwo(flag);
    expect(segmentsOf(launcher.child.pid!)).toHaveLength(linux ? 1 : 0);
    launcher.child.kill('SIGKILL');
    await Promise.all(pids.map(gone));
    // Its shared memory had not been attached to: the next launcher removes it.
    await trenio('run', '--nproc_per_node=2', fixture('environment'));
    expect(segmentsOf(launcher.child.pid!)).toEqual([]);
  });

  test('collectives return the same numbers on each rank', async () => {
    const { exitCode, stdout, stderr } = await trenio('run', '--nproc_per_node=2', fixture('collectives'));
    expect([exitCode, stderr]).toEqual([0, '']);
    const seen = stdout.split('\n').filter(line => line.includes('{'));
    const sums = [1, 2, 0.1 + 0.2];
    const results = seen.map(line => JSON.parse(line.slice(line.indexOf('{'))) as { rank: number });
    expect(results.toSorted((a, b) => a.rank - b.rank)).toEqual([
      { rank: 0, localRank: 0, worldSize: 2, isMain: true, sums },
      { rank: 1, localRank: 1, worldSize: 2, isMain: false, sums },
    ]);
    expect(stdout.match(/after the barrier/g)).toHaveLength(2);
  });

  test('a rank that exits early, even with code 0, is an error for ranks that wait for it', async () => {
    const { exitCode, stdout, stderr } = await trenio(
      'run',
      '--nproc_per_node=2',
      fixture('collectives'),
      '--leave',
      '1',
    );
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain('after the barrier');
    expect(stderr).toMatch(/rank 0 cannot continue barrier: rank 1 \(process \d+\) has ended/);
    expect(stderr).toContain('trenio run: rank 0 of 2');
  });

  test('a launcher that compiles for longer than a lost launcher may be silent ends with its ranks', async () => {
    const cc = join(folder, 'slow-cc');
    writeFileSync(cc, '#!/bin/sh\ncase "$*" in *" -c "*) sleep 1 ;; esac\nexec cc "$@"\n', { mode: 0o755 });
    const heartbeat = 'heartbeat_interval=0.5,heartbeat_timeout=1';
    const launcher = new CliProcess(['run', '--nproc_per_node=2', '--rdzv-conf', heartbeat, fixture('environment')], {
      CC: cc,
      TRENIO_CACHE_DIR: mkdtempSync(join(folder, 'cache-')),
    });
    expect((await launcher.finished).exitCode, launcher.stderr).toBe(0);
    expect(launcher.stdout.trim().split('\n')).toHaveLength(2);
  });

  test.runIf(linux)('a launcher that is compiling ends at once on a signal, with its compiler', async () => {
    const cc = join(folder, 'endless-cc');
    const pids = join(folder, 'endless-pid');
    writeFileSync(cc, `#!/bin/sh\ncase "$*" in *" -c "*) echo $$ > ${pids}; sleep 600 ;; esac\nexec cc "$@"\n`, {
      mode: 0o755,
    });
    const cache = mkdtempSync(join(folder, 'cache-'));
    const launcher = new CliProcess(['run', '--nproc_per_node=2', fixture('environment')], {
      CC: cc,
      TRENIO_CACHE_DIR: cache,
    });
    await until(() => existsSync(pids) && readFileSync(pids, 'utf8').endsWith('\n'));
    const pid = Number(readFileSync(pids, 'utf8'));
    process.kill(launcher.child.pid!, 'SIGINT');
    expect((await launcher.finished).exitCode, launcher.stderr).toBe(130);
    await until(() => !isRunning(pid));
    expect(readdirSync(cache).filter(name => /^(tmp|claim)-/.test(name))).toEqual([]);
  });

  test.runIf(linux)('ranks end when their launcher is stopped for longer than they may wait', async () => {
    const launcher = new CliProcess(['run', '--nproc_per_node=2', '--timeout', '1', fixture('wait')]);
    const pids = (await launcher.outputs(/pid (\d+)/g, 2)).map(match => Number(match[1]));
    process.kill(launcher.child.pid!, 'SIGSTOP');
    await until(() => pids.every(pid => processStat(pid)?.state === 'Z' || !isRunning(pid)));
    process.kill(launcher.child.pid!, 'SIGCONT');
    const { exitCode, stderr } = await launcher.finished;
    expect(exitCode).toBe(137);
    expect(stderr).toMatch(/rank \d of 2 \(process \d+\) has ended, as the launcher \(process \d+\) was stopped/);
    await expectNothingLeft(launcher, pids);
  });

  test('more ranks than cores: a warning, and they run', async () => {
    const ranks = machineCpus().cpus.length + 1;
    const { exitCode, stdout, stderr } = await trenio('run', `--nproc_per_node=${ranks}`, fixture('environment'));
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`trenio run: ${ranks} ranks share ${ranks - 1} CPU`);
    expect(stdout.trim().split('\n')).toHaveLength(ranks);
  });

  test('a closed output ends all ranks', async () => {
    const launcher = new CliProcess(['run', '--nproc_per_node=2', fixture('lines')]);
    await launcher.outputs(/abcdef 1\n/g, 1);
    launcher.child.stdout.destroy();
    expect((await launcher.finished).exitCode).not.toBeNull();
    expect(segmentsOf(launcher.child.pid!)).toEqual([]);
  });
});
