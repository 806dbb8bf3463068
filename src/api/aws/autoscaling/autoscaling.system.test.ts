// Application Auto Scaling over its wire and with the AWS SDK for JavaScript, with real replicas. test/boto3/walk.py calls it
// with the AWS CLI and boto3.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApplicationAutoScalingClient,
  DeleteScalingPolicyCommand,
  DeregisterScalableTargetCommand,
  DescribeScalableTargetsCommand,
  DescribeScalingActivitiesCommand,
  DescribeScalingPoliciesCommand,
  ObjectNotFoundException,
  PutScalingPolicyCommand,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminKey } from '../aws-server.testing.ts';
import { errorOf, ServingTest } from '../sagemaker/endpoints.testing.ts';
import { callSigned } from '../trenio/trenio-call.testing.ts';

let serving: ServingTest;
beforeAll(async () => {
  serving = await ServingTest.start();
});
afterAll(() => serving.stop(), 60_000);

const call = (operation: string, input: object): Promise<Readonly<Record<string, unknown>>> =>
  callSigned(serving.server.url, adminKey, {
    service: 'application-autoscaling',
    method: 'POST',
    path: '/',
    headers: [['x-amz-target', `AnyScaleFrontendService.${operation}`]],
    body: JSON.stringify(input),
  }) as Promise<Readonly<Record<string, unknown>>>;

const resource = (endpoint: string, variant = 'AllTraffic') => ({
  ServiceNamespace: 'sagemaker',
  ResourceId: `endpoint/${endpoint}/variant/${variant}`,
  ScalableDimension: 'sagemaker:variant:DesiredInstanceCount',
});
const tracking = (metric: string, value: number, more: object = {}) => ({
  PolicyType: 'TargetTrackingScaling',
  TargetTrackingScalingPolicyConfiguration: {
    TargetValue: value,
    PredefinedMetricSpecification: { PredefinedMetricType: metric },
    ...more,
  },
});
const INVOCATIONS = 'SageMakerVariantInvocationsPerInstance';
const inService = { ServiceNamespace: 'sagemaker' };

/** Waits until the endpoint has this number of instances. */
async function instances(name: string, count: number): Promise<void> {
  for (;;) {
    const [variant] = (await serving.settled(name, 'InService')).ProductionVariants!;
    if (variant!.CurrentInstanceCount === count && variant!.DesiredInstanceCount === count) return;
    await sleep(50);
  }
}

test('a registered variant follows its limits and policies', async () => {
  await serving.deploy('busy');
  const of = resource('busy');
  const { ScalableTargetARN } = await call('RegisterScalableTarget', { ...of, MinCapacity: 2, MaxCapacity: 3 });
  await instances('busy', 2);
  // 3 invocations in a minute, one for each instance.
  await call('PutScalingPolicy', { ...of, PolicyName: 'track', ...tracking(INVOCATIONS, 1) });
  for (let i = 0; i < 5; i++) await serving.text('busy');
  serving.server.service.serving.scaleNow();
  await instances('busy', 3);
  const activities = (await call('DescribeScalingActivities', { ...inService, ResourceId: of.ResourceId }))
    .ScalingActivities as readonly { readonly Description: string }[];
  expect(activities.map(one => one.Description)).toEqual([
    'Setting desired instance count to 3.',
    'Setting desired instance count to 2.',
  ]);
  expect(await call('DescribeScalableTargets', { ...inService, ResourceIds: [of.ResourceId] })).toMatchObject({
    ScalableTargets: [{ ...of, MinCapacity: 2, MaxCapacity: 3, ScalableTargetARN }],
  });
  expect(await call('DescribeScalingPolicies', { ...inService, PolicyNames: ['track'] })).toMatchObject({
    ScalingPolicies: [{ ...of, PolicyName: 'track', PolicyARN: expect.stringMatching(/:policyName\/track$/) }],
  });
  // Registering again changes what is given, and suspended scaling leaves the number of instances.
  const SuspendedState = { DynamicScalingInSuspended: true };
  await call('RegisterScalableTarget', { ...of, MaxCapacity: 1, MinCapacity: 1, SuspendedState });
  await instances('busy', 3);
  await call('RegisterScalableTarget', { ...of, SuspendedState: { DynamicScalingInSuspended: false } });
  await instances('busy', 1);
  await call('DeregisterScalableTarget', of);
  expect(await call('DescribeScalingPolicies', inService)).toMatchObject({ ScalingPolicies: [] });
  // The target goes with its endpoint.
  await call('RegisterScalableTarget', { ...of, MinCapacity: 1, MaxCapacity: 1 });
  await serving.delete('busy');
  expect(await call('DescribeScalableTargets', inService)).toMatchObject({ ScalableTargets: [] });
});

test('rejects invalid requests', async () => {
  await serving.deploy('calm');
  const of = resource('calm');
  const refused = (operation: string, input: object): Promise<string> => errorOf(call(operation, input));
  expect(await refused('RegisterScalableTarget', { ...of, MinCapacity: 2, MaxCapacity: 1 })).toBe(
    'Error: ValidationException: Minimum capacity cannot be negative or greater than maximum capacity',
  );
  expect(await refused('RegisterScalableTarget', of)).toContain('MinCapacity and MaxCapacity are required');
  for (const bad of [resource('none'), resource('calm', 'none'), { ...of, ResourceId: 'endpoint/../variant/x' }])
    expect(await refused('RegisterScalableTarget', { ...bad, MinCapacity: 1, MaxCapacity: 1 })).toContain(
      'ValidationException: No variant of an endpoint in service found for service namespace: sagemaker, resource ID:',
    );
  expect(await refused('RegisterScalableTarget', { ...of, ResourceId: 'calm' })).toContain('must have the form');
  expect(await refused('RegisterScalableTarget', { ...of, ServiceNamespace: 'ecs' })).toContain('only sagemaker');
  expect(await refused('RegisterScalableTarget', { ...of, ServiceNamespace: 'mars' })).toContain('enum value set');
  expect(await refused('PutScalingPolicy', { ...of, PolicyName: 'p', ...tracking(INVOCATIONS, 1) })).toBe(
    `Error: ObjectNotFoundException: No scalable target found for service namespace: sagemaker, resource ID: ${of.ResourceId}, scalable dimension: ${of.ScalableDimension}`,
  );
  await call('RegisterScalableTarget', { ...of, MinCapacity: 1, MaxCapacity: 1 });
  expect(await refused('PutScalingPolicy', { ...of, PolicyName: 'p', ...tracking(INVOCATIONS, 0) })).toContain(
    'TargetValue must be greater than 0',
  );
  expect(
    await refused('PutScalingPolicy', { ...of, PolicyName: 'p', ...tracking('ECSServiceAverageCPUUtilization', 1) }),
  ).toContain(`must be one of ${INVOCATIONS}`);
  expect(await refused('PutScalingPolicy', { ...of, PolicyName: 'p', PolicyType: 'StepScaling' })).toContain(
    'no alarms',
  );
  await call('PutScalingPolicy', { ...of, PolicyName: 'p', ...tracking(INVOCATIONS, 5) });
  expect(await refused('PutScalingPolicy', { ...of, PolicyName: 'q', ...tracking(INVOCATIONS, 5) })).toContain(
    'Only one target tracking scaling policy for a given metric',
  );
  expect(await refused('DeleteScalingPolicy', { ...of, PolicyName: 'q' })).toContain('No scaling policy found for');
  expect(await refused('DescribeScalableTargets', { ...inService, NextToken: 'x' })).toContain(
    'InvalidNextTokenException',
  );
  expect(await refused('PutScheduledAction', of)).toContain('UnknownOperationException');
  await serving.delete('calm');
});

test('every operation with the AWS SDK for JavaScript', async () => {
  await serving.deploy('sdk');
  const client = new ApplicationAutoScalingClient({
    endpoint: serving.server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
  });
  const of = {
    ServiceNamespace: 'sagemaker',
    ResourceId: 'endpoint/sdk/variant/AllTraffic',
    ScalableDimension: 'sagemaker:variant:DesiredInstanceCount',
  } as const;
  const { ServiceNamespace } = of;
  await client.send(new RegisterScalableTargetCommand({ ...of, MinCapacity: 1, MaxCapacity: 2 }));
  const [target] = (await client.send(new DescribeScalableTargetsCommand({ ServiceNamespace }))).ScalableTargets!;
  expect(target).toMatchObject({ ...of, MinCapacity: 1, MaxCapacity: 2, CreationTime: expect.any(Date) });
  const policy = { ...of, PolicyName: 'track' };
  const put = await client.send(
    new PutScalingPolicyCommand({
      ...policy,
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 70,
        PredefinedMetricSpecification: { PredefinedMetricType: INVOCATIONS },
        ScaleInCooldown: 30,
      },
    }),
  );
  const described = await client.send(new DescribeScalingPoliciesCommand({ ServiceNamespace }));
  expect(described.ScalingPolicies).toMatchObject([{ ...policy, PolicyARN: put.PolicyARN }]);
  const { ScalingActivities } = await client.send(new DescribeScalingActivitiesCommand(of));
  expect(ScalingActivities).toEqual([]);
  await client.send(new DeleteScalingPolicyCommand(policy));
  await expect(client.send(new DeleteScalingPolicyCommand(policy))).rejects.toBeInstanceOf(ObjectNotFoundException);
  await client.send(new DeregisterScalableTargetCommand(of));
  client.destroy();
  await serving.delete('sdk');
});
