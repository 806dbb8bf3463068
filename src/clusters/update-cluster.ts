// Updates a cluster to another configuration, disturbing jobs as little as possible.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTrenioError, TrenioError } from '../base/errors.ts';
import { parseIdentity } from '../base/process-identity.ts';
import { writeActions } from './actions/action-scripts.ts';
import { type CustomAction, requireActions } from './actions/custom-actions.ts';
import { runHeadActions } from './actions/head-actions.ts';
import { checkBlocks, checkPaths } from './cluster-checks.ts';
import { type ClusterFolder, type ClusterState, findCluster } from './cluster-folder.ts';
import { type CreateOptions, requireOwn, volumeSite } from './cluster-life.ts';
import { takeClusterLock } from './cluster-lock.ts';
import { type ClusterPlan, planCluster } from './cluster-plan.ts';
import type { ClusterFile } from './config/cluster-file.ts';
import { type ConfigChange, configChanges } from './config/config-changes.ts';
import { parseConfig } from './config/parse-config.ts';
import { endProcess } from './local/end-process.ts';
import { nodePlaces, nodesOf, writeSite } from './local/local-site.ts';
import { SlurmClient } from './slurm/slurm-client.ts';
import { databasePrograms } from './slurm/slurm-programs.ts';
import { checkHosts, type OwnHost } from './ssh/host-check.ts';
import { assignHosts, hostChanges, isSameHost, leaveHosts, pushToAll, stopHosts } from './ssh/own-hosts.ts';
import { checkShared } from './ssh/shared-paths.ts';
import { makeVolumes, mountDirsOf, removeVolumes } from './storage/volume.ts';
import { ensureSupervisor, startSupervisor, stopSupervisor, waitForEnd, waitUntilReady } from './supervisor-life.ts';

const UPDATE_REASON = 'cluster update';
const READY_MS = 120_000;
const RESUME_MS = 30_000;
const POLL_MS = 100;

export interface UpdateOptions extends Omit<CreateOptions, 'region'> {
  /** Only checks and returns the changes. */
  readonly isDryRun: boolean;
}

/**
 * Changes a cluster to another configuration. Changes that disturb jobs wait until the nodes that they remove or alter have none;
 * with QueueUpdateStrategy TERMINATE their jobs are requeued, and a stopped fleet has none.
 * @throws {CLUSTER_UPDATE_REFUSED} for changes that require a new cluster
 * In a cluster of ssh hosts, nodes can be added, removed and replaced (`own`, the new list of hosts); without a new list, its
 * hosts are kept, except those of removed nodes.
 * @throws {CLUSTER_HOSTS_UNUSABLE} for a list of hosts that does not fit the nodes, or hosts that cannot be nodes
 */
export async function updateCluster(options: UpdateOptions): Promise<readonly ConfigChange[]> {
  const { root, name, text, file, signal, isDryRun, own } = options;
  const { folder, state } = findCluster(root, name);
  requireOwn(state);
  using _lock = takeClusterLock(root, name);
  const before = parseConfig(folder.config(), name).file;
  if (own !== undefined) requireHosts(state);
  const plan = planCluster(name, file);
  const hosts = state.provider === 'ssh' ? nextHosts(plan, state, own?.hosts) : {};
  const changes = [...configChanges(before, file), ...hostChanges(state.hosts, hosts)];
  const refused = changes.filter(({ need }) => need === 'replace');
  if (refused.length > 0)
    throw new TrenioError('CLUSTER_UPDATE_REFUSED', { cluster: name, paths: refused.map(({ path }) => path) });
  checkBlocks(text, name, state.serverFolder);
  const actions = await requireActions(file, state.serverFolder, options.skipsScripts === true || isDryRun);
  // An interrupted update is repeated.
  const isDone = changes.length === 0 && state.status !== 'UPDATE_FAILED' && state.status !== 'UPDATE_IN_PROGRESS';
  if (isDryRun || isDone || before === undefined) return changes;
  // Unreachable hosts are detected before anything is changed.
  if (own === undefined && state.provider === 'ssh') await checkHosts(Object.values(hosts), state.sshConfig);
  if (plan.database !== undefined) databasePrograms();
  if (state.provider === 'ssh')
    await checkShared(name, { ...state, ...own, hosts: Object.values(hosts) }, { folders: mountDirsOf(file) });
  const volumes = makeVolumes(file, volumeSite(root, state), state.volumes);
  const { reason: _past, ...rest } = state;
  const updating: ClusterState = {
    ...rest,
    status: 'UPDATE_IN_PROGRESS',
    updatedAt: new Date().toISOString(),
    places: nodePlaces(plan, state.places),
    volumes,
    hosts,
    ...(own?.sshConfig === undefined ? {} : { sshConfig: own.sshConfig }),
    mountPoints: [...new Set([...state.mountPoints, ...volumes.flatMap(({ made }) => made)])],
  };
  checkPaths(plan, updating);
  folder.writeState({ ...updating, places: state.places, volumes: state.volumes, hosts: state.hosts });
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

/** @throws {INVALID_OPTION} for a list of hosts, if the cluster has virtual nodes */
export function requireHosts({ name, provider }: ClusterState): void {
  if (provider !== 'ssh')
    throw new TrenioError('INVALID_OPTION', {
      what: 'trenio cluster update-cluster',
      option: '--hosts',
      got: `a list of hosts for ${name} (provider ${provider})`,
      expected: 'no value: only clusters that were created with --provider ssh have hosts',
    });
}

/** @param given the new list; undefined: the hosts that the cluster has */
function nextHosts(
  plan: ClusterPlan,
  state: ClusterState,
  given: readonly OwnHost[] | undefined,
): Record<string, OwnHost> {
  if (given !== undefined) return assignHosts(plan, given, state.hosts);
  const names = nodesOf(plan).map(node => node.name);
  const [kept, others] = [names.flatMap(node => state.hosts[node] ?? []), Object.values(state.hosts)];
  const free = others.filter(host => !kept.includes(host));
  const count = names.length;
  if (count > others.length) {
    const problem = `the configuration has ${count} nodes, and the cluster ${others.length} hosts: give the list of all hosts with --hosts`;
    throw new TrenioError('CLUSTER_HOSTS_UNUSABLE', { problems: [problem] });
  }
  return assignHosts(plan, [...kept, ...free].slice(0, count), state.hosts);
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
  const moved = Object.entries(state.hosts).filter(([node, host]) => !isSameHost(host, updating.hosts[node] ?? host));
  for (const [node] of moved) disturbed.add(node);
  if (state.fleetStatus === 'RUNNING')
    await clearNodes(folder, disturbed, file.Scheduling.SlurmSettings?.QueueUpdateStrategy, report, signal);
  await stopSupervisor(folder);
  for (const [node, { process: text }] of Object.entries(folder.processes().nodes)) {
    const identity = parseIdentity(text);
    if (disturbed.has(node) && identity !== undefined) endProcess(identity, 'SIGKILL');
  }
  for (const left of await endOnHosts(folder, state, updating, disturbed)) report(`not stopped on ${left}`);
  writeFileSync(join(folder.path, 'config.yaml'), text);
  folder.writeState(updating);
  writeSite(folder, updating, plan);
  writeActions(actions, { folder: folder.path, clusterName: name, region: state.region });
  await pushToAll(folder.path, updating);
  // slurmctld reads new nodes only at its start; the supervisor restarts it and notifies the nodes.
  const controller = parseIdentity(folder.processes().slurmctld ?? '');
  if (controller !== undefined) endProcess(controller, 'SIGTERM');
  await waitForEnd(controller);
  await startSupervisor(folder);
  const slurm = new SlurmClient(folder.conf);
  for (const until = performance.now() + READY_MS; !(await slurm.isUp()) && performance.now() < until; )
    await new Promise(done => setTimeout(done, 50));
  // The nodes read the files again, and register.
  await slurm.run('scontrol', 'reconfigure');
  await resumeDrained(slurm);
  if (state.fleetStatus === 'RUNNING') await waitUntilReady(folder, plan, report, signal);
  runHeadActions(folder, updating, 'OnNodeUpdated');
  const kept = new Set(updating.volumes.map(({ folder: path }) => path));
  removeVolumes(state.volumes.filter(one => !kept.has(one.folder)));
}

/** slurmd runs on ssh hosts without a process of this machine. Returns the hosts that could not be reached. */
async function endOnHosts(
  { path }: ClusterFolder,
  state: ClusterState,
  updating: ClusterState,
  disturbed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const next = Object.values(updating.hosts);
  const old = Object.entries(state.hosts);
  const leaving = old.map(([, host]) => host).filter(host => !next.some(one => isSameHost(one, host)));
  const changed = old.filter(([node, host]) => disturbed.has(node) && !leaving.includes(host)).map(([, host]) => host);
  return [...(await stopHosts(path, state, changed)), ...(await leaveHosts(path, state, leaving))];
}

interface Planned {
  readonly plan: ClusterPlan;
  readonly file: ClusterFile;
}

/** Nodes of the old plan that the new plan lacks or has with another size. */
function disturbedNodes(before: Planned, after: Planned): Set<string> {
  const describe = ({ count: _count, ...group }: ClusterPlan['groups'][number], { file }: Planned): string => {
    const queue = file.Scheduling.SlurmQueues?.find(({ Name }) => Name === group.queue);
    // Properties that are fixed at the start of a node.
    return JSON.stringify([group, queue?.CustomActions, file.SharedStorage]);
  };
  const kept = new Map(nodesOf(after.plan).map(({ name, group }) => [name, describe(group, after)]));
  return new Set(
    nodesOf(before.plan)
      .filter(({ name, group }) => kept.get(name) !== describe(group, before))
      .map(({ name }) => name),
  );
}

/** Resumes nodes that were drained for an update, which may have been interrupted. */
async function resumeDrained(slurm: SlurmClient): Promise<void> {
  for (const until = performance.now() + RESUME_MS; ; await sleep(POLL_MS)) {
    const drained = (await slurm.nodes()).filter(
      ({ states, reason }) => states.includes('drain') && reason?.startsWith(UPDATE_REASON),
    );
    if (drained.length === 0) return;
    try {
      await slurm.resume(drained.map(({ name }) => name));
      return;
    } catch (error) {
      // Slurm does not resume a node while it registers.
      if (!isTrenioError(error, 'SLURM_FAILED') || performance.now() > until) throw error;
    }
  }
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
