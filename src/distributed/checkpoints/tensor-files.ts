// The tensors of a directory, in any of these formats:
//
//   trenio         manifest.json, shard-….safetensors             a Checkpointer
//   hugging-face   model.safetensors, or shards and an index      Hugging Face transformers
//   torch          *.safetensors whose metadata say where pieces  torch.distributed.checkpoint with HuggingFaceStorageWriter
//                  begin
//   torch-distributed   .metadata and .distcp files (torch-source.ts)   torch.distributed.checkpoint by itself
//   torch-file     a .pt, .pth, .bin or .ckpt file (torch-source.ts)    torch.save
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { fileExists, unreadable } from '../../base/read-file.ts';
import { bytesOf } from '../../hlo/literal.ts';
import { byteSize, type TensorType, tensorType } from '../../hlo/types.ts';
import { openSafetensors, safetensorsLayout, type TensorReader } from '../../models/safetensors.ts';
import { openWeights } from '../../models/weights.ts';
import { MANIFEST_FILE } from './manifest.ts';
import { CheckpointReader, OpenFiles, readBoxes, type StoredBox } from './read-checkpoint.ts';
import { savedOffsets } from './shard-metadata.ts';

/** The program that wrote a directory of tensors. */
export type CheckpointFormat = 'trenio' | 'hugging-face' | 'torch' | 'torch-distributed' | 'torch-file';
/** Those of safetensors files. */
export type SafetensorsFormat = Exclude<CheckpointFormat, 'torch-distributed' | 'torch-file'>;

/** The names of files of torch.save. */
export const torchFileName = /\.(?:pt|pth|bin|ckpt)$/;

/**
 * Returns the format of a checkpoint directory.
 * @throws {CHECKPOINT_INVALID} if it has no tensors
 * @throws {CHECKPOINT_PICKLED}
 * @throws {FILE_UNREADABLE}
 */
export async function checkpointFormat(directory: string): Promise<CheckpointFormat> {
  if (torchFileName.test(directory) && (await isFile(directory))) return 'torch-file';
  const names = await readdir(directory).catch((cause: NodeJS.ErrnoException) => {
    throw unreadable(directory, cause);
  });
  if (names.includes(MANIFEST_FILE)) return 'trenio';
  if (names.includes('model.safetensors') || names.includes('model.safetensors.index.json')) return 'hugging-face';
  if (names.some(name => name.endsWith('.safetensors'))) return 'torch';
  if (names.includes('.metadata')) return 'torch-distributed';
  const saved = names.find(name => torchFileName.test(name));
  if (saved !== undefined) throw new TrenioError('CHECKPOINT_PICKLED', { directory, file: saved });
  const problem = names.some(name => name.endsWith('.distcp'))
    ? 'it has .distcp files, but no .metadata, which PyTorch writes last'
    : `it has neither ${MANIFEST_FILE} nor a .safetensors file nor .metadata`;
  throw new TrenioError('CHECKPOINT_INVALID', { directory, problem });
}

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() ?? false;

/** The tensors of a directory of this format, by their names in it. */
export async function openTensors(directory: string, format: SafetensorsFormat): Promise<TensorReader> {
  if (format === 'hugging-face') return openWeights(directory);
  return format === 'torch' ? openPieces(directory) : checkpointTensors(await CheckpointReader.open(directory));
}

/** Also closes the checkpoint when closed. */
export function checkpointTensors(checkpoint: CheckpointReader): TensorReader {
  const close = (): Promise<void> => checkpoint.close();
  return {
    file: join(checkpoint.directory, MANIFEST_FILE),
    types: checkpoint.types,
    metadata: new Map(),
    read: name => checkpoint.read(name),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The tensors whose names begin with `prefix`, without it. */
export function withoutPrefix(reader: TensorReader, prefix: string): TensorReader {
  const types = [...reader.types].filter(([name]) => name.startsWith(prefix));
  return {
    ...reader,
    types: new Map(types.map(([name, type]) => [name.slice(prefix.length), type])),
    read: name => reader.read(prefix + name),
  };
}

interface Piece extends StoredBox {
  readonly type: TensorType;
}

/** Tensors in pieces; a file that says nothing about pieces has whole ones. */
async function openPieces(directory: string): Promise<TensorReader> {
  const names = (await readdir(directory)).filter(name => name.endsWith('.safetensors')).sort();
  const pieces = new Map<string, Piece[]>();
  for (const name of names) {
    const file = join(directory, name);
    await using reader = await openSafetensors(file);
    const offsets = savedOffsets(reader.metadata);
    const { dataStart, entries } = await safetensorsLayout(file);
    for (const { name: tensor, type, start } of entries) {
      const offset = offsets?.get(tensor) ?? type.shape.map(() => 0);
      if (offset.length !== type.shape.length)
        throw invalid(
          directory,
          `the piece of '${tensor}' in ${name} has ${type.shape.length} dims, and its place has ${offset.length}`,
        );
      const piece = { file: name, offset, shape: type.shape, start: dataStart + start, type };
      pieces.set(tensor, [...(pieces.get(tensor) ?? []), piece]);
    }
  }
  const types = new Map([...pieces].map(([tensor, all]) => [tensor, wholeType(directory, tensor, all)]));
  const files = new OpenFiles();
  const close = (): Promise<void> => files.close();
  return {
    file: directory,
    types,
    metadata: new Map(),
    read: tensor =>
      readBoxes(files, types.get(tensor)!, { boxes: pieces.get(tensor)!, pathOf: file => join(directory, file) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function wholeType(directory: string, tensor: string, pieces: readonly Piece[]): TensorType {
  const { elementType, shape: first } = pieces[0]!.type;
  if (pieces.some(({ type }) => type.elementType !== elementType || type.shape.length !== first.length))
    throw invalid(directory, `the pieces of '${tensor}' have different types`);
  const shape = first.map((_, dim) => Math.max(...pieces.map(piece => piece.offset[dim]! + piece.shape[dim]!)));
  const whole = tensorType(elementType, shape);
  const bytes = pieces.reduce((sum, { type }) => sum + byteSize(type), 0);
  if (bytes !== byteSize(whole))
    throw invalid(directory, `the pieces of '${tensor}' have ${bytes} bytes, and the tensor has ${byteSize(whole)}`);
  return whole;
}

const invalid = (directory: string, problem: string): TrenioError =>
  new TrenioError('CHECKPOINT_INVALID', { directory, problem });

const pieceBytes = 2 ** 30;
/** The data of a tensor, read when it is written. `onRead` is called with its bytes. */
export const lazily = (reader: TensorReader, name: string, onRead: (bytes: number) => void) => ({
  type: reader.types.get(name)!,
  async *chunks(): AsyncGenerator<Uint8Array> {
    const bytes = bytesOf(await reader.read(name));
    // In pieces that Node's hashes accept.
    for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    onRead(bytes.byteLength);
  },
});

/** Whether a directory holds a checkpoint of a Checkpointer. */
export const isCheckpoint = (directory: string): Promise<boolean> => fileExists(join(directory, MANIFEST_FILE));
