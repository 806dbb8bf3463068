// The example scripts, shortened, as a user runs them: each succeeds, prints the expected output, and does not recompile
// programs.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node, root, workFolder } from './system.ts';

test.each([
  ['digits', ['--epochs', '1'], /^epoch 1: loss [\d.]+, accuracy [\d.]+ %$[\s\S]*this is a 7$/m],
  ['char-gpt', ['--steps', '50'], /^step 50: loss [\d.]+\nThe /m],
  ['vae', ['--epochs', '1'], /^epoch 1: loss [\d.]+ per image$/m],
  ['lstm', ['--steps', '50'], /^step 50: mean squared error [\d.]+\nforecast: /m],
  ['custom-module', [], /^step 300: loss [\d.]+, accuracy [\d.]+ %$/m],
  ['custom-operator', [], /^step 300: loss [\d.]+$/m],
] as const)(
  'examples/%s',
  async (name, options, output) => {
    using folder = workFolder();
    const script = join(root, 'examples', name, 'train.ts');
    const { exitCode, stdout, stderr } = await node([script, ...options], { cwd: folder.path });
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toMatch(output);
    // On a busy machine, loading may be slower than these small models; whether it is depends on the machine.
    const warnings = stderr.split('\n').filter(line => !line.includes('of the time waits on data'));
    expect(warnings.join('\n')).not.toMatch(/recompil|grows|warn/);
  },
  240_000,
);
