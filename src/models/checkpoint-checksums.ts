// Checksums of a checkpoint's files, stored next to them and compared before anything is used. There is one per tensor,
// so that damage is reported by file and tensor:
//
//   checksums.json   { files: { "model.safetensors": { parts: [header, "bert.…weight", "bert.…bias", …] }, … } }
//
// CRC-32 detects every single flipped bit and, of any other damage, all but one in four billion cases. Not a signature: anyone
// who can write the files can also write the checksums.
import { type FileHandle, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { writeFileAtomically } from '../base/atomic-write.ts';
import { TrenioError } from '../base/errors.ts';
import { fileExists, openRegularFile, readTextFile, unreadable } from '../base/read-file.ts';
import { safetensorsLayout } from './safetensors.ts';

export const CHECKSUMS_FILE = 'checksums.json';
/** Large enough for the disk to be the bottleneck, and small compared with a model. */
const chunkBytes = 1 << 22;

const partSchema = z.object({
  /** For a safetensors file: the tensor. Absent: its header, or a whole file of another kind. */
  tensor: z.string().optional(),
  bytes: z.int().min(0),
  crc32: z.int().min(0).max(0xffff_ffff),
});
const checksumsSchema = z.object({
  version: z.literal(1),
  /** The parts of a file are contiguous and cover all of it. */
  files: z.record(z.string(), z.array(partSchema)),
});
type Part = z.output<typeof partSchema>;

/**
 * Reads all files of `directory` once and writes `checksums.json`.
 * @throws {FILE_UNREADABLE}
 * @throws {DISK_FULL}
 * @throws {WRITE_FAILED}
 */
export async function writeChecksums(directory: string): Promise<void> {
  const files: Record<string, Part[]> = {};
  for (const entry of (await readdir(directory, { withFileTypes: true })).toSorted(byName)) {
    if (entry.isFile() && entry.name !== CHECKSUMS_FILE)
      files[entry.name] = await checksumsOf(join(directory, entry.name));
  }
  const checksums: z.input<typeof checksumsSchema> = { version: 1, files };
  await writeFileAtomically(join(directory, CHECKSUMS_FILE), [`${JSON.stringify(checksums)}\n`]);
}

/** Whether `directory` has checksums; a checkpoint of an earlier version of Trenio does not. */
export const hasChecksums = (directory: string): Promise<boolean> => fileExists(join(directory, CHECKSUMS_FILE));

/**
 * Compares all files with `checksums.json`.
 * @throws {CHECKPOINT_DAMAGED} naming the file and the tensor
 * @throws {FILE_UNREADABLE}
 */
export async function verifyChecksums(directory: string): Promise<void> {
  for (const [name, parts] of Object.entries(await readChecksums(directory))) {
    const file = join(directory, name);
    const damaged = (problem: string, tensor?: string): TrenioError =>
      new TrenioError('CHECKPOINT_DAMAGED', tensor === undefined ? { file, problem } : { file, tensor, problem });
    const expected = parts.reduce((sum, { bytes }) => sum + bytes, 0);
    const opened = await openRegularFile(file);
    await using handle = opened.handle;
    if (opened.bytes !== expected) throw damaged(`it has ${opened.bytes} bytes and was written with ${expected}`);
    let at = 0;
    for (const part of parts) {
      const got = await crcOf(handle, at, part.bytes, file);
      if (got !== part.crc32) throw damaged('its bytes are not those that were written', part.tensor);
      at += part.bytes;
    }
  }
}

async function readChecksums(directory: string): Promise<Readonly<Record<string, readonly Part[]>>> {
  const file = join(directory, CHECKSUMS_FILE);
  const text = await readTextFile(file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new TrenioError('CHECKPOINT_DAMAGED', { file, problem: 'it is not JSON' }, { cause });
  }
  const parsed = checksumsSchema.safeParse(json);
  if (parsed.success) return parsed.data.files;
  const issue = parsed.error.issues[0]!;
  throw new TrenioError('CHECKPOINT_DAMAGED', { file, problem: `${issue.path.join('.')}: ${issue.message}` });
}

async function checksumsOf(file: string): Promise<Part[]> {
  const opened = await openRegularFile(file);
  const { bytes } = opened;
  await using handle = opened.handle;
  if (!file.endsWith('.safetensors')) return [{ bytes, crc32: await crcOf(handle, 0, bytes, file) }];
  const { dataStart, entries } = await safetensorsLayout(file);
  const parts: Part[] = [{ bytes: dataStart, crc32: await crcOf(handle, 0, dataStart, file) }];
  for (const { name, start, end } of entries)
    parts.push({ tensor: name, bytes: end - start, crc32: await crcOf(handle, dataStart + start, end - start, file) });
  return parts;
}

async function crcOf(handle: FileHandle, from: number, bytes: number, file: string): Promise<number> {
  const chunk = new Uint8Array(Math.min(bytes, chunkBytes));
  let sum = 0;
  for (let done = 0; done < bytes; ) {
    const wanted = Math.min(chunk.length, bytes - done);
    const { bytesRead } = await handle.read(chunk, 0, wanted, from + done).catch((cause: unknown) => {
      throw unreadable(file, cause);
    });
    if (bytesRead === 0)
      throw new TrenioError('CHECKPOINT_DAMAGED', { file, problem: 'it became shorter while it was read' });
    sum = crc32(chunk.subarray(0, bytesRead), sum);
    done += bytesRead;
  }
  return sum;
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);
