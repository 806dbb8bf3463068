// The gradient rule of derived ops, whose decompositions are differentiated, and the ops that have no gradient.
import type { OpName } from '../../hlo/attributes.ts';
import type { OpRow } from '../../hlo/op-row.ts';
import { opTable } from '../../hlo/op-table.ts';
import type { Op, Value } from '../../hlo/program.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { capturesOf } from '../../hlo/walk.ts';
import { type GradientContext, type GradientRule, type GradientTable, refuse, type Seed, zero } from '../rule.ts';

/** Computes the op again from simpler ops, and differentiates those. */
export function throughDecomposition<N extends OpName>(context: GradientContext<N>): readonly (Value | undefined)[] {
  const { builder, op, cotangents } = context;
  const first = builder.ops.length;
  const results = (opTable[op.name] as OpRow<N>).decompose?.(builder, op, op.operands);
  if (results === undefined) context.refuse('it has no decomposition');
  const seeds = cotangents.flatMap((g, i): Seed[] => (g === undefined ? [] : [[results[i]!, g]]));
  const operands = [...new Set(op.operands)].filter(v => context.needs(v));
  const captures = [...capturesOf(op as Op)].filter(v => !operands.includes(v) && context.needs(v));
  const found = context.backpropagate(builder, builder.ops.slice(first), seeds, [...operands, ...captures]);
  captures.forEach((v, i) => {
    const g = found[operands.length + i];
    if (g !== undefined) context.accumulate(v, g);
  });
  // An operand that occurs twice gets its whole cotangent at the first place.
  const all: readonly Value[] = op.operands;
  return all.map((v, i) => (all.indexOf(v) === i ? found[operands.indexOf(v)] : undefined));
}

/**
 * Uses StableHLO's own gradient op (two sums and elementwise ops) if the gradients of mean and variance are not needed. The
 * derivative of the formula would contain those of both.
 */
const batchNormTraining: GradientRule<'batch_norm_training'> = context => {
  const { builder: b, op, cotangents } = context;
  const [g, ofMean, ofVariance] = cotangents;
  if (g === undefined || ofMean !== undefined || ofVariance !== undefined) return throughDecomposition(context);
  const [x, scale] = op.operands;
  const [, mean, variance] = op.results;
  return b.emit('batch_norm_grad', [x, scale, mean, variance, g], op.attributes);
};

export const derivedRules = {
  batch_norm_training: batchNormTraining,
  batch_norm_inference: throughDecomposition,
  batch_norm_grad: throughDecomposition,
  dynamic_broadcast_in_dim: throughDecomposition,
  dynamic_conv: throughDecomposition,
  dynamic_gather: throughDecomposition,
  dynamic_iota: throughDecomposition,
  dynamic_pad: throughDecomposition,
  dynamic_reshape: throughDecomposition,
  real_dynamic_slice: throughDecomposition,
  map: throughDecomposition,
  broadcast: throughDecomposition,
  dot: throughDecomposition,
  einsum: throughDecomposition,
  unary_einsum: throughDecomposition,
  torch_index_select: throughDecomposition,
  composite: throughDecomposition,
  'chlo.top_k': throughDecomposition,
  'chlo.ragged_dot': throughDecomposition,
  'chlo.bessel_i1e': throughDecomposition,
  'chlo.broadcast_add': throughDecomposition,
  'chlo.broadcast_atan2': throughDecomposition,
  'chlo.broadcast_divide': throughDecomposition,
  'chlo.broadcast_maximum': throughDecomposition,
  'chlo.broadcast_minimum': throughDecomposition,
  'chlo.broadcast_multiply': throughDecomposition,
  'chlo.broadcast_next_after': throughDecomposition,
  'chlo.broadcast_polygamma': throughDecomposition,
  'chlo.broadcast_power': throughDecomposition,
  'chlo.broadcast_remainder': throughDecomposition,
  'chlo.broadcast_subtract': throughDecomposition,
  'chlo.broadcast_zeta': throughDecomposition,
  'chlo.broadcast_select': throughDecomposition,
} satisfies Partial<GradientTable>;

export const otherRules = {
  set_dimension_size: refuse('its result has a dynamic shape'),
  uniform_quantize: refuse('it rounds to integers'),
  uniform_dequantize: refuse('its operand is an integer tensor'),
  collective_broadcast: refuse('it has no gradient rule yet'),
  collective_reduce: refuse('it has no gradient rule yet'),
  'cross-replica-sum': refuse('it has no gradient rule yet'),
  send: refuse('the sent value leaves the program'),
  outfeed: refuse('the outfeed value leaves the program'),
  async_start: refuse('it has no gradient rule yet'),
  async_done: refuse('it has no gradient rule yet'),
  'interpreter.run_parallel': refuse('it runs other programs'),
  'interpreter.probe': refuse('it exists only for tests'),
  unregistered: refuse('unknown op'),
  get_dimension_size: zero('has no result that depends differentiably on its operands'),
  rng: zero('has no result that depends differentiably on its operands'),
  after_all: zero('has no result that depends differentiably on its operands'),
  create_token: zero('has no result that depends differentiably on its operands'),
  'check.expect_eq': zero('has no result that depends differentiably on its operands'),
  'check.expect_eq_const': zero('has no result that depends differentiably on its operands'),
  'check.expect_almost_eq': zero('has no result that depends differentiably on its operands'),
  'check.expect_almost_eq_const': zero('has no result that depends differentiably on its operands'),
  'check.expect_close': zero('has no result that depends differentiably on its operands'),
  'check.expect_serialized_eq': zero('has no result that depends differentiably on its operands'),
  'check.eq': zero('has no result that depends differentiably on its operands'),
  'interpreter.print': zero('has no result that depends differentiably on its operands'),
  recv: zero('has no result that depends differentiably on its operands'),
  infeed: zero('has no result that depends differentiably on its operands'),
  'tensor.cast': ({ cotangents: [g] }) => [g],
  // As in JAX, a gradient is divided like its value. That of a whole value may stay in terms that are yet to be summed.
  'sdy.sharding_constraint': ({ builder, op, cotangents: [g] }) => [
    op.attributes.sharding.dims.some(({ axes }) => axes.length > 0)
      ? builder.emit1('sdy.sharding_constraint', [g], reduced(op.attributes))
      : g,
  ],
  'sdy.reshard': ({ cotangents: [g] }) => [g],
  'sdy.sharding_group': zero('has no result that depends differentiably on its operands'),
} satisfies Partial<GradientTable>;

const reduced = ({ sharding }: { readonly sharding: Sharding }) => ({ sharding: { ...sharding, unreduced: [] } });
