// File system errors that the cache handles: the directory cannot be read or written, temporarily or permanently.

export const errnoOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const unusable: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'EIO',
  'ENAMETOOLONG',
  'EISDIR',
  'ENOTEMPTY',
  'ELOOP',
  'EBUSY',
  'ESTALE',
  'ETXTBSY',
]);

/** True for an error of a directory or file that cannot be used; other errors are bugs, and are rethrown. */
export const isUnusable = (error: unknown): boolean => unusable.has(errnoOf(error));
