// The life of a cluster: created from a file, described, its fleet started and stopped, deleted. One command changes a cluster at
// a time; one that is cut off leaves a cluster that can be deleted.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedVariables } from '../base/environment.ts';
import { TrenioError } from '../base/errors.ts';
import { takeFileLock } from '../base/file-lock.ts';
import { makeFolder } from '../base/make-folder.ts';
import { identityOf, lifeOf, type ProcessIdentity, parseIdentity } from '../base/process-identity.ts';
import { canMakeNetworks } from '../jobs/hosts/network-namespace.ts';
import { soldBlocks } from './blocks/block-book.ts';
import { blockProblems } from './blocks/block-rules.ts';
import { absentNodes, clusterBlocks } from './blocks/cluster-block.ts';
import { ClusterFolder, type ClusterState, type FleetStatus, findCluster, listClusters } from './cluster-folder.ts';
import { type ClusterPlan, nodeNamesOf, planCluster } from './cluster-plan.ts';
import type { ClusterFile } from './config/cluster-file.ts';
import { type ConfigChange, configChanges } from './config/config-changes.ts';
import { parseConfig } from './config/parse-config.ts';
import { CONTROLLER_PORTS, nodePlaces, nodesOf, writeSite } from './local/local-site.ts';
import { markedProcesses } from './local/marked-processes.ts';
import { findPorts, makeBridge, removeBridge } from './local/network.ts';
import { endProcess } from './local/supervisor.ts';
import { SlurmClient } from './slurm/slurm-client.ts';
import { slurmPrograms } from './slurm/slurm-programs.ts';

/** The maximum length of a socket's path, in bytes. */
const MAX_SOCKET_PATH = 107;
const READY_MS = 120_000;
const LAST_JOBS_MS = 15_000;

export interface CreateOptions {
  /** The folder of all clusters. */
  readonly root: string;
  readonly name: string;
  /** The configuration, as text and checked. */
  readonly text: string;
  readonly file: ClusterFile;
  readonly region: string;
  /** The job server's folder, in whose table the capacity blocks are. */
  readonly serverFolder?: string;
  /** Told what is being waited for. */
  readonly report: (step: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Creates a cluster and waits until its static nodes are idle.
 * @throws {SLURM_NOT_INSTALLED}
 * @throws {CLUSTER_EXISTS}
 * @throws {CLUSTER_NOT_STARTED} after everything has been removed again
 */
export async function createCluster(options: CreateOptions): Promise<ClusterState> {
  const { root, name, text, file, region, report, signal } = options;
  slurmPrograms();
  checkBlocks(text, name, options.serverFolder);
  const plan = planCluster(name, file);
  makeFolder(root, 0o700);
  using _lock = takeClusterLock(root, name);
  const folder = new ClusterFolder(join(root, name));
  const before = folder.state();
  if (before !== undefined) throw new TrenioError('CLUSTER_EXISTS', { cluster: name, status: before.status });
  const now = new Date().toISOString();
  const subnet = (await canMakeNetworks())
    ? await makeBridge(new Set(listClusters(root).flatMap(one => one.subnet ?? [])))
    : null;
  const runFolder = mkdtempSync(join(tmpdir(), 'tc-'));
  // munge wants its folder to be reachable for all users.
  chmodSync(runFolder, 0o755);
  const state: ClusterState = {
    name,
    region,
    status: 'CREATE_IN_PROGRESS',
    fleetStatus: 'RUNNING',
    createdAt: now,
    updatedAt: now,
    fleetUpdatedAt: now,
    runFolder,
    port: await findPorts(CONTROLLER_PORTS + (subnet === null ? nodesOf(plan).length : 0)),
    subnet,
    places: nodePlaces(plan),
    ...(options.serverFolder === undefined ? {} : { serverFolder: options.serverFolder }),
  };
  try {
    mkdirSync(folder.path, { mode: 0o755 });
    folder.writeState(state);
    checkPaths(plan, state);
    writeFileSync(join(folder.path, 'config.yaml'), text);
    writeSite(folder, state, plan);
    await startSupervisor(folder);
    await waitUntilReady(folder, plan, report, signal);
  } catch (error) {
    const log = join(tmpdir(), `trenio-cluster-${name}.log`);
    keepLog(folder, log);
    await removeEverything(folder, state);
    if (signal.aborted || !(error instanceof Error)) throw error;
    throw new TrenioError('CLUSTER_NOT_STARTED', { cluster: name, reason: error.message, log });
  }
  const created: ClusterState = { ...state, status: 'CREATE_COMPLETE', updatedAt: new Date().toISOString() };
  folder.writeState(created);
  return created;
}

/** Ends the jobs and every process of a cluster, and removes what is left of it. */
export async function deleteCluster(root: string, name: string, report: (step: string) => void): Promise<ClusterState> {
  const { folder, state } = findCluster(root, name);
  using _lock = takeClusterLock(root, name);
  const deleted: ClusterState = { ...state, status: 'DELETE_IN_PROGRESS', updatedAt: new Date().toISOString() };
  folder.writeState(deleted);
  report('ending its jobs');
  await endJobs(folder);
  report('ending its processes');
  await removeEverything(folder, state);
  return deleted;
}

export interface UpdateOptions extends Omit<CreateOptions, 'region'> {
  /** Check and return the changes only. */
  readonly isDryRun: boolean;
}

/**
 * Changes a cluster to another configuration. Changes that disturb jobs wait until the nodes that they remove or alter have none;
 * with QueueUpdateStrategy TERMINATE their jobs are requeued, and a stopped fleet has none.
 * @throws {CLUSTER_UPDATE_REFUSED} for changes that only a new cluster can have
 */
export async function updateCluster(options: UpdateOptions): Promise<readonly ConfigChange[]> {
  const { root, name, text, file, report, signal, isDryRun } = options;
  const { folder, state } = findCluster(root, name);
  using _lock = takeClusterLock(root, name);
  const before = parseConfig(folder.config(), name).file;
  const changes = configChanges(before, file);
  const refused = changes.filter(({ need }) => need === 'replace');
  if (refused.length > 0)
    throw new TrenioError('CLUSTER_UPDATE_REFUSED', { cluster: name, paths: refused.map(({ path }) => path) });
  checkBlocks(text, name, state.serverFolder);
  if (isDryRun || changes.length === 0 || before === undefined) return changes;
  const plan = planCluster(name, file);
  const updating: ClusterState = {
    ...state,
    status: 'UPDATE_IN_PROGRESS',
    updatedAt: new Date().toISOString(),
    places: nodePlaces(plan, state.places),
  };
  checkPaths(plan, updating);
  folder.writeState({ ...updating, places: state.places });
  await ensureSupervisor(folder);
  const disturbed = disturbedNodes(planCluster(name, before), plan);
  if (state.fleetStatus === 'RUNNING')
    await clearNodes(folder, disturbed, file.Scheduling.SlurmSettings?.QueueUpdateStrategy, report, signal);
  await stopSupervisor(folder);
  for (const [node, { process: text }] of Object.entries(folder.processes().nodes)) {
    const identity = parseIdentity(text);
    if (disturbed.has(node) && identity !== undefined) endProcess(identity, 'SIGKILL');
  }
  writeFileSync(join(folder.path, 'config.yaml'), text);
  folder.writeState(updating);
  writeSite(folder, updating, plan);
  // slurmctld reads new nodes at its start only; the supervisor starts it, and tells the nodes.
  const controller = parseIdentity(folder.processes().slurmctld ?? '');
  if (controller !== undefined) endProcess(controller, 'SIGTERM');
  await waitForEnd(controller);
  await startSupervisor(folder);
  const slurm = new SlurmClient(folder.conf);
  for (const until = Date.now() + READY_MS; !(await slurm.isUp()) && Date.now() < until; )
    await new Promise(done => setTimeout(done, 50));
  // The nodes read the files again, and register.
  await slurm.run('scontrol', 'reconfigure');
  if (state.fleetStatus === 'RUNNING') await waitUntilReady(folder, plan, report, signal);
  folder.writeState({ ...updating, status: 'UPDATE_COMPLETE', updatedAt: new Date().toISOString() });
  return changes;
}

/** Nodes of the old plan that the new one lacks or has with another size. */
function disturbedNodes(before: ClusterPlan, after: ClusterPlan): ReadonlySet<string> {
  const describe = ({ count: _count, ...group }: ClusterPlan['groups'][number]): string => JSON.stringify(group);
  const kept = new Map(nodesOf(after).map(({ name, group }) => [name, describe(group)]));
  return new Set(
    nodesOf(before)
      .filter(({ name, group }) => kept.get(name) !== describe(group))
      .map(({ name }) => name),
  );
}

/** Waits until no job runs on the nodes, or requeues their jobs. */
async function clearNodes(
  folder: ClusterFolder,
  names: ReadonlySet<string>,
  strategy: 'DRAIN' | 'COMPUTE_FLEET_STOP' | 'TERMINATE' | undefined,
  report: CreateOptions['report'],
  signal: AbortSignal,
): Promise<void> {
  if (names.size === 0) return;
  const slurm = new SlurmClient(folder.conf);
  await slurm.run('scontrol', 'update', `nodename=${[...names].join(',')}`, 'state=drain', 'reason=cluster update');
  for (;;) {
    signal.throwIfAborted();
    const jobs = (await slurm.jobs()).filter(({ state }) => state !== 'PENDING');
    const used = await Promise.all(jobs.map(async job => ({ job, nodes: await slurm.hostNames(job.nodes) })));
    const there = used.filter(({ nodes }) => nodes.some(node => names.has(node))).map(({ job }) => job);
    if (there.length === 0) return;
    if (strategy === 'TERMINATE') await slurm.run('scontrol', 'requeue', there.map(({ id }) => id).join(','));
    report(`waiting for ${there.length} ${there.length === 1 ? 'job' : 'jobs'} on nodes that change`);
    await new Promise(done => setTimeout(done, 500));
  }
}

async function stopSupervisor(folder: ClusterFolder): Promise<void> {
  const identity = parseIdentity(folder.processes().supervisor ?? '');
  if (identity === undefined || lifeOf(identity) === 'ended') return;
  endProcess(identity, 'SIGTERM');
  await waitForEnd(identity);
  const { supervisor: _ended, ...others } = folder.processes();
  folder.writeProcesses(others);
}

async function waitForEnd(identity: ProcessIdentity | undefined): Promise<void> {
  for (const until = Date.now() + LAST_JOBS_MS; identity !== undefined && lifeOf(identity) !== 'ended'; ) {
    if (Date.now() > until) endProcess(identity, 'SIGKILL');
    await new Promise(done => setTimeout(done, 20));
  }
}

/** Starts or stops the compute nodes; slurmctld goes on. */
export function setFleet(root: string, name: string, fleetStatus: FleetStatus): ClusterState {
  const { folder, state } = findCluster(root, name);
  using _lock = takeClusterLock(root, name);
  const changed: ClusterState = { ...state, fleetStatus, fleetUpdatedAt: new Date().toISOString() };
  folder.writeState(changed);
  return changed;
}

/** Starts a cluster's supervisor if it does not run: after a restart of the machine, or if it was killed. */
export async function ensureSupervisor(folder: ClusterFolder): Promise<void> {
  const identity = parseIdentity(folder.processes().supervisor ?? '');
  if (identity === undefined || lifeOf(identity) === 'ended') await startSupervisor(folder);
}

function takeClusterLock(root: string, name: string): Disposable {
  const lock = takeFileLock(join(root, `${name}.lock`));
  if ('release' in lock) return lock;
  const status = new ClusterFolder(join(root, name)).state()?.status ?? 'CREATE_IN_PROGRESS';
  throw new TrenioError('CLUSTER_BUSY', { cluster: name, status });
}

/**
 * Checks that the capacity blocks that a file names were bought, and fit.
 * @throws {CLUSTER_CONFIG_INVALID}
 */
export function checkBlocks(text: string, name: string, serverFolder: string | undefined): void {
  const { file, lineOf } = parseConfig(text, name);
  if (file === undefined) return;
  const problems = blockProblems(file, soldBlocks(serverFolder), Date.now(), lineOf);
  if (problems.length > 0) throw new TrenioError('CLUSTER_CONFIG_INVALID', { file: 'the configuration', problems });
}

/** A step's socket is SPOOL/NODE_JOB.STEP: too long a path makes every job fail, hours later. */
function checkPaths(plan: ClusterPlan, { runFolder, subnet }: ClusterState): void {
  for (const name of plan.groups.flatMap(nodeNamesOf)) {
    const spool = subnet === null ? `${runFolder}/s/${name}` : `${runFolder}/s`;
    const path = `${spool}/${name}_1234567.4294967291`;
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH)
      throw new Error(
        `the socket of a job on ${name} would be ${path}, ${Buffer.byteLength(path)} bytes, more than ${MAX_SOCKET_PATH}: use shorter names, or a shorter TMPDIR`,
      );
  }
}

const main = fileURLToPath(
  new URL(`./local/supervisor-main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

async function startSupervisor(folder: ClusterFolder): Promise<void> {
  const output = openSync(join(folder.path, 'log/supervisor.log'), 'a');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, folder.path], {
    detached: true,
    stdio: ['ignore', output, output],
    env: inheritedVariables(),
  });
  closeSync(output);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
}

async function waitUntilReady(
  folder: ClusterFolder,
  plan: ClusterPlan,
  report: CreateOptions['report'],
  signal: AbortSignal,
): Promise<void> {
  const slurm = new SlurmClient(folder.conf);
  const statics = plan.groups.filter(({ kind }) => kind === 'static').flatMap(nodeNamesOf);
  // Nodes of capacity blocks that start later are not waited for.
  const blocks = clusterBlocks(plan, soldBlocks(folder.state()?.serverFolder));
  const absent = absentNodes(plan, blocks, Date.now());
  const wanted = statics.filter(node => !absent.has(node)).length;
  for (const until = Date.now() + READY_MS; ; await new Promise(done => setTimeout(done, 50))) {
    signal.throwIfAborted();
    const ready = (await slurm.isUp()) ? (await slurm.nodes()).filter(isReady).length : 0;
    report(`${ready} of ${wanted} nodes are idle`);
    if (ready >= wanted && (wanted > 0 || (await slurm.isUp()))) return;
    const identity = parseIdentity(folder.processes().supervisor ?? '');
    if (identity !== undefined && lifeOf(identity) === 'ended') throw new Error('its supervisor has ended');
    if (Date.now() > until) throw new Error(`${ready} of ${wanted} nodes were idle after ${READY_MS / 1000} s`);
  }
}

const isReady = ({ states }: { readonly states: readonly string[] }): boolean =>
  ['idle', 'allocated', 'mixed'].includes(states[0] ?? '') &&
  !states.some(state => ['not_responding', 'powered_down', 'powering_up', 'drain', 'cloud'].includes(state));

async function endJobs(folder: ClusterFolder): Promise<void> {
  if (!existsSync(folder.conf)) return;
  const slurm = new SlurmClient(folder.conf);
  if (!(await slurm.isUp())) return;
  const ids = (await slurm.jobs()).map(({ id }) => String(id));
  if (ids.length === 0) return;
  await slurm.run('scancel', ...ids);
  for (const until = Date.now() + LAST_JOBS_MS; Date.now() < until && (await slurm.jobs()).length > 0; )
    await new Promise(done => setTimeout(done, 100));
}

/** Ends the supervisor first, which would start the others again; then everything that carries the cluster's mark. */
async function removeEverything(folder: ClusterFolder, { runFolder, subnet }: ClusterState): Promise<void> {
  const supervisor = parseIdentity(folder.processes().supervisor ?? '');
  if (supervisor !== undefined && lifeOf(supervisor) !== 'ended') endProcess(supervisor, 'SIGKILL');
  for (const until = Date.now() + LAST_JOBS_MS; Date.now() < until; await new Promise(done => setTimeout(done, 50))) {
    const marked = markedProcesses(folder.path);
    if (marked.length === 0) break;
    for (const { pid } of marked) endProcess(identityOf(pid), 'SIGKILL');
  }
  if (subnet !== null) await removeBridge(subnet);
  rmSync(runFolder, { recursive: true, force: true });
  rmSync(folder.path, { recursive: true, force: true });
}

/** The logs of a cluster that could not be started, as one file. */
function keepLog(folder: ClusterFolder, path: string): void {
  const parts = ['supervisor.log', 'slurmctld.out', 'munged.out'].map(name => join(folder.path, 'log', name));
  const text = parts.filter(existsSync).map(part => `── ${part}\n${readFileSync(part, 'utf8')}`);
  writeFileSync(path, text.join('\n'), { mode: 0o600 });
}
