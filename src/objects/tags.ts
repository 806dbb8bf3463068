// Valid tags of objects.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-tagging.html
import { ObjectError } from './object-error.ts';

const MAX_TAGS = 10;
const MAX_KEY = 128;
const MAX_VALUE = 256;

/** @throws {ObjectError} InvalidTag */
export function checkTags(tags: Readonly<Record<string, string>>): void {
  const entries = Object.entries(tags);
  if (entries.length > MAX_TAGS)
    throw new ObjectError('InvalidTag', `Object tags cannot be greater than ${MAX_TAGS}: there are ${entries.length}.`);
  for (const [key, value] of entries) {
    if (key === '' || key.length > MAX_KEY || key.startsWith('aws:'))
      throw new ObjectError('InvalidTag', 'The TagKey you have provided is invalid');
    if (value.length > MAX_VALUE) throw new ObjectError('InvalidTag', 'The TagValue you have provided is invalid');
  }
}
