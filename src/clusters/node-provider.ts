// The supervisor's interface to the nodes of a cluster: virtual nodes of this machine (local/), or your own hosts (ssh/). An
// existing Slurm (`existing`) has its own nodes and no supervisor.
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
  /** Whether Slurm requested the node and waits for it to report that it has just booted. */
  readonly isResumed: boolean;
  readonly actions: NodeActions;
}

export interface NodeProvider {
  /**
   * Whether a node is lost when its process ends. Otherwise only the connection is lost, and Slurm detects the state of the node.
   */
  readonly endsWithProcess: boolean;
  /** The time between two starts of a node that ends immediately. */
  readonly restartMs: number;
  /** Called before the first start, also after a restart of the machine. */
  open(): Promise<void>;
  /** Starts slurmd on a node. The returned process runs on this machine. */
  start(node: NodeStart): Promise<ProcessIdentity>;
  /** Called regularly with the running nodes: copies the user's health checks, prologs and epilogs that have changed. */
  refresh(names: readonly string[]): Promise<void>;
  /** Ends slurmd and the jobs of a node. */
  stop(name: string, process: ProcessIdentity): Promise<void>;
}
