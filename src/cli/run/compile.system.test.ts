import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { formatIdentity, ownIdentity } from '../../base/process-identity.ts';
import { CliProcess } from '../process.testing.ts';
import type { CompileSummary } from './compile.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = join(folder, 'train.ts');
writeFileSync(
  script,
  `import { nn, optimizerStep, SGD, tensor } from '${pathToFileURL(join(import.meta.dirname, '../../index.ts'))}';
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

test('every program is compiled, none runs, and the next time all are in the cache', {
  timeout: 180_000,
}, async () => {
  const compile = async (): Promise<CompileSummary> => {
    const { stdout, stderr, exitCode } = await run('compile', '--steps', '20', '--json', script);
    expect(stderr).not.toContain('it ran');
    expect(exitCode).toBe(0);
    return JSON.parse(stdout) as CompileSummary;
  };
  const first = await compile();
  expect(first).toMatchObject({ failed: 0, cached: 0, stoppedAfter: 20, scriptExitCode: 0 });
  expect(first.found).toBeGreaterThanOrEqual(2);
  expect(first.compiled).toBe(first.found);
  expect(await compile()).toMatchObject({ found: first.found, compiled: 0, cached: first.found });

  const listed = JSON.parse((await run('cache', 'ls', '--json')).stdout) as {
    entries: { kind: string; name: string }[];
  };
  expect(listed.entries.filter(entry => entry.kind === 'program')).toHaveLength(first.found);
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

describe('a run needs no programs beyond those compiled ahead', () => {
  // An epoch with more batches than are followed, the last one shorter with a single rank, then an evaluation. Rank 0
  // alone reads its loss within the step.
  const whole = join(folder, 'whole.ts');
  writeFileSync(
    whole,
    `import { AdamW, allReduceSum, barrier, DataLoader, DeviceLoader, device, isMain, nn, noGrad, optimizerStep, rank, tensor, worldSize } from '${pathToFileURL(join(import.meta.dirname, '../../index.ts'))}';
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
    const entries = readdirSync(environment.TRENIO_CACHE_DIR).sort();
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
    expect(readdirSync(environment.TRENIO_CACHE_DIR).sort()).toEqual(entries);
    // training reads and steps, evaluation; and those of the shorter batches
    expect(said.find(({ rank }) => rank === 0)!.programs).toBe(ranks === 1 ? 5 : 3);
    if (ranks > 1) expect(summary.programs.map(program => program.ranks.length).sort()).toEqual([1, 1, 2, 3]);
  });
});

/** A script with this many different programs. */
function manyPrograms(count: number): string {
  const path = join(folder, `programs-${count}.ts`);
  writeFileSync(
    path,
    `import { markStatic, tensor } from '${pathToFileURL(join(import.meta.dirname, '../../index.ts'))}';
for (let i = 1; i <= ${count}; i++) markStatic(tensor(new Float32Array(8 * i)), 0).exp().add(i).sin().sum().item();
`,
  );
  return path;
}
const cacheNames = (directory: string): string[] => readdirSync(directory).sort();
const isUnfinished = (name: string): boolean => /^(?:tmp|claim)-/.test(name);

test('two commands with one cache share the work: every program is compiled once', async () => {
  const shared = { TRENIO_CACHE_DIR: join(folder, 'shared') };
  const words = ['compile', '--parallel', '2', '--json', manyPrograms(8)];
  const ended = await Promise.all([new CliProcess(words, shared).finished, new CliProcess(words, shared).finished]);
  const summaries = ended.map(({ stdout, stderr, exitCode }) => {
    expect(exitCode, stderr).toBe(0);
    return JSON.parse(stdout) as CompileSummary;
  });
  for (const { found, failed } of summaries) expect({ found, failed }).toEqual({ found: 8, failed: 0 });
  expect(summaries.reduce((sum, { compiled }) => sum + compiled, 0)).toBe(8);
  expect(cacheNames(shared.TRENIO_CACHE_DIR).filter(isUnfinished)).toEqual([]);
});

test('the claim of a process that ended, and one of a machine that gives no sign of life, are taken over', {
  timeout: 180_000,
}, async () => {
  const cache = join(folder, 'claimed');
  cpSync(join(folder, 'shared'), cache, { recursive: true });
  const programs = cacheNames(cache).filter(name => name.startsWith('program-'));
  const holders = [
    `${formatIdentity({ ...ownIdentity(), started: '1' })}-0123456789ab@${hostname()}`,
    '77-1-ba9876543210-0123456789ab@elsewhere',
  ];
  holders.forEach((holder, i) => {
    const name = programs[i]!;
    rmSync(join(cache, name));
    mkdirSync(join(cache, `claim-${name}`));
    writeFileSync(join(cache, `claim-${name}`, holder), '');
  });
  const command = new CliProcess(['compile', '--json', manyPrograms(8)], { TRENIO_CACHE_DIR: cache });
  expect(JSON.parse((await command.finished).stdout)).toMatchObject({ found: 8, failed: 0 });
  expect(cacheNames(cache).filter(name => name.startsWith('program-'))).toEqual(programs);
  expect(cacheNames(cache).filter(isUnfinished)).toEqual([]);
});

test('Ctrl-C leaves nothing unfinished', async () => {
  const cache = join(folder, 'interrupted');
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const command = new CliProcess(['compile', '--parallel', '2', manyPrograms(40)], {
    TRENIO_CACHE_DIR: cache,
    TMPDIR: temporary,
  });
  // Until the first program is ready: others are being compiled then.
  while (!existsSync(cache) || !cacheNames(cache).some(name => name.startsWith('program-')))
    await new Promise(resolve => setTimeout(resolve, 10));
  // The private folder for entries that the cache cannot store remains for the next process.
  const inTemporary = (): string[] => readdirSync(temporary).filter(name => !name.startsWith('trenio-cache-'));
  const left = (): string[] => [...cacheNames(cache).filter(isUnfinished), ...inTemporary()];
  expect(left()).not.toEqual([]);
  command.child.kill('SIGINT');
  expect(await command.finished).toMatchObject({ exitCode: 130, stdout: '' });
  expect(left()).toEqual([]);
});

test('a script that fails, and a compiler that does', async () => {
  const bad = join(folder, 'bad.ts');
  writeFileSync(bad, 'throw new Error("no such data");');
  expect(await run('compile', bad)).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('the script failed with exit code 1'),
    stderr: expect.stringContaining('no such data'),
  });
});
