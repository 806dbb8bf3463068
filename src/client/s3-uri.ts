// `s3://bucket/key` as its parts.
import { TrenioError } from '../base/errors.ts';

export interface S3Location {
  readonly bucket: string;
  /** Empty: the bucket. */
  readonly key: string;
}

/** Otherwise `text` is a local path. @throws {INVALID_OPTION} for another kind of URL */
export function isS3Uri(text: string, what: string, option: string): boolean {
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//.exec(text) ?? [];
  if (scheme === undefined || scheme === 's3://') return scheme !== undefined;
  const expected = 's3://bucket/key, or a local file or folder';
  throw new TrenioError('INVALID_OPTION', { what, option, got: `'${text}'`, expected });
}

/** @throws {INVALID_OPTION} */
export function parseS3Uri(text: string, what: string, option: string): S3Location {
  const match = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(text);
  if (match === null)
    throw new TrenioError('INVALID_OPTION', { what, option, got: `'${text}'`, expected: 's3://bucket/key' });
  return { bucket: match[1]!, key: match[2] ?? '' };
}

/** With a slash behind it, unless it is empty. */
export const asFolder = (key: string): string => (key === '' || key.endsWith('/') ? key : `${key}/`);
