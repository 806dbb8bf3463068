// Valid names of buckets and keys.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
import { ObjectError } from './object-error.ts';

const MAX_KEY_BYTES = 1024;

/** @throws {ObjectError} InvalidBucketName */
export function checkBucketName(name: string): void {
  const valid =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !/\.\.|\.-|-\./.test(name) && !/^\d+\.\d+\.\d+\.\d+$/.test(name);
  if (!valid)
    throw new ObjectError(
      'InvalidBucketName',
      'The specified bucket is not valid: 3 to 63 lower-case letters, digits, hyphens and single dots, and not an IP address.',
    );
}

/** Keys are any text of 1 to 1024 bytes; they are never used as file names. @throws {ObjectError} KeyTooLongError */
export function checkKey(key: string): void {
  if (key === '') throw new ObjectError('InvalidArgument', 'The key is empty.');
  if (Buffer.byteLength(key) > MAX_KEY_BYTES)
    throw new ObjectError(
      'KeyTooLongError',
      `Your key is too long: ${Buffer.byteLength(key)} bytes, at most ${MAX_KEY_BYTES}.`,
    );
  if (key.includes('\0') || !key.isWellFormed())
    throw new ObjectError('InvalidArgument', 'The key is not valid UTF-8 text, or has a zero byte.');
}
