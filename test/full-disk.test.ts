// A checkpoint that does not fit on the disk: the error says so, and the previous checkpoint is intact.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { comparable, type Ended, node, Running, scripts, workFolder } from './system.ts';

const script = join(scripts, 'checkpoint.ts');
const options = { variables: { TRENIO_BACKEND: 'interpreter' } };

function contents(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'hex')]),
  );
}

/** Saves step 1 with enough space, then step 2 with `saveSecond`, which runs out of space. */
async function overfill(checkpoints: string, saveSecond: () => Promise<Ended>): Promise<string> {
  expect(await node([script, checkpoints, '1'], options)).toEqual({
    exitCode: 0,
    stdout: 'saved step 1\n',
    stderr: '',
  });
  const before = contents(checkpoints);
  const { exitCode, stdout, stderr } = await saveSecond();
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(contents(checkpoints)).toEqual(before);
  expect(readdirSync(checkpoints)).toEqual(['checkpoint-1']);
  expect((await node([script, checkpoints, '1', '--load'], options)).stdout).toBe('loaded step 1\n');
  return stderr.replace(/after \d+ bytes/, 'after N bytes').replace(/\.[0-9a-f]{12}\.partial/, '.RUN.partial');
}

test('the disk is full', async context => {
  using folder = workFolder();
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  // A checkpoint has weights and two moments of 37,000 elements each: one fits, two do not.
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=700k', 'tmpfs', disk]).status === 0;
  if (!mounted) context.skip('mounting a small disk needs root');
  try {
    const checkpoints = join(disk, 'checkpoints');
    const told = await overfill(checkpoints, () => node([script, checkpoints, '2'], options));
    expect(comparable(told, folder.path)).toMatchInlineSnapshot(`
      "TrenioError [DISK_FULL]: not enough space to write FOLDER/disk/checkpoints/.checkpoint-2.1.partial/shard-00001-model-00001-of-00001.safetensors: stopped after N bytes (the disk is full); any existing file is unchanged
        at TRENIO/test/scripts/checkpoint.ts:34:22
        fix: free some space (df -h shows how much is left), raise the quota, or write to another disk
      "
    `);
  } finally {
    execFileSync('umount', [disk]);
  }
});

test.skipIf(process.platform === 'win32')('the file exceeds the size limit', async () => {
  using folder = workFolder();
  const checkpoints = join(folder.path, 'checkpoints');
  const limited = () =>
    new Running('sh', ['-c', 'ulimit -f 100; exec "$@"', 'sh', process.execPath, script, checkpoints, '2'], options)
      .ended;
  expect(comparable(await overfill(checkpoints, limited), folder.path)).toMatchInlineSnapshot(`
    "TrenioError [DISK_FULL]: not enough space to write FOLDER/checkpoints/.checkpoint-2.1.partial/shard-00001-model-00001-of-00001.safetensors: stopped after N bytes (the file-size limit is reached); any existing file is unchanged
      at TRENIO/test/scripts/checkpoint.ts:34:22
      fix: free some space (df -h shows how much is left), raise the quota, or write to another disk
    "
  `);
});
