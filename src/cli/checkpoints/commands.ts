// The commands of `trenio checkpoints`.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { printableLine } from '../../base/printable.ts';
import { fileExists } from '../../base/read-file.ts';
import { formatTable } from '../../base/table.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { formatBytes, formatDuration } from '../../base/units.ts';
import { type CheckpointDifference, diffCheckpoints } from '../../distributed/checkpoints/diff.ts';
import { type CheckpointEntry, isDamage, listCheckpoints } from '../../distributed/checkpoints/folder.ts';
import { MANIFEST_FILE, type Manifest, readManifest } from '../../distributed/checkpoints/manifest.ts';
import { verifyCheckpoint } from '../../distributed/checkpoints/verify.ts';
import { byteSize, tensorType } from '../../hlo/types.ts';
import type { CliContext } from '../command/command.ts';
import type { DiffInput, LsInput, ShowInput, VerifyInput } from './checkpoints-options.ts';

type Streams = Pick<CliContext, 'stdout' | 'stderr'>;

export async function listThem({ positionals: [folder], options }: LsInput, { stdout }: Streams): Promise<number> {
  const rows = [];
  for (const { directory, step } of await entriesOf(folder!)) {
    const { mtimeMs } = await stat(join(directory, MANIFEST_FILE));
    const written = { directory, step, savedAt: new Date(mtimeMs).toISOString() };
    try {
      const { run, ranks, mesh, files } = await readManifest(directory);
      const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
      rows.push({ ...written, run, ranks, mesh, bytes, problem: null });
    } catch (error) {
      if (!isDamage(error)) throw error;
      rows.push({ ...written, run: null, ranks: null, mesh: null, bytes: null, problem: firstLine(error) });
    }
  }
  if (options.json) {
    stdout.write(`${JSON.stringify({ directory: folder, checkpoints: rows })}\n`);
    return 0;
  }
  if (rows.length === 0) {
    stdout.write(`No checkpoints in ${folder}.\n`);
    return 0;
  }
  const table = formatTable(
    [
      { header: 'step', align: 'right' },
      { header: 'size', align: 'right' },
      { header: 'ranks', align: 'right' },
      { header: 'run' },
      { header: 'age', align: 'right' },
      { header: 'problem', maxWidth: 60 },
    ],
    rows.map(({ step, bytes, ranks, run, savedAt, problem }) => [
      `${step}`,
      bytes === null ? '-' : formatBytes(bytes),
      `${ranks ?? '-'}`,
      run ?? '-',
      formatDuration((Date.now() - Date.parse(savedAt)) / 1000),
      problem ?? '',
    ]),
  );
  stdout.write(`${table}\n`);
  return 0;
}

export async function showOne({ positionals: [path], options }: ShowInput, { stdout }: Streams): Promise<number> {
  const { directory } = await lastOf(path!);
  const manifest = await readManifest(directory);
  if (options.json) {
    stdout.write(`${JSON.stringify(manifest)}\n`);
    return 0;
  }
  const { run, step, ranks, mesh, trenio, files, state } = manifest;
  const fileCount = Object.keys(files).length;
  const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
  const facts = [
    ['checkpoint', directory],
    ['step', `${step}`],
    ['run', run],
    ['written by', `${ranks} ${ranks === 1 ? 'rank' : 'ranks'} on the mesh ${mesh}, Trenio ${trenio}`],
    ['size', `${formatBytes(bytes)} in ${fileCount === 1 ? '1 file' : `${fileCount} files`}`],
  ] as const;
  stdout.write(`${facts.map(([name, value]) => `${name.padEnd(11)} ${printableLine(value)}`).join('\n')}\n\n`);
  const parts = Object.keys(state).map(part => {
    const own = tensorsOf(manifest).filter(({ name }) => name === part || name.startsWith(`${part}.`));
    const text = JSON.stringify(state[part]);
    return [
      part,
      `${own.length}`,
      own.length === 0 ? '-' : formatBytes(own.reduce((sum, tensor) => sum + tensor.bytes, 0)),
      own.length === 0 ? text : '',
    ];
  });
  const columns = [
    { header: 'part' },
    { header: 'tensors', align: 'right' },
    { header: 'size', align: 'right' },
    { header: 'state', maxWidth: 70 },
  ] as const;
  stdout.write(`${formatTable(columns, parts)}\n`);
  if (!options.tensors) return 0;
  const tensors = formatTable(
    [
      { header: 'tensor' },
      { header: 'type' },
      { header: 'shape' },
      { header: 'size', align: 'right' },
      { header: 'files' },
    ],
    tensorsOf(manifest).map(({ name, dtype, shape, bytes: size, pieces }) => [
      name,
      dtype,
      `[${shape.join(', ')}]`,
      formatBytes(size),
      `${pieces}`,
    ]),
  );
  stdout.write(`\n${tensors}\n`);
  return 0;
}

const tensorsOf = ({ tensors }: Manifest) =>
  Object.entries(tensors).map(([name, { dtype, shape, pieces }]) => ({
    name,
    dtype,
    shape,
    bytes: byteSize(tensorType(dtype, shape)),
    pieces: pieces.length,
  }));

export async function verifyThem(
  { positionals: [path], options }: VerifyInput,
  { stdout, stderr }: Streams,
): Promise<number> {
  const all = await entriesOf(path!);
  const entries = (await fileExists(join(path!, MANIFEST_FILE))) ? [await lastOf(path!)] : all;
  if (entries.length === 0) throw new TrenioError('NOTHING_TO_RESUME', { folder: path! });
  using progress = new TaskProgress({ stream: stderr, quiet: options.json });
  const results: { readonly directory: string; readonly step: number; readonly problem: string | null }[] = [];
  for (const { directory, step } of entries) {
    const onProgress = (done: number, total: number): void =>
      progress.update({ what: `verifying ${directory}`, done, total, unit: 'bytes' });
    try {
      await verifyCheckpoint(directory, { onProgress });
      results.push({ directory, step, problem: null });
    } catch (error) {
      if (!isDamage(error)) throw error;
      results.push({ directory, step, problem: firstLine(error) });
    }
  }
  progress.done();
  if (options.json) stdout.write(`${JSON.stringify({ checkpoints: results })}\n`);
  else
    for (const { directory, problem } of results)
      stdout.write(`${printableLine(`${directory}: ${problem ?? 'whole'}`)}\n`);
  return results.some(({ problem }) => problem !== null) ? 1 : 0;
}

export async function diffTwo(
  { positionals: [first, second], options }: DiffInput,
  { stdout, stderr }: Streams,
): Promise<number> {
  const [a, b] = [await lastOf(first!), await lastOf(second!)];
  using progress = new TaskProgress({ stream: stderr, quiet: options.json });
  const differences = await diffCheckpoints(a.directory, b.directory, (done, total) =>
    progress.update({ what: 'comparing', done, total, unit: 'bytes' }),
  );
  progress.done();
  if (options.json) stdout.write(`${JSON.stringify({ differences })}\n`);
  else if (differences.length === 0) stdout.write('The two checkpoints are the same, to the bit.\n');
  else
    for (const difference of differences)
      stdout.write(`${printableLine(described(difference, a.directory, b.directory))}\n`);
  return differences.length === 0 ? 0 : 1;
}

function described(difference: CheckpointDifference, first: string, second: string): string {
  switch (difference.kind) {
    case 'only-in':
      return `${difference.tensor}: only in ${difference.which === 'first' ? first : second}`;
    case 'type':
      return `${difference.tensor}: ${difference.first} and ${difference.second}`;
    case 'elements':
      return `${difference.tensor}: ${difference.different === 1 ? '1 element differs' : `${difference.different} elements differ`}, by up to ${difference.maxDifference.toPrecision(3)}`;
    case 'state': {
      const shown = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value).slice(0, 60));
      return `${difference.path}: ${shown(difference.first)} and ${shown(difference.second)}`;
    }
  }
}

/** The checkpoints in a folder that exists. */
async function entriesOf(folder: string): Promise<readonly CheckpointEntry[]> {
  const found = await stat(folder).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'there is no such folder' : cause.message;
    throw new TrenioError('FILE_UNREADABLE', { file: folder, reason }, { cause });
  });
  if (!found.isDirectory())
    throw new TrenioError('CHECKPOINT_INVALID', { directory: folder, problem: 'it is a file, not a directory' });
  return listCheckpoints(folder);
}

/** A checkpoint, or the last one in a folder. */
async function lastOf(path: string): Promise<CheckpointEntry> {
  const entries = await entriesOf(path);
  if (await fileExists(join(path, MANIFEST_FILE))) return { directory: path, step: (await readStep(path)) ?? 0 };
  const last = entries.at(-1);
  if (last === undefined)
    throw new TrenioError('CHECKPOINT_INVALID', {
      directory: path,
      problem: `it has neither a ${MANIFEST_FILE} nor checkpoints in it`,
    });
  return last;
}
/** The step of a checkpoint whose manifest may be damaged. */
async function readStep(directory: string): Promise<number | undefined> {
  try {
    return (await readManifest(directory)).step;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

const firstLine = (error: Error): string => error.message.split('\n')[0]!;
