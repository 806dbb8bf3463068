// Settings of buckets. This server stores none: reading them gives what a new bucket has, and only
// changes to that are accepted.
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest } from '../aws-request.ts';
import { children, type ParsedXml, textOf, type XmlElements } from '../xml.ts';
import { checkAcl, MAX_SETTING_BYTES } from './access-lists.ts';
import { readDocument } from './read-document.ts';
import { emptyReply, owner, xmlReply } from './s3-reply.ts';
import { FIRST_REGION } from './s3-request.ts';

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

/** A document, or the error of a setting that was never configured. */
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
  [...Object.keys(unset), 'location'].find(name => parameters.has(name));

/** Settings that a new bucket does not have: deleting them changes nothing. Encryption returns to that of a new bucket. */
const deletable: ReadonlySet<string> = new Set([
  ...Object.keys(unset).filter(name => 'code' in unset[name]! && name !== 'object-lock' && name !== 'policyStatus'),
  'encryption',
]);

/** Whether a document asks for what a new bucket has. */
const isAsNew: Readonly<Record<string, (root: ParsedXml | undefined) => boolean>> = {
  encryption: root =>
    children(root, 'Rule').every(rule => {
      const [byDefault] = children(rule, 'ApplyServerSideEncryptionByDefault');
      return textOf(byDefault, 'SSEAlgorithm') === 'AES256';
    }),
  ownershipControls: root =>
    children(root, 'Rule').every(rule => textOf(rule, 'ObjectOwnership') === 'BucketOwnerEnforced'),
  publicAccessBlock: root =>
    ['BlockPublicAcls', 'IgnorePublicAcls', 'BlockPublicPolicy', 'RestrictPublicBuckets'].every(
      name => textOf(root, name)?.toLowerCase() === 'true',
    ),
  requestPayment: root => textOf(root, 'Payer') === 'BucketOwner',
};

/** The root elements of the documents. */
const roots: Readonly<Record<string, string>> = {
  encryption: 'ServerSideEncryptionConfiguration',
  ownershipControls: 'OwnershipControls',
  publicAccessBlock: 'PublicAccessBlockConfiguration',
  requestPayment: 'RequestPaymentConfiguration',
};

/** In the first region, buckets have no location. */
const locationIn = (region: string): Readonly<Record<string, XmlElements>> => ({
  LocationConstraint: region === FIRST_REGION ? {} : { '#': region },
});

/** @throws {AwsError} of a setting that was never configured; NotImplemented for changes to what a new bucket does not have */
export async function settingOf(
  store: ObjectStore,
  request: AwsRequest,
  bucket: string,
  name: string,
): Promise<AwsReply> {
  store.checkBucket(bucket);
  const { method } = request.head;
  const setting: Unset = unset[name] ?? { document: locationIn(request.region) };
  if (method === 'DELETE' && deletable.has(name)) return emptyReply(204);
  if (method === 'PUT' && name === 'acl') {
    checkAcl(request.head, await readDocument(request, 'AccessControlPolicy', MAX_SETTING_BYTES));
    return emptyReply(200);
  }
  if (method === 'PUT' && isAsNew[name] !== undefined) {
    const root = await readDocument(request, roots[name]!, MAX_SETTING_BYTES);
    if (root !== undefined && isAsNew[name](root)) return emptyReply(200);
  }
  if (method !== 'GET')
    throw new AwsError(
      'NotImplemented',
      `The request implies functionality that is not implemented: this server does not keep the setting '${name}' of buckets.`,
      501,
    );
  if ('document' in setting) return xmlReply(setting.document);
  throw new AwsError(setting.code, setting.message, 404, { BucketName: bucket });
}
