// The operations on endpoints, which the endpoint manager carries out.
import { randomBytes } from 'node:crypto';
import type { InstancePool } from '../../../jobs/instance-pool.ts';
import type { ResourceTable, TableRow } from '../../../jobs/store/resource-table.ts';
import { InProgressError } from '../../../serving/fleet/endpoint-changes.ts';
import type { EndpointManager, VariantChange } from '../../../serving/fleet/endpoint-manager.ts';
import type {
  EndpointConfig,
  Fleet,
  FleetVariant,
  ServingEndpoint,
  Variant,
} from '../../../serving/fleet/resources.ts';
import { AwsError } from '../aws-error.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { Operations } from '../protocols/json-service.ts';
import { describeEndpoint } from './endpoint-reply.ts';
import { listPage } from './listing.ts';
import type { ModelOptions } from './models.ts';
import { alreadyThere, couldNotFind, inProgress, invalid } from './serving-errors.ts';
import { readTags, type TaggedResource, type Tags } from './tags.ts';
import { trafficPlan } from './traffic-plan.ts';

type Service = typeof sagemaker;

export interface EndpointOptions extends ModelOptions {
  readonly manager: EndpointManager;
  readonly pool: InstancePool;
}

export function endpointOperations(options: EndpointOptions) {
  const { endpoints: store, arn, manager } = options;
  const endpointOf = (name: string): ServingEndpoint => {
    const endpoint = store.endpoints.get(name);
    if (endpoint === undefined) throw couldNotFind('endpoint', arn('endpoint', name));
    return endpoint;
  };
  const configOf = (name: string): EndpointConfig => {
    const config = store.configs.get(name);
    if (config === undefined) throw couldNotFind('endpoint configuration', arn('endpoint-config', name));
    return config;
  };
  return {
    CreateEndpoint: input => {
      const { EndpointName: name, Tags, ...request } = input;
      const fleet = fleetOf(options, configOf(input.EndpointConfigName));
      if (store.endpoints.get(name) !== undefined) throw alreadyThere('endpoint', arn('endpoint', name));
      checkLimits(options, fleet, undefined);
      // An impossible plan is rejected now, not at the first update.
      trafficPlan(input.DeploymentConfig, fleet);
      const endpoint = {
        name,
        arn: arn('endpoint', name),
        tags: readTags(Tags),
        request,
        deploymentConfig: input.DeploymentConfig,
      };
      if (!manager.create(endpoint, fleet)) throw alreadyThere('endpoint', endpoint.arn);
      return { EndpointArn: endpoint.arn };
    },
    DescribeEndpoint: ({ EndpointName: name }) => describeEndpoint(endpointOf(name), store),
    ListEndpoints: input => {
      const { rows, NextToken } = listPage(input, query => store.endpoints.list(query));
      return {
        Endpoints: rows.map(one => ({
          EndpointName: one.name,
          EndpointArn: one.arn,
          CreationTime: one.createdMs / 1000,
          LastModifiedTime: one.modifiedMs / 1000,
          EndpointStatus: one.status,
        })),
        NextToken,
      };
    },
    UpdateEndpoint: input => {
      const endpoint = endpointOf(input.EndpointName);
      const config = configOf(input.EndpointConfigName);
      return whenIdle(endpoint, () => {
        const excluded = (input.ExcludeRetainedVariantProperties ?? []).map(one => one.VariantPropertyType);
        const isKept = (property: (typeof excluded)[number]): boolean =>
          input.RetainAllVariantProperties === true && !excluded.includes(property);
        const fleet = retained(fleetOf(options, config), endpoint.fleet, isKept);
        const deploymentConfig =
          input.RetainDeploymentConfig === true ? endpoint.deploymentConfig : input.DeploymentConfig;
        const plan = trafficPlan(deploymentConfig as typeof input.DeploymentConfig, fleet);
        checkLimits(options, fleet, endpoint);
        manager.update(endpoint.name, fleet, plan, deploymentConfig);
        return { EndpointArn: endpoint.arn };
      });
    },
    UpdateEndpointWeightsAndCapacities: input => {
      const endpoint = endpointOf(input.EndpointName);
      return whenIdle(endpoint, () => {
        const { fleet } = endpoint;
        if (fleet === undefined) throw invalid(`The endpoint "${endpoint.arn}" has no variants that run.`);
        const changes = new Map<string, VariantChange>();
        for (const change of input.DesiredWeightsAndCapacities) {
          const variant = fleet.variants.find(({ name }) => name === change.VariantName);
          if (variant === undefined)
            throw invalid(`The variant '${change.VariantName}' does not exist in the endpoint "${endpoint.arn}".`);
          if (change.ServerlessUpdateConfig !== undefined)
            throw invalid('ServerlessUpdateConfig is not supported by this server; use UpdateEndpoint.');
          if (change.DesiredInstanceCount === 0 && variant.scaling?.min !== 0)
            throw invalid(
              `DesiredInstanceCount of the variant '${variant.name}' must be at least 1: its MinInstanceCount is not 0.`,
            );
          changes.set(variant.name, { weight: change.DesiredWeight, count: change.DesiredInstanceCount });
        }
        checkLimits(options, resized(fleet, changes), endpoint);
        manager.resize(endpoint.name, changes);
        return { EndpointArn: endpoint.arn };
      });
    },
    DeleteEndpoint: ({ EndpointName: name }) => {
      const endpoint = endpointOf(name);
      whenIdle(endpoint, () => manager.remove(endpoint.name));
      return undefined;
    },
  } satisfies Partial<Operations<Service>>;
}

/** The tags of models, configurations and endpoints. */
export const servingTags = ({
  endpoints,
}: Pick<ModelOptions, 'endpoints'>): Readonly<Record<string, TaggedResource>> => ({
  model: taggedRows(endpoints.models),
  'endpoint-config': taggedRows(endpoints.configs),
  endpoint: taggedRows(endpoints.endpoints),
});

export const taggedRows = <T extends TableRow & { readonly tags: Tags }>(table: ResourceTable<T>): TaggedResource => ({
  read: name => table.find(name)?.tags,
  change: (name, change) => {
    const found = table.find(name);
    if (found !== undefined) table.update(found.name, row => ({ ...row, tags: change(row.tags) }));
  },
});

function whenIdle<T>({ arn }: ServingEndpoint, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof InProgressError) throw inProgress(arn);
    throw error;
  }
}

/** The replicas of a configuration, with copies of its models. @throws {AwsError} ValidationException */
function fleetOf({ endpoints, arn }: EndpointOptions, config: EndpointConfig): Fleet {
  const variantOf = (variant: Variant, isShadow: boolean): FleetVariant => {
    const model = endpoints.models.get(variant.modelName);
    if (model === undefined) throw couldNotFind('model', arn('model', variant.modelName));
    return {
      ...variant,
      isShadow,
      container: model.container,
      desiredCount: variant.initialCount,
      currentWeight: variant.weight,
    };
  };
  return {
    id: randomBytes(8).toString('hex'),
    configName: config.name,
    variants: [
      ...config.variants.map(variant => variantOf(variant, false)),
      ...config.shadows.map(variant => variantOf(variant, true)),
    ],
    capture: config.capture,
    asyncInference: config.asyncInference,
  };
}

/** Weights, sizes and data capture of the running fleet, for an update that retains them. */
function retained(
  fleet: Fleet,
  old: Fleet | undefined,
  isKept: (property: 'DesiredInstanceCount' | 'DesiredWeight' | 'DataCaptureConfig') => boolean,
): Fleet {
  return {
    ...fleet,
    capture: old !== undefined && isKept('DataCaptureConfig') ? old.capture : fleet.capture,
    variants: fleet.variants.map(variant => {
      const before = old?.variants.find(({ name }) => name === variant.name);
      if (before === undefined) return variant;
      return {
        ...variant,
        currentWeight: isKept('DesiredWeight') ? before.currentWeight : variant.currentWeight,
        desiredCount: isKept('DesiredInstanceCount') ? before.desiredCount : variant.desiredCount,
      };
    }),
  };
}

const resized = (fleet: Fleet, changes: ReadonlyMap<string, VariantChange>): Fleet => ({
  ...fleet,
  variants: fleet.variants.map(one => ({ ...one, desiredCount: changes.get(one.name)?.count ?? one.desiredCount })),
});

/** @throws {AwsError} ResourceLimitExceeded if all endpoints together need more instances than there are */
function checkLimits({ endpoints, pool }: EndpointOptions, fleet: Fleet, replaced: ServingEndpoint | undefined): void {
  const count = (variants: readonly FleetVariant[], type: string): number =>
    variants.filter(({ instanceType }) => instanceType === type).reduce((sum, one) => sum + one.desiredCount, 0);
  const others = endpoints.endpoints.all().filter(({ name }) => name !== replaced?.name);
  const taken = others.flatMap(({ fleet: one, update }) => [
    ...(one?.variants ?? []),
    ...(update?.fleet.variants ?? []),
  ]);
  for (const type of new Set(fleet.variants.map(({ instanceType }) => instanceType))) {
    if (type === 'ml.serverless') continue;
    const [used, wanted, limit] = [count(taken, type), count(fleet.variants, type), pool.limitOf(type)];
    if (used + wanted > limit)
      throw new AwsError(
        'ResourceLimitExceeded',
        `The account-level service limit '${type} for endpoint usage' is ${limit} Instances, with current utilization of ${used} Instances and a request delta of ${wanted} Instances. Please contact AWS support to request an increase for this limit.`,
      );
  }
}
