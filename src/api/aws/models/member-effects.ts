// Members of requests on which this server does not act, by structure and member. Members of a listed member belong to it. All
// others work: a test looks for each in the code of its service. docs/operations.md has this table.
import { AwsError } from '../aws-error.ts';
import type { ServiceModel } from './service-model.ts';

export interface MemberEffect {
  /** `none`: accepted, changes nothing. `refused`: a request with it is. `checked`: refused by its operation, which says why. */
  readonly kind: 'none' | 'refused' | 'checked';
  readonly why: string;
}

/** @param members `Structure.Member`, separated by spaces */
const all = (kind: MemberEffect['kind'], why: string, members: string): Readonly<Record<string, MemberEffect>> =>
  Object.fromEntries(
    members
      .trim()
      .split(/\s+/)
      .map(name => [name, { kind, why }]),
  );

const sagemaker: Readonly<Record<string, MemberEffect>> = {
  ...all(
    'none',
    'data is stored unencrypted on the disk of this machine, which its owner may encrypt',
    `OutputDataConfig.KmsKeyId ResourceConfig.VolumeKmsKeyId HyperParameterTuningResourceConfig.VolumeKmsKeyId
     ProcessingOutputConfig.KmsKeyId ProcessingClusterConfig.VolumeKmsKeyId TransformOutput.KmsKeyId
     TransformResources.VolumeKmsKeyId CreateEndpointConfigInput.KmsKeyId DataCaptureConfig.KmsKeyId
     AsyncInferenceOutputConfig.KmsKeyId`,
  ),
  ...all(
    'none',
    'jobs and models run on this machine, which has no subnets; EnableNetworkIsolation works',
    `CreateTrainingJobRequest.VpcConfig HyperParameterTrainingJobDefinition.VpcConfig CreateModelInput.VpcConfig
     NetworkConfig.VpcConfig CreateEndpointConfigInput.VpcConfig`,
  ),
  ...all(
    'none',
    'hosts of a job are on one machine: their traffic does not leave it',
    `CreateTrainingJobRequest.EnableInterContainerTrafficEncryption NetworkConfig.EnableInterContainerTrafficEncryption
     HyperParameterTrainingJobDefinition.EnableInterContainerTrafficEncryption`,
  ),
  ...all(
    'none',
    'Debugger and Profiler need their library in the image; trenio jobs and the console show steps, cores and memory',
    `CreateTrainingJobRequest.DebugHookConfig CreateTrainingJobRequest.ProfilerConfig
     CreateTrainingJobRequest.ProfilerRuleConfigurations UpdateTrainingJobRequest.ProfilerConfig
     UpdateTrainingJobRequest.ProfilerRuleConfigurations CreateTrainingJobRequest.RemoteDebugConfig
     UpdateTrainingJobRequest.RemoteDebugConfig CreateTrainingJobRequest.InfraCheckConfig`,
  ),
  ...all('refused', 'no rules are evaluated here', 'CreateTrainingJobRequest.DebugRuleConfigurations'),
  ...all(
    'refused',
    'it would change where results go, or what runs',
    `CreateTrainingJobRequest.MlflowConfig CreateTrainingJobRequest.ServerlessJobConfig
     CreateTrainingJobRequest.ModelPackageConfig CreateTrainingJobRequest.SessionChainingConfig
     CreateEndpointConfigInput.ExplainerConfig CreateModelInput.InferenceExecutionConfig
     CreateHyperParameterTuningJobRequest.WarmStartConfig CreateHyperParameterTuningJobRequest.Autotune
     S3DataSource.HubAccessConfig S3ModelDataSource.HubAccessConfig S3ModelDataSource.ManifestS3Uri
     DataSource.FileSystemDataSource DataSource.DatasetSource S3DataSource.InstanceGroupNames
     ResourceConfig.InstancePlacementConfig
     ContainerDefinition.InferenceSpecificationName BatchDataCaptureConfig.GenerateInferenceId
     ProductionVariant.CapacityReservationConfig ProductionVariantRoutingConfig.PrefixAwareRoutingConfig
     CreateTrainingPlanRequest.SpareInstanceCountPerUltraServer`,
  ),
  ...all('refused', 'records are not wrapped: files are passed as they are', 'Channel.RecordWrapperType'),
  ...all(
    'checked',
    'this server has no such resource',
    `ParameterRanges.AutoParameters ResourceConfig.InstanceGroups ResourceConfig.InstancePreferences
     ProductionVariant.InstancePools DatasetDefinition.AthenaDatasetDefinition DatasetDefinition.RedshiftDatasetDefinition
     ProcessingOutput.FeatureStoreOutput AutoRollbackConfig.Alarms`,
  ),
  ...all('none', 'the order of files is that of their keys', 'Channel.ShuffleConfig S3DataSource.AttributeNames'),
  ...all(
    'none',
    'models and data are those of your own store: there is no licence to accept, and nothing to pin',
    `S3DataSource.ModelAccessConfig S3ModelDataSource.ModelAccessConfig S3ModelDataSource.ETag S3ModelDataSource.ManifestEtag`,
  ),
  ...all(
    'none',
    'the time limits of this server apply',
    `BlueGreenUpdatePolicy.MaximumExecutionTimeoutInSeconds RollingUpdatePolicy.MaximumExecutionTimeoutInSeconds
     ProductionVariant.VariantInstanceProvisionTimeoutInSeconds ProductionVariant.ModelDataDownloadTimeoutInSeconds`,
  ),
  ...all('none', 'a rollback is made at once', 'RollingUpdatePolicy.RollbackMaximumBatchSize'),
  ...all(
    'none',
    'programs run on this machine, whose image, memory and access are its own',
    `ProductionVariant.EnableSSMAccess ProductionVariant.InferenceAmiVersion TransformResources.TransformAmiVersion
     ProductionVariantServerlessConfig.MemorySizeInMB`,
  ),
  ...all(
    'none',
    'replicas are removed after a minute with less load',
    'ProductionVariantManagedInstanceScaling.ScaleInPolicy',
  ),
  ...all(
    'none',
    'the metrics of endpoints are always collected, each minute',
    `CreateEndpointConfigInput.MetricsConfig ContainerDefinition.ContainerMetricsConfig
     AlgorithmSpecification.EnableSageMakerMetricsTimeSeries`,
  ),
  ...all('none', 'no notifications are sent', 'AsyncInferenceNotificationConfig.IncludeInferenceResponseIn'),
  ...all(
    'none',
    'a model has one container',
    'ContainerDefinition.ContainerHostname ContainerDefinition.MultiModelConfig',
  ),
  ...all(
    'none',
    'images are on this machine',
    'ContainerDefinition.ImageConfig AlgorithmSpecification.TrainingImageConfig',
  ),
  ...all('none', 'the name has no meaning with one definition', 'HyperParameterTrainingJobDefinition.DefinitionName'),
  ...all(
    'none',
    'the server chooses the instances itself',
    `HyperParameterTuningResourceConfig.AllocationStrategy ResourceConfig.SelectedInstanceType
     ResourceConfig.SelectedInstanceCount ProcessingClusterConfig.SelectedInstanceType
     ProcessingClusterConfig.SelectedInstanceCount`,
  ),
  ...all('none', 'each host gets all data of a definition', 'DatasetDefinition.DataDistributionType'),
  ...all('none', 'everything is visible', 'SearchRequest.VisibilityConditions'),
};

const logs: Readonly<Record<string, MemberEffect>> = {
  ...all('none', 'lines are stored unencrypted on the disk of this machine', 'CreateLogGroupRequest.kmsKeyId'),
  ...all('refused', 'groups can always be deleted', 'CreateLogGroupRequest.deletionProtectionEnabled'),
  ...all(
    'none',
    'there is one account',
    'DescribeLogGroupsRequest.accountIdentifiers DescribeLogGroupsRequest.includeLinkedAccounts',
  ),
  ...all('none', 'events are always interleaved, as in AWS', 'FilterLogEventsRequest.interleaved'),
  ...all('none', 'nothing is masked when it is read', 'FilterLogEventsRequest.unmask GetLogEventsRequest.unmask'),
  ...all('none', 'AWS ignores it, too', 'PutLogEventsRequest.sequenceToken'),
  ...all('none', 'events are not linked to entities', 'PutLogEventsRequest.entity'),
};

const autoscaling: Readonly<Record<string, MemberEffect>> = {
  ...all('none', 'all activities scaled', 'DescribeScalingActivitiesRequest.IncludeNotScaledActivities'),
  ...all(
    'refused',
    'policies track a target',
    `PutScalingPolicyRequest.StepScalingPolicyConfiguration PutScalingPolicyRequest.PredictiveScalingPolicyConfiguration`,
  ),
  ...all('none', 'the metrics of endpoints have none', 'PredefinedMetricSpecification.ResourceLabel'),
  ...all(
    'checked',
    'only predefined metrics exist here',
    'TargetTrackingScalingPolicyConfiguration.CustomizedMetricSpecification',
  ),
  ...all('refused', 'targets have no tags here', 'RegisterScalableTargetRequest.Tags'),
};

/** The members of a request's headers; the service refuses them itself. */
const runtime: Readonly<Record<string, MemberEffect>> = {
  ...all(
    'checked',
    'endpoints have one model in one container, without sessions and explainers',
    `InvokeEndpointInput.TargetModel InvokeEndpointInput.TargetContainerHostname InvokeEndpointInput.InferenceComponentName
     InvokeEndpointInput.SessionId InvokeEndpointInput.EnableExplanations
     InvokeEndpointWithResponseStreamInput.TargetContainerHostname InvokeEndpointWithResponseStreamInput.SessionId
     InvokeEndpointWithResponseStreamInput.InferenceComponentName`,
  ),
  ...all(
    'none',
    'replicas share no cache of prefixes',
    'InvokeEndpointInput.PrefixAwareId InvokeEndpointWithResponseStreamInput.PrefixAwareId',
  ),
};

const ec2: Readonly<Record<string, MemberEffect>> = {
  ...all('none', 'every region has all instance types', 'DescribeInstanceTypesRequest.IncludeUnsupportedInRegion'),
};

export const memberEffects: Readonly<Record<string, Readonly<Record<string, MemberEffect>>>> = {
  sagemaker,
  logs,
  'application-autoscaling': autoscaling,
  'sagemaker-metrics': {},
  'sagemaker-runtime': runtime,
  ec2,
};

/** The listed members that an input has, outermost first. */
function* listedIn(
  model: ServiceModel,
  effects: Readonly<Record<string, MemberEffect>>,
  shapeName: string,
  value: unknown,
): Generator<{ readonly member: string; readonly effect: MemberEffect }> {
  const shape = model.shapes[shapeName];
  if (shape?.type === 'list' && Array.isArray(value)) {
    for (const item of value) yield* listedIn(model, effects, shape.of, item);
  } else if (shape?.type === 'map') {
    for (const item of Object.values(value as object)) yield* listedIn(model, effects, shape.value, item);
  } else if (shape?.type === 'structure')
    for (const [member, of] of Object.entries(shape.members)) {
      const inner = (value as Readonly<Record<string, unknown>>)[member];
      if (inner === undefined || isNothing(inner)) continue;
      const effect = effects[`${shapeName}.${member}`];
      if (effect === undefined) yield* listedIn(model, effects, of, inner);
      else yield { member, effect };
    }
}

/** Clients send such values as their defaults. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === 'None' ||
  (typeof value === 'object' && Object.keys(value as object).length === 0);

/** @throws {AwsError} ValidationException for a member that is refused */
export function refuseMembers(service: string, model: ServiceModel, operation: string, input: unknown): void {
  const shape = model.operations[operation];
  const effects = memberEffects[service];
  if (shape === null || shape === undefined || effects === undefined) return;
  for (const { member, effect } of listedIn(model, effects, shape, input))
    if (effect.kind === 'refused')
      throw new AwsError('ValidationException', `${member} is not supported by this server.`);
}

/** The members of an input that change nothing. */
export function withoutEffect(
  service: string,
  model: ServiceModel,
  operation: string,
  input: unknown,
): readonly string[] {
  const shape = model.operations[operation];
  if (shape === null || shape === undefined) return [];
  const found = [...listedIn(model, memberEffects[service] ?? {}, shape, input)];
  return [...new Set(found.filter(({ effect }) => effect.kind === 'none').map(({ member }) => member))];
}
