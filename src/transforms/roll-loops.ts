// Rolls repeated code into loops: what a user's `for` statement recorded once per iteration becomes a `while` with the ops of
// one, so that the length of a program does not depend on the number of iterations.
//
//   x₀ → f → x₁ → f → … → f → xₙ        →        while (i < n) x = f(x, aᵢ)
//          a₀      a₁       aₙ₋₁                           a = [a₀, …, aₙ₋₁], one argument
//
// The results are the same bits. Iterations that differ, such as the first of a sum, stay outside; so do sections of fewer than
// eight iterations, and those of small programs, which are faster unrolled.
import type { SourceLocation } from '../base/errors.ts';
import type { Func, Value } from '../hlo/program.ts';
import { findRepeats } from './roll/find-repeats.ts';
import { Matcher } from './roll/matcher.ts';
import { classesOf } from './roll/op-classes.ts';
import { type WrittenLoops, writeLoops } from './roll/writer.ts';

/** Programs in which loops have fewer ops than this stay unrolled. */
export const fewestRolledOps = 1024;

export interface RolledLoop {
  /** The line of its first op. */
  readonly location: SourceLocation | undefined;
  readonly count: number;
}
export interface Rolled extends WrittenLoops {
  readonly loops: readonly RolledLoop[];
}
export interface RollOptions {
  /** Whether arguments like this one may be copied into a stack at each execution. */
  mayStack(argument: Value, index: number): boolean;
  readonly fewestOps?: number;
}

/** The function with its loops; undefined if they would have too few ops. */
export function rollLoops(func: Func, { mayStack, fewestOps = fewestRolledOps }: RollOptions): Rolled | undefined {
  const { args, ops } = func.body;
  if (ops.length < fewestOps || func.argAttributes !== undefined || func.resultAttributes !== undefined)
    return undefined;
  const classes = classesOf(ops);
  const repeats = findRepeats(classes.classes);
  if (repeats.reduce((sum, { period, count }) => sum + period * count, 0) < fewestOps) return undefined;
  const stackable = new Set(args.filter(mayStack));
  const matcher = new Matcher(func, classes, value => stackable.has(value));
  for (const repeat of repeats) matcher.match(repeat);
  const { loops } = matcher;
  if (loops.reduce((sum, { turns, count }) => sum + turns.length * count, 0) < fewestOps) return undefined;
  return {
    ...writeLoops(func, matcher),
    loops: loops.map(({ turns, count }) => ({ location: turns[0]!.op.location, count })),
  };
}
