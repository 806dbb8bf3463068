// Something that is wrong in a configuration file, and where.

export type ProblemLevel = 'ERROR' | 'WARNING' | 'INFO';

export interface ConfigProblem {
  readonly level: ProblemLevel;
  /** The validator that found it, such as `NameValidator`. */
  readonly type: string;
  /** Keys from the top: `Scheduling.SlurmQueues[0].Name`. Empty: the whole file. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export const isError = ({ level }: ConfigProblem): boolean => level === 'ERROR';
