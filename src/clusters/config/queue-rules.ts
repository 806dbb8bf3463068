// Rules about queues, their compute resources and Slurm's settings.
import { nearestName } from '../../base/nearest.ts';
import { findInstance, instances } from '../../hardware/index.ts';
import { architectureOf, hostNames } from '../../hardware/instances/hosts.ts';
import { booleanOf, numberOf } from './check-schema.ts';
import {
  type CapacityReservationSection,
  type ComputeResourceSection,
  defaultCounts,
  type QueueSection,
  type SlurmLines,
} from './cluster-file.ts';
import { type Finding, type Rule, repeated } from './rule.ts';

const NAME = /^[a-z][a-z0-9-]*$/;
const MAX_NAME = 25;
const MAX_QUEUES = 50;
const MAX_RESOURCES = 50;

/** Lines of slurm.conf that are written for the cluster. */
const denied = {
  slurm: new Set(
    `epilog grestypes launchparameters prolog reconfigflags resumefailprogram resumeprogram resumetimeout slurmctldhost
    slurmctldlogfile slurmctldparameters slurmdlogfile slurmuser suspendexcnodes suspendprogram suspendtime taskplugin
    treewidth`.split(/\s+/),
  ),
  accounting: new Set(
    'accountingstoragetype accountingstoragehost accountingstorageport accountingstorageuser jobacctgathertype'.split(
      ' ',
    ),
  ),
  queue: new Set('nodes partitionname resumetimeout state suspendtime oversubscribe'.split(' ')),
  resource: new Set('cpus features gres nodeaddr nodehostname nodename state weight'.split(' ')),
};

export interface PlacedQueue {
  readonly queue: QueueSection;
  readonly path: string;
}
interface PlacedResource extends PlacedQueue {
  readonly resource: ComputeResourceSection;
  readonly path: string;
}

const queuesOf = (queues: readonly QueueSection[] = []): readonly PlacedQueue[] =>
  queues.map((queue, i) => ({ queue, path: `Scheduling.SlurmQueues[${i}]` }));
const resourcesOf = (queues: readonly QueueSection[] | undefined): readonly PlacedResource[] =>
  queuesOf(queues).flatMap(({ queue, path }) =>
    (queue.ComputeResources ?? []).map((resource, i) => ({ queue, resource, path: `${path}.ComputeResources[${i}]` })),
  );

/** The minimum and maximum number of nodes of a compute resource. */
export const countsOf = ({
  MinCount,
  MaxCount,
}: ComputeResourceSection): { readonly min: number; readonly max: number } => ({
  min: MinCount === undefined ? defaultCounts.min : numberOf(MinCount),
  max: MaxCount === undefined ? defaultCounts.max : numberOf(MaxCount),
});

/** The instance types of a compute resource. */
export const instanceTypesOf = ({ InstanceType, Instances }: ComputeResourceSection): readonly string[] =>
  Instances?.map(one => one.InstanceType) ?? (InstanceType === undefined ? [] : [InstanceType]);

/** The reservation of the nodes of a compute resource. */
export const targetOf = (
  queue: QueueSection,
  resource: ComputeResourceSection,
): CapacityReservationSection | undefined => resource.CapacityReservationTarget ?? queue.CapacityReservationTarget;

function* nameFindings(name: string, path: string): Generator<Finding> {
  if (!NAME.test(name))
    yield { path, message: `is ${name}, expected a letter and then lower-case letters, digits and hyphens` };
  if (name.length > MAX_NAME) yield { path, message: `is ${name}, expected at most ${MAX_NAME} characters` };
  if (name === 'default') yield { path, message: 'is default, which Slurm reserves: choose another name' };
}

function* deniedFindings(lines: SlurmLines, names: ReadonlySet<string>, path: string): Generator<Finding> {
  for (const key of Object.keys(lines))
    if (names.has(key.toLowerCase()))
      yield { path: `${path}.${key}`, message: 'is set by the cluster itself and cannot be changed' };
}

export const queueRules: readonly Rule[] = [
  {
    type: 'SchedulerValidator',
    *check({ Scheduling: { Scheduler: scheduler } }) {
      if (scheduler === 'awsbatch')
        yield { path: 'Scheduling.Scheduler', message: 'is awsbatch, which runs at AWS only: use slurm' };
    },
  },
  {
    type: 'ConfigSchemaValidator',
    *check({ Scheduling: scheduling }) {
      const { Scheduler, SlurmQueues, AwsBatchQueues, SlurmSettings, AwsBatchSettings } = scheduling;
      const isSlurm = Scheduler === 'slurm';
      const [own, foreign] = isSlurm ? ['SlurmQueues', 'AwsBatchQueues'] : ['AwsBatchQueues', 'SlurmQueues'];
      const [ownQueues, foreignQueues] = isSlurm ? [SlurmQueues, AwsBatchQueues] : [AwsBatchQueues, SlurmQueues];
      if (ownQueues === undefined || ownQueues.length === 0)
        yield { path: `Scheduling.${own}`, message: 'is missing or empty: a cluster needs a queue' };
      for (const [i, queue] of (AwsBatchQueues ?? []).entries())
        if (queue.ComputeResources === undefined)
          yield { path: `Scheduling.AwsBatchQueues[${i}].ComputeResources`, message: 'is missing' };
      if (foreignQueues !== undefined)
        yield { path: `Scheduling.${foreign}`, message: `does not belong to the scheduler ${Scheduler}` };
      if ((isSlurm ? AwsBatchSettings : SlurmSettings) !== undefined)
        yield {
          path: `Scheduling.${isSlurm ? 'AwsBatchSettings' : 'SlurmSettings'}`,
          message: `does not belong to the scheduler ${Scheduler}`,
        };
    },
  },
  {
    type: 'ConfigSchemaValidator',
    *check({
      Scheduling: { Scheduler: scheduler },
      HeadNode: head,
      AdditionalPackages: packages,
      DirectoryService: directory,
    }) {
      if (scheduler !== 'awsbatch') return;
      const given = {
        'AdditionalPackages.IntelSoftware': booleanOf(packages?.IntelSoftware?.IntelHpcPlatform) || undefined,
        DirectoryService: directory,
        'HeadNode.CustomActions.OnNodeUpdated': head.CustomActions?.OnNodeUpdated,
      };
      for (const [path, value] of Object.entries(given))
        if (value !== undefined && value !== null) yield { path, message: 'does not belong to the scheduler awsbatch' };
    },
  },
  {
    type: 'NameValidator',
    *check({ Scheduling: { SlurmQueues: queues } }) {
      for (const { queue, path } of queuesOf(queues)) yield* nameFindings(queue.Name, `${path}.Name`);
      for (const { resource, path } of resourcesOf(queues)) yield* nameFindings(resource.Name, `${path}.Name`);
    },
  },
  {
    type: 'DuplicateNameValidator',
    *check({ Scheduling: { SlurmQueues: queues = [] } }) {
      for (const name of repeated(queues.map(({ Name }) => Name)))
        yield { path: 'Scheduling.SlurmQueues', message: `has the queue ${name} more than once` };
      for (const { queue, path } of queuesOf(queues))
        for (const name of repeated((queue.ComputeResources ?? []).map(({ Name }) => Name)))
          yield { path: `${path}.ComputeResources`, message: `has the compute resource ${name} more than once` };
    },
  },
  {
    type: 'MaxCountValidator',
    *check({ Scheduling: { SlurmQueues: queues = [] } }) {
      if (queues.length > MAX_QUEUES)
        yield {
          path: 'Scheduling.SlurmQueues',
          message: `has ${queues.length} queues, expected at most ${MAX_QUEUES}`,
        };
      const count = resourcesOf(queues).length;
      if (count > MAX_RESOURCES)
        yield {
          path: 'Scheduling.SlurmQueues',
          message: `has ${count} compute resources in all, expected at most ${MAX_RESOURCES}`,
        };
    },
  },
  {
    type: 'ComputeResourceSizeValidator',
    *check({ Scheduling: { SlurmQueues: queues } }) {
      for (const { queue, resource, path } of resourcesOf(queues)) {
        const { min, max } = countsOf(resource);
        if (max < min) yield { path, message: `has MaxCount ${max} below MinCount ${min}` };
        if (queue.CapacityType !== 'CAPACITY_BLOCK') continue;
        if (max !== min)
          yield {
            path,
            message: `has MinCount ${min} and MaxCount ${max}; nodes of a capacity block are all static: set both to one number`,
          };
        if (min === 0) yield { path, message: 'has MinCount 0; a capacity block has at least 1' };
      }
    },
  },
  {
    type: 'CapacityTypeValidator',
    *check({ Scheduling: { SlurmQueues: queues } }) {
      for (const { queue, resource, path } of resourcesOf(queues))
        if (queue.CapacityType === 'CAPACITY_BLOCK' && targetOf(queue, resource)?.CapacityReservationId === undefined)
          yield {
            path,
            message:
              'needs CapacityReservationTarget with the CapacityReservationId of a block: its queue is CAPACITY_BLOCK',
          };
    },
  },
  {
    type: 'InstanceTypeValidator',
    *check({ HeadNode: head, Scheduling: { SlurmQueues: queues } }) {
      const known = [...new Set([...instances.map(({ name }) => name), ...hostNames()])];
      const types = resourcesOf(queues).map(({ resource, path }) => ({
        path,
        type: instanceTypesOf(resource)[0] ?? '',
      }));
      for (const { path, type } of [...types, { path: 'HeadNode', type: head.InstanceType }]) {
        if (type === '' || known.includes(type)) continue;
        const meant = nearestName(type, known);
        const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
        const is = { path: `${path}.InstanceType`, message: `is ${type}, ` };
        if (!/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/.test(type))
          yield { ...is, message: `${is.message}expected a family, a dot and a size, such as trn1.32xlarge${hint}` };
        // Only a warning: EC2 may have more instance types than the table. The head node is this machine.
        else if (path !== 'HeadNode')
          yield {
            ...is,
            level: 'WARNING',
            message: `${is.message}which is not in the catalog: its nodes get few CPUs and no accelerators${hint}`,
          };
      }
    },
  },
  {
    type: 'InstanceArchitectureCompatibilityValidator',
    *check({ HeadNode: head, Scheduling: { SlurmQueues: queues } }) {
      const wanted = architectureOf(head.InstanceType);
      for (const { resource, path } of resourcesOf(queues))
        for (const type of instanceTypesOf(resource))
          if (architectureOf(type) !== wanted)
            yield {
              path: `${path}.InstanceType`,
              message: `is ${type}, with ${architectureOf(type)} processors, and the head node (${head.InstanceType}) has ${wanted}: use one architecture`,
            };
    },
  },
  {
    type: 'ConfigSchemaValidator',
    *check({ Scheduling: { SlurmQueues: queues } }) {
      for (const { resource, path } of resourcesOf(queues)) {
        const types = instanceTypesOf(resource);
        if (!types.some(type => type !== '') && !resource.CapacityReservationTarget?.CapacityReservationId)
          yield { path, message: 'has no instance type: set InstanceType, Instances, or a CapacityReservationId' };
        for (const type of repeated(types))
          yield { path: `${path}.Instances`, message: `has the instance type ${type} more than once` };
      }
    },
  },
  {
    type: 'EfaValidator',
    *check({ Scheduling: { SlurmQueues: queues } }) {
      for (const { queue, resource, path } of resourcesOf(queues)) {
        const { Efa: efa } = resource;
        const isEnabled = booleanOf(efa?.Enabled) === true;
        if (booleanOf(efa?.GdrSupport) === true && !isEnabled)
          yield { path: `${path}.Efa`, message: 'has GdrSupport without Enabled: true' };
        for (const type of instanceTypesOf(resource)) {
          const network = findInstance(type)?.network;
          if (isEnabled && findInstance(type) !== undefined && network === undefined)
            yield { path: `${path}.Efa`, message: `is enabled, but ${type} has no Elastic Fabric Adapter` };
        }
        const group = { ...queue.Networking?.PlacementGroup, ...resource.Networking?.PlacementGroup };
        const isExplicit = group.Enabled !== undefined || group.Id !== undefined || group.Name !== undefined;
        if (
          isEnabled &&
          !isExplicit &&
          queue.CapacityType !== 'CAPACITY_BLOCK' &&
          (queue.Networking?.SubnetIds.length ?? 1) < 2
        )
          yield {
            path: `${path}.Networking`,
            message: 'needs a PlacementGroup, since EFA is enabled: with Enabled: true or Enabled: false',
          };
      }
    },
  },
  {
    type: 'SchedulableMemoryValidator',
    *check({ Scheduling: { SlurmQueues: queues } }) {
      for (const { resource, path } of resourcesOf(queues))
        if (resource.SchedulableMemory !== undefined && numberOf(resource.SchedulableMemory) < 1)
          yield { path: `${path}.SchedulableMemory`, message: 'is below 1 MiB' };
    },
  },
  {
    type: 'CustomSlurmSettingsValidator',
    *check({ Scheduling: { SlurmSettings: settings, SlurmQueues: queues } }) {
      for (const [i, lines] of (settings?.CustomSlurmSettings ?? []).entries()) {
        const path = `Scheduling.SlurmSettings.CustomSlurmSettings[${i}]`;
        // A user-defined node, node set or partition: several keys in one entry.
        if (Object.keys(lines).length > 1) {
          const name = Object.entries(lines).find(([key]) => key.toLowerCase() === 'nodename')?.[1];
          if (typeof name === 'string' && /-(?:st|dy)-/.test(name))
            yield { path, message: `has the node name ${name}: -st- and -dy- are for the cluster's own nodes` };
          continue;
        }
        yield* deniedFindings(lines, denied.slurm, path);
        if (settings?.Database !== undefined) yield* deniedFindings(lines, denied.accounting, path);
      }
      for (const { queue, path } of queuesOf(queues))
        yield* deniedFindings(queue.CustomSlurmSettings ?? {}, denied.queue, `${path}.CustomSlurmSettings`);
      for (const { resource, path } of resourcesOf(queues))
        yield* deniedFindings(resource.CustomSlurmSettings ?? {}, denied.resource, `${path}.CustomSlurmSettings`);
      if (settings?.ExternalSlurmdbd !== undefined && settings.Database !== undefined)
        yield { path: 'Scheduling.SlurmSettings', message: 'has Database and ExternalSlurmdbd: keep one' };
      if (settings?.ExternalSlurmdbd !== undefined && settings.MungeKeySecretArn === undefined)
        yield { path: 'Scheduling.SlurmSettings.ExternalSlurmdbd', message: 'needs MungeKeySecretArn too' };
    },
  },
];
