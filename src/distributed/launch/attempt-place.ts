// The position of a machine in one attempt of a run: its nodes, its global ranks, and the store.
import type { NodePlace } from './messages.ts';

/** One attempt, as this machine sees it. */
export interface AttemptPlace {
  readonly attempt: number;
  readonly restarts: number;
  readonly groupRank: number;
  readonly nodes: readonly NodePlace[];
  /** The store of the run. */
  readonly master: { readonly host: string; readonly port: number; readonly secret: string; readonly run: string };
  /** With one rank per launcher: the ranks of this machine, including this one. */
  readonly site?: Site | undefined;
  /** Files of the sockets at which the ranks listen, on several machines. */
  readonly listeners?: readonly number[] | undefined;
  /** A launcher stopped for longer than this is considered lost by the other machines. */
  readonly lostMs: number;
}

/** The ranks of an attempt on one machine. */
export interface Site {
  /** The index of this rank among those of the machine. */
  readonly localRank: number;
  readonly localRanks: number;
  /** The index of the machine. */
  readonly machine: number;
  readonly machines: number;
  readonly host: string;
}

/** By the names of hosts. */
export function siteOf(nodes: readonly NodePlace[], groupRank: number): Site {
  const { host } = nodes[groupRank]!;
  const hosts = [...new Set(nodes.map(node => node.host))];
  return {
    localRank: nodes.slice(0, groupRank).filter(node => node.host === host).length,
    localRanks: nodes.filter(node => node.host === host).length,
    machine: hosts.indexOf(host),
    machines: hosts.length,
    host,
  };
}

/** The global rank of the first local one. */
export function firstRank({ nodes, groupRank }: AttemptPlace): number {
  return nodes.slice(0, groupRank).reduce((sum, node) => sum + node.ranks, 0);
}

export const worldSize = ({ nodes }: AttemptPlace): number => nodes.reduce((sum, node) => sum + node.ranks, 0);

/** Whether some of the ranks do not share memory. */
export const usesNetwork = ({ site, nodes }: AttemptPlace): boolean => (site?.machines ?? nodes.length) > 1;
