// The commands of `trenio cache`.
import { TrenioError } from '../../base/errors.ts';
import { unreadable } from '../../base/read-file.ts';
import { formatTable } from '../../base/table.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { formatBytes, formatDuration } from '../../base/units.ts';
import { type CacheEntry, cacheDirectory, listEntries, removeEntry, verifyEntry } from '../../runtime/index.ts';
import type { CliContext } from '../command/command.ts';
import type { LsInput, PruneInput, VerifyInput } from './cache-options.ts';

type Streams = Pick<CliContext, 'environment' | 'stdout' | 'stderr'>;

const totalOf = (entries: readonly CacheEntry[]): number => entries.reduce((sum, entry) => sum + entry.bytes, 0);
const plural = (n: number): string => `${n} ${n === 1 ? 'entry' : 'entries'}`;

export async function listCache({ options }: LsInput, { environment, stdout }: Streams): Promise<number> {
  const directory = cacheDirectory(environment);
  const entries = entriesOf(directory);
  const bytes = totalOf(entries);
  if (options.json) {
    const shown = entries.map(({ lastUsedMs, ...entry }) => ({
      ...entry,
      lastUsed: new Date(lastUsedMs).toISOString(),
    }));
    stdout.write(`${JSON.stringify({ directory, bytes, entries: shown })}\n`);
    return 0;
  }
  if (entries.length > 0) {
    const table = formatTable(
      [
        { header: 'entry' },
        { header: 'kind' },
        { header: 'of', maxWidth: 40 },
        { header: 'size', align: 'right' },
        { header: 'age', align: 'right' },
      ],
      entries.map(({ name, kind, what, bytes: size, lastUsedMs }) => [
        name.replace(/^\w+-(?=[0-9a-f]{64}$)/, '').slice(0, 12),
        kind,
        what,
        formatBytes(size),
        formatDuration((Date.now() - lastUsedMs) / 1000),
      ]),
    );
    stdout.write(`${table}\n\n`);
  }
  stdout.write(`${plural(entries.length)}, ${formatBytes(bytes)}, in ${directory}\n`);
  return 0;
}

export async function pruneCache({ options }: PruneInput, { environment, stdout }: Streams): Promise<number> {
  const olderThan = options['older-than'];
  const maxBytes = options['max-bytes'];
  if (!options.all && olderThan === undefined && maxBytes === undefined)
    throw new TrenioError('MISSING_ARGUMENT', {
      command: 'cache prune',
      argument: 'the entries to remove',
      expected: 'one of --all, --older-than and --max-bytes',
    });
  const directory = cacheDirectory(environment);
  const entries = entriesOf(directory);
  const before = Date.now() - (olderThan === undefined ? Number.POSITIVE_INFINITY : ageMs(olderThan));
  const removed: CacheEntry[] = [];
  let left = totalOf(entries);
  for (const entry of entries.toReversed()) {
    const isOld = entry.lastUsedMs < before;
    const isTooMuch = maxBytes !== undefined && left > maxBytes;
    if (!options.all && !isOld && !isTooMuch) continue;
    removeFrom(directory, entry.name);
    removed.push(entry);
    left -= entry.bytes;
  }
  const removedBytes = totalOf(removed);
  stdout.write(
    options.json
      ? `${JSON.stringify({ directory, removed: removed.map(entry => entry.name), removedBytes, bytes: left })}\n`
      : `${plural(removed.length)} removed (${formatBytes(removedBytes)}), ${formatBytes(left)} left in ${directory}\n`,
  );
  return 0;
}

export async function verifyCache({ options }: VerifyInput, { environment, stdout, stderr }: Streams): Promise<number> {
  const directory = cacheDirectory(environment);
  using progress = new TaskProgress({ stream: stderr, quiet: options.json });
  const entries = entriesOf(directory);
  const total = totalOf(entries);
  let done = 0;
  const states = entries.map(entry => {
    const state = verifyEntry(directory, entry);
    done += entry.bytes;
    progress.update({ what: `verifying ${directory}`, done, total, unit: 'bytes' });
    return [entry.name, state] as const;
  });
  progress.done();
  const named = (state: 'whole' | 'damaged' | 'incomplete'): readonly string[] =>
    states.filter(([, s]) => s === state).map(([name]) => name);
  const [whole, damaged, incomplete] = [named('whole'), named('damaged'), named('incomplete')];
  const removed = options.remove ? [...damaged, ...incomplete] : [];
  for (const name of removed) removeFrom(directory, name);
  if (options.json) stdout.write(`${JSON.stringify({ directory, whole, damaged, incomplete, removed })}\n`);
  else {
    const gone = options.remove ? ', removed' : '';
    for (const name of damaged) stdout.write(`${name}: damaged${gone}\n`);
    for (const name of incomplete) stdout.write(`${name}: incomplete, the machine code is missing${gone}\n`);
    stdout.write(`${plural(states.length)} in ${directory}: ${whole.length} whole, ${damaged.length} damaged\n`);
  }
  return damaged.length > 0 && !options.remove ? 1 : 0;
}

/** @throws {FILE_UNREADABLE} */
function entriesOf(directory: string): readonly CacheEntry[] {
  try {
    return listEntries(directory);
  } catch (cause) {
    throw unreadable(directory, cause);
  }
}
/** @throws {WRITE_FAILED} */
function removeFrom(directory: string, name: string): void {
  try {
    removeEntry(directory, name);
  } catch (cause) {
    throw new TrenioError('WRITE_FAILED', { file: directory, reason: (cause as Error).message }, { cause });
  }
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
function ageMs(text: string): number {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (number === undefined || unit === undefined)
    throw badArgument('--older-than', `'${text}'`, 'a number and m, h or d, such as 30d');
  return Number(number) * units[unit]!;
}
const badArgument = (argument: string, got: string, expected: string): TrenioError =>
  new TrenioError('BAD_ARGUMENT', { command: 'cache prune', argument, got, expected });
