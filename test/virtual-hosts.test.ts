// Runs over two virtual hosts with separate addresses: their results equal those of one rank; and failures: the network is cut, a
// rank is stopped, or the disk of one host is full.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canMakeHosts, type VirtualHost, VirtualNetwork } from '../src/distributed/launch/namespaces.testing.ts';
import { until } from '../src/runtime/processes.testing.ts';
import { type Ended, Running, root, scripts, startTrenio, workFolder } from './system.ts';

const variables = { TRENIO_RDZV_SECRET: 'a secret for these tests only', TRENIO_NUM_THREADS: '1', TRENIO_LOG: 'error' };
// On a busy machine, a launcher may be silent for some seconds.
const conf = 'heartbeat_interval=0.5,heartbeat_timeout=8,last_call_timeout=1';

/** `trenio run` on a host, with the options and the script. */
function start(host: VirtualHost, words: readonly string[], more: Readonly<Record<string, string>> = {}): Running {
  const [enter = '', ...place] = host.enter;
  const options = ['--rdzv-endpoint=host1:29500', `--rdzv-conf=${conf}`, '--no-pin'];
  const command = [...place, join(root, 'bin', 'trenio'), 'run', ...options, ...words];
  return new Running(enter, command, { variables: { ...variables, ...more } });
}
const allEnded = (runs: readonly Running[]): Promise<Ended[]> => Promise.all(runs.map(run => run.ended));
function expectNothingLeft({ hosts }: VirtualNetwork): void {
  expect(hosts.map(host => host.leftovers())).toEqual(hosts.map(() => ({ processes: [], memory: [] })));
}

/** The losses of all micro-batches in order, and the hash of the final state. */
function resultOf(ends: readonly Ended[]): { readonly losses: readonly number[]; readonly final: string | undefined } {
  const text = ends.map(({ stdout }) => stdout).join('\n');
  const ranks = (text.match(/\{"rank".*\}/g) ?? [])
    .map(line => JSON.parse(line) as { readonly rank: number; readonly losses: readonly number[] })
    .toSorted((a, b) => a.rank - b.rank);
  const each = 8 / ranks.length;
  const losses = Array.from({ length: 6 }, (_, step) =>
    ranks.flatMap(rank => rank.losses.slice(step * each, (step + 1) * each)),
  );
  return { losses: losses.flat(), final: /final (\w+)/.exec(text)?.[1] };
}

describe.skipIf(!canMakeHosts())('two hosts', () => {
  test.each(['f32', 'bf16'])(
    '4 ranks on each: losses and weights are bit-identical to those of one rank, in %s',
    async format => {
      await using network = await VirtualNetwork.make(2);
      using folder = workFolder();
      const script = join(scripts, 'killed.ts');
      const options = ['--losses', '--micro=8', '--steps=6', '--every=1000', `--format=${format}`];
      const several = ['--nnodes=2', '--nproc_per_node=4', script, join(folder.path, 'several'), ...options];
      const [alone, ...ends] = await allEnded([
        startTrenio(['run', script, join(folder.path, 'alone'), ...options], { variables }),
        ...network.hosts.map(host => start(host, several)),
      ]);
      expect(
        ends.map(({ exitCode }) => exitCode),
        ends.map(({ stderr }) => stderr).join('\n'),
      ).toEqual([0, 0]);
      const expected = resultOf([alone!]);
      expect(new Set(expected.losses).size).toBe(48);
      expect(resultOf(ends)).toEqual(expected);
      expectNothingLeft(network);
    },
  );

  test('a host loses power: half of the ranks continue with the same global batch, bit-identically', async () => {
    await using network = await VirtualNetwork.make(2);
    using folder = workFolder();
    const script = join(scripts, 'killed.ts');
    const options = ['--micro=8', '--steps=8'];
    const elastic = ['--nnodes=1:2', '--max-restarts=1', '--nproc_per_node=2', script, join(folder.path, 'two')];
    const alone = startTrenio(['run', script, join(folder.path, 'one'), ...options], { variables });
    const [first, second] = network.hosts.map(host => start(host, [...elastic, ...options, '--slow=300']));
    await first!.says(/\[rank 1\] from step 0/);
    await until(() => readdirSync(join(folder.path, 'two')).includes('checkpoint-2'));
    await network.hosts[1]![Symbol.asyncDispose]();
    const [one, end] = await allEnded([alone, first!, second!]);
    expect(end!.exitCode, end!.stderr).toBe(0);
    expect(end!.stdout).toMatch(/\[rank 1\] from step [2-8]/);
    expect(/final (\w+)/.exec(end!.stdout)?.[1]).toBe(/final (\w+)/.exec(one!.stdout)![1]);
    expect(network.hosts[0]!.leftovers()).toEqual({ processes: [], memory: [] });
  });

  const endless = [join(scripts, 'killed.ts'), '--steps=1000000', '--every=1000000'];
  /** Two launchers whose ranks have started to train. */
  async function training(network: VirtualNetwork, folder: string, options: readonly string[]): Promise<Running[]> {
    const runs = network.hosts.map(host =>
      start(host, ['--nnodes=2', ...options, ...endless.slice(0, 1), folder, ...endless.slice(1)]),
    );
    for (const run of runs) await run.says(/from step 0/);
    return runs;
  }

  test('the network is cut: both hosts end the run and report it', async () => {
    await using network = await VirtualNetwork.make(2);
    using folder = workFolder();
    const runs = await training(network, folder.path, []);
    network.hosts[1]!.unplug();
    const [first, second] = await allEnded(runs);
    expect([first!.exitCode, second!.exitCode]).toEqual([1, 1]);
    expect(first!.stderr).toMatch(/the run has ended: node 1 \(host2\) has not been heard of for \d+ s/);
    expect(second!.stderr).toMatch(/the launcher at host1:29500 has not been heard of for \d+ s/);
    expectNothingLeft(network);
  });

  test('a rank that is stopped is named with its host when the others have waited too long', async () => {
    await using network = await VirtualNetwork.make(2);
    using folder = workFolder();
    const variables = { TRENIO_COMM_TIMEOUT: '2' };
    const words = ['--nnodes=2', '--nproc_per_node=2', ...endless.slice(0, 1), folder.path, ...endless.slice(1)];
    const runs = network.hosts.map(host => start(host, words, variables));
    for (const run of runs) await run.says(/from step 0/);
    const [pid] = network.hosts[1]!.execute('pgrep', '-f', 'rank-preload').trim().split('\n');
    network.hosts[1]!.signal(Number(pid), 'SIGSTOP');
    const [first, second] = await allEnded(runs);
    expect([first!.exitCode, second!.exitCode]).toEqual([1, 1]);
    for (const { stderr } of [first!, second!]) {
      expect(stderr).toMatch(/not arrived: rank 2 \(process \d+, stopped; .*\); arrived: rank 3/);
      expect(stderr).toMatch(/\n {2}rank 2 is stopped\n/);
    }
    expectNothingLeft(network);
  });

  test('the disk of one host is full: the run ends with the path and the line of the script', async () => {
    await using network = await VirtualNetwork.make(2);
    using folder = workFolder();
    const checkpoints = join(folder.path, 'checkpoints');
    mkdirSync(checkpoints);
    network.hosts[1]!.mountDisk(checkpoints, 64);
    const words = ['--nnodes=2', join(scripts, 'killed.ts'), checkpoints, '--steps=1000000', '--width=128'];
    const ends = await allEnded(network.hosts.map(host => start(host, words)));
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([1, 1]);
    for (const { stderr } of ends) {
      const file = /\.checkpoint-1\.\d+\.partial\/shard-00002-model-00001-of-00001\.safetensors/;
      expect(stderr).toMatch(/rank 1 of 2 on host2 \(process \d+\) ended with exit code 1/);
      expect(stderr).toMatch(
        /\[DISK_FULL\]: not enough space to write \S+: stopped after \d+ bytes \(the disk is full\)/,
      );
      expect(stderr).toMatch(file);
      expect(stderr).toMatch(/killed\.ts:\d+:\d+/);
    }
    expectNothingLeft(network);
  });
});
