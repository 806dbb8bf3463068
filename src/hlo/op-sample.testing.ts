// A sample of an op, and how to add one to the list. The samples are in op-samples*.ts.
import type { OpName } from './attributes.ts';
import type { Builder } from './builder.ts';
import type { Literal } from './literal.ts';
import type { Func, Value } from './program.ts';

export interface OpSample {
  /** The op that the program demonstrates. */
  readonly name: OpName;
  readonly label: string;
  readonly func: Func;
  readonly inputs: readonly Literal[];
}

export type Add = (
  name: OpName,
  label: string,
  inputs: readonly Literal[],
  body: (builder: Builder, args: readonly Value[]) => Value | readonly Value[],
) => void;
