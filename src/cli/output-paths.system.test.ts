// Output paths of the user: a path that cannot be written is a typed error before anything else is done, and existing files
// remain.
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inheritedVariables } from '../base/environment.ts';
import { runWords } from './run-cli.testing.ts';
import { withoutProgress } from './without-progress.testing.ts';

async function trenio(cwd: string, ...words: string[]) {
  const { stderr, ...outcome } = await runWords(words, { cwd, environment: inheritedVariables() });
  return { ...outcome, stderr: withoutProgress(stderr) };
}

const timeline = {
  ...{ format: 'trenio-profile', version: 1, rank: 0, worldSize: 1, host: 'host', pid: 1, script: 'train.ts' },
  ...{ startNs: '0', startMs: 0, durationNs: 10, threads: 1, programs: [], loop: [[0, 10]], steps: [], kernels: [] },
  ...{ workers: [], collectives: [], spans: [], dropped: 0 },
};

/** A folder with a script, a program, a profile, and a file where a folder would have to be. */
function workFolder() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-output-'));
  const write = (name: string, text: string): void => writeFileSync(join(folder.path, name), text);
  write('file', '');
  write('script.ts', 'console.log("the script ran");');
  write('broken.ts', 'throw new Error("the script failed");');
  write(
    'program.mlir',
    'func.func @main() -> tensor<f32> {\n%0 = stablehlo.constant dense<1.0> : tensor<f32>\nreturn %0 : tensor<f32>\n}',
  );
  mkdirSync(join(folder.path, 'profile'));
  for (const name of ['rank-0.json', 'rank-1.json', 'trace.json', 'index.html'])
    write(join('profile', name), JSON.stringify(timeline));
  return folder;
}

// mkdir with `recursive` never returns for folders of /proc.
const places = ['file/out', ...(process.platform === 'linux' ? ['/proc/trenio/out'] : [])];
describe.each(places)('nothing can be written to %s', out => {
  test.each(
    [
      ['run', '--log-dir', out, 'script.ts'],
      ['profile', 'run', '--out', out, 'script.ts'],
      ['profile', 'view', '--out', out, 'profile'],
      ['hlo', 'print', 'program.mlir', '--output', out],
      ['hlo', 'graph', 'program.mlir', '--output', `${out}.svg`],
      ['hlo', 'run', 'program.mlir', '--backend', 'interpreter', '--output', `${out}.npy`],
      ['plan', '--model', 'llama3-8b', '--on', 'trn1.32xlarge', '--html', out],
      ['plan', '--model', 'llama3-8b', '--on', 'trn1.32xlarge', '--trace', out],
    ].map(words => [words.join(' '), words] as const),
  )('trenio %s', async (_, words) => {
    using folder = workFolder();
    const { exitCode, stdout, stderr } = await trenio(folder.path, ...words);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^trenio: cannot write \S+: E(NOTDIR|NOENT): .*\n {2}fix: [^\n]*\n$/);
  });
});

describe('an earlier profile stays', () => {
  test.each([
    ['missing.ts', 1],
    ['broken.ts', 1],
    ['script.ts', 1],
  ])('where %s is profiled', async (script, exitCode) => {
    using folder = workFolder();
    const result = await trenio(folder.path, 'profile', 'run', script);
    expect(result).toMatchObject({ exitCode });
    const profile = join(folder.path, 'profile');
    expect(readdirSync(profile).sort()).toEqual(['index.html', 'rank-0.json', 'rank-1.json', 'trace.json']);
    expect(readFileSync(join(profile, 'rank-0.json'), 'utf8')).toBe(JSON.stringify(timeline));
  });

  test('no folder is made for a script that does not exist', async () => {
    using folder = workFolder();
    const { stderr } = await trenio(folder.path, 'profile', 'run', '--out', 'new/profile', 'missing.ts');
    expect(stderr).toMatch(/there is no such file/);
    expect(readdirSync(folder.path)).not.toContain('new');
  });
});

test('trenio cluster configure never replaces a file', async () => {
  using folder = workFolder();
  const { exitCode, stderr } = await trenio(folder.path, 'cluster', 'configure', '-c', 'script.ts');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('script.ts, which exists, expected a file that does not exist yet\n  fix: set --config to');
  expect(readFileSync(join(folder.path, 'script.ts'), 'utf8')).toContain('the script ran');
});
