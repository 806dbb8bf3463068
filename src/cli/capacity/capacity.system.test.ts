// `trenio capacity`: from a search to an extension, and requests that are refused.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CliProcess } from '../process.testing.ts';

let data: string;
beforeAll(() => {
  data = mkdtempSync(join(tmpdir(), 'trenio-capacity-'));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

const run = (...words: readonly string[]) => new CliProcess(['capacity', ...words], { XDG_DATA_HOME: data }).finished;
const json = async (...words: readonly string[]) => {
  const { stdout, stderr } = await run(...words, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};

test('a block is searched, bought, extended and listed', async () => {
  const { offerings } = await json('search', '-t', 'ml.trn1.32xlarge', '-n', '4', '--days', '2');
  expect(offerings).toHaveLength(3);
  expect(offerings[0]).toMatchObject({ instanceType: 'trn1.32xlarge', instanceCount: 4, fee: 1830.144 });
  const { block } = await json('buy', offerings[0].id, '--name', 'phase-1');
  expect(block).toMatchObject({ id: expect.stringMatching(/^cr-[0-9a-f]{17}$/), name: 'phase-1', state: 'active' });
  const { extension } = await json('extend', 'phase-1', '--days', '1', '--dry-run');
  const extended = await json('extend', block.id, '--days', '1');
  expect(extended.block).toMatchObject({ end: extension.end, paid: 1830.144 + extension.fee });
  expect((await json('ls')).blocks).toEqual([extended.block]);
  expect((await run('show', 'phase-1')).stdout).toContain(`instances  4 × trn1.32xlarge\n`);
  // The end is moved instead of awaited.
  const setEnd = (endMs: number): void => {
    using database = new DatabaseSync(join(data, 'trenio/server/capacity.sqlite'));
    database.prepare("UPDATE capacity_blocks SET end_ms = ?, block = json_set(block, '$.endMs', ?)").run(endMs, endMs);
  };
  setEnd(Date.now() - 3_600_000);
  expect((await json('ls')).blocks).toMatchObject([{ id: block.id, state: 'expired' }]);
  setEnd(Date.now() - 8 * 86_400_000);
  expect((await json('ls')).blocks).toEqual([]);
  expect((await json('ls', '--all')).blocks).toMatchObject([{ id: block.id, state: 'expired' }]);
});

test('errors name the problem and the fix', async () => {
  const errors = await Promise.all([
    run('search'),
    run('search', '-t', 'trn1.32xlrge'),
    run('search', '-t', 'trn1.32xlarge', '-n', '3'),
    run('search', '-t', 'trn1.32xlarge', '--days', '15'),
    run('search', '-t', 'trn1.32xlarge', '--start', 'soon'),
    run('buy', 'cbo-00'),
    run('buy', 'cbo-00', '--cluster', 'none'),
    run('show', 'cr-none'),
  ]);
  expect(errors.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
    expect.stringContaining('--instance-type'),
    expect.stringContaining('did you mean trn1.32xlarge?'),
    expect.stringContaining('--instance-count is 3, expected one of 1, 2, 4, 8, 16, 32, 64'),
    expect.stringContaining('--days is 15, expected 1 to 14, or a multiple of 7 up to 182'),
    expect.stringContaining('--start is soon, expected a time'),
    'trenio: cbo-00: there is no such offering',
    'trenio: there is no cluster named none',
    'trenio: there is no capacity block cr-none',
  ]);
});
