// The hashes of the fast set that are stored in the repository, which CI compares with, and the commit that last changed them,
// from which the texts can be recreated.
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Change, changesSince, describeChanges } from './comparison.ts';
import { codeHash, type Item } from './item.ts';
import { addTo, type HashTable, hashesText, ReplayError, readHashes } from './recording.ts';

const root = join(import.meta.dirname, '../..');
const storedName = 'test/golden/replay.json';
const storedFile = join(root, storedName);

/** Replaces the stored hashes atomically. Returns the changes. */
export function storeHashes(items: Iterable<Item>): readonly Change[] {
  const list = [...items];
  const table: HashTable = {};
  for (const item of list) addTo(table, item, { code: codeHash(item) });
  let before: HashTable;
  try {
    before = storedTable();
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    before = {}; // missing or unreadable, such as during a merge
  }
  const partial = `${storedFile}.${process.pid}`;
  writeFileSync(partial, hashesText({ set: 'fast', items: table }));
  renameSync(partial, storedFile);
  return changesFrom(before, list);
}

/** The differences from the stored hashes. */
export const compareWithStored = (items: Iterable<Item>): readonly Change[] => changesFrom(storedTable(), items);

const storedTable = (): HashTable => readHashes(storedFile, 'create it with: node bench/replay.ts store').items;
const changesFrom = (before: HashTable, items: Iterable<Item>): readonly Change[] =>
  changesSince(before, items, (item, { code }) => (code === codeHash(item) ? 'comments, names or whitespace' : 'code'))
    .changes;

/** The message of CI if something changed. */
export const describeCheck = (changes: readonly Change[]): string =>
  `Code or predictions differ from the hashes stored in ${storedName}:

${describeChanges(changes)}

  node bench/replay.ts compare   shows the first difference
  node bench/replay.ts store     accepts all of them; commit ${storedName} with the change`;

function git(...words: readonly string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', root, ...words], { maxBuffer: 1 << 30 });
  if (error !== undefined) throw new ReplayError(`git cannot be run (${error.message}); pass a recording instead`);
  if (status === 0) return stdout;
  throw new ReplayError(`git ${words.join(' ')}: ${stderr.toString().trim()}`);
}

/** The commit in which the stored hashes were last changed. */
export function storedCommit(): string {
  const commit = git('log', '-1', '--format=%H', '--', storedName).toString().trim();
  if (commit !== '') return commit;
  throw new ReplayError(`no commit has ${storedName}; pass a recording: node bench/replay.ts compare DIR`);
}

/** Checks out the sources of a commit into a new folder, with the packages installed here. */
export function checkOut(revision: string, folder: string): string {
  const found = spawnSync('git', [
    ...['-C', root, 'rev-parse', '--verify', '--quiet'],
    ...['--end-of-options', `${revision}^{commit}`],
  ]);
  if (found.status !== 0) throw new ReplayError(`${revision} is neither a folder nor a git revision`);
  const commit = found.stdout.toString().trim();
  const source = join(folder, 'source');
  mkdirSync(source);
  const archive = git('archive', '--format=tar', commit);
  const { status, stderr } = spawnSync('tar', ['-x', '-C', source], { input: archive });
  if (status !== 0) throw new ReplayError(`tar could not unpack ${commit}: ${stderr}`);
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'), 'dir');
  return source;
}
