// Collectives between real processes: their results, and the behavior if one of them does not arrive.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { getuid } from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryDirectory, testHost } from '../engine.testing.ts';
import { type Child, type Outcome, startScript } from '../processes.testing.ts';
import { createSegment, type SharedSegment } from './shared-memory.ts';

const directory = temporaryDirectory();
const host = testHost(directory.path, 1);
afterAll(() => {
  host[Symbol.dispose]();
  directory[Symbol.dispose]();
});

/** Starts a rank that runs `script`, which sees `engine`, `rank`, `size` and the collectives, and prints one line. */
function startRank(name: string, rank: number, worldSize: number, script: string, threads = 1): Child {
  const whole = `
    import { testHost } from '../engine.testing.ts';
    import { allGather, allReduceLiteral, barrier } from './collectives.ts';
    import { rankInfo } from './ranks.ts';
    import { literal, toNumbers } from '${new URL('../../hlo/literal.ts', import.meta.url)}';
    const ranks = rankInfo();
    const { rank, worldSize: size } = ranks;
    const { engine } = testHost(${JSON.stringify(directory.path)}, ${threads}, ranks);
    const sum = (type, values, op = 'add') => toNumbers(allReduceLiteral(engine, literal(type, [values.length], values), op));
    const print = value => console.log(JSON.stringify(value));
    process.on('exit', () => engine.stream.close());
    ${script}`;
  return startScript(import.meta.url, whole, { RANK: `${rank}`, WORLD_SIZE: `${worldSize}`, TRENIO_SHM: name });
}
const startRanks = (segment: SharedSegment, worldSize: number, script: string, threads?: number): Child[] =>
  Array.from({ length: worldSize }, (_, rank) => startRank(segment.name, rank, worldSize, script, threads));
/** Resolves with the first output of the process on that stream. */
const firstWords = (child: Child, stream: 'stdout' | 'stderr'): Promise<string> =>
  new Promise(resolve => child.process[stream]!.once('data', text => resolve(String(text).trim())));
const results = (outcomes: readonly Outcome[]): unknown[] =>
  outcomes.map(({ stdout, stderr, status }) => (status === 0 ? JSON.parse(stdout) : stderr));
async function withRanks(
  worldSize: number,
  script: string,
  options: { windowBytes?: number; threads?: number } = {},
): Promise<unknown[]> {
  const segment = createSegment(host.engine.native, worldSize, options.windowBytes);
  try {
    const children = startRanks(segment, worldSize, script, options.threads);
    return results(await Promise.all(children.map(child => child.outcome)));
  } finally {
    segment.unlink();
  }
}

const leftovers = (): string[] =>
  existsSync('/dev/shm') ? readdirSync('/dev/shm').filter(name => name.startsWith(`trenio-${process.pid}-`)) : [];

describe('between processes', () => {
  test.each([
    [2, 1],
    [3, 2],
  ])('%i ranks of %i threads combine their data, for all types and operations', async (worldSize, threads) => {
    const script = `print({
      add: sum('f32', [1 + rank, 10 * rank, -0.5]),
      multiply: sum('f64', [1 + rank, 2], 'multiply'),
      maximum: sum('i32', [rank, -rank], 'maximum'),
      minimum: sum('i64', [rank, -rank, 7], 'minimum'),
      wraps: sum('i32', [2147483647]),
      bf16: sum('bf16', [1, 256, 0.5 + rank], 'add'),
      f16: sum('f16', [1, 2048, -rank], 'add'),
      none: sum('f32', []),
      zeros: sum('f32', [rank === 0 ? -0 : 0], 'maximum').map(x => Object.is(x, 0)),
      nan: sum('f32', [rank === 1 ? NaN : 1], 'maximum'),
      gathered: allGather(engine, new Uint8Array([rank, 100 + rank])).map(bytes => [...bytes]),
    });`;
    const ranks = Array.from({ length: worldSize }, (_, rank) => rank);
    const total = (worldSize * (worldSize + 1)) / 2;
    const expected = {
      add: [total, 10 * (total - worldSize), -0.5 * worldSize],
      multiply: [ranks.reduce((product, rank) => product * (1 + rank), 1), 2 ** worldSize],
      maximum: [worldSize - 1, 0],
      minimum: [0, 1 - worldSize, 7],
      // 8 bits: 256 + 256 + 256 is 768, and 1 + 1 + 1 is 3; half steps go to the even neighbor.
      bf16: [worldSize, 256 * worldSize, total - worldSize / 2],
      f16: [worldSize, 2048 * worldSize, worldSize - total],
      wraps: [Number(BigInt.asIntN(32, 2147483647n * BigInt(worldSize)))],
      none: [],
      zeros: [true],
      nan: [null],
      gathered: ranks.map(rank => [rank, 100 + rank]),
    };
    expect(await withRanks(worldSize, script, { threads })).toEqual(ranks.map(() => expected));
  });

  const sizes = [2, 3, 5, 8];
  test.each(sizes)(
    '%i ranks: any count is transferred in windows, and all ranks get the bits of the pairwise sum',
    async n => {
      // A slot of the least window holds 4096 floats: counts around the edges of the small path, a slot and several slots.
      const counts = [1, 15, 1023, 1024, 1025, 8191, 8192, 8193, 16384, 50001];
      const script = `
      const value = (rank, i) => Math.fround(Math.sin(i * 3 + rank) * 10 ** ((i % 5) * rank));
      const wrong = [];
      for (const count of ${JSON.stringify(counts)}) {
        const got = sum('f32', Array.from({ length: count }, (_, i) => value(rank, i)));
        for (let i = 0; i < count; i++) {
          let level = Array.from({ length: size }, (_, r) => value(r, i));
          while (level.length > 1) level = level.flatMap((x, r) => (r % 2 ? [] : [r + 1 < level.length ? Math.fround(x + level[r + 1]) : x]));
          const [expected] = level;
          if (got[i] !== expected) wrong.push([count, i, got[i], expected]);
        }
        const gathered = allGather(engine, new Uint8Array(count).fill(rank + 1));
        if (!gathered.every((bytes, r) => bytes.length === count && bytes.every(byte => byte === r + 1))) wrong.push(['gather', count]);
      }
      print(wrong.slice(0, 3));`;
      expect(await withRanks(n, script, { windowBytes: 1, threads: 2 })).toEqual(Array.from({ length: n }, () => []));
    },
  );

  test('a barrier blocks all ranks until the last one has arrived, repeatedly', async () => {
    const script = `
      const start = Date.now();
      if (rank === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      const came = Date.now();
      barrier(engine);
      const left = Date.now();
      for (let i = 0; i < 2000; i++) barrier(engine);
      print({ came, left });`;
    const times = (await withRanks(2, script)) as { came: number; left: number }[];
    const lastCame = Math.max(...times.map(time => time.came));
    for (const { left } of times) expect(left).toBeGreaterThanOrEqual(lastCame);
  });

  test('ranks that call different collectives get an error', async () => {
    const script = `
      try { sum('f32', rank === 0 ? [1, 2] : [1]); } catch (error) { print([error.code, error.message.split('\\n')[0]]); }`;
    const message = (rank: number): string =>
      `rank ${rank} reached a different collective than the other ranks in all-reduce`;
    expect(await withRanks(2, script)).toEqual([0, 1].map(rank => ['RANKS_DIVERGED', message(rank)]));
  });

  const lost = [
    ['PEER_LOST', 'PEER_LOST'],
    ['PEER_LOST', 'PEER_LOST'],
  ];
  const survivor = `
    const codes = [];
    for (let i = 0; i < 2; i++) try { barrier(engine); } catch (error) { codes.push(error.code); }
    print(codes);`;
  test.each([
    ['is killed', "process.kill(process.pid, 'SIGKILL');"],
    ['ends early', 'print(0); process.exit(0);'],
  ])('a rank that %s ends the wait of the others', async (_, end) => {
    const script = `barrier(engine); if (rank === 1) { ${end} } ${survivor}`;
    const [first, , third] = await withRanks(3, script);
    expect([first, third]).toEqual(lost);
  });

  test('the launcher can end the wait for a rank that never arrived', async () => {
    const segment = createSegment(host.engine.native, 2);
    const child = startRank(segment.name, 0, 2, `console.error('waits'); ${survivor}`);
    await firstWords(child, 'stderr');
    expect(segment.isDead).toBe(false);
    segment.markDead();
    expect(segment.isDead).toBe(true);
    expect(results([await child.outcome])).toEqual([lost[0]]);
    segment.unlink();
    segment.unlink(); // calling it twice is harmless
    segment.markDead();
  });

  test('a launcher that is killed ends the wait of the ranks, and no shared memory is left', async () => {
    const launcher = startScript(
      import.meta.url,
      `
      import { testHost } from '../engine.testing.ts';
      import { createSegment } from './shared-memory.ts';
      const { engine } = testHost(${JSON.stringify(directory.path)}, 1);
      console.log(createSegment(engine.native, 2).name);
      setInterval(() => {}, 1000);`,
    );
    const name = await firstWords(launcher, 'stdout');
    const child = startRank(name, 0, 2, `console.error('waits'); ${survivor}`);
    await firstWords(child, 'stderr');
    launcher.process.kill('SIGKILL');
    expect(results([await child.outcome])).toEqual([lost[0]]);
    if (existsSync('/dev/shm')) expect(existsSync(`/dev/shm${name}`)).toBe(false);
  });

  test.skipIf(!existsSync('/dev/shm'))('other users of the machine cannot open it', () => {
    const segment = createSegment(host.engine.native, 2);
    const { mode, uid } = statSync(`/dev/shm${segment.name}`);
    expect([mode & 0o777, uid]).toEqual([0o600, getuid?.()]);
    segment.unlink();
  });

  test('a rank that the memory was not created for is rejected', async () => {
    const segment = createSegment(host.engine.native, 3);
    const wrongSize = startRank(segment.name, 0, 2, 'print(0);');
    const noSegment = startRank('/trenio-none', 0, 2, 'print(0);');
    const [first, second] = results(await Promise.all([wrongSize.outcome, noSegment.outcome]));
    expect(first).toMatch(/could not attach to the shared memory .*: it was not created for rank 0 of 2/);
    expect(second).toMatch(/could not attach to the shared memory \/trenio-none: no such file or directory \(ENOENT\)/);
    segment.unlink();
  });

  test('no shared memory is left in /dev/shm', () => {
    expect(leftovers()).toEqual([]);
  });
});
