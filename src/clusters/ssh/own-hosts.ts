// Own hosts as nodes of a cluster: the assignment of hosts to nodes, the files that are copied to them, and the end of the
// cluster on them.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { TrenioError } from '../../base/errors.ts';
import type { ClusterState } from '../cluster-folder.ts';
import { type ClusterPlan, type NodeGroup, nodeNamesOf } from '../cluster-plan.ts';
import type { ConfigChange } from '../config/config-changes.ts';
import { healthFolder, jobFolders } from '../slurm/slurm-scripts.ts';
import type { OwnHost } from './host-check.ts';
import { quoted, runOnHost, type SshAddress, SshError } from './ssh-client.ts';

/** The files that nodes read, below the folder of the cluster. */
const PUSHED = ['slurm.conf', 'gres.conf', 'cgroup.conf', 'mpi.conf', 'munge.key', 'mounts'].map(name => `etc/${name}`);
/** The folders in which the user adds, changes and removes programs while the cluster runs. */
const PROGRAM_FOLDERS = [healthFolder, ...jobFolders];
const PUSHED_FOLDERS = ['bin', 'actions', ...PROGRAM_FOLDERS];

type Assigned = Readonly<Record<string, OwnHost>>;

/**
 * The hosts in the order of their lines become the nodes in the order of the file. In an update, nodes keep their hosts, and the
 * others get the remaining ones.
 * @param before the hosts of the cluster
 * @throws {CLUSTER_HOSTS_UNUSABLE} if they cannot
 */
export function assignHosts(
  plan: ClusterPlan,
  hosts: readonly OwnHost[],
  before: Assigned = {},
): Record<string, OwnHost> {
  const nodes = plan.groups.flatMap(nodeNamesOf);
  const problems = plan.groups
    .filter(({ kind }) => kind === 'dynamic')
    .map(
      ({ queue, name, count }) =>
        `${queue}/${name}: MaxCount is ${count} more than MinCount, but ssh hosts are not started on demand; make them equal`,
    );
  if (problems.length === 0 && nodes.length !== hosts.length)
    problems.push(`the configuration has ${nodes.length} nodes, and the list of hosts ${hosts.length}`);
  if (problems.length > 0) throw new TrenioError('CLUSTER_HOSTS_UNUSABLE', { problems });
  const kept = new Map<string, OwnHost>();
  for (const node of nodes) {
    const old = before[node];
    const same = hosts.find(host => old !== undefined && isSameHost(host, old));
    if (same !== undefined) kept.set(node, same);
  }
  const free = hosts.filter(host => ![...kept.values()].includes(host));
  return Object.fromEntries(nodes.map(node => [node, kept.get(node) ?? free.shift()!]));
}

/** Whether two entries of the list of hosts are the same. */
export const isSameHost = (a: OwnHost, b: OwnHost): boolean => a.target === b.target && a.port === b.port;

/** The hosts of nodes that an update changes, as changes of the configuration. */
export function hostChanges(before: Assigned, after: Assigned): readonly ConfigChange[] {
  const text = (host: OwnHost | undefined): string | undefined =>
    host && `${host.target}${host.port === undefined ? '' : `:${host.port}`}`;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(node => {
    const [was, is] = [text(before[node]), text(after[node])];
    if (was === is) return [];
    return [{ path: `hosts[${node}]`, before: was, after: is, need: was === undefined ? 'live' : 'drain' } as const];
  });
}

/** Nodes with the cores and memory of their hosts; of the smallest host in a group with several. */
export function planOnHosts(plan: ClusterPlan, hosts: Readonly<Record<string, OwnHost>>): ClusterPlan {
  const sized = (group: NodeGroup): NodeGroup => {
    const own = nodeNamesOf(group).flatMap(node => hosts[node] ?? []);
    if (own.length === 0) return group;
    const cpus = Math.min(...own.map(one => one.cpus));
    const memoryMiB = Math.min(group.memoryMiB, ...own.map(one => one.memoryMiB));
    return { ...group, cpus, memoryMiB, resource: undefined };
  };
  return { ...plan, groups: plan.groups.map(sized) };
}

export const addressOfHost = ({ target, port }: OwnHost, { sshConfig }: ClusterState): SshAddress => ({
  target,
  port,
  config: sshConfig,
});

/** The files in the folders of programs, at any depth. */
const programsIn = (folder: string): readonly string[] =>
  PROGRAM_FOLDERS.filter(name => existsSync(join(folder, name)))
    .flatMap(name => readdirSync(join(folder, name), { recursive: true, withFileTypes: true }))
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();

/** Changes when the user's programs change. */
export function programsState(folder: string): string {
  return programsIn(folder)
    .map(name => {
      const { mode, size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
      return `${name} ${mode} ${size} ${mtimeMs}`;
    })
    .join('\n');
}

/** Copies the files of nodes to a host, and removes programs that the user has removed. @throws {SshError} */
export async function pushFiles(address: SshAddress, folder: string): Promise<void> {
  const there = [...PUSHED, ...PUSHED_FOLDERS].filter(name => existsSync(join(folder, name)));
  const { stdout } = await promisify(execFile)('tar', ['-C', folder, '-cf', '-', ...there], {
    encoding: 'buffer',
    maxBuffer: 64 * 2 ** 20,
  });
  const kept = programsIn(folder).map(name => `! -path ${quoted(name.replaceAll(/[\\*?[\]]/g, '\\$&'))}`);
  const folders = PROGRAM_FOLDERS.join(' ');
  const removal = `mkdir -p ${folders} && find ${folders} ! -type d ${kept.join(' ')} -delete`;
  const to = quoted(folder);
  await runOnHost(
    address,
    `umask 022 && mkdir -p ${to} && cd ${to} && tar --no-same-owner -xpf - && ${removal}`,
    stdout,
  );
}

/** Copies the files of nodes to all hosts of a cluster. @throws {SshError} */
export async function pushToAll(folder: string, state: ClusterState): Promise<void> {
  await Promise.all(Object.values(state.hosts).map(host => pushFiles(addressOfHost(host, state), folder)));
}

const stopCommand = (folder: string): string =>
  `[ ! -e ${quoted(folder)}/bin/host-stop.sh ] || sh ${quoted(folder)}/bin/host-stop.sh`;

/** Ends the daemons and jobs of a cluster on some of its hosts. Returns unreachable hosts. */
export const stopHosts = (folder: string, state: ClusterState, hosts: readonly OwnHost[]): Promise<readonly string[]> =>
  onHosts(state, hosts, stopCommand(folder));

/** Ends the cluster on some of its hosts, and removes its files. Returns unreachable hosts. */
export const leaveHosts = (
  folder: string,
  state: ClusterState,
  hosts = Object.values(state.hosts),
): Promise<readonly string[]> =>
  onHosts(state, hosts, `${stopCommand(folder)}; rm -rf ${quoted(folder)} ${quoted(state.runFolder)}`);

async function onHosts(state: ClusterState, hosts: readonly OwnHost[], command: string): Promise<readonly string[]> {
  const failed = await Promise.all(
    hosts.map(host =>
      runOnHost(addressOfHost(host, state), command).then(
        () => [],
        (error: unknown) => {
          if (error instanceof SshError) return [`${host.target}: ${error.message}`];
          throw error;
        },
      ),
    ),
  );
  return failed.flat();
}
