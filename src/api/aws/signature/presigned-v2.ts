// Signature Version 2 in the query, only for S3: `aws s3 presign` (CLI 1) and boto3 still produce it by default for us-east-1.
//
//   text to sign = method, Content-MD5, Content-Type, Expires, x-amz- headers, path with sub-resources
//   signature    = base64(HMAC-SHA1(secret, text to sign))
import { createHmac } from 'node:crypto';
import type { AccessKey, FindAccessKey } from './access-keys.ts';
import { header, queryParameters, type RequestHead } from './request-head.ts';
import { SignatureError } from './signature-error.ts';
import { sameSignature } from './signature-v4.ts';

/** Parameters that belong to the signed resource. Others, such as prefixes of listings, are not covered by this version. */
const subResources: ReadonlySet<string> = new Set([
  'acl',
  'delete',
  'lifecycle',
  'location',
  'partNumber',
  'policy',
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
  'tagging',
  'uploadId',
  'uploads',
  'versionId',
  'versioning',
]);

export const isPresignedV2 = ({ query }: RequestHead): boolean =>
  /(?:^|&)AWSAccessKeyId=/.test(query) && /(?:^|&)Signature=/.test(query);

/**
 * The key that presigned the URL.
 * @throws {SignatureError}
 */
export function verifyPresignedV2(head: RequestHead, findKey: FindAccessKey, nowMs: number): AccessKey {
  const parameters = queryParameters(head.query);
  const fields = new Map(parameters);
  const expires = fields.get('Expires') ?? '';
  if (!/^\d{1,12}$/.test(expires))
    throw new SignatureError('incomplete', 'Expires must be a time in seconds since 1970-01-01.');
  if (nowMs > Number(expires) * 1000) throw new SignatureError('expired', 'Request has expired');
  const key = findKey(fields.get('AWSAccessKeyId') ?? '');
  if (key === undefined)
    throw new SignatureError('unknown-key', 'The AWS Access Key Id you provided does not exist in our records.');
  const resource = parameters
    .filter(([name]) => subResources.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
    .join('&');
  const textWith = (path: string): string =>
    [
      head.method,
      header(head, 'content-md5') ?? '',
      header(head, 'content-type') ?? '',
      expires,
      ...amzHeaders(head, parameters),
      `${path}${resource === '' ? '' : `?${resource}`}`,
    ].join('\n');
  // Clients sign a bucket with a slash, and send it without one.
  const paths = /^\/[^/]+$/.test(head.path) ? [head.path, `${head.path}/`] : [head.path];
  const signed = fields.get('Signature') ?? '';
  const isSigned = paths.some(path =>
    sameSignature(createHmac('sha1', key.secret).update(textWith(path)).digest('base64'), signed),
  );
  if (!isSigned)
    throw new SignatureError(
      'mismatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    );
  return key;
}

/** `x-amz-` headers, also those that were moved into the query. */
function amzHeaders(head: RequestHead, parameters: readonly (readonly [string, string])[]): readonly string[] {
  const all = [...head.headers, ...parameters.map(([name, value]) => [name.toLowerCase(), value] as const)];
  const names = [...new Set(all.map(([name]) => name).filter(name => name.startsWith('x-amz-')))].sort();
  return names.map(name => {
    const values = all.filter(([key]) => key === name).map(([, value]) => value.trim());
    return `${name}:${values.join(',')}`;
  });
}
