// Distinguishes `s3://bucket/key` from local paths.
import { TrenioError } from '../base/errors.ts';

/** Otherwise `text` is a local path. @throws {INVALID_OPTION} for another kind of URL */
export function isS3Uri(text: string, what: string, option: string): boolean {
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//.exec(text) ?? [];
  if (scheme === undefined || scheme === 's3://') return scheme !== undefined;
  const expected = 's3://bucket/key, or a local file or folder';
  throw new TrenioError('INVALID_OPTION', { what, option, got: `'${text}'`, expected });
}
