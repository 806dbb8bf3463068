// `trenio run` on a machine without a C compiler: one rank runs to the end, several end with what to install.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { StepReport } from '../../runtime/index.ts';
import { CliProcess, type Finished } from '../process.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-run-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = join(folder, 'train.ts');
writeFileSync(
  script,
  `import { AdamW, BertForSequenceClassification, Checkpointer, device, manualSeed, nn, optimizerStep, tensor, worldSize } from '${new URL('../../index.ts', import.meta.url).pathname}';
manualSeed(1);
const dev = device();
const model = new BertForSequenceClassification({
  vocab_size: 40,
  hidden_size: 32,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  intermediate_size: 64,
  max_position_embeddings: 8,
}).to(dev);
model.train();
const optimizer = new AdamW(model.parameters(), { lr: 1e-3 });
const checkpointer = new Checkpointer({ directory: process.argv[2], every: 4, keep: 1 }, { model, optimizer });
console.log('ranks', worldSize());
for (let step = 1; step <= 6; step++) {
  const ids = tensor([[1, 2, 3, step], [9, 8, 7, step]], { dtype: 'int32' });
  const loss = nn.functional.crossEntropy(model.forward(ids), tensor([0, 1], { dtype: 'int32' }));
  loss.backward();
  optimizerStep(optimizer, { maxGradNorm: 1 });
  console.log('step', step, loss.item());
  await checkpointer.step(step);
}
await checkpointer.close();
`,
);

/** From an empty cache, as on a machine where nothing has run yet. */
function run(place: string, variables: Readonly<Record<string, string>>, ...options: string[]): Promise<Finished> {
  const environment = {
    TRENIO_CACHE_DIR: join(folder, place, 'cache'),
    TRENIO_STEP_REPORT: join(folder, `${place}.json`),
    ...variables,
  };
  return new CliProcess(['run', ...options, script, join(folder, place)], environment).finished;
}
const checkpointsIn = (place: string): readonly string[] =>
  readdirSync(join(folder, place))
    .filter(name => name !== 'cache')
    .sort();
const reportOf = (place: string): StepReport => JSON.parse(readFileSync(join(folder, `${place}.json`), 'utf8'));

test('one rank trains, with the losses of machine code, and is observed', async () => {
  const without = await run('without', { PATH: '/nowhere' }, '--nproc_per_node=auto');
  expect(without).toMatchObject({
    exitCode: 0,
    stderr:
      'trenio: warn: no C compiler found: programs run as WebAssembly, on one core; install gcc or clang to compile them\n',
  });
  expect(without.stdout).toMatch(/^ranks 1\nstep 1 \d/);
  const compiled = await run('compiled', {}, '--nproc_per_node=1');
  expect(compiled).toMatchObject({ exitCode: 0, stderr: '', stdout: without.stdout });
  expect(checkpointsIn('without')).toEqual(checkpointsIn('compiled'));
  expect(checkpointsIn('without')).toContainEqual(expect.stringContaining('4'));
  const stepsOf = (place: string) =>
    reportOf(place).programs.map(({ name, donatedInputs, executions }) => ({ name, donatedInputs, executions }));
  expect(stepsOf('without')).toEqual(stepsOf('compiled'));
});

test('several ranks: an error that says what to install, before any starts', async () => {
  const { exitCode, stdout, stderr } = await run('several', { PATH: '/nowhere' }, '--nproc_per_node=2');
  expect([exitCode, stdout, existsSync(join(folder, 'several'))]).toEqual([1, '', false]);
  expect(stderr).toMatchInlineSnapshot(`
    "trenio: no C compiler found (tried gcc, clang, cc)
      fix: install one (Debian: apt-get install gcc; macOS: xcode-select --install), or set CC=/path/to/cc. If CC is not set, a single process runs without one: its programs are WebAssembly, on one core
    "
  `);
});
