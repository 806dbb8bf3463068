// Recomputed parts: bit-identical gradients from fewer stored values.
import { describe, expect, test } from 'vitest';
import { Builder } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { literal, toNumbers } from '../hlo/literal.ts';
import { moduleOf, type Op, shapeOf, type Value } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';
import { gradients } from './gradient.ts';
import type { RecomputedPart, RecomputePolicy } from './rematerialize.ts';

const layers = 3;
const multiply = (b: Builder, x: Value, w: Value): Value =>
  b.dotGeneral(x, w, {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [0],
  });

/** tanh(tanh(x W) · xᵀx-like attention …) in layers, each of which is a part; the gradients of all weights and of x. */
function build(policy: RecomputePolicy): {
  results: readonly Value[];
  args: readonly Value[];
  ops: readonly Op[];
  forward: number;
} {
  const b = new Builder();
  const args = Array.from({ length: layers + 1 }, (_, i) =>
    b.argument(tensorType('f64', i === 0 ? [3, 4] : [4, 4]), i),
  );
  const parts: RecomputedPart[] = [];
  let x = args[0]!;
  for (const w of args.slice(1)) {
    const after = b.ops.at(-1)?.results.at(-1)?.id ?? -1;
    const h = b.unary('tanh', multiply(b, x, w));
    const scores = b.dotGeneral(h, x, {
      lhsBatchingDimensions: [0],
      rhsBatchingDimensions: [0],
      lhsContractingDimensions: [],
      rhsContractingDimensions: [],
    });
    const soft = b.unary('logistic', scores);
    x = b.add(b.sum(soft, [2]), b.unary('tanh', multiply(b, h, w)));
    if (policy !== 'none') parts.push({ after, to: b.ops.at(-1)!.results.at(-1)!.id, policy });
  }
  const output = b.sum(b.multiply(x, x));
  const forward = b.ops.length;
  const found = gradients(b, output, args, { recompute: parts });
  return { results: [output, ...found], args, ops: b.ops, forward };
}

const inputs = Array.from({ length: layers + 1 }, (_, i) => {
  const shape = i === 0 ? [3, 4] : [4, 4];
  return literal(
    'f64',
    shape,
    Array.from({ length: shape[0]! * shape[1]! }, (_, j) => Math.sin(j + 3 * i)),
  );
});
const run = (policy: RecomputePolicy): number[][] => {
  const { args, ops, results } = build(policy);
  const func = { name: 'main', body: { args, ops, results }, aliases: args.map(() => undefined) };
  return interpret(moduleOf(func), inputs).map(toNumbers);
};
/** The ops appended by the gradient that the program needs. */
const needed = (policy: RecomputePolicy): Op[] => {
  const { ops, results, forward } = build(policy);
  const own = new Set(ops.slice(forward));
  const seen = new Set<Op>();
  const visit = (v: Value): void => {
    if (v.op === undefined || seen.has(v.op)) return;
    seen.add(v.op);
    v.op.operands.forEach(visit);
  };
  results.forEach(visit);
  return [...seen].filter(op => own.has(op));
};
const isLinear = (op: Op): boolean => op.name === 'dot_general' && op.attributes.lhsBatchingDimensions.length === 0;

describe('parts computed again', () => {
  test.each(['selective', 'full'] as const)('%s: equal gradients', policy => {
    expect(run(policy)).toEqual(run('none'));
  });

  test('full recomputes linear layers, selective keeps their results', () => {
    const linear = (policy: RecomputePolicy): number => needed(policy).filter(isLinear).length;
    const kept = linear('none');
    expect(linear('selective')).toBe(kept);
    expect(linear('full')).toBeGreaterThan(kept);
    const logistic = (policy: RecomputePolicy): number => needed(policy).filter(op => op.name === 'logistic').length;
    expect([logistic('none'), logistic('selective'), logistic('full')]).toEqual([0, layers, layers]);
  });

  test('the gradient reads only the inputs of a part', () => {
    const { ops, results, forward } = build('full');
    const before = new Set(ops.slice(0, forward));
    const barriers = needed('full').filter(op => op.name === 'optimization_barrier');
    expect(barriers.length).toBe(layers);
    // each part's inputs: the input and the weights of its layer
    for (const op of ops.slice(forward).filter(op => op.name === 'optimization_barrier'))
      expect(op.operands.length).toBe(2);
    expect(results.every(v => v.op !== undefined && (before.has(v.op) || shapeOf(v).length === 2))).toBe(true);
  });
});
