// Files that a checkpoint keeps next to its tensors, such as the configuration and the vocabulary of a model: with them it can be
// deployed. In the manifest each is a file without tensors, so it is verified like the others.
import { createHash } from 'node:crypto';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { readBytes, requireFile, unreadable } from '../../base/read-file.ts';
import type { Manifest } from './manifest.ts';

export interface KeptFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** They are read into memory. */
const maxBytes = 64 * 2 ** 20;

/** Reads files to be kept. @throws {FILE_UNREADABLE} @throws {INVALID_OPTION} */
export async function readKeptFiles(paths: readonly string[]): Promise<readonly KeptFile[]> {
  const files = await Promise.all(
    paths.map(async (path): Promise<KeptFile> => {
      const size = await requireFile(path);
      if (size > maxBytes) throw invalid(`${path}, of ${size} bytes`, `files of at most ${maxBytes} bytes`);
      return { name: basename(path), bytes: await readBytes(path) };
    }),
  );
  const names = new Set<string>();
  for (const { name } of files) {
    if (!isKeptName(name)) throw invalid(name, 'files that are not hidden, no safetensors files and no manifest');
    if (names.has(name)) throw invalid(`two files called ${name}`, 'files with different names');
    names.add(name);
  }
  return files;
}

/** Its entry in the manifest: a file without tensors. */
export const keptEntry = ({ bytes }: KeptFile): Manifest['files'][string] => ({
  bytes: bytes.byteLength,
  headerBytes: bytes.byteLength,
  headerSha256: createHash('sha256').update(bytes).digest('hex'),
});

/** The names of the files that a checkpoint keeps. */
export const keptNames = ({ files }: Manifest): readonly string[] => Object.keys(files).filter(isKeptName);

/** Names that Hugging Face gives to files of a model, its tokenizer and its image processor. */
const modelFileName =
  /^(?:(?:\w+_)?config|special_tokens_map|added_tokens|tokenizer|vocab|chat_template)\.json$|^(?:vocab|merges)\.txt$|\.model$/;

/**
 * The files of a model directory that are not its weights. `known`: only those with a usual name, for a directory that may hold
 * anything else, too.
 */
export async function modelFiles(directory: string, known = false): Promise<readonly string[]> {
  const all = await readdir(directory).catch((cause: unknown) => {
    throw unreadable(directory, cause);
  });
  const names = all.filter(name => (known ? modelFileName : /\.(?:json|txt|model)$/).test(name) && isKeptName(name));
  return names.sort().map(name => join(directory, name));
}

/**
 * Refuses a link to a file outside of its directory: copying one would publish that file. Directories of Hugging Face's cache
 * have links to its `blobs`.
 * @throws {FILE_UNREADABLE}
 */
export async function requireWithin(path: string): Promise<void> {
  const directory = dirname(path);
  const [file, ...within] = await Promise.all(
    [path, directory, join(directory, '../../blobs')].map(one => realpath(one).catch(() => undefined)),
  );
  // A missing file is reported by its reader.
  if (file === undefined || within.some(folder => folder !== undefined && file.startsWith(`${folder}/`))) return;
  throw new TrenioError('FILE_UNREADABLE', { file: path, reason: 'it is a link to a file outside of its directory' });
}

const isKeptName = (name: string): boolean =>
  !/^\.|\.safetensors(?:\.index\.json)?$|^manifest\.json$|^part-\d+\.(?:json|failed)$/.test(name);
const invalid = (got: string, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'a checkpoint', option: 'files', got, expected });
