// Kernels whose form depends on sizes that are known only when they run: a tree of conditions on these sizes, with a kernel for
// each case. A planner is run once for each case, with the answers to what it asks of the sizes (`isAtLeast`).
import type { Condition, QuantityGraph } from './extent.ts';

export type Cases<T> =
  | { readonly kind: 'case'; readonly value: T }
  | {
      readonly kind: 'condition';
      readonly condition: Condition;
      readonly onTrue: Cases<T>;
      readonly onFalse: Cases<T>;
    };

interface Answer extends Condition {
  readonly holds: boolean;
  /** It follows from the answers before it. */
  readonly isImplied?: boolean;
}

/** Returns the result of `plan` in each case. */
export function planCases<T>(graph: QuantityGraph, plan: () => T, given: readonly Answer[] = []): Cases<T> {
  const answers = [...given];
  graph.decide = condition => {
    const known = implied(answers, condition);
    if (known !== undefined) return known;
    answers.push({ ...condition, holds: true });
    return true;
  };
  graph.assume = condition => {
    answers.push({ ...condition, holds: true, isImplied: true });
  };
  graph.bound = quantity =>
    answers.reduce<number | undefined>(
      (most, known) =>
        known.quantity === quantity && !known.holds ? Math.min(most ?? Infinity, known.least - 1) : most,
      undefined,
    );
  let cases: Cases<T> = { kind: 'case', value: plan() };
  graph.decide = undefined;
  graph.assume = undefined;
  graph.bound = undefined;
  for (let i = answers.length - 1; i >= given.length; i--) {
    const { quantity, least, isImplied } = answers[i]!;
    if (isImplied) continue;
    const onFalse = planCases(graph, plan, [...answers.slice(0, i), { quantity, least, holds: false }]);
    cases = { kind: 'condition', condition: { quantity, least }, onTrue: cases, onFalse };
  }
  return cases;
}

function implied(answers: readonly Answer[], { quantity, least }: Condition): boolean | undefined {
  for (const known of answers) {
    if (known.quantity !== quantity) continue;
    if (known.holds && least <= known.least) return true;
    if (!known.holds && least >= known.least) return false;
  }
  return undefined;
}

/** The value for given sizes. */
export function caseFor<T>(cases: Cases<T>, quantityOf: (condition: Condition) => number): T {
  if (cases.kind === 'case') return cases.value;
  const { condition, onTrue, onFalse } = cases;
  return caseFor(quantityOf(condition) >= condition.least ? onTrue : onFalse, quantityOf);
}
