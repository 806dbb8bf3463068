// The files in the code archive of a job, without unpacking it to disk. Files that are too large are listed, but not shown.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { CodeFile } from './messages.ts';

const MAX_FILES = 500;
const MAX_TEXT_BYTES = 256 * 1024;
/** The maximum unpacked size, because a small archive may expand to a very large one. */
const MAX_BYTES = 64 * 1024 * 1024;

/** @throws {ObjectError} NoSuchKey */
export async function codeFiles(objects: ObjectStore, bucket: string, key: string): Promise<readonly CodeFile[]> {
  const { bytes } = await objects.read(bucket, key);
  const files: CodeFile[] = [];
  const parser = new Parser({
    strict: false,
    onReadEntry: (entry: ReadEntry) => {
      if (entry.type !== 'File' || files.length >= MAX_FILES) return void entry.resume();
      const chunks: Buffer[] = [];
      const isShown = entry.size <= MAX_TEXT_BYTES;
      entry.on('data', (chunk: Buffer) => {
        if (isShown) chunks.push(chunk);
      });
      entry.on('end', () =>
        files.push({
          path: entry.path.replace(/^\.\//, ''),
          bytes: entry.size,
          text: isShown ? textOf(Buffer.concat(chunks)) : null,
        }),
      );
    },
  });
  const archive = Readable.from(bytes, { objectMode: false });
  try {
    await pipeline(
      /\.t?gz$/.test(key) ? archive.pipe(createGunzip()).on('error', () => archive.destroy()) : archive,
      async (source: AsyncIterable<Buffer>) => {
        let total = 0;
        for await (const chunk of source) {
          total += chunk.length;
          if (total > MAX_BYTES) return;
          parser.write(chunk);
        }
        parser.end();
      },
    );
  } catch (error) {
    // If an archive is damaged, or cut off at the limit, the files before that point are shown.
    if (!isArchiveError(error)) throw error;
  }
  return files.toSorted((a, b) => a.path.localeCompare(b.path));
}

const isArchiveError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?:Z_|TAR_|ERR_STREAM)/.test(String(error.code));

const utf8 = new TextDecoder('utf-8', { fatal: true });
function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
