// The index checks of the body of a loop or branch, which a program cannot read there. A loop carries the worst index of its
// turns, a branch gives that of the branch that runs: more results of the op, which programs with the op look at.
import type { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type IndexCheck, noteCheck, noWrongIndex } from '../index-checks.ts';
import type { Trace } from '../trace.ts';
import type { Body } from './body.ts';

/** The checks of the lookups of a body. */
export const checksOf = (trace: Trace, body: Pick<Body, 'ops'>): readonly IndexCheck[] =>
  body.ops.flatMap(op => trace.checks.get(op) ?? []);

/** What a check gives where nothing is wrong. */
export const nothingWrong = (b: Builder, { wrong }: IndexCheck): Value =>
  b.fill(tensorTypeOf(wrong).elementType, [], noWrongIndex);

/** The wrong index of this turn, or that of an earlier one: all indices that are wrong are larger than none. */
export const worst = (b: Builder, earlier: Value, now: Value): Value => b.binary('maximum', earlier, now);

/** Has programs with an op look at these checks, whose numbers are results of the op. */
export function noteBodyChecks(trace: Trace, checks: readonly IndexCheck[], found: readonly Value[]): void {
  checks.forEach((check, i) => {
    const wrong = found[i]!;
    trace.stopped.add(wrong);
    noteCheck(trace, wrong, { ...check, wrong });
  });
}
