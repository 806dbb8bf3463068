// The HTTP statuses and the format of S3's errors.
// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
import { ObjectError, type ObjectErrorCode } from '../../../objects/object-error.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsService } from '../aws-request.ts';
import type { SignatureError, SignatureFailure } from '../signature/signature-error.ts';
import { writeXml } from '../xml.ts';

const statuses: Readonly<Record<ObjectErrorCode, number>> = {
  BadDigest: 400,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidDigest: 400,
  InvalidPart: 400,
  InvalidPartNumber: 416,
  InvalidPartOrder: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidTag: 400,
  KeyTooLongError: 400,
  MalformedXML: 400,
  MetadataTooLarge: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NotImplemented: 501,
  NotModified: 304,
  PreconditionFailed: 412,
  QuotaExceeded: 403,
};

/** The error for the client; other errors are returned unchanged. */
export function toS3Error(error: unknown): unknown {
  if (error instanceof ObjectError) return new AwsError(error.code, error.message, statuses[error.code]);
  return error;
}

export const s3ErrorReply: AwsService['errorReply'] = ({ code, message, status, details }, requestId): AwsReply => {
  // A 304 has no body.
  if (status === 304) return { status, headers: {}, body: undefined };
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: writeXml({ Error: { Code: code, Message: message, ...details, RequestId: requestId } }),
  };
};

const signatureErrors: Readonly<Record<SignatureFailure, readonly [code: string, status: number]>> = {
  missing: ['AccessDenied', 403],
  incomplete: ['AuthorizationHeaderMalformed', 400],
  'unknown-key': ['InvalidAccessKeyId', 403],
  mismatch: ['SignatureDoesNotMatch', 403],
  skewed: ['RequestTimeTooSkewed', 403],
  expired: ['AccessDenied', 403],
  replayed: ['AccessDenied', 403],
  body: ['XAmzContentSHA256Mismatch', 400],
};

export function s3SignatureError({ failure, message }: SignatureError): AwsError {
  const [code, status] = signatureErrors[failure];
  return new AwsError(code, message, status);
}
