// Reading files of the cache, which can contain anything: a directory, a pipe without a writer, a link loop. Reading
// one of those fails immediately with a file system error; reading a pipe like a file would block forever.
import * as fs from 'node:fs';

/** Opens a regular file. Throws the error of the file system, and EINVAL for anything but a file. */
export function openPlainFile(path: string): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  const descriptor = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  if (fs.fstatSync(descriptor).isFile()) return descriptor;
  fs.closeSync(descriptor);
  throw Object.assign(new Error(`EINVAL: not a file, '${path}'`), { code: 'EINVAL' });
}

export function readPlainFile(path: string): Buffer {
  const descriptor = openPlainFile(path);
  try {
    return fs.readFileSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
