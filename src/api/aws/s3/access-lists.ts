// Access control lists, as in buckets whose owner is enforced, which new buckets of AWS are: none but the owner's own.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
import { AwsError } from '../aws-error.ts';
import { header, type RequestHead } from '../signature/request-head.ts';
import { children, type ParsedXml, textOf } from '../xml.ts';
import { owner } from './s3-reply.ts';

export const MAX_SETTING_BYTES = 64 * 1024;

/** Lists that grant rights only to the owner. */
const OWNERS = /^(?:private|bucket-owner-full-control|bucket-owner-read)?$/;

const givesOthers = (head: RequestHead): boolean =>
  !OWNERS.test(header(head, 'x-amz-acl') ?? '') || head.headers.some(([name]) => name.startsWith('x-amz-grant-'));

/** @param document of a request that sets a list @throws {AwsError} AccessControlListNotSupported */
export function checkAcl(head: RequestHead, document?: ParsedXml): void {
  const [list] = children(document, 'AccessControlList');
  const isOwners = children(list, 'Grant').every(
    grant => textOf(children(grant, 'Grantee')[0], 'ID') === owner.ID && textOf(grant, 'Permission') === 'FULL_CONTROL',
  );
  if (givesOthers(head) || !isOwners)
    throw new AwsError('AccessControlListNotSupported', 'The bucket does not allow ACLs');
}

/** @throws {AwsError} InvalidBucketAclWithObjectOwnership */
export function checkAclOfBucket(head: RequestHead): void {
  if (givesOthers(head))
    throw new AwsError(
      'InvalidBucketAclWithObjectOwnership',
      "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
    );
}
