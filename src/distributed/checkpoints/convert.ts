// Converts tensors between formats (tensor-files.ts). One tensor is in memory at a time. The target has a temporary name until it
// is complete, and must not exist before.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder, writeError, writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import { bytesOf, type Literal } from '../../hlo/literal.ts';
import { byteSize, type TensorType } from '../../hlo/types.ts';
import { type TensorReader, totalBytes, writeSafetensors } from '../../models/safetensors.ts';
import { layOut } from '../../models/safetensors-header.ts';
import type { OptimizerState } from '../../optim/update/optimizer-state.ts';
import { hostRandomState } from '../../tensor/index.ts';
import { openConvertSource } from './convert-source.ts';
import { checkpointName, partialName } from './folder.ts';
import { type KeptFile, keptEntry, keptNames, modelFiles, readKeptFiles, requireWithin } from './kept-files.ts';
import { MANIFEST_FILE, type Manifest, manifestText } from './manifest.ts';
import { shardName } from './save-plan.ts';
import { shardMetadata } from './shard-metadata.ts';
import { StateWriter } from './state-tree.ts';
import { type CheckpointFormat, lazily } from './tensor-files.ts';
import { checkTorchTarget, writeTorchTarget } from './torch-target.ts';

/** Options of `convertCheckpoint`. */
export interface ConvertOptions {
  /** A directory of tensors, or a file of torch.save. */
  readonly source: string;
  /** The directory to write; for a checkpoint, the folder of checkpoints; for `torch-file`, the file. */
  readonly target: string;
  /** The output format. */
  readonly to: CheckpointFormat;
  /**
   * Only tensors of this part, without its name, and no optimizer. Default: `model` if a Checkpointer wrote the
   * source; for files of PyTorch, a usual name such as `model` or `state_dict`; otherwise all.
   */
  readonly part?: string | undefined;
  /** A directory with config.json and the files of a tokenizer, which the target keeps. Default: those of the source. */
  readonly config?: string | undefined;
  /** A larger model is written as several files. Default 5 GB, as in Hugging Face. */
  readonly maxShardBytes?: number | undefined;
  /** Stops when it is aborted, and removes partial output. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes converted so far, and all bytes. */
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

/** The result of a conversion. */
export interface Converted {
  /** The input. */
  readonly from: CheckpointFormat;
  /** The output. */
  readonly to: CheckpointFormat;
  /** Its location: for a checkpoint, the directory `checkpoint-N` in the target. */
  readonly target: string;
  /** The number of tensors. */
  readonly tensors: number;
  /** Their size. */
  readonly bytes: number;
  /** Whether the state of an optimizer was converted, too. */
  readonly hasOptimizer: boolean;
  /** Files next to the tensors. */
  readonly files: readonly string[];
  /** Tensors of the source that are not part of the result. */
  readonly leftOut: number;
}

const defaultShardBytes = 5e9;
/** The part of a checkpoint that conversions write. */
const modelPart = 'model';

/**
 * Converts a directory of tensors.
 * @throws {CHECKPOINT_INVALID} if the source is not a checkpoint, or has no such part
 * @throws {CHECKPOINT_PICKLED}
 * @throws {WRITE_FAILED} if the target already exists
 * @throws {DISK_FULL}; the errors of reading, and the signal's reason if it is aborted
 * @example
 * ```ts no-run
 * await convertCheckpoint({ source: 'checkpoints/checkpoint-100', target: 'exported', to: 'hugging-face' });
 * ```
 */
export async function convertCheckpoint(options: ConvertOptions): Promise<Converted> {
  const { to, signal, onProgress = () => {} } = options;
  if (to === 'torch-distributed')
    throw new TrenioError('UNSUPPORTED', { what: `--to ${to}`, where: 'a conversion', instead: 'use torch' });
  if (to === 'torch-file') await checkTorchTarget(options.target);
  await using source = await openConvertSource(options.source, options.part, to);
  const { from, tensors, manifest, optimizer, leftOut } = source;
  const bytes = totalBytes(tensors.types);
  let done = 0;
  const onRead = (read: number): void => {
    signal?.throwIfAborted();
    done += read;
    onProgress(done, bytes);
  };
  const hasOptimizer = optimizer !== undefined;
  const converted = { from, to, tensors: tensors.types.size, bytes, hasOptimizer, leftOut };
  if (to === 'torch-file') {
    await writeTorchTarget(options.target, tensors, optimizer, onRead);
    return { ...converted, target: options.target, files: [] };
  }
  const paths =
    manifest === undefined || options.config !== undefined
      ? await modelFiles(options.config ?? source.directory, options.config === undefined && from === 'torch-file')
      : keptNames(manifest).map(name => join(options.source, name));
  for (const path of paths) await requireWithin(path);
  const files = await readKeptFiles(paths);
  const step = manifest?.step ?? 0;
  const target = to === 'trenio' ? join(options.target, checkpointName(step)) : options.target;
  const partial =
    to === 'trenio'
      ? join(options.target, partialName(step, 0))
      : join(dirname(target), `.${basename(target)}.${process.pid}.partial`);
  const present = await readdir(target).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw writeError(target, 0, cause);
  });
  if (present.length > 0)
    throw new TrenioError('WRITE_FAILED', { file: target, reason: 'it exists already, and is not empty' });
  await onDisk(target, () => mkdir(dirname(target), { recursive: true }));
  await onDisk(partial, () => rm(partial, { recursive: true, force: true }));
  try {
    await onDisk(partial, () => mkdir(partial));
    for (const { name, bytes: content } of files) await writeFileAtomically(join(partial, name), [content]);
    const work = { directory: partial, tensors, onRead };
    if (to === 'hugging-face') await writeHuggingFace(work, options.maxShardBytes ?? defaultShardBytes);
    else if (to === 'torch') await writeTorch(work, options.maxShardBytes ?? Number.POSITIVE_INFINITY);
    else await writeCheckpoint(work, step, manifest, files, optimizer);
    signal?.throwIfAborted();
    // An empty directory is replaced; one with files is not.
    await onDisk(target, () => rename(partial, target));
    await syncFolder(dirname(target));
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return { ...converted, target, files: files.map(({ name }) => name) };
}

interface Work {
  readonly directory: string;
  readonly tensors: TensorReader;
  readonly onRead: (bytes: number) => void;
}
type Types = ReadonlyMap<string, TensorType>;

/** Files in the order of the tensors, each as full as the limit allows; a larger tensor gets a separate file. */
function shardsOf(types: Types, maxBytes: number): readonly (readonly string[])[] {
  const shards: string[][] = [[]];
  let bytes = 0;
  for (const [name, type] of types) {
    if (bytes > 0 && bytes + byteSize(type) > maxBytes) {
      shards.push([]);
      bytes = 0;
    }
    shards.at(-1)!.push(name);
    bytes += byteSize(type);
  }
  return shards;
}

const some = ({ tensors, onRead }: Work, names: readonly string[]) =>
  new Map(names.map(name => [name, lazily(tensors, name, onRead)]));
const number = (n: number): string => `${n}`.padStart(5, '0');

async function writeHuggingFace(work: Work, maxBytes: number): Promise<void> {
  const { types } = work.tensors;
  const shards = shardsOf(types, maxBytes);
  const metadata = new Map([['format', 'pt']]);
  if (shards.length === 1) {
    await writeSafetensors(join(work.directory, 'model.safetensors'), some(work, shards[0]!), metadata);
    return;
  }
  const nameOf = (i: number): string => `model-${number(i + 1)}-of-${number(shards.length)}.safetensors`;
  for (const [i, names] of shards.entries())
    await writeSafetensors(join(work.directory, nameOf(i)), some(work, names), metadata);
  const weights = shards.flatMap((names, i) => names.map(name => [name, nameOf(i)] as const));
  const index = { metadata: { total_size: totalBytes(types) }, weight_map: Object.fromEntries(weights) };
  await writeFileAtomically(join(work.directory, 'model.safetensors.index.json'), [
    `${JSON.stringify(index, null, 2)}\n`,
  ]);
}

const wholePieces = (types: Types, names: readonly string[]) =>
  names.map(name => ({ name, offset: types.get(name)!.shape.map(() => 0) }));

async function writeTorch(work: Work, maxBytes: number): Promise<void> {
  const { types } = work.tensors;
  for (const [i, names] of shardsOf(types, maxBytes).entries())
    await writeSafetensors(
      join(work.directory, shardName(i)),
      some(work, names),
      shardMetadata(wholePieces(types, names)),
    );
}

/** A checkpoint of one rank with the model, an optimizer if there is one, and random numbers of a fresh process. */
async function writeCheckpoint(
  { directory, tensors, onRead }: Work,
  step: number,
  manifest: Manifest | undefined,
  kept: readonly KeptFile[],
  optimizer: OptimizerState | undefined,
): Promise<void> {
  const file = shardName(0);
  const writer = new StateWriter();
  const others = optimizer === undefined ? {} : { optimizer: writer.write({ ...optimizer }, 'optimizer', false) };
  const types = new Map([
    ...[...tensors.types].map(([name, type]) => [`${modelPart}.${name}`, { type }] as const),
    ...[...writer.tensors].map(([name, { type }]) => [name, { type: type as TensorType }] as const),
  ]);
  const { entries, prefix } = layOut(
    types,
    shardMetadata([...types].map(([name, { type }]) => ({ name, offset: type.shape.map(() => 0) }))),
    file,
  );
  const stored: Record<string, Manifest['tensors'][string]> = {};
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield prefix;
    for (const { name, type, start, end } of entries) {
      const hash = createHash('sha256');
      const own = writer.tensors.get(name);
      const content =
        own === undefined
          ? lazily(tensors, name.slice(modelPart.length + 1), onRead).chunks()
          : [bytesOf(own as Literal)];
      for await (const chunk of content) {
        hash.update(chunk);
        yield chunk;
      }
      const shape = [...type.shape];
      const piece = { file, offset: shape.map(() => 0), shape, start: prefix.byteLength + start, bytes: end - start };
      stored[name] = { dtype: type.elementType, shape, pieces: [{ ...piece, sha256: hash.digest('hex') }] };
    }
  }
  const bytes = await writeFileAtomically(join(directory, file), chunks());
  const random = { host: hostRandomState(), devices: [] };
  const state = {
    [modelPart]: { $map: [...tensors.types.keys()].map(name => [name, { $literal: `${modelPart}.${name}` }] as const) },
    ...others,
    random: new StateWriter().write(random, 'random', true),
  };
  const text = manifestText({
    format: 'trenio-checkpoint',
    version: 3,
    trenio: version,
    run: manifest?.run ?? 'converted',
    step,
    ranks: 1,
    mesh: '[data=1]',
    state,
    files: {
      [file]: {
        bytes,
        headerBytes: prefix.byteLength,
        headerSha256: createHash('sha256').update(prefix).digest('hex'),
      },
      ...Object.fromEntries(kept.map(entry => [entry.name, keptEntry(entry)])),
    },
    tensors: stored,
  });
  await onDisk(join(directory, MANIFEST_FILE), () => writeFile(join(directory, MANIFEST_FILE), text));
}

async function onDisk<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw writeError(file, 0, cause as NodeJS.ErrnoException);
  }
}
