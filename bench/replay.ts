// Process replay: proves that a refactoring changes nothing. Records the C that the compiler prints for a fixed set of
// programs and targets, and the predictions of the simulator, and compares two recordings. Nothing is compiled to machine code or
// run, and nothing depends on the machine: equal sources give equal recordings everywhere.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ProgressLine } from 'trenio';
import { type Ignorable, ignorable } from './replay/canonical-c.ts';
import { type Comparison, compareItems, describeChanges } from './replay/comparison.ts';
import { type Item, isBroken, itemsOf } from './replay/item.ts';
import { RecordingReader, RecordingWriter, ReplayError } from './replay/recording.ts';
import { type ProgramSet, programSets } from './replay/replay-program.ts';
import { checkOut, compareWithStored, describeCheck, storedCommit, storeHashes } from './replay/stored-hashes.ts';

const help = `Usage: node bench/replay.ts COMMAND [options]

  record DIR            records the C of all programs and all predictions into a folder
  compare DIR [AFTER]   compares the recording DIR with the sources here, or with another recording
  compare [REVISION]    compares with the sources of a git revision; by default the commit in which hashes were last stored
  check                 compares with the hashes that are stored in the repository, as a test in CI does
  store                 stores the hashes of the sources here

  --set fast|all        the fast set, or also all models at their real size. Default: all; fast for revisions; check and
                        store always take the fast set
  --only TEXT           only programs and predictions whose name contains this
  --ignore WHAT         comments, names, whitespace (several with commas): compares without comments (in predictions:
                        without sentences), with names numbered in order of appearance, without white space
  --diffs N             show the first difference of up to N programs. Default 1
  --json                the result as JSON

Exit code: 0 if nothing changed, 1 if something changed, 2 on errors.

  node bench/replay.ts record /tmp/before           before a refactor
  node bench/replay.ts compare /tmp/before          after it: lists the changes
  node bench/replay.ts compare /tmp/before --ignore comments,names
  node bench/replay.ts compare main --set all --only bert
  node bench/replay.ts store                        accepts an intended change`;

class UsageError extends Error {}

const commands = ['record', 'compare', 'check', 'store'] as const;
type Command = (typeof commands)[number];

interface Settings {
  readonly command: Command;
  readonly folders: readonly string[];
  readonly set: ProgramSet | undefined;
  readonly only: string | undefined;
  readonly ignored: ReadonlySet<Ignorable>;
  readonly diffs: number;
  readonly json: boolean;
}

function oneOf<T extends string>(option: string, got: string, known: readonly T[]): T {
  const found = known.find(each => each === got);
  if (found !== undefined) return found;
  throw new UsageError(`${option} is ${got === '' ? 'empty' : got}, expected one of ${known.join(', ')}`);
}

function readSettings(): Settings | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      set: { type: 'string' },
      only: { type: 'string' },
      ignore: { type: 'string' },
      diffs: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const [word, ...folders] = positionals;
  if (word === undefined) throw new UsageError('missing command');
  const command = oneOf('the command', word, commands);
  const [least, most] = { record: [1, 1], compare: [0, 2], check: [0, 0], store: [0, 0] }[command] as [number, number];
  if (folders.length < least) throw new UsageError(`${command} needs a folder`);
  if (folders.length > most) throw new UsageError(`unexpected argument ${folders[most]} of ${command}`);
  const isFixed = command === 'check' || command === 'store';
  for (const option of ['set', 'only'] as const)
    if (isFixed && values[option] !== undefined) throw new UsageError(`${command} always takes the whole fast set`);
  if (!/^\d+$/.test(values.diffs)) throw new UsageError(`--diffs is ${values.diffs}, expected a number`);
  return {
    command,
    folders,
    set: values.set === undefined ? undefined : oneOf('--set', values.set, programSets),
    only: values.only,
    ignored: new Set((values.ignore?.split(',') ?? []).map(each => oneOf('--ignore', each, ignorable))),
    diffs: Number(values.diffs),
    json: values.json,
  };
}

const progress = new ProgressLine({ stream: process.stderr, nowMs: () => performance.now(), logEveryMs: 2000 });
const onProgress = (text: string): void => progress.update(text);
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const items = (set: ProgramSet, only: string | undefined): Iterable<Item> => itemsOf({ set, only, onProgress });
const count = (number: number, of: string): string => `${number} ${of}${number === 1 ? '' : 's'}`;

/** Every command returns the exit code. */
const actions: Readonly<Record<Command, (settings: Settings) => number | Promise<number>>> = {
  record({ folders, set = 'all', only, json }) {
    const [folder] = folders as [string];
    const writer = new RecordingWriter(folder);
    let texts = 0;
    const broken = new Map<string, string[]>();
    for (const item of items(set, only)) {
      writer.add(item);
      texts++;
      if (isBroken(item)) broken.set(item.name, [...(broken.get(item.name) ?? []), item.target]);
    }
    if (texts === 0) throw new UsageError(`no program or prediction of the set ${set} contains ${only}`);
    const table = writer.finish({ set, ...(only === undefined ? {} : { only }) });
    progress.done('');
    for (const [name, targets] of broken)
      process.stderr.write(
        `the compiler fails on ${name} for ${targets.join(', ')}; the recording contains the error\n`,
      );
    const names = Object.keys(table).length;
    if (json) print(JSON.stringify({ folder, set, names, texts, broken: Object.fromEntries(broken) }));
    else print(`recorded ${count(texts, 'text')} in ${folder}`);
    return 0;
  },

  async compare(settings) {
    const [before, after] = settings.folders;
    if (before !== undefined && (existsSync(before) || after !== undefined || /[/\\]/.test(before)))
      return reportComparison(settings, before, after);
    const revision = before ?? storedCommit();
    const folder = mkdtempSync(join(tmpdir(), 'trenio-replay-'));
    try {
      const source = checkOut(revision, folder);
      const recording = join(folder, 'recording');
      if (!existsSync(join(source, 'bench/replay.ts')))
        throw new ReplayError(`${revision} is older than process replay; record it separately and pass the folder`);
      const words = ['bench/replay.ts', 'record', recording, '--set', settings.set ?? 'fast'];
      if (settings.only !== undefined) words.push('--only', settings.only);
      process.stderr.write(`recording the sources of ${revision}\n`);
      const child = spawn(process.execPath, words, { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
      const [status] = (await once(child, 'close')) as [number | null];
      if (status !== 0) throw new ReplayError(`the sources of ${revision} could not be recorded`);
      return reportComparison(settings, recording, undefined);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  check({ json }) {
    const changes = compareWithStored(items('fast', undefined));
    progress.done('');
    if (json) print(JSON.stringify({ changes }));
    else print(changes.length === 0 ? 'nothing changed' : describeCheck(changes));
    return changes.length === 0 ? 0 : 1;
  },

  store({ json }) {
    const changes = storeHashes(items('fast', undefined));
    progress.done('');
    if (json) print(JSON.stringify({ changes }));
    else print(changes.length === 0 ? 'nothing changed' : `stored; what changed:\n${describeChanges(changes)}`);
    return 0;
  },
};

function reportComparison(settings: Settings, before: string, after: string | undefined): number {
  const { ignored, diffs, json } = settings;
  const reader = new RecordingReader(before);
  const { items: table, set, only } = reader.contents;
  if (settings.set !== undefined && settings.set !== set)
    throw new UsageError(`${before} is a recording of the set ${set}; omit --set`);
  const asked = settings.only ?? only;
  const kept = Object.fromEntries(Object.entries(table).filter(([name]) => name.includes(asked ?? '')));
  const others = after === undefined ? items(settings.set ?? set, asked) : new RecordingReader(after).items();
  const comparison = compareItems({ table: kept, item: (name, target) => reader.item(name, target) }, others, {
    ignored,
    diffs,
  });
  progress.done('');
  print(json ? JSON.stringify(comparison) : describeComparison(comparison));
  return comparison.changes.length === 0 ? 0 : 1;
}

function describeComparison({ compared, changes, differences }: Comparison): string {
  if (changes.length === 0) return `nothing changed in ${count(compared, 'text')}`;
  const shown = differences.map(({ name, target, where, diff }) =>
    ['', `${name} for ${target}, ${where}:`, ...diff.map(line => `  ${line}`)].join('\n'),
  );
  return [`${changes.length} of ${count(compared, 'text')} changed:`, '', describeChanges(changes), ...shown].join(
    '\n',
  );
}

try {
  const settings = readSettings();
  if (settings === undefined) print(help);
  else process.exitCode = await actions[settings.command](settings);
} catch (error) {
  const isUsage =
    error instanceof UsageError ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  if (!isUsage && !(error instanceof ReplayError)) throw error;
  progress.done('');
  process.stderr.write(`${error.message}\n${isUsage ? '\nSee node bench/replay.ts --help\n' : ''}`);
  process.exitCode = 2;
}
