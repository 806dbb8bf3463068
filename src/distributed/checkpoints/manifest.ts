// The manifest of a checkpoint, written last: a folder without one is not a checkpoint. It has the state as JSON, and for each
// tensor the location of its pieces, with a checksum of each and of the manifest itself. SHA-256 detects every kind of damage,
// but it is not a signature: anyone who can write the files can also write the manifest.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { readTextFile } from '../../base/read-file.ts';
import { byteSize, elementTypes, tensorType } from '../../hlo/types.ts';
import type { Json } from './state-tree.ts';

export const MANIFEST_FILE = 'manifest.json';

const count = z.int().min(0);
const dims = z.array(count).max(64);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const pieceSchema = z.object({
  file: z.string(),
  /** Where it begins within the tensor, and its size, by dim. */
  offset: dims,
  shape: dims,
  /** Its bytes in the file. */
  start: count,
  bytes: count,
  sha256,
});
const manifestSchema = z.object({
  /** Names this format. */
  format: z.literal('trenio-checkpoint'),
  /** The version of this format. */
  version: z.literal(3),
  /** The version of Trenio that wrote it. */
  trenio: z.string(),
  /** The run that wrote it. */
  run: z.string(),
  /** The step after which it was written. */
  step: count,
  /** The number of ranks that wrote it. */
  ranks: z.int().min(1),
  /** The mesh of these ranks. */
  mesh: z.string(),
  state: z.record(z.string(), z.unknown()),
  /** The files, with their sizes and the checksums of their headers. */
  files: z.record(
    z.string().regex(/^[^./\\][^/\\]*$/, 'not a plain file name'),
    z.object({ bytes: count, headerBytes: count, headerSha256: sha256 }),
  ),
  /** The tensors, with the pieces that they are stored in. */
  tensors: z.record(
    z.string(),
    z.object({
      dtype: z.enum(elementTypes),
      shape: dims,
      pieces: z.array(pieceSchema).min(1),
    }),
  ),
});
export type StoredPiece = z.output<typeof pieceSchema>;
/** The contents of a checkpoint: its step, the state as JSON, its files, and the location of each tensor in them. */
export type Manifest = Omit<z.output<typeof manifestSchema>, 'state'> & {
  /** The state of each part, without its tensors. */
  readonly state: { readonly [part: string]: Json };
};

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The text of a manifest: JSON with its checksum as the last field. */
export const manifestText = (manifest: Manifest): string =>
  `${JSON.stringify({ ...manifest, checksum: checksumOf(JSON.stringify(manifest)) })}\n`;

/**
 * Reads and checks the manifest of a checkpoint.
 * @throws {CHECKPOINT_INVALID} for a directory that is not a checkpoint of this version
 * @throws {CHECKPOINT_DAMAGED} if its bytes are not those that were written
 * @throws {FILE_UNREADABLE}
 */
export async function readManifest(directory: string): Promise<Manifest> {
  const file = join(directory, MANIFEST_FILE);
  const damaged = (problem: string, cause?: unknown): TrenioError =>
    new TrenioError('CHECKPOINT_DAMAGED', { file, problem }, { cause });
  const text = await readTextFile(file);
  let json: { checksum?: unknown; format?: unknown; version?: unknown };
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw damaged('it is not JSON', cause);
  }
  if (typeof json !== 'object' || json === null) throw damaged('it is not an object');
  const { checksum, ...body } = json;
  if (checksum !== checksumOf(JSON.stringify(body))) throw damaged('its bytes are not those that were written');
  const parsed = manifestSchema.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new TrenioError('CHECKPOINT_INVALID', {
      directory,
      problem: `${MANIFEST_FILE}: ${issue.path.join('.')}: ${issue.message}`,
    });
  }
  const manifest = parsed.data as Manifest;
  for (const [name, { dtype, shape, pieces }] of Object.entries(manifest.tensors)) {
    const elements = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);
    const isWithin = pieces.every(
      piece =>
        manifest.files[piece.file] !== undefined &&
        piece.offset.length === shape.length &&
        piece.shape.length === shape.length &&
        shape.every((size, dim) => piece.offset[dim]! + piece.shape[dim]! <= size) &&
        piece.bytes === byteSize(tensorType(dtype, piece.shape)),
    );
    const stored = pieces.reduce((sum, piece) => sum + elements(piece.shape), 0);
    if (!isWithin || stored !== elements(shape))
      throw new TrenioError('CHECKPOINT_INVALID', {
        directory,
        problem: `${MANIFEST_FILE}: the pieces of '${name}' are not the tensor`,
      });
  }
  return manifest;
}
