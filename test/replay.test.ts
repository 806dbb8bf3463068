// Process replay in CI: the C and the predictions of a fast set must match the hashes stored in the repository. If a change is
// intended, `node bench/replay.ts store` accepts it, and the diff of test/golden/replay.json shows what changed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node, root, workFolder } from './system.ts';

const replay = join(root, 'bench/replay.ts');

test('the emitted C and the predictions are unchanged', { timeout: 300_000 }, async () => {
  const { exitCode, stdout, stderr } = await node([replay, 'check']);
  if (exitCode !== 0) expect.fail(`${stdout}${exitCode === 1 ? '' : stderr}`);
  expect(stdout).toBe('nothing changed\n');
});

test('a recording is compared from any directory; a folder with other files is not overwritten', {
  timeout: 300_000,
}, async () => {
  using folder = workFolder();
  const options = { cwd: folder.path };
  const only = ['--only', 'dynamic-branches'];
  const recorded = await node([replay, 'record', 'a recording', ...only, '--set', 'fast'], options);
  expect([recorded.exitCode, recorded.stdout]).toEqual([0, 'recorded 7 texts in a recording\n']);
  expect((await node([replay, 'compare', 'a recording'], options)).stdout).toBe('nothing changed in 7 texts\n');

  const text = join(folder.path, 'a recording/recording.json');
  const file = join(folder.path, 'a recording/programs/dynamic-branches/avx2.c');
  writeFileSync(file, '// something else\n');
  const hashes = { text: '0123456789abcdef' };
  const items = { 'dynamic-branches': { avx2: hashes, gone: hashes } };
  writeFileSync(text, JSON.stringify({ version: 1, set: 'fast', only: 'dynamic-branches', items }));
  const changed = await node([replay, 'compare', 'a recording', '--json', '--diffs', '0'], options);
  const { changes } = JSON.parse(changed.stdout) as { changes: readonly { kind: string; target: string }[] };
  expect(changed.exitCode).toBe(1);
  expect(changes.map(({ kind, target }) => `${target} ${kind}`).slice(-6)).toEqual([
    'avx512 added',
    'avx2 code',
    'sve added',
    'neon added',
    'generic added',
    'gone removed',
  ]);

  mkdirSync(join(folder.path, 'mine'));
  writeFileSync(join(folder.path, 'mine/notes.txt'), '');
  const refused = await node([replay, 'record', 'mine', ...only], options);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('mine contains notes.txt')]);
});

test.each([
  [
    ['compare', './missing'],
    'missing/recording.json cannot be read (ENOENT); record it with: node bench/replay.ts record',
  ],
  [['compare', 'no-such-revision'], 'no-such-revision is neither a folder nor a git revision'],
  [['check', '--set', 'all'], 'check always takes the whole fast set'],
  [['compare', '--ignore', 'colors'], '--ignore is colors, expected one of comments, names, whitespace'],
  [['remember'], 'the command is remember, expected one of record, compare, check, store'],
])('invalid arguments end with exit code 2: %s', async (words, message) => {
  const { exitCode, stderr } = await node([replay, ...words]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});
