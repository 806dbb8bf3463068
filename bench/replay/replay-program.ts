// A program of process replay: a stable name, the sets that it belongs to, and a function that builds it.
import type { hlo } from 'trenio';

/** `fast`: takes a few seconds, checked by CI. `all`: also every model at its real size. */
export const programSets = ['fast', 'all'] as const;
export type ProgramSet = (typeof programSets)[number];

export interface ReplayProgram {
  /** Lower-case letters, digits and `-`, because files are named after it. */
  readonly name: string;
  readonly sets: readonly ProgramSet[];
  /** The modules, in the order in which they were compiled. */
  readonly modules: () => readonly hlo.Module[];
}
