// The example scripts, shortened, as a user runs them: each succeeds, prints the expected output, and compiles at most the number
// of programs in the table.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node, root, workFolder } from './system.ts';

test.each([
  ['digits', ['--epochs', '1'], 4, /^epoch 1: loss [\d.]+, accuracy [\d.]+ %$[\s\S]*this is a 7$/m],
  ['char-gpt', ['--steps', '50'], 6, /^step 50: loss [\d.]+\nThe /m],
  ['vae', ['--epochs', '1'], 2, /^epoch 1: loss [\d.]+ per image$/m],
  ['lstm', ['--steps', '50'], 5, /^step 50: mean squared error [\d.]+\nforecast: /m],
  ['custom-module', [], 5, /^step 300: loss [\d.]+, accuracy [\d.]+ %$/m],
  ['custom-operator', [], 1, /^step 300: loss [\d.]+$/m],
  ['reinforce', ['--steps', '100'], 4, /^100 steps, \d+ episodes: loss [-\d.]+, mean length \d+ steps$/m],
  ['dqn', ['--steps', '140'], 5, /^140 steps, \d+ episodes: loss [\d.]+, mean length \d+ steps$/m],
  ['packed-lstm', ['--epochs', '2', '--sequences', '64'], 4, /^epoch 2: loss [\d.]+, accuracy [\d.]+ %$/m],
  ['graph', ['--epochs', '2', '--graphs', '64'], 4, /^epoch 2: loss [\d.]+, accuracy [\d.]+ %$/m],
] as const)(
  'examples/%s',
  async (name, options, programs, output) => {
    using folder = workFolder();
    const script = join(root, 'examples', name, 'train.ts');
    const { exitCode, stdout, stderr } = await node([script, ...options], {
      cwd: folder.path,
      variables: { TRENIO_LOG: 'info' },
    });
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toMatch(output);
    const lines = stderr.split('\n');
    expect(lines.filter(line => /: (re)?compiling the /.test(line)).length, stderr).toBeLessThanOrEqual(programs);
    // On a busy machine, loading may be slower than these small models; whether it is depends on the machine.
    const warnings = lines.filter(line => !/: (re)?compiling the |of the time waits on data/.test(line));
    expect(warnings.join('\n')).not.toMatch(/grows|warn/);
  },
  240_000,
);

test('examples/llama-parallel: two ranks have the losses of one', async () => {
  const compare = join(root, 'examples/llama-parallel/compare.ts');
  const { exitCode, stdout, stderr } = await node([compare, '--steps', '3', 'tp=2+sequence']);
  expect(exitCode, stderr).toBe(0);
  const rows = [...stdout.matchAll(/^(one rank|tp=2\+sequence) +[\d.]+ +(\S+) +([\d.]+ \S+) +[\d.]+ s$/gm)];
  expect(rows.map(([, layout]) => layout)).toEqual(['one rank', 'tp=2+sequence']);
  expect(Number(rows[1]![2])).toBeLessThan(1e-6);
  expect(rows[0]![3]).toBe('0 B');
  expect(rows[1]![3]).toMatch(/KiB|MiB/);
}, 240_000);

test('examples/serve: a model and its adapters answer', async () => {
  using folder = workFolder();
  const options = [
    '--steps',
    '6',
    '--port',
    '0',
    '--page-port',
    '0',
    '--ask',
    'Hello',
    '--folder',
    join(folder.path, 'model'),
  ];
  const { exitCode, stdout, stderr } = await node([join(root, 'examples/serve/start.ts'), ...options]);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/^verdict: step 2 of 2, loss [\d.]+\n[\s\S]*^base: [\s\S]*^brief: [\s\S]*^verdict: /m);
}, 240_000);

test('an option that is no number', async () => {
  const { exitCode, stderr } = await node([join(root, 'examples/packed-lstm/train.ts'), '--epochs', 'abc'], {});
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '--epochs takes a positive integer, got "abc"\n' });
});
