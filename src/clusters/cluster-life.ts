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
import { identityOf, lifeOf, parseIdentity } from '../base/process-identity.ts';
import { ClusterFolder, type ClusterState, type FleetStatus, findCluster, listClusters } from './cluster-folder.ts';
import { type ClusterPlan, nodeNamesOf, planCluster } from './cluster-plan.ts';
import type { ClusterFile } from './config/cluster-file.ts';
import { CONTROLLER_PORTS, placedNodes, writeSite } from './local/local-site.ts';
import { markedProcesses } from './local/marked-processes.ts';
import { canMakeNetworks, findPorts, makeBridge, removeBridge } from './local/network.ts';
import { endProcess } from './local/supervisor.ts';
import { SlurmClient } from './slurm/slurm-client.ts';
import { slurmPrograms } from './slurm/slurm-programs.ts';

/** Of a socket's path, in bytes. */
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
    port: await findPorts(CONTROLLER_PORTS + (subnet === null ? placedNodes(plan).length : 0)),
    subnet,
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
  const wanted = plan.groups.filter(({ kind }) => kind === 'static').reduce((sum, { count }) => sum + count, 0);
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
