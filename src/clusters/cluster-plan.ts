// Translates a configuration file to Slurm's terms: partitions, and nodes with names, cores, memory and accelerators.
import { instances, machineOf } from '../hardware/index.ts';
import { hostOf } from '../hardware/instances/hosts.ts';
import { booleanOf, numberOf } from './config/check-schema.ts';
import type { CapacityType, ClusterFile, QueueSection, SlurmLines } from './config/cluster-file.ts';
import { countsOf, instanceTypesOf, targetOf } from './config/queue-rules.ts';

/** Accelerators that Slurm counts on a node. */
export interface GenericResource {
  readonly name: 'neuroncore' | 'gpu';
  readonly count: number;
}

/** Nodes of one kind. As in ParallelCluster, static node i is `QUEUE-st-NAME-i`, dynamic node i `QUEUE-dy-NAME-i`. */
export interface NodeGroup {
  readonly queue: string;
  readonly name: string;
  readonly instanceType: string;
  readonly kind: 'static' | 'dynamic';
  readonly count: number;
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly resource: GenericResource | undefined;
  /** Slurm prefers nodes with a low weight. */
  readonly weight: number;
  readonly slurm: SlurmLines;
  /** The capacity block of the nodes: `cr-…`. */
  readonly blockId?: string;
}

export interface Partition {
  readonly name: string;
  readonly capacityType: CapacityType;
  readonly isExclusive: boolean;
  readonly slurm: SlurmLines;
}

export interface ClusterPlan {
  readonly name: string;
  readonly headInstanceType: string;
  /** The first is the default one. */
  readonly partitions: readonly Partition[];
  readonly groups: readonly NodeGroup[];
  /** Seconds until an idle dynamic node is stopped; undefined: never. */
  readonly idleSeconds: number | undefined;
  /** Lines for slurm.conf from the file. */
  readonly slurm: readonly SlurmLines[];
  readonly hasMemoryLimits: boolean;
  /** The name of the accounting database; undefined: no accounting. */
  readonly database: string | undefined;
  /** The paths of settings that are stored but have no effect on this machine. */
  readonly configurationOnly: readonly string[];
}

const IDLE_MINUTES = 10;
const weights = { static: 1, dynamic: 1000 } as const;
/** The size of instance types that are not known: enough for any small test. */
const plain = { vcpus: 8, memoryGib: 16, gpus: 0, threadsPerCore: 2 } as const;

/** Cores, memory and accelerators of an instance type. @param isOneThread only one CPU of each core */
function sizeOf(instanceType: string, isOneThread: boolean): Pick<NodeGroup, 'cpus' | 'memoryMiB' | 'resource'> {
  const machine = instances.some(({ name }) => name === instanceType) ? machineOf(instanceType) : undefined;
  const { vcpus, memoryGib, gpus, threadsPerCore } = hostOf(instanceType) ?? plain;
  const { hostCpus = vcpus, hostMemoryBytes = memoryGib * 2 ** 30, devices = gpus } = machine ?? {};
  const name = machine?.device.kind === 'neuron-core' ? 'neuroncore' : 'gpu';
  return {
    cpus: isOneThread ? Math.max(1, hostCpus / threadsPerCore) : hostCpus,
    memoryMiB: Math.floor(hostMemoryBytes / 2 ** 20),
    resource: devices === 0 ? undefined : { name, count: devices },
  };
}

export function planCluster(name: string, file: ClusterFile): ClusterPlan {
  const { SlurmSettings: settings, SlurmQueues: queues = [] } = file.Scheduling;
  const idleMinutes = settings?.ScaledownIdletime === undefined ? IDLE_MINUTES : numberOf(settings.ScaledownIdletime);
  return {
    name,
    headInstanceType: file.HeadNode.InstanceType,
    partitions: queues.map(queue => ({
      name: queue.Name,
      capacityType: queue.CapacityType ?? 'ONDEMAND',
      isExclusive: booleanOf(queue.JobExclusiveAllocation) === true,
      slurm: queue.CustomSlurmSettings ?? {},
    })),
    groups: queues.flatMap(groupsOf),
    idleSeconds: idleMinutes < 0 ? undefined : Math.max(1, Math.round(idleMinutes * 60)),
    slurm: settings?.CustomSlurmSettings ?? [],
    hasMemoryLimits: booleanOf(settings?.EnableMemoryBasedScheduling) === true,
    database:
      settings?.Database === undefined ? undefined : (settings.Database.DatabaseName ?? name.replaceAll('-', '_')),
    configurationOnly: configurationOnly(file),
  };
}

const groupsOf = (queue: QueueSection): readonly NodeGroup[] =>
  (queue.ComputeResources ?? []).flatMap(resource => {
    const { min, max } = countsOf(resource);
    // If there are several types, the first one is started.
    const instanceType = instanceTypesOf(resource)[0] ?? 'unknown';
    const size = sizeOf(instanceType, booleanOf(resource.DisableSimultaneousMultithreading) === true);
    const blockId =
      queue.CapacityType === 'CAPACITY_BLOCK' ? targetOf(queue, resource)?.CapacityReservationId : undefined;
    const common = {
      queue: queue.Name,
      name: resource.Name,
      instanceType,
      ...size,
      memoryMiB: resource.SchedulableMemory === undefined ? size.memoryMiB : numberOf(resource.SchedulableMemory),
      slurm: resource.CustomSlurmSettings ?? {},
      ...(blockId === undefined ? {} : { blockId }),
    };
    const group = (kind: NodeGroup['kind'], count: number, priority: number | string | undefined): NodeGroup => ({
      ...common,
      kind,
      count,
      weight: priority === undefined ? weights[kind] : numberOf(priority),
    });
    return [
      group('static', min, resource.StaticNodePriority),
      group('dynamic', max - min, resource.DynamicNodePriority),
    ].filter(({ count }) => count > 0);
  });

/** The common prefix of a group's node names: `queue1-st-compute1-`. */
export const namePrefixOf = ({ queue, kind, name }: NodeGroup): string =>
  `${queue}-${kind === 'static' ? 'st' : 'dy'}-${name}-`;

export const nodeNamesOf = (group: NodeGroup): readonly string[] =>
  Array.from({ length: group.count }, (_, i) => `${namePrefixOf(group)}${i + 1}`);

/** Reports sections that only apply to AWS; they are checked and stored. */
function configurationOnly(file: ClusterFile): readonly string[] {
  const found: string[] = ['HeadNode.Networking', 'Scheduling.SlurmQueues[].Networking'];
  for (const { Name, StorageType, MountDir } of file.SharedStorage ?? [])
    found.push(`SharedStorage ${Name}: a folder of this machine is mounted at ${MountDir}, not ${StorageType}`);
  if (file.Scheduling.SlurmSettings?.Database !== undefined)
    found.push('Scheduling.SlurmSettings.Database: a MariaDB of the cluster, not the one at its Uri');
  if (booleanOf(file.Scheduling.SlurmSettings?.EnableMemoryBasedScheduling) !== true)
    found.push('sbatch --mem: not enforced without Scheduling.SlurmSettings.EnableMemoryBasedScheduling: true');
  for (const key of ['LoginNodes', 'DirectoryService', 'Monitoring', 'Iam', 'Imds', 'DevSettings'] as const)
    if (Object.hasOwn(file, key)) found.push(key);
  return found;
}
