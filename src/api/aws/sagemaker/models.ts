// The operations on models: an image, and the location of its files.
import { type FindImage, imageProblem } from '../../../jobs/images.ts';
import { shownRequest } from '../../../jobs/secrets.ts';
import type { Container } from '../../../jobs/store/resources.ts';
import { ObjectError } from '../../../objects/object-error.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import type { EndpointStore } from '../../../serving/fleet/endpoint-store.ts';
import type { Model } from '../../../serving/fleet/resources.ts';
import { AwsError } from '../aws-error.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import type { Operations } from '../protocols/json-service.ts';
import { listPage } from './listing.ts';
import { type ArnOf, alreadyThere, couldNotFind, invalid, s3Location } from './serving-errors.ts';
import { readTags } from './tags.ts';

type Service = typeof sagemaker;
type CreateModelInput = InputOf<Service, 'CreateModel'>;
type ContainerInput = NonNullable<CreateModelInput['PrimaryContainer']>;

export interface ModelOptions {
  readonly endpoints: EndpointStore;
  readonly objects: ObjectStore;
  readonly findImage: FindImage;
  readonly arn: ArnOf;
  readonly now: () => number;
}

export function modelOperations({ endpoints, objects, findImage, arn, now }: ModelOptions) {
  const { models } = endpoints;
  const modelOf = (name: string): Model => {
    const model = models.get(name);
    if (model === undefined) throw couldNotFind('model', arn('model', name));
    return model;
  };
  return {
    CreateModel: input => {
      const { ModelName: name } = input;
      const container = containerOf(input);
      const problem = imageProblem(findImage, container.image);
      if (problem !== undefined) throw invalid(`The image '${container.image}' ${problem}`);
      checkData(objects, container, input.ExecutionRoleArn);
      const { Tags, ...request } = input;
      const nowMs = now();
      const model: Model = {
        name,
        arn: arn('model', name),
        tags: readTags(Tags),
        request,
        createdMs: nowMs,
        modifiedMs: nowMs,
        container,
      };
      if (!models.add(model)) throw alreadyThere('model', model.arn);
      return { ModelArn: model.arn };
    },
    DescribeModel: ({ ModelName: name }) => {
      const model = modelOf(name);
      return {
        ...shownRequest(model.request),
        ModelName: model.name,
        ModelArn: model.arn,
        CreationTime: model.createdMs / 1000,
        EnableNetworkIsolation: !model.container.hasNetwork,
      };
    },
    ListModels: input => {
      const { rows, NextToken } = listPage(input, query => models.list(query));
      const Models = rows.map(one => ({ ModelName: one.name, ModelArn: one.arn, CreationTime: one.createdMs / 1000 }));
      return { Models, NextToken };
    },
    DeleteModel: ({ ModelName: name }) => {
      models.remove(modelOf(name).name);
      return undefined;
    },
  } satisfies Partial<Operations<Service>>;
}

/** @throws {AwsError} ValidationException */
function containerOf(input: CreateModelInput): Container {
  const { PrimaryContainer: primary, Containers: several } = input;
  if (primary !== undefined && several !== undefined)
    throw invalid('Both PrimaryContainer and Containers are set; set one of them.');
  if (several !== undefined && several.length > 1)
    throw invalid('Pipelines of several Containers are not supported by this server.');
  const container = primary ?? several?.[0];
  if (container === undefined) throw invalid('PrimaryContainer is required.');
  const { Image: image, Mode: mode, ModelPackageName: ofPackage, AdditionalModelDataSources: more } = container;
  if (ofPackage !== undefined) throw invalid('ModelPackageName is not supported by this server.');
  if (mode === 'MultiModel') throw invalid("The Mode 'MultiModel' is not supported by this server.");
  if (more !== undefined) throw invalid('AdditionalModelDataSources are not supported by this server.');
  if (image === undefined) throw invalid('The container has no Image.');
  return {
    image,
    data: dataOf(container),
    environment: container.Environment ?? {},
    hasNetwork: !(input.EnableNetworkIsolation ?? false),
  };
}

function dataOf({ ModelDataUrl: url, ModelDataSource: source }: ContainerInput): Container['data'] {
  if (url !== undefined && source !== undefined)
    throw invalid('Both ModelDataUrl and ModelDataSource are set; set one of them.');
  if (url !== undefined) {
    const { bucket, key } = s3Location(url, 'ModelDataUrl');
    return { kind: 'archive', bucket, key };
  }
  const s3 = source?.S3DataSource;
  if (s3 === undefined) return undefined;
  const { bucket, key } = s3Location(s3.S3Uri, 'ModelDataSource.S3DataSource.S3Uri');
  const isArchive = s3.S3DataType === 'S3Object' && s3.CompressionType === 'Gzip';
  if (!isArchive && (s3.S3DataType !== 'S3Prefix' || s3.CompressionType !== 'None' || !key.endsWith('/')))
    throw invalid(
      'ModelDataSource must be an S3Object with the CompressionType Gzip, or an S3Prefix that ends with a slash with the CompressionType None.',
    );
  return { kind: isArchive ? 'archive' : 'prefix', bucket, key };
}

/** @throws {AwsError} ValidationException if there is no such object */
function checkData(objects: ObjectStore, { data }: Container, role: string | undefined): void {
  if (data === undefined) return;
  const { kind, bucket, key } = data;
  try {
    if (kind === 'archive') objects.head(bucket, key);
    else if (objects.list(bucket, { prefix: key, delimiter: '', maxKeys: 1, after: '' }).objects.length === 0)
      throw new ObjectError('NoSuchKey', 'There is no object under this prefix.');
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error;
    throw new AwsError(
      'ValidationException',
      `Could not access model data at s3://${bucket}/${key}. Please ensure that the role "${role ?? ''}" exists and that its trust relationship policy allows the action "sts:AssumeRole" for the service principal "sagemaker.amazonaws.com". Also ensure that the role has "s3:GetObject" permissions and that the object is located in this server's store.`,
    );
  }
}
