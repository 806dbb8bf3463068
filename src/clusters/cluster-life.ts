// The life of a cluster: created from a file, described, its fleet started and stopped, deleted. One command changes a cluster at
// a time; one that is cut off leaves a cluster that can be deleted.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
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
import { actionLog, actionProgram, failureFile, writeActions } from './actions/action-scripts.ts';
import { type CustomAction, type NodeEvent, readActions } from './actions/custom-actions.ts';
import { soldBlocks } from './blocks/block-book.ts';
import { blockProblems } from './blocks/block-rules.ts';
import { absentNodes, clusterBlocks } from './blocks/cluster-block.ts';
import {
  ClusterFolder,
  type ClusterState,
  type FleetStatus,
  findCluster,
  listClusters,
  salvagedState,
} from './cluster-folder.ts';
import { type ClusterPlan, nodeNamesOf, planCluster } from './cluster-plan.ts';
import type { ClusterFile } from './config/cluster-file.ts';
import { type ConfigChange, configChanges } from './config/config-changes.ts';
import { parseConfig } from './config/parse-config.ts';
import { CONTROLLER_PORTS, nodePlaces, nodesOf, writeSite } from './local/local-site.ts';
import { markedProcesses, supervisorsOf } from './local/marked-processes.ts';
import { findPorts, makeBridge, removeBridge } from './local/network.ts';
import { endProcess } from './local/supervisor.ts';
import { SlurmClient } from './slurm/slurm-client.ts';
import { CLUSTER_MARK, databasePrograms, slurmPrograms } from './slurm/slurm-programs.ts';
import { withVolumes } from './storage/shared-view.ts';
import { makeVolumes, removeMountPoints, removeVolumes, type Volume, type VolumeSite } from './storage/volume.ts';

/** The maximum length of a socket's path, in bytes. */
const MAX_SOCKET_PATH = 107;
const READY_MS = 120_000;
const LAST_JOBS_MS = 15_000;
const UPDATE_REASON = 'cluster update';
/** Lines of output shown of a custom action that failed. */
const LOG_LINES = 10;

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
  const actions = await readActions(file, options.serverFolder);
  const plan = planCluster(name, file);
  if (plan.database !== undefined) databasePrograms();
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
  let state: ClusterState = {
    name,
    provider: 'local',
    region,
    status: 'CREATE_IN_PROGRESS',
    fleetStatus: 'RUNNING',
    createdAt: now,
    updatedAt: now,
    fleetUpdatedAt: now,
    runFolder,
    port: await findPorts(CONTROLLER_PORTS + (subnet === null ? nodesOf(plan).length : 0), subnet),
    subnet,
    places: nodePlaces(plan),
    volumes: [],
    mountPoints: [],
    ...(options.serverFolder === undefined ? {} : { serverFolder: options.serverFolder }),
  };
  try {
    mkdirSync(folder.path, { mode: 0o755 });
    folder.writeState(state);
    checkPaths(plan, state);
    writeFileSync(join(folder.path, 'config.yaml'), text);
    const volumes = makeVolumes(file, volumeSite(root, state));
    state = { ...state, volumes, mountPoints: volumes.flatMap(({ made }) => made) };
    folder.writeState(state);
    writeSite(folder, state, plan);
    writeActions(actions, { folder: folder.path, clusterName: name, region });
    for (const event of ['OnNodeStart', 'OnNodeConfigured'] as const) runHeadActions(folder, state, event);
    await startSupervisor(folder);
    await waitUntilReady(folder, plan, report, signal);
    const created: ClusterState = { ...state, status: 'CREATE_COMPLETE', updatedAt: new Date().toISOString() };
    folder.writeState(created);
    return created;
  } catch (error) {
    const log = join(tmpdir(), `trenio-cluster-${name}.log`);
    keepLog(folder, log);
    await removeEverything(root, folder, state);
    if (signal.aborted || !(error instanceof Error)) throw error;
    throw new TrenioError('CLUSTER_NOT_STARTED', { cluster: name, reason: error.message, log });
  }
}

/**
 * Gives a Slurm that is there already a name: its clients are set up, jobs are submitted to it, and nothing of it is started,
 * changed or ended.
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
    // Its name only; the Slurm and its jobs are not Trenio's.
    rmSync(folder.path, { recursive: true, force: true });
    return deleted;
  }
  folder.writeState(deleted);
  report('ending its jobs');
  await endJobs(folder);
  report('ending its processes');
  await removeEverything(root, folder, state);
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
  const { root, name, text, file, signal, isDryRun } = options;
  const { folder, state } = findCluster(root, name);
  requireOwn(state);
  using _lock = takeClusterLock(root, name);
  const before = parseConfig(folder.config(), name).file;
  const changes = configChanges(before, file);
  const refused = changes.filter(({ need }) => need === 'replace');
  if (refused.length > 0)
    throw new TrenioError('CLUSTER_UPDATE_REFUSED', { cluster: name, paths: refused.map(({ path }) => path) });
  checkBlocks(text, name, state.serverFolder);
  const actions = await readActions(file, state.serverFolder);
  // An update that was cut off is done again.
  const isDone = changes.length === 0 && state.status !== 'UPDATE_FAILED' && state.status !== 'UPDATE_IN_PROGRESS';
  if (isDryRun || isDone || before === undefined) return changes;
  const plan = planCluster(name, file);
  if (plan.database !== undefined) databasePrograms();
  const volumes = makeVolumes(file, volumeSite(root, state), state.volumes);
  const { reason: _past, ...rest } = state;
  const updating: ClusterState = {
    ...rest,
    status: 'UPDATE_IN_PROGRESS',
    updatedAt: new Date().toISOString(),
    places: nodePlaces(plan, state.places),
    volumes,
    mountPoints: [...new Set([...state.mountPoints, ...volumes.flatMap(({ made }) => made)])],
  };
  checkPaths(plan, updating);
  folder.writeState({ ...updating, places: state.places, volumes: state.volumes });
  try {
    await applyUpdate({ ...options, folder, state, updating, plan, before, actions });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    folder.writeState({ ...(folder.state() ?? updating), status: 'UPDATE_FAILED', reason });
    if (signal.aborted || !(error instanceof Error)) throw error;
    throw new TrenioError('CLUSTER_UPDATE_FAILED', { cluster: name, reason });
  }
  folder.writeState({ ...updating, status: 'UPDATE_COMPLETE', updatedAt: new Date().toISOString() });
  return changes;
}

interface Update extends UpdateOptions {
  readonly folder: ClusterFolder;
  readonly state: ClusterState;
  readonly updating: ClusterState;
  readonly plan: ClusterPlan;
  readonly before: ClusterFile;
  readonly actions: readonly CustomAction[];
}

async function applyUpdate(update: Update): Promise<void> {
  const { name, text, file, report, signal, folder, state, updating, plan, before, actions } = update;
  await ensureSupervisor(folder);
  const disturbed = disturbedNodes({ plan: planCluster(name, before), file: before }, { plan, file });
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
  writeActions(actions, { folder: folder.path, clusterName: name, region: state.region });
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
  await resumeDrained(slurm);
  if (state.fleetStatus === 'RUNNING') await waitUntilReady(folder, plan, report, signal);
  runHeadActions(folder, updating, 'OnNodeUpdated');
  const kept = new Set(updating.volumes.map(({ folder: path }) => path));
  removeVolumes(state.volumes.filter(one => !kept.has(one.folder)));
}

interface Planned {
  readonly plan: ClusterPlan;
  readonly file: ClusterFile;
}

/** Nodes of the old plan that the new one lacks or has with another size. */
function disturbedNodes(before: Planned, after: Planned): ReadonlySet<string> {
  const describe = ({ count: _count, ...group }: ClusterPlan['groups'][number], { file }: Planned): string => {
    const queue = file.Scheduling.SlurmQueues?.find(({ Name }) => Name === group.queue);
    // What a node has from its start on.
    return JSON.stringify([group, queue?.CustomActions, file.SharedStorage]);
  };
  const kept = new Map(nodesOf(after.plan).map(({ name, group }) => [name, describe(group, after)]));
  return new Set(
    nodesOf(before.plan)
      .filter(({ name, group }) => kept.get(name) !== describe(group, before))
      .map(({ name }) => name),
  );
}

/** Nodes that were drained for an update, also one that was cut off, take jobs again. */
async function resumeDrained(slurm: SlurmClient): Promise<void> {
  const drained = (await slurm.nodes()).filter(
    ({ states, reason }) => states.includes('drain') && reason?.startsWith(UPDATE_REASON),
  );
  if (drained.length === 0) return;
  const names = drained.map(({ name }) => name).join(',');
  await slurm.run('scontrol', 'update', `nodename=${names}`, 'state=resume');
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
  await slurm.run('scontrol', 'update', `nodename=${[...names].join(',')}`, 'state=drain', `reason=${UPDATE_REASON}`);
  for (;;) {
    if (signal.aborted) await resumeDrained(slurm);
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

/** Starts or stops the compute nodes; slurmctld continues. */
export function setFleet(root: string, name: string, fleetStatus: FleetStatus): ClusterState {
  const { folder, state } = findCluster(root, name);
  requireOwn(state);
  using _lock = takeClusterLock(root, name);
  const changed: ClusterState = { ...state, fleetStatus, fleetUpdatedAt: new Date().toISOString() };
  folder.writeState(changed);
  return changed;
}

/** Starts a cluster's supervisor if it does not run: after a restart of the machine, or if it was killed. */
export async function ensureSupervisor(folder: ClusterFolder): Promise<void> {
  if (folder.state()?.provider === 'existing') return;
  const identity = parseIdentity(folder.processes().supervisor ?? '');
  if (identity === undefined || lifeOf(identity) === 'ended') await startSupervisor(folder);
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
    const failed = existsSync(join(folder.path, 'failures')) ? readdirSync(join(folder.path, 'failures')).sort() : [];
    if (failed[0] !== undefined) throw new Error(actionFailure(folder, failed[0]));
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

function endSupervisor(folder: ClusterFolder): void {
  try {
    const supervisor = parseIdentity(folder.processes().supervisor ?? '');
    if (supervisor !== undefined && lifeOf(supervisor) !== 'ended') endProcess(supervisor, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof TrenioError && error.code === 'CLUSTER_DAMAGED')) throw error;
    // It is found by its arguments instead; its daemons by their mark.
    for (const pid of supervisorsOf(folder.path)) endProcess(identityOf(pid), 'SIGKILL');
  }
}

/** Ends the supervisor first, which would start the others again; then everything that carries the cluster's mark. */
async function removeEverything(root: string, folder: ClusterFolder, state: ClusterState): Promise<void> {
  const { runFolder, subnet, volumes, mountPoints } = state;
  endSupervisor(folder);
  for (const until = Date.now() + LAST_JOBS_MS; Date.now() < until; await new Promise(done => setTimeout(done, 50))) {
    const marked = markedProcesses(folder.path);
    if (marked.length === 0) break;
    for (const { pid } of marked) endProcess(identityOf(pid), 'SIGKILL');
  }
  if (subnet !== null) await removeBridge(subnet);
  removeVolumes(volumes);
  removeMountPoints(mountPoints, volumesOfOthers(root, state));
  if (runFolder !== '') rmSync(runFolder, { recursive: true, force: true });
  rmSync(folder.path, { recursive: true, force: true });
}

const volumeSite = (root: string, { name, subnet }: ClusterState): VolumeSite => ({
  root,
  clusterFolder: join(root, name),
  clusterName: name,
  canMount: subnet !== null,
});

const volumesOfOthers = (root: string, { name }: ClusterState): readonly Volume[] =>
  listClusters(root)
    .filter(one => one.name !== name)
    .flatMap(({ volumes }) => volumes);

/** The head node is this machine: its actions run here, and see the shared storage. */
function runHeadActions(folder: ClusterFolder, { volumes }: ClusterState, event: NodeEvent): void {
  const program = actionProgram(folder.path, undefined, event);
  if (!existsSync(program)) return;
  const node = 'head-node';
  const log = openSync(actionLog(folder.path, node), 'a');
  const failure = failureFile(folder.path, node);
  const [command, ...args] = withVolumes(volumes, [program, node, failure, 'HeadNode']);
  const { status } = spawnSync(command!, args, {
    stdio: ['ignore', log, log],
    env: { ...inheritedVariables(), [CLUSTER_MARK]: folder.path },
  });
  closeSync(log);
  if (status !== 0) throw new Error(actionFailure(folder, node) ?? `${event} of the head node could not be started`);
}

/** The message of a failed custom action of a node, with the end of its output. */
function actionFailure(folder: ClusterFolder, node: string): string | undefined {
  const file = failureFile(folder.path, node);
  if (!existsSync(file)) return undefined;
  const output = readFileSync(actionLog(folder.path, node), 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
  return [readFileSync(file, 'utf8').trim(), ...output.map(line => `  ${line}`)].join('\n');
}

/** The logs of a cluster that could not be started, as one file. */
function keepLog(folder: ClusterFolder, path: string): void {
  const parts = ['supervisor.log', 'slurmctld.out', 'munged.out'].map(name => join(folder.path, 'log', name));
  const text = parts.filter(existsSync).map(part => `── ${part}\n${readFileSync(part, 'utf8')}`);
  writeFileSync(path, text.join('\n'), { mode: 0o600 });
}
