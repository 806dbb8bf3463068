import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { CompileSummary } from './compile.ts';
import { CliProcess } from './process.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = join(folder, 'train.ts');
writeFileSync(
  script,
  `import { nn, optimizerStep, SGD, tensor } from '${pathToFileURL(join(import.meta.dirname, '../index.ts'))}';
const model = new nn.Linear(4, 2);
const optimizer = new SGD(model.parameters(), { lr: 0.1 });
for (let i = 0; ; i++) {
  const x = tensor(Float32Array.from({ length: 4 * (i === 5 ? 3 : 2) }, (_, j) => j), { shape: [i === 5 ? 3 : 2, 4] });
  const loss = model.forward(x).mul(2).sum();
  loss.backward();
  optimizerStep(optimizer);
  if (loss.item() !== 0) throw new Error('it ran');
}
`,
);
const environment = { TRENIO_CACHE_DIR: join(folder, 'cache') };
const run = async (...words: string[]) => new CliProcess(words, environment).finished;

test('every program is compiled, none runs, and what was compiled is there the next time', {
  timeout: 120_000,
}, async () => {
  const compile = async (): Promise<CompileSummary> => {
    const { stdout, stderr, exitCode } = await run('compile', '--steps', '20', '--json', script);
    expect(stderr).not.toContain('it ran');
    expect(exitCode).toBe(0);
    return JSON.parse(stdout) as CompileSummary;
  };
  const first = await compile();
  expect(first).toMatchObject({ failed: 0, fromCache: 0, stoppedAfter: 20, scriptExitCode: 0 });
  expect(first.total).toBeGreaterThanOrEqual(2);
  expect(await compile()).toMatchObject({ total: first.total, succeeded: first.total, fromCache: first.total });

  const listed = JSON.parse((await run('cache', 'ls', '--json')).stdout) as {
    entries: { kind: string; name: string }[];
  };
  expect(listed.entries.filter(entry => entry.kind === 'program')).toHaveLength(first.total);
  const damaged = listed.entries.find(entry => entry.kind === 'library')!.name;
  writeFileSync(join(folder, 'cache', damaged, 'trenio_program.so'), 'no program');
  expect(await run('cache', 'verify')).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining(`${damaged}: damaged`),
  });
  expect(await run('cache', 'verify', '--remove')).toMatchObject({ exitCode: 0 });
  expect(await run('cache', 'verify')).toMatchObject({ exitCode: 0 });
  expect((await run('cache', 'prune')).stderr).toContain('one of --all, --older-than and --max-bytes');
  expect((await run('cache', 'prune', '--older-than', 'soon')).stderr).toContain('such as 30d');
  expect((await run('cache', 'prune', '--older-than', '1d')).stdout).toContain('0 entries removed');
  expect((await run('cache', 'prune', '--all')).exitCode).toBe(0);
  expect(readdirSync(join(folder, 'cache'))).toEqual([]);
});

describe('what was compiled ahead is all that a run needs', { timeout: 120_000 }, () => {
  // An epoch of more batches than are followed, the last one shorter where there is one rank, and an evaluation after it. Rank 0
  // alone reads its loss within the step.
  const whole = join(folder, 'whole.ts');
  writeFileSync(
    whole,
    `import { AdamW, allReduceSum, barrier, DataLoader, DeviceLoader, device, isMain, nn, noGrad, optimizerStep, rank, tensor, worldSize } from '${pathToFileURL(join(import.meta.dirname, '../index.ts'))}';
const dataset = { length: 403, get: i => [i, i + 1, i + 2] };
const options = { batchSize: 4, rank: rank(), worldSize: worldSize(), collateFn: items => ({ items }), dropLast: worldSize() > 1 };
const loader = new DataLoader(dataset, options);
const evaluated = new DataLoader({ ...dataset, length: 50 }, { ...options, batchSize: 8, dropLast: false, fillLast: true });
const model = new nn.Sequential(new nn.Linear(3, 4), new nn.Dropout(0.5), new nn.Linear(4, 1));
const optimizer = new AdamW(model.parameters());
device().setRounding({ mode: 'stochastic', seed: 1 });
for (let epoch = 0; epoch < 2; epoch++) {
  for await (const { items } of new DeviceLoader(loader, device())) {
    const loss = model.forward(items).bfloat16().square().mean();
    if (isMain()) loss.item();
    loss.backward();
    optimizerStep(optimizer);
  }
  let sum = 0;
  model.eval();
  for await (const { items } of new DeviceLoader(evaluated, device())) sum += noGrad(() => model.forward(items).sum()).item();
  model.train();
  allReduceSum([sum]);
  barrier();
}
const { history } = device();
console.log(JSON.stringify({ rank: rank(), programs: history.length, compiled: history.filter(e => !e.fromCache).map(e => e.at) }));
`,
  );
  test.each([1, 3])('%i ranks', async ranks => {
    const words = [`--nproc_per_node=${ranks}`, whole];
    const { stdout, stderr, exitCode } = await run('compile', '--json', ...words);
    expect(exitCode, stderr).toBe(0);
    const summary = JSON.parse(stdout) as CompileSummary;
    expect(summary).toMatchObject({ failed: 0 });
    const trained = await run('run', ...words);
    expect(trained.exitCode, trained.stderr).toBe(0);
    const said = [...trained.stdout.matchAll(/\{.*\}/g)].map(
      ([line]) => JSON.parse(line) as { rank: number; programs: number; compiled: string[] },
    );
    expect(said).toHaveLength(ranks);
    for (const { rank, programs, compiled } of said) {
      expect(compiled).toEqual([]);
      expect(summary.programs.filter(program => program.ranks.includes(rank))).toHaveLength(programs);
    }
    // training reads and steps, evaluation; and those of the shorter batches
    expect(said.find(({ rank }) => rank === 0)!.programs).toBe(ranks === 1 ? 5 : 3);
    if (ranks > 1) expect(summary.programs.map(program => program.ranks.length).sort()).toEqual([1, 1, 2, 3]);
  });
});

test('a script that fails, and a compiler that does', { timeout: 120_000 }, async () => {
  const bad = join(folder, 'bad.ts');
  writeFileSync(bad, 'throw new Error("no such data");');
  expect(await run('compile', bad)).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('the script failed with exit code 1'),
    stderr: expect.stringContaining('no such data'),
  });
});
