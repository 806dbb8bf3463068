// The signature of an upload by a form: over the policy, not over the request. Versions 4 and 2 (boto3's default for S3).
// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-UsingHTTPPOST.html
import { createHmac } from 'node:crypto';
import type { AccessKey, FindAccessKey } from './access-keys.ts';
import { SignatureError } from './signature-error.ts';
import { ALGORITHM, hmac, readScope, sameSignature, signingKeyOf } from './signature-v4.ts';

/**
 * The key that signed the policy of a form.
 * @param fields of the form, by names in lower case
 * @throws {SignatureError}
 */
export function verifyPolicy(fields: ReadonlyMap<string, string>, findKey: FindAccessKey): AccessKey {
  const policy = fields.get('policy');
  if (policy === undefined)
    throw new SignatureError('missing', 'The form has no signed policy: create it with a presigned POST.');
  const isV4 = fields.has('x-amz-signature');
  const scope = isV4 ? scopeOf(fields) : undefined;
  const key = findKey(scope?.accessKeyId ?? fields.get('awsaccesskeyid') ?? '');
  if (key === undefined)
    throw new SignatureError('unknown-key', 'The AWS Access Key Id you provided does not exist in our records.');
  const expected =
    scope === undefined
      ? createHmac('sha1', key.secret).update(policy).digest('base64')
      : hmac(signingKeyOf(key.secret, scope), policy).toString('hex');
  if (!sameSignature(expected, fields.get(isV4 ? 'x-amz-signature' : 'signature') ?? ''))
    throw new SignatureError(
      'mismatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    );
  return key;
}

function scopeOf(fields: ReadonlyMap<string, string>): ReturnType<typeof readScope> {
  if (fields.get('x-amz-algorithm') !== ALGORITHM)
    throw new SignatureError('incomplete', `X-Amz-Algorithm only supports "${ALGORITHM}"`);
  const scope = readScope(fields.get('x-amz-credential') ?? '');
  if (scope.service !== 's3')
    throw new SignatureError('incomplete', `The policy must be signed for the service s3, got '${scope.service}'.`);
  return scope;
}
