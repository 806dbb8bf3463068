// S3's REST protocol around the object store: the part that `aws s3`, boto3 and the JavaScript SDK use.
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from '../aws-request.ts';
import { allows } from '../permissions.ts';
import { bucketOperation } from './bucket-operations.ts';
import { objectOperation } from './object-operations.ts';
import { s3ErrorReply, s3SignatureError, toS3Error } from './s3-errors.ts';
import { xmlReply } from './s3-reply.ts';
import { addressOf, parametersOf } from './s3-request.ts';

export class S3Service implements AwsService {
  readonly maxBodyBytes = undefined;
  readonly errorReply = s3ErrorReply;
  readonly signatureError = s3SignatureError;
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async handle(request: AwsRequest): Promise<AwsReply> {
    const { method, path } = request.head;
    const { bucket, key } = addressOf(path);
    const parameters = parametersOf(request.head);
    if (!allows(request.key.role, method === 'GET' || method === 'HEAD' ? 'read' : 'write'))
      throw new AwsError('AccessDenied', `The access key ${request.key.id} may only read.`, 403);
    try {
      if (bucket === '') return this.#listBuckets(method);
      return key === ''
        ? await bucketOperation(this.#store, request, bucket, parameters)
        : await objectOperation(this.#store, request, { bucket, key }, parameters);
    } catch (error) {
      throw toS3Error(error);
    }
  }

  #listBuckets(method: string): AwsReply {
    if (method !== 'GET')
      throw new AwsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', 405);
    const buckets = this.#store.buckets();
    return xmlReply({
      ListAllMyBucketsResult: {
        Owner: { ID: 'trenio', DisplayName: 'trenio' },
        Buckets: {
          Bucket: buckets.map(({ name, createdMs }) => ({
            Name: name,
            CreationDate: new Date(createdMs).toISOString(),
          })),
        },
      },
    });
  }
}
