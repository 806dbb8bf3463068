// Own hosts as nodes of a cluster: which host is which node, the files that they get, and the end of the cluster on them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TrenioError } from '../../base/errors.ts';
import type { ClusterState } from '../cluster-folder.ts';
import { type ClusterPlan, type NodeGroup, nodeNamesOf } from '../cluster-plan.ts';
import type { OwnHost } from './host-check.ts';
import { quoted, runOnHost, type SshAddress, SshError } from './ssh-client.ts';

/** The files that nodes read, below the folder of the cluster. */
const PUSHED = ['slurm.conf', 'gres.conf', 'cgroup.conf', 'mpi.conf', 'munge.key', 'mounts', 'addresses'].map(
  name => `etc/${name}`,
);
const PUSHED_FOLDERS = ['bin', 'actions', 'health.d'];

/**
 * The hosts in the order of their lines become the nodes in the order of the file.
 * @throws {CLUSTER_HOSTS_UNUSABLE} if they cannot
 */
export function assignHosts(plan: ClusterPlan, hosts: readonly OwnHost[]): Record<string, OwnHost> {
  const nodes = plan.groups.flatMap(nodeNamesOf);
  const problems = plan.groups
    .filter(({ kind }) => kind === 'dynamic')
    .map(
      ({ queue, name, count }) =>
        `${queue}/${name}: MaxCount is ${count} more than MinCount, but own hosts are not started on demand; make them equal`,
    );
  if (problems.length === 0 && nodes.length !== hosts.length)
    problems.push(`the configuration has ${nodes.length} nodes, and the list of hosts ${hosts.length}`);
  if (problems.length > 0) throw new TrenioError('CLUSTER_HOSTS_UNUSABLE', { problems });
  return Object.fromEntries(nodes.map((node, i) => [node, hosts[i]!]));
}

/** Nodes with the cores and the memory that their hosts have: of a group with several hosts, those of the smallest. */
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

/** Copies what nodes read. @throws {SshError} */
export async function pushFiles(address: SshAddress, folder: string): Promise<void> {
  const there = [...PUSHED, ...PUSHED_FOLDERS].filter(name => existsSync(join(folder, name)));
  const { stdout } = await promisify(execFile)('tar', ['-C', folder, '-cf', '-', ...there], {
    encoding: 'buffer',
    maxBuffer: 64 * 2 ** 20,
  });
  const to = quoted(folder);
  await runOnHost(address, `umask 022 && mkdir -p ${to} && tar -C ${to} --no-same-owner -xpf -`, stdout);
}

/** To all hosts of a cluster. @throws {SshError} */
export async function pushToAll(folder: string, state: ClusterState): Promise<void> {
  await Promise.all(Object.values(state.hosts).map(host => pushFiles(addressOfHost(host, state), folder)));
}

/** Ends the cluster on its hosts, and removes its files. Returns those that could not be reached. */
export async function leaveHosts(folder: string, state: ClusterState): Promise<readonly string[]> {
  const command = [
    `[ ! -e ${quoted(folder)}/bin/host-stop.sh ] || sh ${quoted(folder)}/bin/host-stop.sh`,
    `rm -rf ${quoted(folder)} ${quoted(state.runFolder)}`,
  ].join('; ');
  const failed = await Promise.all(
    Object.values(state.hosts).map(host =>
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
