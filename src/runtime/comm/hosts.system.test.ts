// Collectives over several hosts are bit-identical to those on one. Hosts are processes without shared memory, connected by TCP.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { constants } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import { formatRankTable, parseRankTable } from '../../base/rank-table.ts';
import { temporaryCache, temporaryDirectory } from '../engine.testing.ts';
import { startScript } from '../processes.testing.ts';
import { loadLaunchLibrary } from './launch-memory.ts';
import { hostsOf } from './ranks.testing.ts';

const cache = temporaryCache();
afterAll(() => cache[Symbol.dispose]());

/**
 * Runs a script on all ranks, which sees `runtime`, `rank`, `size`, `sum` and `print`. The results of each rank, or what it
 * wrote to its standard error stream. The rank `ended` is killed when the others have ended; the last rank gets different
 * variables.
 */
async function onHosts(
  hosts: readonly number[],
  script: string,
  variables = {},
  ended?: number,
  ofTheLast = {},
): Promise<{ readonly results: readonly unknown[]; readonly pids: readonly number[] }> {
  const ranks = hosts.reduce((a, b) => a + b, 0);
  // Ranks that wait for each other report it before the test ends.
  const common = { TRENIO_CACHE_DIR: cache.path, TRENIO_NUM_THREADS: '1', TRENIO_COMM_TIMEOUT: '60', ...variables };
  const run = hostsOf(ranks, hosts, { ...inheritedVariables(), ...common });
  try {
    const whole = `
      import { defaultRuntime } from '../index.ts';
      import { literal, toNumbers } from '${new URL('../../hlo/literal.ts', import.meta.url)}';
      const runtime = defaultRuntime();
      const { rank, worldSize: size } = runtime.ranks;
      const sum = (type, values, op = 'add') => toNumbers(runtime.allReduce(literal(type, [values.length], values), op));
      const print = value => console.log(JSON.stringify(value));
      ${script}`;
    const children = Array.from({ length: ranks }, (_, rank) =>
      startScript(
        import.meta.url,
        whole,
        { ...common, ...run.variablesOf(rank), ...(rank === ranks - 1 ? ofTheLast : {}) },
        run.listenerOf(rank),
      ),
    );
    await Promise.all(children.map(({ outcome }, rank) => (rank === ended ? undefined : outcome)));
    if (ended !== undefined) children[ended]!.process.kill('SIGKILL');
    const outcomes = await Promise.all(children.map(child => child.outcome));
    return {
      results: outcomes.map(({ status, stdout, stderr }) => (status === 0 ? JSON.parse(stdout) : stderr)),
      pids: children.map(({ process }) => process.pid!),
    };
  } finally {
    run.end();
  }
}

test.each([{ hosts: [1, 1, 1] }, { hosts: [2, 2] }, { hosts: [2, 2, 2] }, { hosts: [1, 3] }])(
  'hosts of $hosts ranks: sums of any count are bit-identical to the pairwise sum',
  { timeout: 180_000 },
  async ({ hosts }) => {
    // A slot of a window holds 262144 floats: the last size needs five slots, and some of its elements are checked.
    const script = `
    const value = (rank, i) => Math.fround(((i * 7919 + rank * 104729) % 8191) * [1e-3, 1, 1e3][(i + rank) % 3]);
    const wrong = [];
    runtime.barrier();
    for (const count of [0, 1, 1023, 1025, 8192, 8193, 50001, 1100003]) {
      const got = sum('f32', Float32Array.from({ length: count }, (_, i) => value(rank, i)));
      for (let i = 0; i < count; i += count > 100000 ? 61 : 1) {
        let level = Array.from({ length: size }, (_, r) => value(r, i));
        while (level.length > 1) level = level.flatMap((x, r) => (r % 2 ? [] : [r + 1 < level.length ? Math.fround(x + level[r + 1]) : x]));
        if (got[i] !== level[0]) wrong.push([count, i, got[i], level[0]]);
      }
      const gathered = runtime.allGather(new Uint8Array(count).fill(rank + 1));
      if (!gathered.every((bytes, r) => bytes.length === count && [0, count >> 1, count - 1].every(i => i < 0 || count === 0 || bytes[i] === r + 1))) wrong.push(['gather', count]);
    }
    for (let i = 0; i < 200; i++) runtime.barrier();
    print(wrong.slice(0, 3));`;
    const { results } = await onHosts(hosts, script);
    expect(results).toEqual(hosts.flatMap(size => Array.from({ length: size }, () => [])));
  },
);

test.each([{ hosts: [2, 2] }, { hosts: [1, 3] }])(
  'hosts of $hosts ranks: reduce_scatter of any count is bit-identical to the pairwise sum',
  { timeout: 180_000 },
  async ({ hosts }) => {
    // The last size exceeds one transfer between hosts.
    const script = `
    const { buildFunc } = await import('${new URL('../../hlo/builder.ts', import.meta.url)}');
    const { moduleOf } = await import('${new URL('../../hlo/program.ts', import.meta.url)}');
    const { tensorType } = await import('${new URL('../../hlo/types.ts', import.meta.url)}');
    const { defaultBackend, runModule } = await import('${new URL('../index.ts', import.meta.url)}');
    const value = (rank, i) => Math.fround(((i * 7919 + rank * 104729) % 8191) * [1e-3, 1, 1e3][(i + rank) % 3]);
    const wrong = [];
    runtime.barrier();
    for (const count of [0, 5, 1025, 600001]) {
      const type = tensorType('f32', count === 0 ? [size, 0] : [count * size]);
      const main = buildFunc('main', [type], (b, [x]) => [b.emit1('reduce_scatter', [x], { replicaGroups: [[0, 1, 2, 3]], scatterDimension: 0 }, [b.combiner('add', 'f32')])]);
      const own = literal('f32', type.shape, Float32Array.from({ length: count * size }, (_, i) => value(rank, i)));
      const [result] = runModule(moduleOf(main, { numReplicas: size }), [own], defaultBackend());
      const got = toNumbers(result);
      for (let i = 0; i < count; i += count > 100000 ? 61 : 1) {
        const [a, b, c, d] = [0, 1, 2, 3].map(r => value(r, rank * count + i));
        const expected = Math.fround(Math.fround(a + b) + Math.fround(c + d));
        if (got[i] !== expected) wrong.push([count, i, got[i], expected]);
      }
    }
    runtime.barrier();
    print(wrong.slice(0, 3));`;
    expect((await onHosts(hosts, script)).results).toEqual(new Array(4).fill([]));
  },
);

/** Runs one collective, then does something on one rank, and returns how the next collective ends. */
const meetAfter = (what: string) => `
  runtime.barrier();
  ${what}
  try { runtime.barrier(); print('met'); } catch (error) { print([error.code, error.message.split('\\n')[0]]); }`;

test('diverging ranks are reported', async () => {
  const script = `
    runtime.barrier();
    try { sum('f32', rank === 0 ? [1, 2] : [1]); print('met'); } catch (error) { print(error.code); }`;
  expect((await onHosts([1, 1], script)).results).toContain('RANKS_DIVERGED');
});

test('a killed peer is named with its host, on every rank', async () => {
  const { results } = await onHosts([2, 2], meetAfter(`if (rank === 3) process.kill(process.pid, 'SIGKILL');`));
  // Ranks of other hosts notice the closed connection; a rank of the same host may notice the process first.
  const reason =
    /rank \d cannot continue barrier: rank 3 (on host1 \(process \d+\) is lost: |\(process \d+ on host1\) has ended)/;
  for (const result of results.slice(0, 3)) expect(result).toEqual(['PEER_LOST', expect.stringMatching(reason)]);
});

test('a stopped peer ends the run after the timeout, and is named with its activity', {
  timeout: 180_000,
}, async () => {
  const stop = meetAfter(`if (rank === 3) process.kill(process.pid, 'SIGSTOP');`);
  const { results, pids } = await onHosts([2, 2], stop, { TRENIO_COMM_TIMEOUT: '1' }, 3);
  const reason = `not arrived: rank 3 \\(process ${pids[3]}, stopped; in its script for \\d+ s, after barrier\\); arrived: rank 2$`;
  for (const result of results.slice(0, 3))
    expect(result).toEqual(['COLLECTIVE_TIMEOUT', expect.stringMatching(reason)]);
});

test('hosts of one rank: a stopped peer is named', async () => {
  const stop = meetAfter(`if (rank === 1) process.kill(process.pid, 'SIGSTOP');`);
  const { results } = await onHosts([1, 1], stop, { TRENIO_COMM_TIMEOUT: '1' }, 1);
  expect(results[0]).toEqual([
    'COLLECTIVE_TIMEOUT',
    expect.stringMatching(/rank 0 on host0 waited \d+ s in all_reduce; not arrived: rank 1 \(process \d+ on host1\)$/),
  ]);
});

test('a rank without the secret is rejected', async () => {
  const { results } = await onHosts([1, 1], `runtime.barrier(); print('met');`, {}, 0, {
    TRENIO_RDZV_SECRET: 'not the secret of the test',
  });
  expect(results[1]).toMatch(
    /CONNECT_FAILED\]: rank 1 could not connect to rank 0 on host0, .*: it does not know the secret/,
  );
});

test('a sent message arrives while the script of the sender continues', async () => {
  // More than the socket buffers hold: the rest is sent when the peer reads, while rank 0 is in its script.
  const script = `
    const { existsSync, writeFileSync } = await import('node:fs');
    const { buildFunc } = await import('${new URL('../../hlo/builder.ts', import.meta.url)}');
    const { moduleOf } = await import('${new URL('../../hlo/program.ts', import.meta.url)}');
    const { tensorType } = await import('${new URL('../../hlo/types.ts', import.meta.url)}');
    const { defaultBackend, runModule } = await import('${new URL('../index.ts', import.meta.url)}');
    const count = 4_000_000, type = tensorType('f32', [count]);
    const main = buildFunc('main', [type], (b, [x]) => [b.emit1('collective_permute', [x], { sourceTargetPairs: [[0, 1]] })]);
    const own = literal('f32', [count], new Float32Array(count).fill(rank + 1));
    const permute = () => runModule(moduleOf(main, { numReplicas: size }), [own], defaultBackend());
    const sleep = ms => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    permute();
    runtime.barrier();
    if (rank === 0) {
      writeFileSync(process.env.FOLDER + '/begun', '');
      permute();
      for (const until = Date.now() + 10_000; !existsSync(process.env.FOLDER + '/received') && Date.now() < until; ) sleep(20);
      print(existsSync(process.env.FOLDER + '/received'));
    } else {
      while (!existsSync(process.env.FOLDER + '/begun')) sleep(20);
      sleep(300);
      permute();
      writeFileSync(process.env.FOLDER + '/received', '');
      print(true);
    }
    runtime.barrier();`;
  const folder = temporaryDirectory();
  try {
    expect((await onHosts([1, 1], script, { FOLDER: folder.path })).results).toEqual([true, true]);
  } finally {
    folder[Symbol.dispose]();
  }
});

test('all missing ranks are named when the join timeout expires', () => {
  const library = loadLaunchLibrary({ ...inheritedVariables(), TRENIO_CACHE_DIR: cache.path });
  const { file, port } = library.tcpListen('127.0.0.1', 0);
  const runtime = library.open(Int32Array.of(-1));
  try {
    const place = { rank: 0, worldSize: 3, firstLocal: 0, locals: 1, alike: 1 };
    const table = [0, 1, 2].map(rank => `${rank} host${rank} 1 127.0.0.1 ${port}\n`).join('');
    const { errno, peers } = library.tcpJoin(runtime, place, table, file, 'secret', 0.3e9);
    expect(errno).toBe(constants.errno.ETIMEDOUT);
    expect(peers).toEqual([1, 2]);
  } finally {
    library.close(runtime);
  }
});

test('ranks that join end at once when the launcher marks the run of their host as ended', async () => {
  const run = hostsOf(3, [2, 1], { ...inheritedVariables(), TRENIO_CACHE_DIR: cache.path });
  try {
    const script = `import { defaultRuntime } from '../index.ts';
      defaultRuntime().barrier();`;
    const variables = { TRENIO_CACHE_DIR: cache.path, TRENIO_NUM_THREADS: '1', ...run.variablesOf(0) };
    const child = startScript(import.meta.url, script, variables, run.listenerOf(0));
    run.memories[0]!.markDead();
    const { stderr } = await child.outcome;
    expect(stderr).toMatch(/CONNECT_FAILED\]: rank 0 could not connect to rank 2 on host1: the launcher or a rank of/);
  } finally {
    run.end();
  }
});

test('a connection that breaks during its handshake is retried', async () => {
  // A proxy between two ranks that closes the first connection after its greeting.
  const run = hostsOf(2, [1, 1], { ...inheritedVariables(), TRENIO_CACHE_DIR: cache.path });
  const [first, second] = parseRankTable(run.variablesOf(0).TRENIO_COMM_TABLE!)!;
  let connections = 0;
  const between = createServer(socket => {
    if (connections++ === 0) {
      socket.once('data', () => socket.destroy());
      return;
    }
    const onwards = connect(first!.port, '127.0.0.1');
    socket.pipe(onwards).pipe(socket);
    for (const one of [socket, onwards]) one.on('error', () => {}); // a process that ends
  });
  try {
    between.listen(0, '127.0.0.1');
    await once(between, 'listening');
    const { port } = between.address() as AddressInfo;
    const script = `import { defaultRuntime } from '../index.ts';
      defaultRuntime().barrier();
      console.log('met');`;
    const outcomes = await Promise.all(
      [0, 1].map(rank => {
        const table = formatRankTable([rank === 1 ? { ...first!, port } : first!, second!]);
        const common = { TRENIO_CACHE_DIR: cache.path, TRENIO_NUM_THREADS: '1', TRENIO_COMM_TIMEOUT: '30' };
        const variables = { ...common, ...run.variablesOf(rank), TRENIO_COMM_TABLE: table };
        return startScript(import.meta.url, script, variables, run.listenerOf(rank)).outcome;
      }),
    );
    expect(outcomes.map(({ stdout, stderr }) => stdout.trim() || stderr)).toEqual(['met', 'met']);
    expect(connections).toBe(2);
  } finally {
    between.close();
    run.end();
  }
});

/** Rank 2 is late for the second sum. Times of each rank in it, in milliseconds: in the collective, and of the processor. */
const lateSum = `
  sum('f32', [rank]);
  const { engine } = runtime;
  const [waited, worked] = [engine.collectiveNs, engine.collectiveCpuNs];
  if (rank === 2) await new Promise(done => setTimeout(done, 400));
  const [total] = sum('f32', [rank]);
  print({ total, waitedMs: (engine.collectiveNs - waited) / 1e6, cpuMs: (engine.collectiveCpuNs - worked) / 1e6 });
`;
interface LateSum {
  readonly total: number;
  readonly waitedMs: number;
  readonly cpuMs: number;
}

test('the time in collectives includes waiting for a late rank, their processor time does not', async () => {
  const { results } = await onHosts([1, 1, 1], lateSum);
  const times = results as readonly LateSum[];
  expect(times.map(({ total }) => total)).toEqual([3, 3, 3]);
  for (const { waitedMs, cpuMs } of times.slice(0, 2)) {
    expect(waitedMs).toBeGreaterThan(200);
    expect(cpuMs).toBeLessThan(waitedMs / 2);
  }
  for (const { cpuMs } of times) expect(cpuMs).toBeGreaterThan(0);
});

test('on one host, the time in collectives is counted, but not their processor time', async () => {
  const { results } = await onHosts([3], lateSum);
  const times = results as readonly LateSum[];
  for (const { waitedMs } of times.slice(0, 2)) expect(waitedMs).toBeGreaterThan(200);
  expect(times.map(({ cpuMs }) => cpuMs)).toEqual([0, 0, 0]);
});
