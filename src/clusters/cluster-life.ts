// The life of a cluster: created from a file, described, its fleet started and stopped, deleted. One command changes a cluster at
// a time; an interrupted command leaves a cluster that can be deleted.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { expectFileError } from '../base/file-error.ts';
import { makeFolder } from '../base/make-folder.ts';
import { identityOf } from '../base/process-identity.ts';
import { canMakeNetworks } from '../jobs/hosts/network-namespace.ts';
import { writeActions } from './actions/action-scripts.ts';
import { requireActions } from './actions/custom-actions.ts';
import { runHeadActions } from './actions/head-actions.ts';
import { checkBlocks, checkPaths } from './cluster-checks.ts';
import {
  ClusterFolder,
  type ClusterState,
  type FleetStatus,
  findCluster,
  listClusters,
  salvagedState,
} from './cluster-folder.ts';
import { takeClusterLock } from './cluster-lock.ts';
import { planCluster } from './cluster-plan.ts';
import type { ClusterFile } from './config/cluster-file.ts';
import { endProcess } from './local/end-process.ts';
import { CONTROLLER_PORTS, nodePlaces, nodesOf, writeSite } from './local/local-site.ts';
import { markedProcesses } from './local/marked-processes.ts';
import { findPorts, makeBridge, removeBridge } from './local/network.ts';
import { SlurmClient } from './slurm/slurm-client.ts';
import { databasePrograms, slurmPrograms, slurmUser } from './slurm/slurm-programs.ts';
import type { CheckedHosts } from './ssh/host-check.ts';
import { assignHosts, leaveHosts } from './ssh/own-hosts.ts';
import { checkShared } from './ssh/shared-paths.ts';
import {
  makeVolumes,
  mountDirsOf,
  removeMountPoints,
  removeVolumes,
  type Volume,
  type VolumeSite,
} from './storage/volume.ts';
import { endSupervisor, LAST_MS, startSupervisor, waitUntilReady } from './supervisor-life.ts';

export interface CreateOptions {
  /** The folder of all clusters. */
  readonly root: string;
  readonly name: string;
  /** The configuration, as text and parsed. */
  readonly text: string;
  readonly file: ClusterFile;
  readonly region: string;
  /** The job server's folder, in whose table the capacity blocks are. */
  readonly serverFolder?: string;
  /** Goes on without the scripts of CustomActions that cannot be read. */
  readonly skipsScripts?: boolean;
  /** Hosts that become its nodes; undefined: virtual nodes of this machine. */
  readonly own?: (CheckedHosts & { readonly sshConfig: string | undefined }) | undefined;
  /** Called with messages about the progress. */
  readonly report: (step: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Creates a cluster and waits until its static nodes are idle.
 * @throws {SLURM_NOT_INSTALLED}
 * @throws {CLUSTER_EXISTS}
 * @throws {CLUSTER_PATHS_NOT_SHARED} if ssh hosts have not mounted the shared storage of the file
 * @throws {CLUSTER_NOT_STARTED} after everything has been removed again
 */
export async function createCluster(options: CreateOptions): Promise<ClusterState> {
  const { root, name, text, file, region, own, report, signal } = options;
  slurmPrograms();
  slurmUser();
  checkBlocks(text, name, options.serverFolder);
  const actions = await requireActions(file, options.serverFolder, options.skipsScripts);
  const plan = planCluster(name, file);
  const hosts = own === undefined ? {} : assignHosts(plan, own.hosts);
  if (plan.database !== undefined) databasePrograms();
  if (own !== undefined) await checkShared(name, own, { folders: mountDirsOf(file) });
  makeFolder(root, 0o700);
  using _lock = takeClusterLock(root, name);
  const folder = new ClusterFolder(join(root, name));
  const before = folder.state();
  if (before !== undefined) throw new TrenioError('CLUSTER_EXISTS', { cluster: name, status: before.status });
  const now = new Date().toISOString();
  // The state is written before anything that it names is created, so that a killed command leaves a cluster that can be deleted.
  let state: ClusterState = {
    name,
    provider: own === undefined ? 'local' : 'ssh',
    region,
    status: 'CREATE_IN_PROGRESS',
    fleetStatus: 'RUNNING',
    createdAt: now,
    updatedAt: now,
    fleetUpdatedAt: now,
    runFolder: join(tmpdir(), `tc-${randomBytes(4).toString('hex')}`),
    port: 0,
    subnet: null,
    places: nodePlaces(plan),
    volumes: [],
    mountPoints: [],
    hosts,
    ...(own === undefined ? {} : { controller: own.controller }),
    ...(own?.sshConfig === undefined ? {} : { sshConfig: own.sshConfig }),
    ...(options.serverFolder === undefined ? {} : { serverFolder: options.serverFolder }),
  };
  const become = (changes: Partial<ClusterState>): void => {
    state = { ...state, ...changes };
    folder.writeState(state);
  };
  try {
    // What a killed command left behind before it could write the state.
    rmSync(folder.path, { recursive: true, force: true });
    mkdirSync(folder.path, { mode: 0o755 });
    become({});
    // munge wants its folder to be reachable for all users.
    mkdirSync(state.runFolder);
    chmodSync(state.runFolder, 0o755);
    if (own === undefined && (await canMakeNetworks())) {
      const taken = new Set(subnetsOfOthers(root, name));
      await makeBridge(taken, subnet => become({ subnet }));
    }
    become({
      port: await findPorts(CONTROLLER_PORTS + (state.subnet === null ? nodesOf(plan).length : 0), state.subnet),
    });
    checkPaths(plan, state);
    writeFileSync(join(folder.path, 'config.yaml'), text);
    const volumes = makeVolumes(file, volumeSite(root, state));
    become({ volumes, mountPoints: volumes.flatMap(({ made }) => made) });
    writeSite(folder, state, plan);
    writeActions(actions, { folder: folder.path, clusterName: name, region });
    for (const event of ['OnNodeStart', 'OnNodeConfigured'] as const) runHeadActions(folder, state, event);
    await startSupervisor(folder);
    await waitUntilReady(folder, plan, report, signal);
    become({ status: 'CREATE_COMPLETE', updatedAt: new Date().toISOString() });
    return state;
  } catch (error) {
    // In a new folder: others could prepare a file or a link of a name that they can guess.
    const log = join(mkdtempSync(join(tmpdir(), 'trenio-cluster-')), `${name}.log`);
    keepLog(folder, log);
    await removeEverything(root, folder, state, report);
    if (signal.aborted || !(error instanceof Error)) throw error;
    throw new TrenioError('CLUSTER_NOT_STARTED', { cluster: name, reason: error.message, log });
  }
}

/**
 * Registers an existing Slurm under a name: its clients are set up and jobs are submitted to it, but none of its processes are
 * started, changed or ended.
 * @throws {SLURM_FAILED} if its slurmctld does not answer
 * @throws {CLUSTER_EXISTS}
 */
export async function registerCluster({
  root,
  name,
  region,
  conf,
}: Pick<CreateOptions, 'root' | 'name' | 'region'> & { readonly conf: string }): Promise<ClusterState> {
  makeFolder(root, 0o700);
  using _lock = takeClusterLock(root, name);
  const folder = new ClusterFolder(join(root, name));
  const before = folder.state();
  if (before !== undefined) throw new TrenioError('CLUSTER_EXISTS', { cluster: name, status: before.status });
  await new SlurmClient(conf).run('scontrol', 'show', 'partitions');
  const now = new Date().toISOString();
  const state: ClusterState = {
    name,
    provider: 'existing',
    region,
    status: 'CREATE_COMPLETE',
    fleetStatus: 'RUNNING',
    createdAt: now,
    updatedAt: now,
    fleetUpdatedAt: now,
    runFolder: '',
    port: 0,
    subnet: null,
    places: {},
    volumes: [],
    mountPoints: [],
    hosts: {},
  };
  mkdirSync(join(folder.path, 'etc'), { recursive: true });
  symlinkSync(conf, folder.conf);
  folder.writeState(state);
  return state;
}

/** @throws {CLUSTER_NOT_OWNED} for a Slurm that Trenio did not start */
export function requireOwn({ name, provider }: ClusterState): void {
  if (provider === 'existing') throw new TrenioError('CLUSTER_NOT_OWNED', { cluster: name });
}

/** Ends the jobs and every process of a cluster, and removes all its files. */
export async function deleteCluster(root: string, name: string, report: (step: string) => void): Promise<ClusterState> {
  const { folder, state } = findOrSalvage(root, name);
  using _lock = takeClusterLock(root, name);
  const deleted: ClusterState = { ...state, status: 'DELETE_IN_PROGRESS', updatedAt: new Date().toISOString() };
  if (state.provider === 'existing') {
    // Removes only the name: Trenio did not start this Slurm.
    rmSync(folder.path, { recursive: true, force: true });
    return deleted;
  }
  try {
    folder.writeState(deleted);
  } catch (error) {
    // On a full disk, the deletion is what makes room.
    expectFileError(error, 'ENOSPC');
  }
  report('ending its jobs');
  await endJobs(folder);
  report('ending its processes');
  await removeEverything(root, folder, state, report);
  return deleted;
}

/** Starts or stops the compute nodes; slurmctld continues. */
export function setFleet(root: string, name: string, fleetStatus: FleetStatus): ClusterState {
  const { folder, state } = findCluster(root, name);
  requireOwn(state);
  using _lock = takeClusterLock(root, name);
  const changed: ClusterState = { ...state, fleetStatus, fleetUpdatedAt: new Date().toISOString() };
  folder.writeState(changed);
  return changed;
}

function findOrSalvage(root: string, name: string): ReturnType<typeof findCluster> {
  try {
    return findCluster(root, name);
  } catch (error) {
    if (!(error instanceof TrenioError && error.code === 'CLUSTER_DAMAGED')) throw error;
    const folder = new ClusterFolder(join(root, name));
    return { folder, state: salvagedState(folder, name) };
  }
}

async function endJobs(folder: ClusterFolder): Promise<void> {
  if (!existsSync(folder.conf)) return;
  const slurm = new SlurmClient(folder.conf);
  if (!(await slurm.isUp())) return;
  const ids = (await slurm.jobs()).map(({ id }) => String(id));
  if (ids.length === 0) return;
  await slurm.run('scancel', ...ids);
  for (const until = performance.now() + LAST_MS; performance.now() < until && (await slurm.jobs()).length > 0; )
    await new Promise(done => setTimeout(done, 100));
}

/** Ends the supervisor first, because it would restart the others; then all processes with the cluster's marker. */
async function removeEverything(
  root: string,
  folder: ClusterFolder,
  state: ClusterState,
  report: CreateOptions['report'],
): Promise<void> {
  const { runFolder, subnet, volumes, mountPoints } = state;
  await endSupervisor(folder, 'SIGKILL');
  for (
    const until = performance.now() + LAST_MS;
    performance.now() < until;
    await new Promise(done => setTimeout(done, 50))
  ) {
    const marked = markedProcesses(folder.path);
    if (marked.length === 0) break;
    for (const { pid } of marked) endProcess(identityOf(pid), 'SIGKILL');
  }
  for (const left of await leaveHosts(folder.path, state)) report(`not removed from ${left}`);
  if (subnet !== null && !subnetsOfOthers(root, state.name).includes(subnet)) await removeBridge(subnet);
  removeVolumes(volumes);
  removeMountPoints(mountPoints, volumesOfOthers(root, state));
  if (runFolder !== '') rmSync(runFolder, { recursive: true, force: true });
  rmSync(folder.path, { recursive: true, force: true });
}

export const volumeSite = (root: string, { name, subnet, provider }: ClusterState): VolumeSite => ({
  root,
  clusterFolder: join(root, name),
  clusterName: name,
  canMount: subnet !== null,
  isMountedByHosts: provider === 'ssh',
});

const subnetsOfOthers = (root: string, name: string): readonly number[] =>
  listClusters(root).flatMap(one => (one.name === name ? [] : (one.subnet ?? [])));

const volumesOfOthers = (root: string, { name }: ClusterState): readonly Volume[] =>
  listClusters(root)
    .filter(one => one.name !== name)
    .flatMap(({ volumes }) => volumes);

/** The logs of a cluster that could not be started, as one file. */
function keepLog(folder: ClusterFolder, path: string): void {
  const parts = ['supervisor.log', 'slurmctld.out', 'munged.out'].map(name => join(folder.path, 'log', name));
  const text = parts.filter(existsSync).map(part => `── ${part}\n${readFileSync(part, 'utf8')}`);
  writeFileSync(path, text.join('\n'), { mode: 0o600 });
}
