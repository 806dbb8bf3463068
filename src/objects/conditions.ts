// Conditional requests on objects: If-Match and similar headers, for reads and for writes (RFC 9110, section 13).
import { ObjectError } from './object-error.ts';
import type { ObjectRow } from './object-index.ts';

export interface Conditions {
  /** ETags, or `*`. */
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSinceMs?: number | undefined;
  readonly ifUnmodifiedSinceMs?: number | undefined;
}

/** @throws {ObjectError} PreconditionFailed, NotModified */
export function checkRead({ etag, modifiedMs }: ObjectRow, conditions: Conditions): void {
  const { ifMatch, ifNoneMatch, ifModifiedSinceMs, ifUnmodifiedSinceMs } = conditions;
  // HTTP dates have whole seconds.
  const modified = Math.floor(modifiedMs / 1000) * 1000;
  if (
    ifMatch === undefined
      ? ifUnmodifiedSinceMs !== undefined && modified > ifUnmodifiedSinceMs
      : !matches(ifMatch, etag)
  )
    throw failed();
  if (
    ifNoneMatch === undefined
      ? ifModifiedSinceMs !== undefined && modified <= ifModifiedSinceMs
      : matches(ifNoneMatch, etag)
  )
    throw new ObjectError('NotModified', 'Not Modified');
}

/** As `checkRead`, for the source of a copy, which is never merely unchanged. @throws {ObjectError} PreconditionFailed */
export function checkCopied(object: ObjectRow, conditions: Conditions): void {
  try {
    checkRead(object, conditions);
  } catch (error) {
    throw error instanceof ObjectError && error.code === 'NotModified' ? failed() : error;
  }
}

/** `existing` is the object that a write would replace. @throws {ObjectError} PreconditionFailed, NoSuchKey, NotImplemented */
export function checkWrite(existing: ObjectRow | undefined, { ifMatch, ifNoneMatch }: Conditions): void {
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== '*')
    throw new ObjectError(
      'NotImplemented',
      'A header you provided implies functionality that is not implemented: If-None-Match of a write must be *.',
    );
  if (ifNoneMatch !== undefined && existing !== undefined) throw failed();
  if (ifMatch === undefined) return;
  if (existing === undefined) throw new ObjectError('NoSuchKey', 'The specified key does not exist.');
  if (!matches(ifMatch, existing.etag)) throw failed();
}

const failed = (): ObjectError =>
  new ObjectError('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');

const matches = (list: string, etag: string): boolean =>
  list.split(',').some(one => {
    const wanted = one
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1');
    return wanted === '*' || wanted === etag;
  });
