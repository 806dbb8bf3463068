// A problem in a configuration file and its location.

export type ProblemLevel = 'ERROR' | 'WARNING' | 'INFO';

export interface ConfigProblem {
  readonly level: ProblemLevel;
  /** The validator that found it, such as `NameValidator`. */
  readonly type: string;
  /** Keys from the top: `Scheduling.SlurmQueues[0].Name`. Empty: the whole file. */
  readonly path: string;
  /** Starts at 1. */
  readonly line: number;
  readonly message: string;
}

export const isError = ({ level }: ConfigProblem): boolean => level === 'ERROR';
