// The operations on endpoint configurations: which models run on which instances, and how requests are distributed.
import type { EndpointConfig, Variant } from '../../../serving/fleet/resources.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import type { Operations } from '../protocols/json-service.ts';
import { listPage } from './listing.ts';
import type { ModelOptions } from './models.ts';
import { alreadyThere, couldNotFind, invalid, s3Folder } from './serving-errors.ts';
import { readTags } from './tags.ts';

type Service = typeof sagemaker;
type CreateInput = InputOf<Service, 'CreateEndpointConfig'>;
type VariantInput = CreateInput['ProductionVariants'][number];

const DEFAULT_STARTUP_SECONDS = 240;
const DEFAULT_ASYNC_PER_INSTANCE = 4;

export function endpointConfigOperations({ endpoints, arn, now }: Omit<ModelOptions, 'findImage' | 'objects'>) {
  const { configs, models } = endpoints;
  const configOf = (name: string): EndpointConfig => {
    const config = configs.get(name);
    if (config === undefined) throw couldNotFind('endpoint configuration', arn('endpoint-config', name));
    return config;
  };
  return {
    CreateEndpointConfig: input => {
      const { EndpointConfigName: name, Tags, ...request } = input;
      const nowMs = now();
      const config: EndpointConfig = {
        name,
        arn: arn('endpoint-config', name),
        tags: readTags(Tags),
        request,
        createdMs: nowMs,
        modifiedMs: nowMs,
        variants: input.ProductionVariants.map(variantOf),
        shadows: (input.ShadowProductionVariants ?? []).map(variantOf),
        capture: captureOf(input),
        asyncInference: asyncOf(input),
      };
      checkConfig(config);
      for (const { modelName } of [...config.variants, ...config.shadows])
        if (models.get(modelName) === undefined) throw couldNotFind('model', arn('model', modelName));
      if (!configs.add(config)) throw alreadyThere('endpoint configuration', config.arn);
      return { EndpointConfigArn: config.arn };
    },
    DescribeEndpointConfig: ({ EndpointConfigName: name }) => {
      const config = configOf(name);
      return {
        ...config.request,
        EndpointConfigName: config.name,
        EndpointConfigArn: config.arn,
        CreationTime: config.createdMs / 1000,
      };
    },
    ListEndpointConfigs: input => {
      const { rows, NextToken } = listPage(input, query => configs.list(query));
      return {
        EndpointConfigs: rows.map(one => ({
          EndpointConfigName: one.name,
          EndpointConfigArn: one.arn,
          CreationTime: one.createdMs / 1000,
        })),
        NextToken,
      };
    },
    DeleteEndpointConfig: ({ EndpointConfigName: name }) => {
      configs.remove(configOf(name).name);
      return undefined;
    },
  } satisfies Partial<Operations<Service>>;
}

/** @throws {AwsError} ValidationException */
function variantOf(input: VariantInput): Variant {
  const { VariantName: name, ModelName: modelName, InstanceType: instanceType, ServerlessConfig: serverless } = input;
  if (modelName === undefined)
    throw invalid(`The variant '${name}' has no ModelName; inference components are not supported by this server.`);
  for (const member of ['InstancePools', 'AcceleratorType', 'CoreDumpConfig'] as const)
    if (input[member] !== undefined)
      throw invalid(`${member} of the variant '${name}' is not supported by this server.`);
  if (serverless !== undefined && instanceType !== undefined)
    throw invalid(`The variant '${name}' has both an InstanceType and a ServerlessConfig; set one of them.`);
  if (serverless === undefined && instanceType === undefined)
    throw invalid(`The variant '${name}' has neither an InstanceType nor a ServerlessConfig.`);
  const managed = input.ManagedInstanceScaling;
  const isManaged = managed?.Status === 'ENABLED';
  const initialCount = input.InitialInstanceCount ?? 1;
  if (serverless === undefined && input.InitialInstanceCount === undefined && !isManaged)
    throw invalid(`The variant '${name}' has no InitialInstanceCount.`);
  const min = managed?.MinInstanceCount ?? 1;
  const max = managed?.MaxInstanceCount ?? Math.max(min, initialCount);
  if (isManaged && min > max)
    throw invalid(`MinInstanceCount ${min} of the variant '${name}' is greater than its MaxInstanceCount ${max}.`);
  const routing = input.RoutingConfig?.RoutingStrategy ?? 'LEAST_OUTSTANDING_REQUESTS';
  if (routing === 'PREFIX_AWARE')
    throw invalid("RoutingStrategy 'PREFIX_AWARE' is not supported by this server; use LEAST_OUTSTANDING_REQUESTS.");
  return {
    name,
    modelName,
    instanceType: instanceType ?? 'ml.serverless',
    initialCount: serverless === undefined ? initialCount : (serverless.ProvisionedConcurrency ?? 0),
    weight: input.InitialVariantWeight ?? 1,
    startupTimeoutMs: (input.ContainerStartupHealthCheckTimeoutInSeconds ?? DEFAULT_STARTUP_SECONDS) * 1000,
    routing,
    scaling: isManaged
      ? { min, max }
      : serverless && { min: serverless.ProvisionedConcurrency ?? 0, max: serverless.MaxConcurrency },
    serverless,
  };
}

/** @throws {AwsError} ValidationException */
function checkConfig({ variants, shadows }: EndpointConfig): void {
  const names = [...variants, ...shadows].map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw invalid(`Two variants have the name '${twice}'; names of variants must be unique.`);
  if (variants.every(({ weight }) => weight === 0))
    throw invalid('The sum of the weights of the production variants must be greater than 0.');
  if (shadows.length > 0 && (variants.length > 1 || shadows.length > 1))
    throw invalid('With a shadow variant, there must be one production variant and one shadow variant.');
}

function captureOf({ DataCaptureConfig: config }: CreateInput): EndpointConfig['capture'] {
  if (config === undefined || config.EnableCapture === false) return undefined;
  const modes = config.CaptureOptions.map(({ CaptureMode: mode }) => mode);
  const both = modes.includes('InputAndOutput');
  return {
    percentage: config.InitialSamplingPercentage,
    ...s3Folder(config.DestinationS3Uri, 'DataCaptureConfig.DestinationS3Uri'),
    input: both || modes.includes('Input'),
    output: both || modes.includes('Output'),
    csvTypes: config.CaptureContentTypeHeader?.CsvContentTypes ?? [],
    jsonTypes: config.CaptureContentTypeHeader?.JsonContentTypes ?? [],
  };
}

function asyncOf({ AsyncInferenceConfig: config }: CreateInput): EndpointConfig['asyncInference'] {
  if (config === undefined) return undefined;
  const { S3OutputPath: output, S3FailurePath: failure, NotificationConfig: notification } = config.OutputConfig;
  if (notification?.SuccessTopic !== undefined || notification?.ErrorTopic !== undefined)
    throw invalid('Topics of NotificationConfig are not supported by this server.');
  return {
    output: output === undefined ? undefined : s3Folder(output, 'OutputConfig.S3OutputPath'),
    failure: failure === undefined ? undefined : s3Folder(failure, 'OutputConfig.S3FailurePath'),
    maxPerInstance: config.ClientConfig?.MaxConcurrentInvocationsPerInstance ?? DEFAULT_ASYNC_PER_INSTANCE,
  };
}
