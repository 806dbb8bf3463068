// Errors of the object store, with S3's error codes.

const objectErrorCodes = [
  'BadDigest',
  'BucketAlreadyOwnedByYou',
  'BucketNotEmpty',
  'EntityTooLarge',
  'EntityTooSmall',
  'InvalidArgument',
  'InvalidBucketName',
  'InvalidDigest',
  'InvalidPart',
  'InvalidPartNumber',
  'InvalidPartOrder',
  'InvalidRange',
  'InvalidRequest',
  'InvalidTag',
  'KeyTooLongError',
  'MalformedXML',
  'MetadataTooLarge',
  'NoSuchBucket',
  'NoSuchKey',
  'NoSuchUpload',
  'NotImplemented',
  'NotModified',
  'PreconditionFailed',
  'QuotaExceeded',
] as const;
export type ObjectErrorCode = (typeof objectErrorCodes)[number];

export class ObjectError extends Error {
  readonly code: ObjectErrorCode;

  constructor(code: ObjectErrorCode, message: string) {
    super(message);
    this.name = `ObjectError [${code}]`;
    this.code = code;
  }
}
