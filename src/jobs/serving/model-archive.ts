// Files of a model into the folder that becomes /opt/ml/model. Archives are not trusted: anything but files and folders, paths
// that leave the folder, and archives that grow out of proportion are refused.
import { mkdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar';
import { ObjectError } from '../../objects/object-error.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { downloadFolder, JobDataError } from '../training/job-data.ts';
import type { ModelData } from './resources.ts';

export interface ArchiveLimits {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

const GIB = 1024 ** 3;
const LIMITS: ArchiveLimits = { maxBytes: 64 * GIB, maxEntries: 100_000 };
/** gzip makes weights a little smaller, and text to a tenth; 1:1000 is a bomb. */
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 16 * 1024 * 1024;

/**
 * Downloads and unpacks.
 * @throws {JobDataError} for data that is refused or not there
 */
export async function placeModel(
  store: ObjectStore,
  { kind, bucket, key }: ModelData,
  folder: string,
  limits: ArchiveLimits = LIMITS,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  try {
    if (kind === 'prefix') await downloadFolder(store, bucket, key, folder);
    else await unpack(store, bucket, key, folder, limits);
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error;
    throw new JobDataError(`Could not read the model data s3://${bucket}/${key}: ${error.message}`);
  }
}

async function unpack(
  store: ObjectStore,
  bucket: string,
  key: string,
  folder: string,
  { maxBytes, maxEntries }: ArchiveLimits,
): Promise<void> {
  const { bytes, object } = await store.read(bucket, key);
  const name = `s3://${bucket}/${key}`;
  const mostBytes = Math.min(maxBytes, Math.max(RATIO_FROM_BYTES, object.size * MAX_RATIO));
  let unpacked = 0;
  let entries = 0;
  let isOver = false;
  const refusal = new AbortController();
  const refuse = (why: string): void => refusal.abort(new JobDataError(`The model archive ${name} is refused: ${why}`));
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unpacked += chunk.length;
      if (unpacked > mostBytes) refuse(`it unpacks to more than ${mostBytes} bytes`);
      // Behind the end of an archive there is padding. The parser would look at each block of it.
      if (isOver) done();
      else done(null, chunk);
    },
  });
  const files = extract({
    cwd: folder,
    strict: true,
    preserveOwner: false,
    filter: (path, entry) => {
      const problem = problemOf(path, 'type' in entry ? entry.type : 'File');
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
    throw new JobDataError(`The model archive ${name} cannot be unpacked: ${message}. It must be a tar file in gzip.`);
  }
  if (refusal.signal.aborted) throw refusal.signal.reason;
}

function problemOf(path: string, type: string): string | undefined {
  if (!['File', 'OldFile', 'ContiguousFile', 'Directory', 'GNUDumpDir'].includes(type))
    return `'${path}' is a ${type}; only files and folders are unpacked`;
  const normal = posix.normalize(path);
  if (posix.isAbsolute(path) || normal === '..' || normal.startsWith('../'))
    return `'${path}' is outside of the model's folder`;
  return undefined;
}
