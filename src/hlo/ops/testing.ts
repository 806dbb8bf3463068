// Test helpers: run a small program over literals with the interpreter.
import { isTrenioError } from '../../base/errors.ts';
import { type Builder, buildFunc } from '../builder.ts';
import { interpret } from '../interpreter.ts';
import { type Literal, toNumbers } from '../literal.ts';
import { moduleOf, type Value } from '../program.ts';

type Body = (builder: Builder, args: readonly Value[]) => Value | readonly Value[];

/** The results of a program of one body. */
export function runAll(inputs: readonly Literal[], body: Body): readonly Literal[] {
  const main = buildFunc(
    'main',
    inputs.map(x => x.type),
    (b, args) => {
      const results = body(b, args);
      return 'type' in results ? [results] : results;
    },
  );
  return interpret(moduleOf(main), inputs);
}
/** The first result. */
export const run = (inputs: readonly Literal[], body: Body): Literal => runAll(inputs, body)[0]!;
/** The first result as numbers. */
export const numbers = (inputs: readonly Literal[], body: Body): number[] => toNumbers(run(inputs, body));

/** The constraint by which a program is refused. */
export function constraintOf(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (isTrenioError(error, 'INVALID_OP')) return error.data.constraint;
    throw error;
  }
  return 'accepted';
}
