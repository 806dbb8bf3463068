// `trenio run` on several nodes: launchers of this machine that meet at an address of the loopback network.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { processStat } from '../../base/process-stat.ts';
import { ownEndpoint } from '../../distributed/launch/endpoints.testing.ts';
import { CliProcess, type Finished, isRunning, segmentsOf } from '../process.testing.ts';

const script = fileURLToPath(new URL('../../distributed/launch/fixtures/meet.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'trenio-nodes-'));
afterAll(() => rmSync(folder, { recursive: true }));
const secret = { TRENIO_RDZV_SECRET: 'of these tests and no others' };

interface Rank {
  readonly pid: number;
  readonly [name: string]: string | number;
}
const linesOf = (text: string): Rank[] =>
  [...text.matchAll(/^(?:\[rank \d+\] )?(\{.*\})$/gm)].map(match => JSON.parse(match[1]!) as Rank);
const byRank = (nodes: readonly { readonly stdout: string }[]): Rank[] =>
  nodes.flatMap(({ stdout }) => linesOf(stdout)).toSorted((a, b) => Number(a.RANK) - Number(b.RANK));

/** Waits until a process has ended; it stays as a zombie while its launcher is stopped. */
async function gone(pid: number): Promise<void> {
  while (isRunning(pid) && processStat(pid)?.state !== 'Z') await new Promise(resolve => setTimeout(resolve, 20));
}

class Nodes {
  readonly endpoint: string;
  readonly #flags: readonly string[];
  constructor(flags: readonly string[]) {
    const { host, port } = ownEndpoint();
    this.endpoint = `${host}:${port}`;
    this.#flags = ['--rdzv-endpoint', this.endpoint, '--no-pin', ...flags];
  }
  start(
    args: readonly string[] = [],
    flags: readonly string[] = [],
    variables: Record<string, string> = secret,
  ): CliProcess {
    return new CliProcess(['run', ...this.#flags, ...flags, script, ...args], variables);
  }
}
const nodes = (...flags: string[]): Nodes => new Nodes(flags);
const all = (launchers: readonly CliProcess[]): Promise<Finished[]> => Promise.all(launchers.map(l => l.finished));
const started = async (launcher: CliProcess, ranks: number): Promise<number[]> =>
  (await launcher.outputs(/"pid":(\d+)/g, ranks)).map(match => Number(match[1]));

describe('several nodes', () => {
  test('ranks of all nodes know their places', async () => {
    const run = nodes('--nnodes', '2', '--rdzv-id', 'job7', '--role', 'trainer', '--max_restarts=2');
    const ends = await all([run.start([], ['--nproc_per_node', '2']), run.start([], ['--nproc_per_node', '1'])]);
    expect(ends.map(end => [end.exitCode, end.stderr])).toEqual([0, 0].map(code => [code, expect.any(String)]));
    const ranks = byRank(ends);
    expect(ranks).toHaveLength(3);
    for (const [rank, seen] of ranks.entries())
      expect(seen).toMatchObject({
        RANK: `${rank}`,
        ROLE_RANK: `${rank}`,
        WORLD_SIZE: '3',
        ROLE_WORLD_SIZE: '3',
        GROUP_WORLD_SIZE: '2',
        ROLE_NAME: 'trainer',
        TORCHELASTIC_RESTART_COUNT: '0',
        TORCHELASTIC_MAX_RESTARTS: '2',
        TORCHELASTIC_RUN_ID: 'job7',
      });
    const groups = new Set(ranks.map(r => `${r.GROUP_RANK} has ${r.LOCAL_WORLD_SIZE}`));
    expect(groups.size).toBe(2);
  });

  test('a static rendezvous has the node ranks that it was given', async () => {
    const { host, port } = ownEndpoint();
    const node = (k: number, ...flags: string[]): CliProcess =>
      new CliProcess(
        [
          'run',
          '--nnodes=2',
          `--node_rank=${k}`,
          `--master_addr=${host}`,
          `--master_port=${port}`,
          ...flags,
          '--json',
          script,
        ],
        secret,
      );
    const [first, zero] = [node(1), node(0)];
    const ends = await all([zero, first]);
    expect(ends.map(end => end.exitCode)).toEqual([0, 0]);
    expect(ends.map(end => linesOf(end.stdout)[0]!.RANK)).toEqual(['0', '1']);
    const report = JSON.parse(ends[1]!.stdout.trim().split('\n').at(-1)!) as object;
    expect(report).toMatchObject({
      exitCode: 0,
      reason: null,
      restarts: 0,
      groupRank: 1,
      worldSize: 2,
      failedRank: null,
    });
  });

  test('a rank that fails ends its siblings everywhere, is named everywhere, and leaves an error file', async () => {
    const file = join(folder, 'error.json');
    const run = nodes('--nnodes', '2');
    const variables = { ...secret, TORCHELASTIC_ERROR_FILE: file };
    const args = ['--fail-rank', '1', '--wait'];
    const ends = await all([
      run.start(args),
      run.start(args, ['--log-dir', join(folder, 'logs'), '--tee', '3'], variables),
    ]);
    expect(ends.map(end => end.exitCode)).toEqual([1, 1]);
    for (const { stderr } of ends) {
      expect(stderr).toMatch(
        /trenio run: rank 1 of 2 on \S+ \(process \d+\) ended with exit code 1; the other rank was ended/,
      );
      expect(stderr).toContain('| Error: the loss is not a number');
    }
    const error = JSON.parse(readFileSync(file, 'utf8')) as { message: { message: string; extraInfo: object } };
    expect(error.message.message).toBe('Error: the loss is not a number');
    expect(error.message.extraInfo).toMatchObject({
      py_callstack: expect.stringContaining('meet.ts'),
      timestamp: expect.stringMatching(/^\d+$/),
    });
    await Promise.all(byRank(ends).map(rank => gone(rank.pid)));
  });

  test('--max-restarts restarts all ranks, with a new store', async () => {
    const run = nodes('--nnodes', '2', '--max-restarts', '3');
    const args = ['--fail-rank', '0', '--fail-attempts', '2'];
    const ends = await all([run.start(args), run.start(args)]);
    expect(ends.map(end => end.exitCode)).toEqual([0, 0]);
    expect(
      byRank(ends)
        .map(rank => `${rank.RANK} ${rank.TORCHELASTIC_RESTART_COUNT}`)
        .toSorted(),
    ).toEqual(['0 0', '0 1', '0 2', '1 0', '1 1', '1 2']);
  });

  test.each([
    ['SIGKILL', /the run has ended: node 1 \(\S+\) is gone/],
    ['SIGSTOP', /the run has ended: node 1 \(\S+\) has not been heard of for \d+ s/],
  ] as const)('a launcher that gets %s ends the run on the other node', async (signal, reason) => {
    const run = nodes('--nnodes', '2', '--rdzv-conf', 'heartbeat_interval=0.5,heartbeat_timeout=8');
    const first = run.start(['--wait']);
    await new Promise(resolve => setTimeout(resolve, 1000));
    const second = run.start(['--wait'], ['--nproc_per_node=2']);
    const pids = [...(await started(first, 1)), ...(await started(second, 2))];
    // The host of the rendezvous has group rank 0.
    const lost = linesOf(first.stdout)[0]!.GROUP_RANK === '1' ? first : second;
    const other = lost === first ? second : first;
    lost.child.kill(signal);
    const end = await other.finished;
    expect(end.exitCode).toBe(1);
    expect(end.stderr).toMatch(reason);
    // Also the ranks of a launcher that cannot do anything.
    await Promise.all(pids.map(gone));
    lost.child.kill('SIGKILL');
    await lost.finished;
    expect(segmentsOf(other.child.pid!)).toEqual([]);
  });

  test.each(['SIGKILL', 'SIGSTOP'] as const)('… and so does the one that hosts the rendezvous (%s)', async signal => {
    const run = nodes('--nnodes', '2', '--rdzv-conf', 'heartbeat_interval=0.5,heartbeat_timeout=8');
    const launchers = [run.start(['--wait']), run.start(['--wait'])];
    const pids = (await Promise.all(launchers.map(one => started(one, 1)))).flat();
    const host = launchers.find(one => linesOf(one.stdout)[0]!.GROUP_RANK === '0')!;
    const other = launchers.find(one => one !== host)!;
    host.child.kill(signal);
    const end = await other.finished;
    expect(end.exitCode).toBe(1);
    expect(end.stderr).toMatch(
      /the run has ended: the (launcher|rendezvous) at [\d.]+:\d+ (is gone|has not been heard of)/,
    );
    await Promise.all(pids.map(gone));
    host.child.kill('SIGKILL');
    await host.finished;
  });

  test('with a range, the run continues without a lost node, and admits a new one', async () => {
    const run = nodes('--nnodes', '1:2', '--max-restarts', '2', '--rdzv-conf', 'last_call_timeout=3');
    const launchers = [run.start(['--wait']), run.start(['--wait'])];
    for (const one of launchers) await one.outputs(/"WORLD_SIZE":"2"/g, 1);
    const lost = launchers.find(one => linesOf(one.stdout).at(-1)!.GROUP_RANK === '1')!;
    const host = launchers.find(one => one !== lost)!;
    lost.child.kill('SIGKILL');
    await host.outputs(/"WORLD_SIZE":"1".*"TORCHELASTIC_RESTART_COUNT":"1"/g, 1);
    const late = run.start(['--wait']);
    await late.outputs(/"WORLD_SIZE":"2".*"TORCHELASTIC_RESTART_COUNT":"1"/g, 1);
    host.child.kill('SIGTERM');
    expect((await all([host, late])).map(end => end.exitCode)).toEqual([143, 143]);
    await Promise.all(byRank(await all([...launchers, late])).map(rank => gone(rank.pid)));
  });

  test('with a fixed number, the ranks wait for a lost node, and start again when it comes back', async () => {
    const run = nodes('--nnodes', '2', '--max-restarts', '2');
    const launchers = [run.start(['--wait']), run.start(['--wait'])];
    for (const one of launchers) await started(one, 1);
    const lost = launchers.find(one => linesOf(one.stdout).at(-1)!.GROUP_RANK === '1')!;
    const host = launchers.find(one => one !== lost)!;
    lost.child.kill('SIGKILL');
    await lost.finished;
    const back = run.start(['--wait']);
    for (const one of [host, back]) await one.outputs(/"WORLD_SIZE":"2".*"TORCHELASTIC_RESTART_COUNT":"1"/g, 1);
    expect(host.stderr).toMatch(/node 1 \(\S+\) is gone .*; stopping the ranks of all nodes to start them again/);
    host.child.kill('SIGTERM');
    expect((await all([host, back])).map(end => end.exitCode)).toEqual([143, 143]);
  });

  test('SIGTERM to one launcher lets the ranks of all save their state: exit code 75 everywhere', async () => {
    const run = nodes('--nnodes', '2');
    const launchers = [run.start(['--wait', '--requeue']), run.start(['--wait', '--requeue'])];
    await Promise.all(launchers.map(one => started(one, 1)));
    launchers[1]!.child.kill('SIGTERM');
    expect((await all(launchers)).map(end => end.exitCode)).toEqual([75, 75]);
  });

  test('a rank that exits with 75 is not started again', async () => {
    const run = nodes('--nnodes', '2', '--max-restarts', '3');
    const args = ['--fail-rank', '1', '--exit-code', '75', '--wait', '--requeue'];
    expect((await all([run.start(args), run.start(args)])).map(end => end.exitCode)).toEqual([75, 75]);
  });

  test('SIGUSR1 reaches the ranks of all nodes, which continue', async () => {
    const run = nodes('--nnodes', '2');
    const launchers = [run.start(['--wait', '--usr1']), run.start(['--wait', '--usr1'])];
    await Promise.all(launchers.map(one => started(one, 1)));
    launchers[0]!.child.kill('SIGUSR1');
    await Promise.all(launchers.map(one => one.outputs(/signaled \d/g, 1)));
    launchers[0]!.child.kill('SIGINT');
    expect((await all(launchers)).map(end => end.exitCode)).toEqual([130, 130]);
  });

  test('a launcher with another secret is refused', async () => {
    const run = nodes('--nnodes', '2', '--rdzv-conf', 'timeout=20,join_timeout=20');
    const first = run.start();
    const stranger = run.start([], ['--rdzv-conf', 'timeout=20,is_host=0'], {
      TRENIO_RDZV_SECRET: 'another secret altogether',
    });
    const end = await stranger.finished;
    expect(end.exitCode).toBe(1);
    expect(end.stderr).toContain('it has another secret');
    const second = run.start();
    expect((await all([first, second])).map(one => one.exitCode)).toEqual([0, 0]);
  });
});

test('one node: restarts, logs of each attempt, and only the shown ranks on the console', {
  timeout: 180_000,
}, async () => {
  const logs = join(folder, 'one');
  const end = await new CliProcess([
    'run',
    '--nproc_per_node=2',
    '--max-restarts=1',
    `--log-dir=${logs}`,
    '--tee=0:3',
    '--redirects=1:3',
    '--local-ranks-filter=0,1',
    script,
    '--fail-rank=1',
    '--fail-attempts=1',
  ]).finished;
  expect(end.exitCode).toBe(0);
  expect(linesOf(end.stdout).map(rank => `${rank.RANK} ${rank.TORCHELASTIC_RESTART_COUNT}`)).toEqual(['0 0', '0 1']);
  const found = await new CliProcess([
    'run',
    '--nproc_per_node=2',
    `--log-dir=${logs}-2`,
    '--redirects=3',
    script,
    '--fail-rank=1',
  ]).finished;
  expect(found.exitCode).toBe(1);
  expect(found.stdout).toBe('');
  const path = /its log is (\S+attempt_0\/1\/stderr\.log)/.exec(found.stderr)![1]!;
  expect(readFileSync(path, 'utf8')).toContain('Error: the loss is not a number');
});
