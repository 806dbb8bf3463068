// Settings of buckets. This server stores none; reading them gives what a new bucket has.
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply } from '../aws-request.ts';
import type { XmlElements } from '../xml.ts';
import { owner, xmlReply } from './s3-reply.ts';

/** The access control list of everything: the owner may do all. */
export const ownersControl: XmlElements & Readonly<Record<string, XmlElements>> = {
  AccessControlPolicy: {
    Owner: owner,
    AccessControlList: {
      Grant: {
        Grantee: {
          '@xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
          '@xsi:type': 'CanonicalUser',
          ...owner,
        },
        Permission: 'FULL_CONTROL',
      },
    },
  },
};

/** A document, or the error of a setting that was never made. */
type Unset =
  | { readonly document: Readonly<Record<string, XmlElements>> }
  | { readonly code: string; readonly message: string };

const unset: Readonly<Record<string, Unset>> = {
  accelerate: { document: { AccelerateConfiguration: {} } },
  acl: { document: ownersControl },
  cors: { code: 'NoSuchCORSConfiguration', message: 'The CORS configuration does not exist' },
  encryption: {
    document: {
      ServerSideEncryptionConfiguration: {
        Rule: { ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' }, BucketKeyEnabled: false },
      },
    },
  },
  lifecycle: { code: 'NoSuchLifecycleConfiguration', message: 'The lifecycle configuration does not exist' },
  location: { document: { LocationConstraint: {} } },
  logging: { document: { BucketLoggingStatus: {} } },
  notification: { document: { NotificationConfiguration: {} } },
  'object-lock': {
    code: 'ObjectLockConfigurationNotFoundError',
    message: 'Object Lock configuration does not exist for this bucket',
  },
  ownershipControls: { document: { OwnershipControls: { Rule: { ObjectOwnership: 'BucketOwnerEnforced' } } } },
  policy: { code: 'NoSuchBucketPolicy', message: 'The bucket policy does not exist' },
  policyStatus: { code: 'NoSuchBucketPolicy', message: 'The bucket policy does not exist' },
  publicAccessBlock: {
    document: {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        IgnorePublicAcls: true,
        BlockPublicPolicy: true,
        RestrictPublicBuckets: true,
      },
    },
  },
  replication: {
    code: 'ReplicationConfigurationNotFoundError',
    message: 'The replication configuration was not found',
  },
  requestPayment: { document: { RequestPaymentConfiguration: { Payer: 'BucketOwner' } } },
  tagging: { code: 'NoSuchTagSet', message: 'The TagSet does not exist' },
  versioning: { document: { VersioningConfiguration: {} } },
  website: {
    code: 'NoSuchWebsiteConfiguration',
    message: 'The specified bucket does not have a website configuration',
  },
};

/** The setting that a request names. */
export const settingIn = (parameters: ReadonlyMap<string, string>): string | undefined =>
  Object.keys(unset).find(name => parameters.has(name));

/** @throws {AwsError} of a setting that was never made; NotImplemented for changes */
export function settingOf(store: ObjectStore, method: string, bucket: string, name: string): AwsReply {
  store.checkBucket(bucket);
  const setting = unset[name]!;
  if (method !== 'GET')
    throw new AwsError('NotImplemented', `The bucket setting '${name}' is not supported by this server.`, 501);
  if ('document' in setting) return xmlReply(setting.document);
  throw new AwsError(setting.code, setting.message, 404, { BucketName: bucket });
}
