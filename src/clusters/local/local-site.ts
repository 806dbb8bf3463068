// Where the parts of a cluster on this machine are: addresses of nodes, paths, and the files that Slurm and the nodes read.

import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { ClusterFolder, ClusterState } from '../cluster-folder.ts';
import { type ClusterPlan, type NodeGroup, nodeNamesOf } from '../cluster-plan.ts';
import { type SlurmSite, slurmFiles } from '../slurm/slurm-conf.ts';
import { requestFolder, slurmScripts } from '../slurm/slurm-scripts.ts';
import { addressOf, gatewayOf } from './network.ts';

/** slurmctld, slurmd, and room for what Slurm adds. */
export const CONTROLLER_PORTS = 4;

/** The nodes of a plan in the order of their addresses. */
export const placedNodes = (plan: ClusterPlan): readonly { readonly name: string; readonly group: NodeGroup }[] =>
  plan.groups.flatMap(group => nodeNamesOf(group).map(name => ({ name, group })));

export function siteOf(folder: ClusterFolder, state: ClusterState, plan: ClusterPlan): SlurmSite {
  const { subnet, port, runFolder } = state;
  const host = hostname().split('.')[0]!;
  const first = new Map<NodeGroup, number>();
  for (const [i, { group }] of placedNodes(plan).entries()) if (!first.has(group)) first.set(group, i);
  return {
    user: userInfo().username,
    controller: { host, address: subnet === null ? '127.0.0.1' : gatewayOf(subnet) },
    port,
    folder: folder.path,
    runFolder,
    // With namespaces, each node sees its own folder here.
    spool: subnet === null ? `${runFolder}/s/%n` : `${runFolder}/s`,
    nodeAddresses: group => {
      const start = first.get(group)!;
      if (subnet === null) {
        const from = port + CONTROLLER_PORTS + start;
        return `NodeHostname=${host} NodeAddr=127.0.0.1 Port=${group.count === 1 ? from : `[${from}-${from + group.count - 1}]`}`;
      }
      const addresses = Array.from({ length: group.count }, (_, i) => addressOf(subnet, start + i));
      return `NodeAddr=${addresses.join(',')}`;
    },
  };
}

/** Writes everything that Slurm and the nodes read. */
export function writeSite(folder: ClusterFolder, state: ClusterState, plan: ClusterPlan): void {
  const site = siteOf(folder, state, plan);
  const { runFolder, subnet } = state;
  for (const name of ['etc', 'bin', 'log', requestFolder]) mkdirSync(join(folder.path, name), { recursive: true });
  mkdirSync(join(folder.path, 'state'), { recursive: true, mode: 0o700 });
  for (const name of ['s', 't', 'dev']) mkdirSync(join(runFolder, name), { recursive: true, mode: 0o755 });
  // munge wants that all users can reach its socket.
  mkdirSync(join(runFolder, 'munge'), { recursive: true, mode: 0o711 });
  chmodSync(join(runFolder, 'munge'), 0o711);
  writeIfAbsent(join(folder.path, 'etc/munge.key'), randomBytes(128), 0o400);
  for (const [name, text] of Object.entries(slurmScripts(folder.path)))
    writeFileSync(join(folder.path, 'bin', name), text, { mode: 0o755 });
  for (const [name, text] of Object.entries(slurmFiles(plan, site)))
    writeFileSync(join(folder.path, 'etc', name), text);
  for (const { resource } of plan.groups)
    if (resource !== undefined)
      for (let i = 0; i < resource.count; i++)
        linkIfAbsent('/dev/null', join(runFolder, 'dev', `${resource.name}${i}`));
  if (subnet !== null) {
    const nodes = placedNodes(plan).map(({ name }, i) => `${addressOf(subnet, i)} ${name}`);
    const lines = ['127.0.0.1 localhost', `${gatewayOf(subnet)} ${site.controller.host}`, ...nodes];
    writeFileSync(join(folder.path, 'etc/hosts'), `${lines.join('\n')}\n`);
  }
}

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
