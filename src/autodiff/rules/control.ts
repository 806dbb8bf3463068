// Gradient rules of the ops that contain or call other ops. A branch is differentiated where it runs: the gradient of an if is an
// if on the same predicate whose branches recompute the forward pass and then run backwards. A call is differentiated as if it
// were inlined.
import { zip } from '../../base/zip.ts';
import { isKnownCall } from '../../hlo/ops/known-calls.ts';
import { stageBorderCall, stageBorderOf } from '../../hlo/ops/stage-border.ts';
import { type Region, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { zerosLike } from '../constants.ts';
import type { GradientContext, GradientRule, GradientTable, Seed } from '../rule.ts';
import { refuse } from '../rule.ts';
import { throughDecomposition } from './derived.ts';

/** The values that a region captures and whose gradient is needed. */
function capturedBy(regions: readonly Region[], needs: (value: Value) => boolean): Value[] {
  const found = new Set<Value>();
  const visit = (region: Region): void => {
    for (const op of region.ops) {
      for (const operand of op.operands) if (needs(operand)) found.add(operand);
      for (const inner of op.regions) visit(inner);
    }
    for (const result of region.results) if (needs(result)) found.add(result);
  };
  for (const region of regions) visit(region);
  return [...found];
}

function branchRule(context: GradientContext<'if'> | GradientContext<'case'>): readonly undefined[] {
  const { builder, op, cotangents, needs, accumulate, inline, backpropagate } = context;
  const captured = capturedBy(op.regions, needs);
  const branches = op.regions.map(branch =>
    builder.region([], inner => {
      const map = new Map<Value, Value>();
      const copies = inline(inner, branch.ops, map);
      const seeds = cotangents.flatMap((g, i): Seed[] => {
        const result = branch.results[i]!;
        return g === undefined ? [] : [[map.get(result) ?? result, g]];
      });
      return backpropagate(inner, copies, seeds, captured).map((g, i) => g ?? zerosLike(inner, captured[i]!));
    }),
  );
  const gradients = builder.emit(op.name, [op.operands[0]], {}, branches);
  captured.forEach((value, i) => {
    accumulate(value, gradients[i]!);
  });
  return [undefined];
}

const callRule: GradientRule<'func.call'> = ({
  builder,
  op,
  cotangents,
  needs,
  accumulate,
  refuse: no,
  callee,
  inline,
  backpropagate,
}) => {
  const name = op.attributes.callee;
  const func = callee(name) ?? no(`the body of the function @${name} is missing: pass it in the option functions`);
  const map = new Map(zip(func.body.args, op.operands));
  const copies = inline(builder, func.body.ops, map);
  const seeds = cotangents.flatMap((g, i): Seed[] => {
    const result = func.body.results[i]!;
    return g === undefined ? [] : [[map.get(result) ?? result, g]];
  });
  // An operand may be passed twice: its gradients are summed.
  const wanted = [...new Set(op.operands)].filter(needs);
  backpropagate(builder, copies, seeds, wanted).forEach((g, i) => {
    if (g !== undefined) accumulate(wanted[i]!, g);
  });
  return op.operands.map(() => undefined);
};

export const controlRules = {
  while: refuse(
    'reverse mode would have to store the values of every iteration, and the trip count is known only at run time; unroll the loop if its trip count is fixed',
  ),
  if: branchRule,
  case: branchRule,
  'func.call': callRule,
  custom_call: context => {
    const border = stageBorderOf(context.op);
    const [gradient] = context.cotangents;
    if (border !== undefined && gradient !== undefined) {
      const call = stageBorderCall(tensorTypeOf(gradient), { ...border, isBackward: true });
      return context.builder.emit('custom_call', [gradient], call);
    }
    return isKnownCall(context.op)
      ? throughDecomposition(context)
      : context.refuse('no gradient is registered for this custom call; pass one in the option customGradients');
  },
  // Never called: get_tuple_element passes the cotangent to the element itself.
  tuple: ({ op }) => op.operands.map(() => undefined),
  get_tuple_element: ({ op, cotangents: [g], accumulate, refuse: no }) => {
    const tuple = op.operands[0];
    if (tuple.op?.name !== 'tuple') return no('its operand is not the result of a tuple op');
    accumulate(tuple.op.operands[op.attributes.index]!, g);
    return [undefined];
  },
} satisfies Partial<GradientTable>;
