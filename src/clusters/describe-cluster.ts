// Describes a cluster in the format of `pcluster`, from the current state of Slurm and /proc.
// https://docs.aws.amazon.com/parallelcluster/latest/ug/pcluster.describe-cluster-v3.html
import { realpathSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { isTrenioError, TrenioError } from '../base/errors.ts';
import { lifeOf, parseIdentity } from '../base/process-identity.ts';
import { soldBlocks } from './blocks/block-book.ts';
import { type BlockPhase, clusterBlocks, phaseAt } from './blocks/cluster-block.ts';
import { type ClusterFolder, type ClusterState, findCluster, listClusters } from './cluster-folder.ts';
import { planCluster } from './cluster-plan.ts';
import type { ClusterFile, TagSection } from './config/cluster-file.ts';
import { parseConfig } from './config/parse-config.ts';
import { nodesOf } from './local/local-site.ts';
import { addressOf, gatewayOf } from './local/network.ts';
import { SlurmClient, type SlurmNode } from './slurm/slurm-client.ts';
import type { Throughput } from './storage/throughput.ts';
import { configuredThroughput, type Volume } from './storage/volume.ts';

/** The version of ParallelCluster whose files and output formats are used. */
export const SCHEMA_VERSION = '3.12.0';
const ACCOUNT = '123456789012';

export interface ClusterSummary {
  readonly clusterName: string;
  readonly region: string;
  readonly version: string;
  readonly clusterStatus: string;
  readonly cloudformationStackStatus: string;
  readonly cloudformationStackArn: string;
  readonly scheduler: { readonly type: 'slurm' };
}

export const summarize = ({ name, region, status }: ClusterState): ClusterSummary => ({
  clusterName: name,
  region,
  version: SCHEMA_VERSION,
  clusterStatus: status,
  cloudformationStackStatus: status,
  cloudformationStackArn: `arn:aws:cloudformation:${region}:${ACCOUNT}:stack/${name}/local`,
  scheduler: { type: 'slurm' },
});

const describedSummary = ({
  cloudformationStackStatus: cloudFormationStackStatus,
  ...summary
}: ClusterSummary): Omit<ClusterSummary, 'cloudformationStackStatus'> &
  Pick<ClusterDescription, 'cloudFormationStackStatus'> => ({
  ...summary,
  cloudFormationStackStatus,
});

export type DaemonLife = 'running' | 'stopped';

/** The members of pcluster's answer, which spells one of them in another way than its list, and some of our own. */
export interface ClusterDescription extends Omit<ClusterSummary, 'cloudformationStackStatus'> {
  readonly cloudFormationStackStatus: string;
  readonly creationTime: string;
  readonly lastUpdatedTime: string;
  readonly computeFleetStatus: string;
  readonly clusterConfiguration: { readonly url: string };
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly headNode: Instance;
  /** Not in pcluster: the cluster's processes on this machine. */
  readonly processes: Readonly<Record<'supervisor' | 'munged' | 'slurmctld', DaemonLife>> &
    Partial<Readonly<Record<'mariadbd' | 'slurmdbd', DaemonLife>>>;
  /** Not in pcluster: the number of nodes in each Slurm state. Empty if slurmctld does not respond. */
  readonly nodes: Readonly<Record<string, number>>;
  /** Not in pcluster: the shared file systems. */
  readonly sharedStorage: readonly DescribedVolume[];
  /** Not in pcluster: the capacity blocks, sorted by start. */
  readonly capacityBlocks: readonly DescribedBlock[];
  readonly slurmConf: string;
  readonly failureReason?: string;
}

export interface DescribedVolume {
  readonly name: string;
  readonly mountDir: string;
  readonly storageType: string;
  /** `bind`: mounted in each node; `machine`: a directory of this machine; `none`: not mounted, because this is not root. */
  readonly mount: Volume['mount'];
  readonly folder: string;
  /** The throughput requested in the file. */
  readonly configuredMBps?: number;
  readonly measured?: Throughput;
}

export interface DescribedBlock {
  readonly capacityReservationId: string;
  readonly state: BlockPhase;
  readonly startDate: string;
  readonly endDate: string;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly nodes: readonly string[];
}

export interface Instance {
  readonly instanceId: string;
  readonly instanceType: string;
  readonly state: 'running' | 'pending' | 'stopped';
  readonly privateIpAddress: string;
  /** The head node's: that of this machine on its network. */
  readonly publicIpAddress?: string;
  readonly launchTime: string;
}

export interface NodeInstance extends Instance {
  readonly nodeType: 'HeadNode' | 'ComputeNode';
  readonly queueName?: string;
  /** Slurm's name of the node, and its states. */
  readonly nodeName?: string;
  readonly nodeState?: string;
}

/** @throws {UNKNOWN_CLUSTER} */
export async function describeCluster(root: string, name: string): Promise<ClusterDescription> {
  const { folder, state } = findCluster(root, name);
  if (state.provider === 'existing') return describeExisting(folder, state);
  const file = fileOf(folder, state);
  const { supervisor, munged, slurmctld, mariadbd, slurmdbd } = folder.processes();
  const hasDatabase = file.Scheduling.SlurmSettings?.Database !== undefined;
  const counts = countStates(await nodesOrNone(folder));
  return {
    ...describedSummary(summarize(state)),
    creationTime: state.createdAt,
    lastUpdatedTime: state.updatedAt,
    computeFleetStatus: state.fleetStatus,
    clusterConfiguration: { url: `file://${join(folder.path, 'config.yaml')}` },
    tags: [
      { key: 'parallelcluster:version', value: SCHEMA_VERSION },
      { key: 'parallelcluster:cluster-name', value: name },
      ...(file.Tags ?? []).map(({ Key, Value }: TagSection) => ({ key: Key, value: Value })),
    ],
    headNode: headNode(state, file),
    processes: {
      supervisor: lifeOfText(supervisor),
      munged: lifeOfText(munged),
      slurmctld: lifeOfText(slurmctld),
      ...(hasDatabase ? { mariadbd: lifeOfText(mariadbd), slurmdbd: lifeOfText(slurmdbd) } : {}),
    },
    nodes: counts,
    sharedStorage: describeVolumes(folder, state, file),
    capacityBlocks: describeBlocks(state, file),
    slurmConf: folder.conf,
    ...(state.reason === undefined ? {} : { failureReason: state.reason }),
  };
}

function describeVolumes(
  folder: ClusterFolder,
  { volumes }: ClusterState,
  file: ClusterFile,
): readonly DescribedVolume[] {
  const throughputs = folder.throughputs();
  return volumes.map(({ name, mountDir, storageType, mount, folder: path }) => {
    const section = file.SharedStorage?.find(({ Name }) => Name === name);
    const configuredMBps = section && configuredThroughput(section);
    const measured = throughputs[name];
    return {
      name,
      mountDir,
      storageType,
      mount,
      folder: path,
      ...(configuredMBps === undefined ? {} : { configuredMBps }),
      ...(measured === undefined ? {} : { measured }),
    };
  });
}

const describeBlocks = ({ name, serverFolder }: ClusterState, file: ClusterFile): readonly DescribedBlock[] =>
  clusterBlocks(planCluster(name, file), soldBlocks(serverFolder))
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(block => ({
      capacityReservationId: block.id,
      state: phaseAt(block, Date.now()),
      startDate: new Date(block.startMs).toISOString(),
      endDate: new Date(block.endMs).toISOString(),
      instanceType: block.instanceType,
      instanceCount: block.instanceCount,
      nodes: block.nodes,
    }));

function countStates(nodes: readonly SlurmNode[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { states } of nodes) {
    const key = states.join('+');
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Describes an existing Slurm, as reported by its slurmctld. */
async function describeExisting(folder: ClusterFolder, state: ClusterState): Promise<ClusterDescription> {
  const isUp = await new SlurmClient(folder.conf).isUp();
  return {
    ...describedSummary(summarize(state)),
    creationTime: state.createdAt,
    lastUpdatedTime: state.updatedAt,
    computeFleetStatus: isUp ? 'RUNNING' : 'UNKNOWN',
    clusterConfiguration: { url: `file://${realpathSync(folder.conf)}` },
    tags: [],
    headNode: {
      instanceId: instanceId(hostname()),
      instanceType: 'unknown',
      state: isUp ? 'running' : 'stopped',
      privateIpAddress: '127.0.0.1',
      launchTime: state.createdAt,
    },
    processes: { supervisor: 'stopped', munged: 'stopped', slurmctld: isUp ? 'running' : 'stopped' },
    nodes: countStates(await nodesOrNone(folder)),
    sharedStorage: [],
    capacityBlocks: [],
    slurmConf: folder.conf,
  };
}

/** The head node, and the running compute nodes. */
export async function describeInstances(root: string, name: string): Promise<readonly NodeInstance[]> {
  const { folder, state } = findCluster(root, name);
  if (state.provider === 'existing')
    return (await nodesOrNone(folder)).map(node => ({
      instanceId: instanceId(node.name),
      instanceType: 'unknown',
      state: isUnusable(node) ? 'stopped' : 'running',
      privateIpAddress: node.address,
      launchTime: state.createdAt,
      nodeType: 'ComputeNode',
      nodeName: node.name,
      nodeState: node.states.join('+'),
    }));
  const file = fileOf(folder, state);
  const states = new Map((await nodesOrNone(folder)).map(node => [node.name, node]));
  const { nodes } = folder.processes();
  const placed = nodesOf(planCluster(name, file));
  return [
    { ...headNode(state, file), nodeType: 'HeadNode' },
    ...placed.flatMap(({ name: nodeName, group }): readonly NodeInstance[] => {
      const running = nodes[nodeName];
      if (running === undefined || lifeOfText(running.process) === 'stopped') return [];
      const node = states.get(nodeName);
      return [
        {
          instanceId: instanceId(nodeName),
          instanceType: group.instanceType,
          state: node === undefined || isUnusable(node) ? 'pending' : 'running',
          privateIpAddress: nodeAddress(state, nodeName),
          launchTime: running.startedAt,
          nodeType: 'ComputeNode',
          queueName: group.queue,
          nodeName,
          ...(node === undefined ? {} : { nodeState: node.states.join('+') }),
        },
      ];
    }),
  ];
}

export const summarizeClusters = (root: string): readonly ClusterSummary[] => listClusters(root).map(summarize);

function fileOf(folder: ClusterFolder, { name }: ClusterState): ClusterFile {
  const { file } = parseConfig(folder.config(), name);
  if (file === undefined) throw new TrenioError('CLUSTER_DAMAGED', { file: join(folder.path, 'config.yaml') });
  return file;
}

/** None if slurmctld does not respond; the list of processes shows why. */
async function nodesOrNone(folder: ClusterFolder): Promise<readonly SlurmNode[]> {
  try {
    return await new SlurmClient(folder.conf).nodes();
  } catch (error) {
    if (isTrenioError(error, 'SLURM_FAILED')) return [];
    throw error;
  }
}

const isUnusable = ({ states }: SlurmNode): boolean =>
  states.some(state => ['down', 'not_responding', 'powering_up', 'powered_down'].includes(state));

const nodeAddress = ({ hosts, subnet, places }: ClusterState, node: string): string =>
  hosts[node]?.address ?? (subnet === null ? '127.0.0.1' : addressOf(subnet, places[node]!));

const headNode = ({ createdAt, subnet, controller }: ClusterState, file: ClusterFile): Instance => ({
  instanceId: instanceId(hostname()),
  instanceType: file.HeadNode.InstanceType,
  state: 'running',
  privateIpAddress: controller ?? (subnet === null ? '127.0.0.1' : gatewayOf(subnet)),
  publicIpAddress: ownAddress(),
  launchTime: createdAt,
});

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap(list => list ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}

/** The name of a node formatted as an instance id, because there are no instances. */
const instanceId = (name: string): string => `i-${name}`;

function lifeOfText(text: string | undefined): DaemonLife {
  const identity = text === undefined ? undefined : parseIdentity(text);
  return identity === undefined || lifeOf(identity) === 'ended' ? 'stopped' : 'running';
}
