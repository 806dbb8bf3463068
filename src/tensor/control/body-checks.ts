// The index checks of the body of a loop or branch, which cannot be read there. A loop carries the worst index of its
// iterations, a conditional returns that of the branch that runs: additional results of the op, which are checked for each
// program with the op.
import type { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type IndexCheck, noteCheck, noWrongIndex } from '../step/index-checks.ts';
import type { Trace } from '../step/trace.ts';
import type { Body } from './body.ts';

/** The checks of the lookups of a body. */
export const checksOf = (trace: Trace, body: Pick<Body, 'ops'>): readonly IndexCheck[] =>
  body.ops.flatMap(op => trace.checks.get(op) ?? []);

/** The value of a check that has found nothing. */
export const nothingWrong = (b: Builder, { wrong }: IndexCheck): Value =>
  b.fill(tensorTypeOf(wrong).elementType, [], noWrongIndex);

/** The wrong index of this iteration, or of an earlier one: wrong indices are always larger than `none`. */
export const worst = (b: Builder, earlier: Value, now: Value): Value => b.binary('maximum', earlier, now);

/** Adds these checks, whose numbers are results of the op, to programs with the op. */
export function noteBodyChecks(trace: Trace, checks: readonly IndexCheck[], found: readonly Value[]): void {
  checks.forEach((check, i) => {
    const wrong = found[i]!;
    trace.stopped.add(wrong);
    noteCheck(trace, wrong, { ...check, wrong });
  });
}
