// The layout of a cluster on this machine: addresses of nodes, paths, and the files that Slurm and the nodes read.

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClusterFolder, ClusterState } from '../cluster-folder.ts';
import { type ClusterPlan, type NodeGroup, nodeNamesOf } from '../cluster-plan.ts';
import { SLURMDBD_CONF_MODE, slurmdbdConf } from '../slurm/accounting.ts';
import { slurmFiles } from '../slurm/slurm-conf.ts';
import { commandFolder, slurmUser } from '../slurm/slurm-programs.ts';
import { healthFolder, jobFolders, requestFolder, slurmScripts } from '../slurm/slurm-scripts.ts';
import type { SlurmSite } from '../slurm/slurm-site.ts';
import { nodeScript, stopScript } from '../ssh/host-scripts.ts';
import { planOnHosts } from '../ssh/own-hosts.ts';
import { addressOf, gatewayOf } from './network.ts';

/** slurmctld, slurmd, slurmdbd, and space for Slurm's additional ports. */
export const CONTROLLER_PORTS = 4;

/** The names of `bin/trenio` on nodes. */
const COMMANDS = ['trenio', 'neuron-ls', 'neuron-monitor', 'neuron-top', 'neuron_parallel_compile'];
const TRENIO = fileURLToPath(new URL('../../../bin/trenio', import.meta.url));

export interface PlacedNode {
  readonly name: string;
  readonly group: NodeGroup;
}

/** The nodes of a plan. */
export const nodesOf = (plan: ClusterPlan): readonly PlacedNode[] =>
  plan.groups.flatMap(group => nodeNamesOf(group).map(name => ({ name, group })));

/** The indices of the nodes of a plan: existing ones are kept, and new nodes get free ones. */
export function nodePlaces(plan: ClusterPlan, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const names = nodesOf(plan).map(({ name }) => name);
  const taken = new Set(names.flatMap(name => before[name] ?? []));
  let next = 0;
  const free = (): number => {
    while (taken.has(next)) next++;
    taken.add(next);
    return next;
  };
  return Object.fromEntries(names.map(name => [name, before[name] ?? free()]));
}

export function siteOf(folder: ClusterFolder, state: ClusterState): SlurmSite {
  const { subnet, port, runFolder, places, hosts, controller } = state;
  const host = hostname().split('.')[0]!;
  const own = Object.keys(hosts).length > 0;
  return {
    user: slurmUser(),
    controller: { host, address: controller ?? (subnet === null ? '127.0.0.1' : gatewayOf(subnet)) },
    port,
    folder: folder.path,
    runFolder,
    // Nodes with namespaces, and ssh hosts, have separate folders at this path.
    spool: subnet === null && !own ? `${runFolder}/s/%n` : `${runFolder}/s`,
    nodeAddresses: group => {
      const names = nodeNamesOf(group);
      if (own) {
        const ofNodes = names.map(name => hosts[name]!);
        return `NodeHostname=${ofNodes.map(one => one.hostName).join(',')} NodeAddr=${ofNodes.map(one => one.address).join(',')}`;
      }
      const taken = names.map(name => places[name]!);
      if (subnet !== null) return `NodeAddr=${taken.map(place => addressOf(subnet, place)).join(',')}`;
      const ports = taken.map(place => port + CONTROLLER_PORTS + place);
      return `NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports.length === 1 ? ports[0] : `[${ports.join(',')}]`}`;
    },
  };
}

/** Writes all files that Slurm and the nodes read. */
export function writeSite(folder: ClusterFolder, state: ClusterState, planned: ClusterPlan): void {
  const site = siteOf(folder, state);
  const plan = planOnHosts(planned, state.hosts);
  const { runFolder, subnet } = state;
  for (const name of ['etc', 'bin', 'log', 'unhealthy', healthFolder, ...jobFolders, requestFolder])
    mkdirSync(join(folder.path, name), { recursive: true });
  mkdirSync(join(folder.path, 'state'), { recursive: true, mode: 0o700 });
  for (const name of ['s', 't', 'dev']) mkdirSync(join(runFolder, name), { recursive: true, mode: 0o755 });
  // munge requires that all users can access its socket.
  mkdirSync(join(runFolder, 'munge'), { recursive: true, mode: 0o711 });
  chmodSync(join(runFolder, 'munge'), 0o711);
  writeIfAbsent(join(folder.path, 'etc/munge.key'), randomBytes(128), 0o400);
  for (const [name, text] of Object.entries(slurmScripts(folder.path)))
    writeFileSync(join(folder.path, 'bin', name), text, { mode: 0o755 });
  if (state.provider === 'ssh') {
    writeFileSync(join(folder.path, 'bin/host-node.sh'), nodeScript(site), { mode: 0o755 });
    writeFileSync(join(folder.path, 'bin/host-stop.sh'), stopScript(site), { mode: 0o755 });
  }
  mkdirSync(commandFolder(folder.conf), { recursive: true });
  writeFileSync(join(commandFolder(folder.conf), 'ssh'), sshScript(folder, state), { mode: 0o755 });
  for (const name of COMMANDS) linkIfAbsent(TRENIO, join(commandFolder(folder.conf), name));
  for (const [name, text] of Object.entries(slurmFiles(plan, site)))
    writeFileSync(join(folder.path, 'etc', name), text);
  if (plan.database !== undefined) {
    mkdirSync(join(folder.path, 'db'), { recursive: true, mode: 0o700 });
    const path = join(folder.path, 'etc/slurmdbd.conf');
    writeFileSync(path, slurmdbdConf(plan, site), { mode: SLURMDBD_CONF_MODE });
    chmodSync(path, SLURMDBD_CONF_MODE);
  }
  for (const { resource } of plan.groups)
    if (resource !== undefined)
      for (let i = 0; i < resource.count; i++)
        linkIfAbsent('/dev/null', join(runFolder, 'dev', `${resource.name}${i}`));
  const mounts = state.volumes.filter(({ mount }) => mount === 'bind').map(({ mountDir }) => `${mountDir}\n`);
  writeFileSync(join(folder.path, 'etc/mounts'), mounts.join(''));
  if (subnet !== null) {
    const nodes = Object.entries(state.places).map(([name, place]) => `${addressOf(subnet, place)} ${name}`);
    const lines = ['127.0.0.1 localhost', `${gatewayOf(subnet)} ${site.controller.host}`, ...nodes];
    writeFileSync(join(folder.path, 'etc/hosts'), `${lines.join('\n')}\n`);
  }
}

/**
 * `ssh NODE` with the name of a node. From the head node it is `trenio cluster ssh`; nodes in namespaces reach others only
 * through Slurm, as a step of the job that they run, or as a job.
 */
const sshScript = ({ path, conf }: ClusterFolder, { name, subnet }: ClusterState): string => `#!/bin/sh
export SLURM_CONF='${conf}'
node=$1
if [ -n "$node" ] && [ "\${node#-}" = "$node" ] && scontrol show node "$node" > /dev/null 2>&1; then
  shift
  if [ -z "$SLURMD_NODENAME" ] || ${subnet === null}; then
    XDG_DATA_HOME='${dirname(dirname(dirname(path)))}' exec trenio cluster ssh -n '${name}' --node "$node" "$@"
  fi
  [ $# -gt 0 ] || set -- "\${SHELL:-sh}"
  [ ! -t 0 ] || pty=--pty
  exec srun \${SLURM_JOB_ID:+--overlap} --nodes=1 --ntasks=1 --nodelist="$node" $pty "$@"
fi
PATH=$(printf %s "$PATH" | tr : '\\n' | grep -vxF '${commandFolder(conf)}' | paste -s -d :)
exec ssh "$@"
`;

function writeIfAbsent(path: string, content: Buffer, mode: number): void {
  unlessItExists(() => writeFileSync(path, content, { mode, flag: 'wx' }));
}

function linkIfAbsent(target: string, path: string): void {
  unlessItExists(() => symlinkSync(target, path));
}

function unlessItExists(make: () => void): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
