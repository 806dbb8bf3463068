// Gradient rules of the collectives, and of the ops without differentiable operands.
//
//   The differentiated output is the sum of the outputs of all replicas. So an operand of a sum over
//   replicas receives the sum of the replicas' cotangents, and gathering and sum-scattering are each other's gradients.
import { tensorTypeOf } from '../../hlo/program.ts';
import { combinerOf } from '../combiner.ts';
import { type GradientTable, zero } from '../rule.ts';

export const collectiveRules = {
  all_reduce: ({ builder: b, op, cotangents, refuse }) =>
    cotangents.map(g => {
      if (g === undefined) return undefined;
      // One region serves all operands of a variadic all_reduce: it reduces a pair of scalars.
      if (combinerOf(op.regions[0], 0, 1) !== 'add') refuse('its region is not a plain add');
      return b.emit1('all_reduce', [g], op.attributes, [b.combiner('add', tensorTypeOf(g).elementType)]);
    }),
  all_gather: ({ builder: b, op, cotangents }) => {
    const { allGatherDim, ...collective } = op.attributes;
    return cotangents.map(g => {
      if (g === undefined) return undefined;
      const region = b.combiner('add', tensorTypeOf(g).elementType);
      return b.emit1('reduce_scatter', [g], { ...collective, scatterDimension: allGatherDim }, [region]);
    });
  },
  reduce_scatter: ({ builder: b, op, cotangents: [g], refuse }) => {
    const { scatterDimension, ...collective } = op.attributes;
    if (combinerOf(op.regions[0], 0, 1) !== 'add') refuse('its region is not a plain add');
    return [b.emit1('all_gather', [g], { ...collective, allGatherDim: scatterDimension })];
  },
  all_to_all: ({ builder: b, op, cotangents }) => {
    const { splitDimension, concatDimension, ...collective } = op.attributes;
    const back = { ...collective, splitDimension: concatDimension, concatDimension: splitDimension };
    return cotangents.map(g => g && b.emit1('all_to_all', [g], back));
  },
  collective_permute: ({ builder: b, op, cotangents: [g] }) => {
    const sourceTargetPairs = op.attributes.sourceTargetPairs.map(([source, target]) => [target, source] as const);
    return [b.emit1('collective_permute', [g], { ...op.attributes, sourceTargetPairs })];
  },
} satisfies Partial<GradientTable>;

export const sourceRules = {
  constant: zero('takes no operands'),
  iota: zero('takes no operands'),
  rng_bit_generator: zero('returns random bits'),
  partition_id: zero('takes no operands'),
  replica_id: zero('takes no operands'),
} satisfies Partial<GradientTable>;
