// A running process: a coroutine that pauses when it needs values from other processes, and is resumed with them.
//
//   process 0   ──ops──▶ meet [0, 1] ┐                ┌▶ ops ──▶ results
//   process 1   ──ops───────▶ meet [0, 1] ─▶ grid ─▶──┴▶ ops ──▶ receive ─▶ …
//
// So programs may differ between processes, and a process that waits for something that is never sent is reported.
import { invariant } from '../base/errors.ts';
import type { Literal } from './literal.ts';
import type { Op, Value } from './program.ts';

export const token = { kind: 'token' } as const;
/** The representation of a value while the program runs; tuples and futures are lists. */
export type RuntimeValue = Literal | readonly RuntimeValue[] | typeof token;
/** The values of one process. Inner regions can access the values of outer ones. */
export type Environment = Map<Value, RuntimeValue>;

/** The event that a process waits for. */
export type Wait =
  | {
      /** Waits until all members reach the same op; the reply is the operands of each, in the order of the members. */
      readonly kind: 'rendezvous';
      /** The op that waits. */
      readonly op: Op;
      /** Process ids; this process is among them. */
      readonly members: readonly number[];
      /** The channel. */
      readonly channel: number;
      /** The operands. */
      readonly operands: readonly Literal[];
    }
  | {
      /** Waits until the channel has a message; the reply is the list of values that were sent. */
      readonly kind: 'receive';
      /** The op that waits. */
      readonly op: Op;
      /** The channel. */
      readonly channel: string;
    };
/** The value passed to a process when it resumes. */
export type Answer = readonly (readonly Literal[])[];

/** Execution of an op, region or function. */
export type Steps = Generator<Wait, readonly RuntimeValue[], Answer>;

export const isLiteral = (value: RuntimeValue): value is Literal => 'data' in value;
/** The operands of an op that takes only tensors. */
export const literalsOf = (operands: readonly RuntimeValue[]): readonly Literal[] =>
  operands.map(value => {
    invariant(isLiteral(value), 'expected a tensor, got a token or tuple');
    return value;
  });
