// The factors of each op of the language. The type checker requires an entry for every op: a rule, or why it has none.
import {
  binaryNames,
  chloBinaryNames,
  chloBroadcastNames,
  chloUnaryNames,
  type OpName,
  unaryNames,
} from '../attributes.ts';
import { forAll } from '../per-op.ts';
import type { Op, OpOf } from '../program.ts';
import { dynamicDim } from '../types.ts';
import { batched, batchNormInference, fft, rng, rngBitGenerator, sort, topK, triangularSolve } from './algebra.ts';
import { allGather, allToAll, exchanged, reduceScatter } from './collectives.ts';
import { customCall } from './custom-calls.ts';
import * as movement from './movement.ts';
import { readShardingRule } from './read-rule.ts';
import { convolution, dot, dotGeneral, reduce, reduceWindow, selectAndScatter } from './reductions.ts';
import { reshapeFactors } from './reshape.ts';
import { type ShardingRule, sameDims } from './rule.ts';

/** Why an op has no factors. */
export type WithoutFactors =
  | 'source' //     no operands: divided as its users ask
  | 'data flow' //  passes values on, or into regions and functions: what flows into another value is divided like it
  | 'decomposed' // the ops that it is decomposed into have factors
  | 'dynamic' //    shapes are known only when the program runs
  | 'whole'; //     not divided

type Rule<N extends OpName> = (op: OpOf<N>) => ShardingRule | undefined;
/** The factors of every op. */
export const factorTable: { readonly [N in OpName]: Rule<N> | WithoutFactors } = {
  ...forAll(unaryNames, sameDims),
  ...forAll(binaryNames, sameDims),
  ...forAll(chloUnaryNames, sameDims),
  ...forAll(chloBinaryNames, sameDims),
  ...forAll(chloBroadcastNames, 'decomposed'),
  is_finite: sameDims,
  compare: sameDims,
  select: sameDims,
  clamp: sameDims,
  convert: sameDims,
  bitcast_convert: movement.bitcastConvert,
  reduce_precision: sameDims,
  optimization_barrier: 'data flow',
  complex: sameDims,
  real: sameDims,
  imag: sameDims,
  uniform_quantize: sameDims,
  uniform_dequantize: sameDims,
  map: sameDims,
  constant: 'source',
  iota: 'source',
  partition_id: 'source',
  replica_id: 'source',
  create_token: 'source',
  rng_bit_generator: rngBitGenerator,
  rng,
  reshape: reshapeFactors,
  broadcast_in_dim: movement.broadcastInDim,
  broadcast: movement.broadcast,
  transpose: movement.transpose,
  reverse: op => sameDims(op, dim => (op.attributes.dimensions.includes(dim) ? 'permutation' : 'passThrough')),
  slice: movement.slice,
  concatenate: movement.concatenate,
  pad: movement.pad,
  dynamic_slice: movement.dynamicSlice,
  dynamic_update_slice: movement.dynamicUpdateSlice,
  gather: movement.gather,
  scatter: movement.scatter,
  sort,
  reduce,
  reduce_window: reduceWindow,
  select_and_scatter: selectAndScatter,
  dot_general: dotGeneral,
  dot,
  convolution,
  einsum: 'decomposed',
  unary_einsum: 'decomposed',
  torch_index_select: 'decomposed',
  cholesky: batched(2),
  triangular_solve: triangularSolve,
  fft,
  batch_norm_inference: batchNormInference,
  batch_norm_training: 'decomposed',
  batch_norm_grad: 'decomposed',
  get_dimension_size: 'dynamic',
  set_dimension_size: 'dynamic',
  dynamic_broadcast_in_dim: 'dynamic',
  dynamic_conv: 'dynamic',
  dynamic_gather: 'dynamic',
  dynamic_iota: 'dynamic',
  dynamic_pad: 'dynamic',
  dynamic_reshape: 'dynamic',
  real_dynamic_slice: 'dynamic',
  'tensor.cast': 'dynamic',
  while: 'data flow',
  if: 'data flow',
  case: 'data flow',
  'func.call': 'data flow',
  composite: 'decomposed',
  custom_call: customCall,
  tuple: 'data flow',
  get_tuple_element: 'data flow',
  all_reduce: exchanged,
  all_gather: allGather,
  reduce_scatter: reduceScatter,
  all_to_all: allToAll,
  collective_permute: exchanged,
  collective_broadcast: exchanged,
  collective_reduce: exchanged,
  'cross-replica-sum': exchanged,
  after_all: 'data flow',
  send: 'whole',
  recv: 'whole',
  infeed: 'whole',
  outfeed: 'whole',
  async_start: 'data flow',
  async_done: 'data flow',
  'chlo.constant': 'source',
  'chlo.constant_like': sameDims,
  'chlo.broadcast_compare': 'decomposed',
  'chlo.broadcast_select': 'decomposed',
  'chlo.top_k': topK,
  'chlo.scan': 'whole',
  'chlo.ragged_dot': 'whole',
  'check.expect_eq': 'whole',
  'check.expect_eq_const': 'whole',
  'check.expect_almost_eq': 'whole',
  'check.expect_almost_eq_const': 'whole',
  'check.expect_close': 'whole',
  'check.expect_serialized_eq': 'whole',
  'check.eq': 'whole',
  'interpreter.run_parallel': 'whole',
  'interpreter.probe': 'whole',
  'interpreter.print': 'whole',
  'sdy.sharding_constraint': sameDims,
  'sdy.reshard': sameDims,
  'sdy.sharding_group': 'data flow',
  'sdy.manual_computation': 'data flow',
  unregistered: 'whole',
};

/**
 * The factors of an op; undefined if it has none, as `docs/ops.md` says for each op, or if a size is not known.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2, 3])], (b, [x]) => [b.transpose(x!, [1, 0])]);
 * hlo.printShardingRule(hlo.shardingRuleOf(main.body.ops[0]!)!) // '([j, i])->([i, j]) {i=3, j=2}'
 */
export function shardingRuleOf(op: Op): ShardingRule | undefined {
  const stated = op.discardable?.['sdy.sharding_rule'];
  if (stated !== undefined) return readShardingRule(stated);
  const rule = factorTable[op.name] as Rule<OpName> | WithoutFactors;
  const values = [...op.operands, ...op.results];
  const isStatic = values.every(({ type }) => type.kind !== 'tensor' || !type.shape.includes(dynamicDim));
  return typeof rule === 'string' || !isStatic ? undefined : rule(op as OpOf<OpName>);
}
