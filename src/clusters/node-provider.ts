// Where the nodes of a cluster come from, as its supervisor sees it: virtual ones of this machine (local/), or own hosts (ssh/).
// A Slurm that is there already (`existing`) has its nodes, and no supervisor.
import type { ProcessIdentity } from '../base/process-identity.ts';

/** The programs that a node runs before its slurmd, and the files they write. */
export interface NodeActions {
  /** Programs; undefined: none. */
  readonly start: string | undefined;
  readonly configured: string | undefined;
  readonly failure: string;
  readonly log: string;
}

export interface NodeStart {
  readonly name: string;
  /** Slurm asked for the node, and waits until it says that it has just booted. */
  readonly isResumed: boolean;
  readonly actions: NodeActions;
}

export interface NodeProvider {
  /** Whether a node is lost when its process ends. Otherwise only the connection to it is, and Slurm finds out about the node. */
  readonly endsWithProcess: boolean;
  /** Between two starts of a node that ends at once. */
  readonly restartMs: number;
  /** Before the first start, also after a restart of the machine. */
  open(): Promise<void>;
  /** Starts slurmd on a node. The process is one of this machine. */
  start(node: NodeStart): Promise<ProcessIdentity>;
  /** Ends slurmd and the jobs of a node. */
  stop(name: string, process: ProcessIdentity): Promise<void>;
}
