// An endpoint in the format of DescribeEndpoint. Times are seconds since 1970.
import type { EndpointStore } from '../../../serving/fleet/endpoint-store.ts';
import type { Fleet, FleetVariant, Replica, ServingEndpoint } from '../../../serving/fleet/resources.ts';

export function describeEndpoint(endpoint: ServingEndpoint, store: EndpointStore): object {
  const { name, status, fleet, update } = endpoint;
  const replicas = store.replicas(name);
  const captures = store.configs.get(endpoint.configName)?.request.DataCaptureConfig;
  const shown = fleet ?? update?.fleet;
  return {
    EndpointName: name,
    EndpointArn: endpoint.arn,
    EndpointConfigName: endpoint.configName,
    ...(shown === undefined ? {} : summaries(shown, replicas, fleet === undefined ? undefined : status)),
    DataCaptureConfig: captureSummary(shown, captures),
    EndpointStatus: status,
    FailureReason: endpoint.failureReason,
    CreationTime: endpoint.createdMs / 1000,
    LastModifiedTime: endpoint.modifiedMs / 1000,
    LastDeploymentConfig: endpoint.deploymentConfig,
    AsyncInferenceConfig: store.configs.get(endpoint.configName)?.request.AsyncInferenceConfig,
    PendingDeploymentSummary:
      fleet === undefined || update === undefined || status !== 'Updating'
        ? undefined
        : {
            EndpointConfigName: update.fleet.configName,
            StartTime: update.startedMs / 1000,
            ...summaries(update.fleet, replicas, status, update.step === undefined ? 'Creating' : 'ActivatingTraffic'),
          },
  };
}

function summaries(
  { id, variants }: Fleet,
  replicas: readonly Replica[],
  status: ServingEndpoint['status'] | undefined,
  variantStatus?: string,
): object {
  const summary = (variant: FleetVariant): object => {
    const ready = replicas.filter(one => one.fleet === id && one.variant === variant.name && one.status === 'ready');
    return {
      VariantName: variant.name,
      DeployedImages: [
        {
          SpecifiedImage: variant.container.image,
          ResolvedImage: variant.container.image,
        },
      ],
      CurrentWeight: variant.currentWeight,
      DesiredWeight: variant.currentWeight,
      ...(variant.serverless === undefined
        ? { CurrentInstanceCount: ready.length, DesiredInstanceCount: variant.desiredCount }
        : { CurrentServerlessConfig: variant.serverless }),
      ManagedInstanceScaling:
        variant.scaling === undefined || variant.serverless !== undefined
          ? undefined
          : { Status: 'ENABLED', MinInstanceCount: variant.scaling.min, MaxInstanceCount: variant.scaling.max },
      RoutingConfig: { RoutingStrategy: variant.routing },
      VariantStatus:
        variantStatus === undefined
          ? status === 'Updating'
            ? [{ Status: 'Updating' }]
            : undefined
          : [{ Status: variantStatus }],
    };
  };
  const shadows = variants.filter(({ isShadow }) => isShadow);
  return {
    ProductionVariants: variants.filter(({ isShadow }) => !isShadow).map(summary),
    ...(shadows.length === 0 ? {} : { ShadowProductionVariants: shadows.map(summary) }),
  };
}

function captureSummary(fleet: Fleet | undefined, request: unknown): object | undefined {
  const capture = fleet?.capture;
  if (capture === undefined) return undefined;
  const { KmsKeyId } = (request ?? {}) as { readonly KmsKeyId?: string };
  return {
    EnableCapture: true,
    CaptureStatus: 'Started',
    CurrentSamplingPercentage: capture.percentage,
    DestinationS3Uri: `s3://${capture.bucket}/${capture.prefix}`,
    // Clients require this member.
    KmsKeyId: KmsKeyId ?? '',
  };
}
