// The source of a copy.
import { AwsError } from '../aws-error.ts';
import { decode, header, type RequestHead } from '../signature/request-head.ts';
import { addressOf, checkVersion, type S3Address } from './s3-request.ts';

/** @throws {AwsError} InvalidArgument */
export function copySource(head: RequestHead): S3Address {
  const [source = '', version] = (header(head, 'x-amz-copy-source') ?? '').split('?versionId=');
  checkVersion(version);
  // Some clients escape the slash between bucket and key, too.
  const address = addressOf(source.includes('/') ? source : decode(source));
  if (address.bucket === '' || address.key === '')
    throw new AwsError('InvalidArgument', 'Copy Source must mention the source bucket and key: sourcebucket/sourcekey');
  return address;
}
