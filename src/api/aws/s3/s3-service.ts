// S3's REST protocol around the object store: the part that `aws s3`, boto3 and the JavaScript SDK use.
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from '../aws-request.ts';
import { covers, mayDo } from '../permissions.ts';
import { header } from '../signature/request-head.ts';
import { bucketOperation } from './bucket-operations.ts';
import { checkHeaders } from './header-effects.ts';
import { objectOperation } from './object-operations.ts';
import { keyOfForm, postObject } from './post-object.ts';
import { s3ErrorReply, s3SignatureError, toS3Error } from './s3-errors.ts';
import { owner, xmlReply } from './s3-reply.ts';
import { addressOf, integerParameter, parametersOf, withMovedHeaders } from './s3-request.ts';

/** IAM's name for the action of a request. */
function actionOf(method: string, bucket: string, key: string): string {
  if (bucket === '') return 'ListAllMyBuckets';
  const reads = method === 'GET' || method === 'HEAD';
  if (key === '')
    return reads ? 'ListBucket' : ({ PUT: 'CreateBucket', DELETE: 'DeleteBucket' }[method] ?? 'DeleteObject');
  return reads ? 'GetObject' : method === 'DELETE' ? 'DeleteObject' : 'PutObject';
}

/** @throws {AwsError} AccessDenied where a client expects the bucket of another account */
function checkOwner(expected: string | undefined, account: string): void {
  if (expected !== undefined && expected !== account) throw new AwsError('AccessDenied', 'Access Denied', 403);
}

const notAllowed = (): AwsError =>
  new AwsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', 405);

export class S3Service implements AwsService {
  readonly maxBodyBytes = undefined;
  readonly errorReply = s3ErrorReply;
  readonly signatureError = s3SignatureError;
  readonly #store: ObjectStore;
  readonly #account: string;
  readonly #now: () => number;

  constructor(store: ObjectStore, account: string, now: () => number) {
    this.#store = store;
    this.#account = account;
    this.#now = now;
  }

  async handle(signed: AwsRequest): Promise<AwsReply> {
    const request = { ...signed, head: withMovedHeaders(signed.head) };
    const { method, path } = request.head;
    const { form } = request;
    const address = addressOf(path);
    const { bucket } = address;
    const key = form === undefined ? address.key : keyOfForm(form);
    const parameters = parametersOf(request.head);
    const isRead = method === 'GET' || method === 'HEAD';
    const action = form === undefined ? `s3:${actionOf(method, bucket, key)}` : 's3:PutObject';
    const copies = header(request.head, 'x-amz-copy-source') !== undefined;
    if (
      !mayDo(request, { action, kind: isRead ? 'read' : 'write', resource: `${bucket}/${key}` }) ||
      (copies && !covers(request.key, 's3:GetObject'))
    )
      throw new AwsError(
        'AccessDenied',
        `The access key ${request.key.id} (${request.key.role}) is not authorized to perform: ${action}`,
        403,
      );
    try {
      if (bucket === '') return this.#listBuckets(method, parameters);
      checkHeaders(request.head);
      for (const name of ['x-amz-expected-bucket-owner', 'x-amz-source-expected-bucket-owner'])
        checkOwner(header(request.head, name), this.#account);
      if (form !== undefined) {
        if (address.key !== '') throw notAllowed();
        return await postObject(this.#store, request, bucket, form, this.#now());
      }
      return key === ''
        ? await bucketOperation(this.#store, request, bucket, parameters)
        : await objectOperation(this.#store, request, { bucket, key }, parameters);
    } catch (error) {
      throw toS3Error(error);
    }
  }

  #listBuckets(method: string, parameters: ReadonlyMap<string, string>): AwsReply {
    if (method !== 'GET') throw notAllowed();
    const [prefix, after] = [parameters.get('prefix') ?? '', parameters.get('continuation-token') ?? ''];
    const max = integerParameter(parameters, 'max-buckets', 10_000, 10_000);
    const all = this.#store.buckets().filter(({ name }) => name.startsWith(prefix) && name > after);
    const buckets = all.slice(0, max);
    return xmlReply({
      ListAllMyBucketsResult: {
        Owner: owner,
        Buckets: {
          Bucket: buckets.map(({ name, createdMs }) => ({
            Name: name,
            CreationDate: new Date(createdMs).toISOString(),
          })),
        },
        Prefix: parameters.get('prefix'),
        ContinuationToken: buckets.length < all.length ? buckets.at(-1)?.name : undefined,
      },
    });
  }
}
