// The paths and addresses of a cluster's daemons.
import type { NodeGroup } from '../cluster-plan.ts';

/** The files and ports of a cluster's daemons. */
export interface SlurmSite {
  readonly user: string;
  /** The name and address of slurmctld's host. */
  readonly controller: { readonly host: string; readonly address: string };
  /** slurmctld's port; if each node has a separate address, slurmd uses the next port. */
  readonly port: number;
  /** Configuration, logs, state. */
  readonly folder: string;
  /**
   * Sockets and spool: a short path, because the path of a step's socket contains the node's name and has at most 107
   * characters.
   */
  readonly runFolder: string;
  /** slurmd's spool; `%n` stands for the node. */
  readonly spool: string;
  /** The addresses of the nodes of a group: `NodeAddr=… Port=…`. */
  nodeAddresses(group: NodeGroup): string;
}
