// The places of a cluster's daemons.
import type { NodeGroup } from '../cluster-plan.ts';

/** Where a cluster's daemons keep their files and listen. */
export interface SlurmSite {
  readonly user: string;
  /** Name and address of the host of slurmctld. */
  readonly controller: { readonly host: string; readonly address: string };
  /** slurmctld's; that of slurmd, where each node has an address of its own, is the next one. */
  readonly port: number;
  /** Configuration, logs, state. */
  readonly folder: string;
  /** Sockets and spool: a short path, since a step's socket is named after its node and has at most 107 characters. */
  readonly runFolder: string;
  /** slurmd's spool; `%n` stands for the node. */
  readonly spool: string;
  /** Where the nodes of a group are reached: `NodeAddr=… Port=…`. */
  nodeAddresses(group: NodeGroup): string;
}
