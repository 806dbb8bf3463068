// The factors of collectives. Where one changes a dim, what is divided along it is exchanged already.
import { type Op, type OpOf, shapeOf } from '../program.ts';
import { RuleBuilder, type ShardingRule } from './rule.ts';

type Resizing = OpOf<'all_gather'> | OpOf<'reduce_scatter'> | OpOf<'all_to_all'>;

function except(op: Resizing, changed: readonly number[]): ShardingRule {
  const [from, to] = [shapeOf(op.operands[0]), shapeOf(op.results[0]!)];
  const builder = new RuleBuilder(op);
  from.forEach((size, dim) => {
    if (!changed.includes(dim)) builder.addToAll(size, dim);
  });
  for (const dim of new Set(changed))
    builder
      .addToOperands(from[dim]!, dim, { kind: 'replication' })
      .addToResults(to[dim]!, dim, { kind: 'replication' });
  return builder.build();
}

/** Each operand has the shape of its result; a root may follow them. */
export function exchanged(op: Op): ShardingRule {
  const builder = new RuleBuilder(op);
  const [first] = op.results;
  if (first !== undefined)
    shapeOf(first).forEach((size, dim) => {
      const each = op.results.map(() => dim);
      builder.add(size, each, each);
    });
  return builder.build();
}

export const allGather = (op: OpOf<'all_gather'>): ShardingRule => except(op, [op.attributes.allGatherDim]);
export const reduceScatter = (op: OpOf<'reduce_scatter'>): ShardingRule => except(op, [op.attributes.scatterDimension]);
export const allToAll = (op: OpOf<'all_to_all'>): ShardingRule =>
  except(op, [op.attributes.splitDimension, op.attributes.concatDimension]);
