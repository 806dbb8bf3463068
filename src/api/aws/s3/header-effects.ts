// Headers of S3 requests on which this server does not act: refused with S3's code, or accepted without effect. All others of
// S3's model work: a test looks for each. docs/operations.md has this table.
import { AwsError } from '../aws-error.ts';
import { header, type RequestHead } from '../signature/request-head.ts';

export interface HeaderEffect {
  readonly names: readonly string[];
  /** `none`: accepted, changes nothing. */
  readonly kind: 'none' | 'refused';
  readonly why: string;
  /** Values that are not refused; of a header without effect, those that S3 knows. */
  readonly values?: RegExp;
  /** Default: `NotImplemented`. */
  readonly error?: readonly [code: string, message: string];
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const encryption = 'x-amz-server-side-encryption';

export const headerEffects: readonly HeaderEffect[] = [
  {
    names: [encryption],
    kind: 'none',
    why: 'data is stored unencrypted on the disk of this machine, which its owner may encrypt',
    values: /^(?:AES256|aws:kms|aws:kms:dsse)$/,
    error: ['InvalidEncryptionAlgorithmError', 'The encryption request you specified is not valid.'],
  },
  {
    names: words(`${encryption}-aws-kms-key-id ${encryption}-bucket-key-enabled ${encryption}-context`),
    kind: 'none',
    why: 'data is stored unencrypted on the disk of this machine, which its owner may encrypt',
  },
  {
    names: ['-key', '-key-md5', '-algorithm'].flatMap(part => [
      `${encryption}-customer${part}`,
      `x-amz-copy-source-server-side-encryption-customer${part}`,
    ]),
    kind: 'refused',
    why: 'objects could be read without your key',
  },
  {
    names: ['x-amz-storage-class'],
    kind: 'none',
    why: 'there is one storage class, STANDARD',
    values:
      /^(?:STANDARD|REDUCED_REDUNDANCY|STANDARD_IA|ONEZONE_IA|INTELLIGENT_TIERING|GLACIER|DEEP_ARCHIVE|OUTPOSTS|GLACIER_IR|SNOW|EXPRESS_ONEZONE)$/,
    error: ['InvalidStorageClass', 'The storage class you specified is not valid'],
  },
  {
    names: words(`x-amz-object-lock-mode x-amz-object-lock-retain-until-date x-amz-object-lock-legal-hold
      x-amz-object-lock-event-hold x-amz-object-lock-event-hold-duration-days x-amz-object-lock-event-hold-duration-years`),
    kind: 'refused',
    why: 'objects can always be deleted',
    error: ['InvalidRequest', 'Bucket is missing Object Lock Configuration'],
  },
  {
    names: ['x-amz-bucket-object-lock-enabled'],
    kind: 'refused',
    why: 'objects can always be deleted',
    values: /^false$/i,
  },
  {
    names: ['x-amz-object-ownership'],
    kind: 'refused',
    why: 'buckets have no access control lists: only BucketOwnerEnforced is accepted',
    values: /^BucketOwnerEnforced$/,
  },
  { names: ['x-amz-bucket-namespace'], kind: 'refused', why: 'names of buckets are global', values: /^global$/ },
  {
    names: words(
      'x-amz-write-offset-bytes x-amz-if-match-size x-amz-if-match-last-modified-time x-amz-if-match-initiated-time',
    ),
    kind: 'refused',
    why: 'they are for directory buckets; without their condition, data would be lost',
  },
  {
    names:
      words(`x-amz-checksum-md5 x-amz-checksum-sha512 x-amz-checksum-xxhash3 x-amz-checksum-xxhash64 x-amz-checksum-xxhash128
      x-amz-mp-object-size`),
    kind: 'refused',
    why: 'the data would not be compared with them',
  },
  {
    names: ['x-amz-object-annotation-directive'],
    kind: 'none',
    why: 'objects have no annotations',
  },
  { names: ['x-amz-request-payer'], kind: 'none', why: 'requests are not billed' },
  {
    names: words('x-amz-mfa x-amz-bypass-governance-retention'),
    kind: 'none',
    why: 'there are no versions and no retention to protect',
  },
  { names: ['x-amz-optional-object-attributes'], kind: 'none', why: 'no object has to be restored' },
  {
    names: words('x-amz-max-parts x-amz-part-number-marker'),
    kind: 'none',
    why: 'GetObjectAttributes returns the number of parts, as S3 does for uploads without checksums',
  },
];

/** @throws {AwsError} NotImplemented, or the code of the header's row */
export function checkHeaders(head: RequestHead): void {
  for (const { names, kind, values, error } of headerEffects)
    for (const name of names) {
      const value = header(head, name);
      if (value === undefined || values?.test(value) === true || (kind === 'none' && values === undefined)) continue;
      const [code, message] = error ?? [
        'NotImplemented',
        `A header you provided implies functionality that is not implemented: ${name}`,
      ];
      throw new AwsError(code, message, code === 'NotImplemented' ? 501 : 400);
    }
}
