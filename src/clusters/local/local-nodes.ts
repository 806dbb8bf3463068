// Virtual nodes of this machine.
import { join } from 'node:path';
import type { ProcessIdentity } from '../../base/process-identity.ts';
import type { ClusterFolder, ClusterState } from '../cluster-folder.ts';
import type { NodeProvider, NodeStart } from '../node-provider.ts';
import { slurmPrograms } from '../slurm/slurm-programs.ts';
import { mountTable } from '../storage/volume.ts';
import { endProcess } from './end-process.ts';
import { addressOf, bridgeOf, gatewayOf, raiseBridge } from './network.ts';
import { type NodeSite, startNode } from './node-host.ts';

export class LocalNodes implements NodeProvider {
  readonly endsWithProcess = true;
  readonly restartMs = 2000;
  readonly #state: ClusterState;
  readonly #site: NodeSite;

  constructor({ path }: ClusterFolder, state: ClusterState, variables: NodeJS.ProcessEnv) {
    const { subnet, runFolder, volumes } = state;
    this.#state = state;
    this.#site = {
      runFolder,
      logFolder: join(path, 'log'),
      slurmd: slurmPrograms().slurmd,
      variables,
      mounts: mountTable(volumes),
      network:
        subnet === null
          ? undefined
          : { bridge: bridgeOf(subnet), gateway: gatewayOf(subnet), hostsFile: join(path, 'etc/hosts') },
    };
  }

  async open(): Promise<void> {
    const { subnet } = this.#state;
    if (subnet !== null) await raiseBridge(subnet);
  }

  start(node: NodeStart): Promise<ProcessIdentity> {
    const { subnet, places } = this.#state;
    return startNode(this.#site, node, subnet === null ? undefined : addressOf(subnet, places[node.name]!));
  }

  async refresh(): Promise<void> {
    // The nodes have the cluster's folder itself.
  }

  async stop(_name: string, process: ProcessIdentity): Promise<void> {
    endProcess(process, 'SIGKILL');
  }
}
