// Shared code of all losses: the reduction of elementwise losses, and checks of arguments.
import { TrenioError } from '../../../base/errors.ts';
import { warnOnce } from '../../../base/warn-once.ts';
import type { Builder } from '../../../hlo/builder.ts';
import { shapeOf, type Value } from '../../../hlo/program.ts';
import { unify } from '../elementwise.ts';
import { mean, sum } from '../reduce.ts';
import { formatShape } from '../shapes.ts';

/** How the losses of elements are reduced: to their mean, to their sum, or not at all. */
export const reductions = ['mean', 'sum', 'none'] as const;
export type Reduction = (typeof reductions)[number];

export function reduced(b: Builder, x: Value, reduction: Reduction): Value {
  if (reduction === 'none') return x;
  return (reduction === 'mean' ? mean : sum)(b, x, undefined, false);
}
const sameShape = (x: Value, y: Value): boolean => formatShape(shapeOf(x)) === formatShape(shapeOf(y));
/** Warns of shapes that broadcast: a loss over [N, 1] and [N] is computed over [N, N], which is rarely intended. */
export function warnOfBroadcast(b: Builder, call: string, x: Value, target: Value): void {
  if (sameShape(x, target)) return;
  const [from, to] = [shapeOf(x), shapeOf(target)];
  warnOnce(
    `broadcast ${call} ${from} ${to}`,
    `${call}: the input is ${formatShape(from)} and the target ${formatShape(to)}; they broadcast, which is rarely intended. Give both one shape, for example with target.view(${from.join(', ')}) or output.squeeze(-1)`,
    b.location,
  );
}
/** @throws {WRONG_ARGUMENT} if a tensor does not have the shape of the input */
export function checkSame(b: Builder, call: string, argument: string, x: Value, other: Value): void {
  if (sameShape(x, other)) return;
  throw refused(
    b,
    { call, argument },
    formatShape(shapeOf(other)),
    `the shape of the input, ${formatShape(shapeOf(x))}`,
  );
}
/** The error of an argument that does not fit the others. */
export const refused = (
  b: Builder,
  { call, argument }: { readonly call: string; readonly argument: string },
  got: string,
  expected: string,
): TrenioError =>
  new TrenioError(
    'WRONG_ARGUMENT',
    { call, argument, got, expected, fix: `give ${expected}` },
    { location: b.location },
  );
/** A tensor times another that broadcasts to it, if there is one. */
export function weighted(b: Builder, call: string, each: Value, weight: Value | undefined): Value {
  if (weight === undefined) return each;
  const [x, w] = unify(b, call, each, weight);
  return b.multiply(x, w);
}
