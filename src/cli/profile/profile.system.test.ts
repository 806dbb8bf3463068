// `trenio profile` as a user calls it: two ranks of a script, the files, the page, and invalid profiles.
import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownEndpoint } from '../../distributed/launch/endpoints.testing.ts';
import { CliProcess, trenio } from '../process.testing.ts';

const trainScript = `import { nn, randn, SGD } from '${new URL('../../index.ts', import.meta.url)}';
     const model = new nn.Linear(8, 8);
     const optimizer = new SGD(model.parameters(), { lr: 0.01 });
     for (let i = 0; i < 6; i++) {
       optimizer.zeroGrad();
       const loss = model.forward(randn([4, 8])).square().mean();
       loss.backward();
       optimizer.step();
       loss.item();
     }`;

test('profiles two ranks, shows them and compares them', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-profile-'));
  const script = join(folder.path, 'train.ts');
  writeFileSync(script, trainScript);
  const out = join(folder.path, 'profile');
  const run = await trenio('profile', 'run', '--layout', 'data=2', '--wait', '2', '--steps', '3', '--out', out, script);
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stdout).toMatch(/all_reduce.*rank 1: \d+ % of the time/s);
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  expect(page).toContain('Rank 1');
  expect(JSON.parse(readFileSync(join(out, 'trace.json'), 'utf8')).traceEvents.length).toBeGreaterThan(10);
  const view = await trenio('profile', 'view', out, '--json', '--diff', out);
  const { ranks, diff } = JSON.parse(view.stdout);
  expect(ranks.map((rank: { rank: number; steps: number }) => [rank.rank, rank.steps])).toEqual([
    [0, 3],
    [1, 3],
  ]);
  expect(diff.every((kernel: { before: number; after: number }) => kernel.before === kernel.after)).toBe(true);
  const tooShort = await trenio('profile', 'run', '--wait', '50', '--out', out, script);
  expect(tooShort.exitCode).toBe(1);
  expect(tooShort.stderr).toContain('ended before step 51');
});

test('several machines write their ranks to separate folders, which are shown together', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-profile-'));
  const script = join(folder.path, 'train.ts');
  writeFileSync(script, trainScript);
  const out = join(folder.path, 'profile');
  const { host, port } = ownEndpoint();
  const place = ['--nnodes', '2', '--rdzv-endpoint', `${host}:${port}`, '--no-pin'];
  const words = ['profile', 'run', ...place, '--wait', '2', '--steps', '3', '--out', out, script];
  const launchers = [1, 2].map(() => new CliProcess(words, { TRENIO_RDZV_SECRET: 'of this test and no other' }));
  for (const { exitCode, stderr } of await Promise.all(launchers.map(one => one.finished)))
    expect(exitCode, stderr).toBe(0);
  expect(readdirSync(out).toSorted()).toEqual(['node-0', 'node-1']);
  const view = await trenio('profile', 'view', out, '--json');
  expect(JSON.parse(view.stdout).ranks.map((rank: { rank: number }) => rank.rank)).toEqual([0, 1]);
  const bad = await trenio('profile', 'run', '--nnodes', '0', script);
  expect(bad.stderr).toContain('--nnodes');
});

test('names in a profile cannot become tags of the page', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-profile-'));
  const file = join(folder.path, 'hostile.json');
  const hostile = '</script><script>alert(1)</script>';
  const kernel = { name: hostile, kind: 'fused', shape: hostile, ops: hostile, line: hostile, flops: 1, bytes: 1 };
  const timeline = {
    ...{ format: 'trenio-profile', version: 1, rank: 0, worldSize: 1, host: hostile, pid: 1, script: hostile },
    ...{ startNs: '0', startMs: 0, durationNs: 10, threads: 1, programs: [{ name: hostile, kernels: [kernel] }] },
    ...{
      loop: [[0, 10]],
      steps: [[0, 10, 0]],
      kernels: [[0, 5, 0, 0]],
      workers: [],
      collectives: [[2, 6, 'all-reduce', 4e6]],
      dropped: 0,
    },
    spans: [{ at: 0, ns: 1, kind: 'user', name: hostile }],
  };
  writeFileSync(file, JSON.stringify(timeline));
  const page = join(folder.path, 'page.html');
  expect(await trenio('profile', 'view', file, '--out', page)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(page, 'utf8')).not.toContain('<script>alert');
  for (const [text, problem] of [
    ['{', 'it is not JSON'],
    ['{}', 'format'],
    [JSON.stringify({ ...timeline, kernels: [[0, 5, 0, 1]] }), 'a kernel that is not listed'],
  ] as const) {
    writeFileSync(file, text);
    const { exitCode, stderr } = await trenio('profile', 'view', file);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(problem);
  }
  expect((await trenio('profile', 'view', folder.path)).stderr).toContain('it has no files rank-N.json');
});
