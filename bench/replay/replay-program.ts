// A program of process replay: a name that never changes, the sets that it belongs to, and how it is made.
import type { hlo } from 'trenio';

/** `fast`: in a few seconds, what CI checks. `all`: that and every model at its real size. */
export const programSets = ['fast', 'all'] as const;
export type ProgramSet = (typeof programSets)[number];

export interface ReplayProgram {
  /** Lower case letters, digits and `-`: it names files. */
  readonly name: string;
  readonly sets: readonly ProgramSet[];
  /** One module for each program that is asked for, in that order. */
  readonly modules: () => readonly hlo.Module[];
}
