// Application Auto Scaling for variants of endpoints: scalable targets and target tracking policies. Other namespaces, scheduled
// actions, and step scaling, which needs alarms, are not supported.
// https://docs.aws.amazon.com/autoscaling/application/APIReference/Welcome.html
import { createHash, randomUUID } from 'node:crypto';
import type { EndpointStore } from '../../../serving/fleet/endpoint-store.ts';
import { deregister, policiesOf, policyKey } from '../../../serving/fleet/scaling-policies.ts';
import type { ScalableTarget, ScalingMetric, ScalingPolicy } from '../../../serving/fleet/scaling-resources.ts';
import { AwsError } from '../aws-error.ts';
import { applicationAutoscaling } from '../models/application-autoscaling.ts';
import type { InputOf } from '../models/service-model.ts';
import { fromPageToken, toPageToken } from '../page-token.ts';
import { JsonService } from '../protocols/json-service.ts';

type Model = typeof applicationAutoscaling;

export interface AutoscalingOptions {
  readonly store: EndpointStore;
  /** Called after a change, to apply it. */
  readonly onChange: () => void;
  readonly account: string;
  readonly region: string;
  readonly now: () => number;
}

const NAMESPACE = 'sagemaker';
const DIMENSION = 'sagemaker:variant:DesiredInstanceCount';
const RESOURCE = /^endpoint\/([^/]+)\/variant\/([^/]+)$/;
const DEFAULT_COOLDOWN_SECONDS = 300;
const MAX_LISTED = 50;
const METRICS: Readonly<Record<string, ScalingMetric>> = {
  SageMakerVariantInvocationsPerInstance: 'invocations',
  SageMakerVariantConcurrentRequestsPerModelHighResolution: 'concurrency',
};

export function autoscalingService(options: AutoscalingOptions): JsonService<Model> {
  const { store, onChange, account, region, now } = options;
  const arnOf = ({ name }: ScalableTarget): string =>
    `arn:aws:application-autoscaling:${region}:${account}:scalable-target/0sm${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  const policyArn = ({ id, target, policyName }: ScalingPolicy): string =>
    `arn:aws:autoscaling:${region}:${account}:scalingPolicy:${id}:resource/${NAMESPACE}/${target}:policyName/${policyName}`;
  const targetOf = (input: Resource): ScalableTarget => {
    checkResource(input);
    const target = store.scalableTargets.get(input.ResourceId);
    if (target === undefined) throw notFound(`No scalable target found for ${described(input)}`);
    return target;
  };
  return new JsonService({
    name: 'application-autoscaling',
    account,
    model: applicationAutoscaling,
    operations: {
      RegisterScalableTarget: input => {
        const target = register(options, input);
        onChange();
        return { ScalableTargetARN: arnOf(target) };
      },
      DeregisterScalableTarget: input => {
        deregister(store, targetOf(input).name);
        return {};
      },
      DescribeScalableTargets: input => {
        const { ResourceIds: ids, ScalableDimension: dimension } = input;
        const found = isOurs(input.ServiceNamespace, dimension) ? store.scalableTargets.all() : [];
        const { page, NextToken } = pageOf(
          found.filter(one => ids === undefined || ids.includes(one.name)),
          input,
        );
        return {
          ScalableTargets: page.map(one => ({
            ...resourceOf(one.name),
            MinCapacity: one.min,
            MaxCapacity: one.max,
            RoleARN: `arn:aws:iam::${account}:role/aws-service-role/sagemaker.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_SageMakerEndpoint`,
            CreationTime: one.createdMs / 1000,
            SuspendedState: {
              DynamicScalingInSuspended: one.suspended.in,
              DynamicScalingOutSuspended: one.suspended.out,
              ScheduledScalingSuspended: one.suspended.scheduled,
            },
            ScalableTargetARN: arnOf(one),
          })),
          NextToken,
        };
      },
      PutScalingPolicy: input => {
        const policy = putPolicy(store, targetOf(input).name, input, now());
        onChange();
        return { PolicyARN: policyArn(policy), Alarms: [] };
      },
      DeleteScalingPolicy: input => {
        const { name } = targetOf(input);
        const key = policyKey(name, input.PolicyName);
        if (store.scalingPolicies.get(key) === undefined)
          throw notFound(`No scaling policy found for ${described(input)}, policy name: ${input.PolicyName}`);
        store.scalingPolicies.remove(key);
        return {};
      },
      DescribeScalingPolicies: input => {
        const { PolicyNames: names, ResourceId: id } = input;
        const all = isOurs(input.ServiceNamespace, input.ScalableDimension) ? store.scalingPolicies.all() : [];
        const { page, NextToken } = pageOf(
          all.filter(
            one => (names === undefined || names.includes(one.policyName)) && (id === undefined || id === one.target),
          ),
          input,
        );
        return {
          ScalingPolicies: page.map(one => ({
            PolicyARN: policyArn(one),
            PolicyName: one.policyName,
            ...resourceOf(one.target),
            PolicyType: 'TargetTrackingScaling',
            TargetTrackingScalingPolicyConfiguration: one.configuration,
            Alarms: [],
            CreationTime: one.createdMs / 1000,
          })),
          NextToken,
        };
      },
      DescribeScalingActivities: input => {
        const { ResourceId: id } = input;
        const all = isOurs(input.ServiceNamespace, input.ScalableDimension) ? store.scalingActivities.all() : [];
        const { page, NextToken } = pageOf(
          all.filter(one => id === undefined || id === one.target).toReversed(),
          input,
        );
        return {
          ScalingActivities: page.map(one => ({
            ActivityId: one.name,
            ...resourceOf(one.target),
            Description: one.description,
            Cause: one.cause,
            StartTime: one.createdMs / 1000,
            EndTime: one.createdMs / 1000,
            StatusCode: 'Successful',
            StatusMessage: `Successfully set desired instance count. Change successfully fulfilled by ${NAMESPACE}.`,
          })),
          NextToken,
        };
      },
    },
  });
}

interface Resource {
  readonly ServiceNamespace: string;
  readonly ResourceId: string;
  readonly ScalableDimension: string;
}

const resourceOf = (target: string) => ({
  ServiceNamespace: NAMESPACE,
  ResourceId: target,
  ScalableDimension: DIMENSION,
});

const isOurs = (namespace: string, dimension: string | undefined): boolean =>
  namespace === NAMESPACE && (dimension === undefined || dimension === DIMENSION);

const described = ({ ServiceNamespace: namespace, ResourceId: id, ScalableDimension: dimension }: Resource): string =>
  `service namespace: ${namespace}, resource ID: ${id}, scalable dimension: ${dimension}`;

/** @throws {AwsError} ValidationException */
function checkResource(resource: Resource): RegExpExecArray {
  if (!isOurs(resource.ServiceNamespace, resource.ScalableDimension))
    throw invalid(`This server scales only ${NAMESPACE} resources with the dimension ${DIMENSION}.`);
  const match = RESOURCE.exec(resource.ResourceId);
  if (match === null)
    throw invalid(`ResourceId must have the form endpoint/NAME/variant/NAME, got '${resource.ResourceId}'.`);
  return match;
}

function register({ store, now }: AutoscalingOptions, input: InputOf<Model, 'RegisterScalableTarget'>): ScalableTarget {
  const [, endpoint = '', variant = ''] = checkResource(input);
  const fleet = store.endpoints.get(endpoint)?.fleet;
  const spec = fleet?.variants.find(({ name }) => name === variant);
  if (spec === undefined) throw invalid(`No variant of an endpoint in service found for ${described(input)}`);
  if (spec.serverless !== undefined || spec.scaling !== undefined)
    throw invalid(`The variant ${variant} scales already: it is serverless or has ManagedInstanceScaling.`);
  const before = store.scalableTargets.get(input.ResourceId);
  const [min, max] = [input.MinCapacity ?? before?.min, input.MaxCapacity ?? before?.max];
  if (min === undefined || max === undefined)
    throw invalid('MinCapacity and MaxCapacity are required to register a new scalable target.');
  if (min < 0 || min > max) throw invalid('Minimum capacity cannot be negative or greater than maximum capacity');
  const { SuspendedState: suspended } = input;
  const target: ScalableTarget = {
    name: input.ResourceId,
    endpoint,
    variant,
    min,
    max,
    suspended: {
      in: suspended?.DynamicScalingInSuspended ?? before?.suspended.in ?? false,
      out: suspended?.DynamicScalingOutSuspended ?? before?.suspended.out ?? false,
      scheduled: suspended?.ScheduledScalingSuspended ?? before?.suspended.scheduled ?? false,
    },
    createdMs: before?.createdMs ?? now(),
    modifiedMs: now(),
  };
  if (!store.scalableTargets.add(target)) store.scalableTargets.update(target.name, () => target);
  return target;
}

function putPolicy(
  store: EndpointStore,
  target: string,
  input: InputOf<Model, 'PutScalingPolicy'>,
  nowMs: number,
): ScalingPolicy {
  const { PolicyName: policyName, TargetTrackingScalingPolicyConfiguration: configuration } = input;
  if ((input.PolicyType ?? 'TargetTrackingScaling') !== 'TargetTrackingScaling' || configuration === undefined)
    throw invalid(
      'This server has policies of the type TargetTrackingScaling, with a TargetTrackingScalingPolicyConfiguration: it has no alarms.',
    );
  const metricName = configuration.PredefinedMetricSpecification?.PredefinedMetricType;
  const metric = metricName === undefined ? undefined : METRICS[metricName];
  if (metric === undefined)
    throw invalid(
      `PredefinedMetricType must be one of ${Object.keys(METRICS).join(', ')}, got '${metricName ?? 'none'}'; CustomizedMetricSpecification is not supported by this server.`,
    );
  const { TargetValue: value, ScaleInCooldown: cooldown = DEFAULT_COOLDOWN_SECONDS } = configuration;
  if (!(value > 0)) throw invalid(`TargetValue must be greater than 0, got ${value}.`);
  if (cooldown < 0 || (configuration.ScaleOutCooldown ?? 0) < 0) throw invalid('Cooldowns must not be negative.');
  const name = policyKey(target, policyName);
  const before = store.scalingPolicies.get(name);
  const other = policiesOf(store, target).find(one => one.metric === metric && one.name !== name);
  if (other !== undefined)
    throw invalid(
      `Only one target tracking scaling policy for a given metric specification is allowed: ${other.policyName}`,
    );
  const policy: ScalingPolicy = {
    name,
    target,
    policyName,
    id: before?.id ?? randomUUID(),
    metric,
    value,
    scaleInAfterMs: cooldown * 1000,
    canScaleIn: configuration.DisableScaleIn !== true,
    configuration,
    createdMs: before?.createdMs ?? nowMs,
    modifiedMs: nowMs,
  };
  if (!store.scalingPolicies.add(policy)) store.scalingPolicies.update(name, () => policy);
  return policy;
}

function pageOf<T>(
  all: readonly T[],
  {
    MaxResults: limit = MAX_LISTED,
    NextToken: token,
  }: { readonly MaxResults?: number | undefined; readonly NextToken?: string | undefined },
): { readonly page: readonly T[]; readonly NextToken: string | undefined } {
  const offset = fromPageToken(token, 'InvalidNextTokenException');
  const end = offset + Math.min(Math.max(1, limit), MAX_LISTED);
  return { page: all.slice(offset, end), NextToken: end < all.length ? toPageToken(end) : undefined };
}

const invalid = (message: string): AwsError => new AwsError('ValidationException', message);
const notFound = (message: string): AwsError => new AwsError('ObjectNotFoundException', message);
