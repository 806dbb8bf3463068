// Test helpers: run a small program over literals with the interpreter.
import { isTrenioError } from '../../base/errors.ts';
import type { OpName } from '../attributes.ts';
import { Builder, buildFunc } from '../builder.ts';
import { interpret } from '../interpreter.ts';
import { type Literal, toNumbers } from '../literal.ts';
import type { OpRow } from '../op-row.ts';
import { opTable } from '../op-table.ts';
import { moduleOf, type Value } from '../program.ts';
import type { TensorType } from '../types.ts';

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

/** The results of the last op of a body, evaluated through its decomposition. */
export function runDecomposed(inputs: readonly Literal[], body: Body): readonly Literal[] {
  return runAll(inputs, (b, args) => {
    body(b, args);
    const op = b.ops.pop()!;
    const results = (opTable[op.name] as OpRow<OpName>).decompose?.(b, op as never, op.operands);
    if (results === undefined) throw new Error(`${op.name} has no decomposition here`);
    return results;
  });
}

/** The constraint that rejects a program. */
export function constraintOf(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    if (isTrenioError(error, 'INVALID_OP')) return error.data.constraint;
    throw error;
  }
  return 'accepted';
}
/** The constraint that rejects an op on operands of these types. */
export const refusalOf = (
  types: readonly TensorType[],
  body: (builder: Builder, operands: readonly Value[]) => unknown,
): string =>
  constraintOf(() => {
    const builder = new Builder();
    body(
      builder,
      types.map((type, i) => builder.argument(type, i)),
    );
  });
