// Unpacks archives from clients: models and code. They are not trusted: anything other than files, folders and links in the
// folder, paths that leave it, and archives with an extreme compression ratio are rejected.
import { posix } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar';
import { ClientFault } from '../client-fault.ts';

export interface ArchiveLimits {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

const GIB = 1024 ** 3;
const ARCHIVE_LIMITS: ArchiveLimits = { maxBytes: 64 * GIB, maxEntries: 100_000 };
/** gzip compresses weights a little, and text to a tenth; a ratio of 1:1000 is a bomb. */
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

export interface UntrustedArchive {
  /** For messages, such as `The model archive s3://…`. */
  readonly what: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The size of the archive in bytes. */
  readonly size: number;
}

/** @throws {ClientFault} */
export async function unpackUntrusted(
  { what, bytes, size }: UntrustedArchive,
  folder: string,
  { maxBytes, maxEntries }: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<void> {
  const mostBytes = Math.min(maxBytes, Math.max(RATIO_FROM_BYTES, size * MAX_RATIO));
  let unpacked = 0;
  let entries = 0;
  let isOver = false;
  const refusal = new AbortController();
  const refuse = (why: string): void => refusal.abort(new ClientFault(`${what} is refused: ${why}`));
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length;
      if (unpacked > mostBytes) refuse(`it unpacks to more than ${mostBytes} bytes`);
      // Padding follows the end of an archive. The parser would check each block of it.
      if (isOver) done();
      else done(null, chunk);
    },
  });
  const files = extract({
    cwd: folder,
    strict: true,
    preserveOwner: false,
    filter: (path, entry) => {
      const { type, linkpath } = 'type' in entry ? entry : { type: 'File', linkpath: undefined };
      const problem = problemOf(path, type, linkpath);
      entries++;
      if (problem !== undefined) refuse(problem);
      else if (entries > maxEntries) refuse(`it has more than ${maxEntries} entries`);
      return !refusal.signal.aborted;
    },
  });
  files.on('eof', () => {
    isOver = true;
  });
  try {
    await pipeline(Readable.from(bytes, { objectMode: false }), createGunzip(), counter, files, {
      signal: refusal.signal,
    });
  } catch (error) {
    if (refusal.signal.aborted) throw refusal.signal.reason;
    const { message, code = '' } = error as NodeJS.ErrnoException;
    // An error of the disk, not of the archive.
    if (/^E[A-Z]+$/.test(code)) throw error;
    throw new ClientFault(`${what} cannot be unpacked: ${message}. It must be a tar file in gzip.`);
  }
  if (refusal.signal.aborted) throw refusal.signal.reason;
}

function problemOf(path: string, type: string, linkpath: string | undefined): string | undefined {
  if (leaves(path)) return `'${path}' is outside of its folder`;
  if (['File', 'OldFile', 'ContiguousFile', 'Directory', 'GNUDumpDir'].includes(type)) return undefined;
  if (linkpath === undefined || (type !== 'SymbolicLink' && type !== 'Link'))
    return `'${path}' is a ${type}; only files and folders are unpacked`;
  // A symbolic link is relative to its own folder, a hard link to the root of the archive.
  const isOutside =
    posix.isAbsolute(linkpath) || leaves(type === 'Link' ? linkpath : `${posix.dirname(path)}/${linkpath}`);
  return isOutside ? `'${path}' is a link to '${linkpath}', outside of its folder` : undefined;
}

function leaves(path: string): boolean {
  const normal = posix.normalize(path);
  return posix.isAbsolute(path) || normal === '..' || normal.startsWith('../');
}
