// The factors of custom calls of XLA and JAX, by target. Those of other targets are not known.
import { isElementwiseCall } from '../ops/known-calls.ts';
import { stageBorderTarget } from '../ops/stage-border.ts';
import { type OpOf, shapeOf } from '../program.ts';
import { batched, topK } from './algebra.ts';
import { RuleBuilder, type ShardingRule, sameDims } from './rule.ts';

type Call = OpOf<'custom_call'>;
const whole = { kind: 'replication' } as const;

/** A builder with the batch dims of all operands and results: all but the last two of the first operand. */
function batchOf(op: Call): {
  readonly builder: RuleBuilder;
  readonly shape: readonly number[];
  readonly rows: number;
} {
  const shape = shapeOf(op.operands[0]!);
  const builder = new RuleBuilder(op);
  shape.slice(0, -2).forEach((size, dim) => {
    builder.addToAll(size, dim);
  });
  return { builder, shape, rows: shape.length - 2 };
}

/** Shardy passes the dims of the matrices through; but each result depends on the whole matrix. */
function eigh(op: Call): ShardingRule {
  const { builder, shape, rows } = batchOf(op);
  return builder
    .add(shape[rows]!, [rows], [rows], whole)
    .add(shape[rows + 1]!, [rows + 1], [rows + 1, rows], whole)
    .build();
}
function qr(op: Call): ShardingRule {
  const { builder, shape, rows } = batchOf(op);
  return builder
    .add(shape[rows]!, [rows], [rows], whole)
    .add(shape[rows + 1]!, [rows + 1], [rows + 1], whole)
    .add(shapeOf(op.results[1]!)[rows]!, [], [undefined, rows], whole)
    .build();
}
function householderProduct(op: Call): ShardingRule {
  const { builder, shape, rows } = batchOf(op);
  return builder
    .add(shape[rows]!, [rows], [rows], whole)
    .add(shape[rows + 1]!, [rows + 1], [rows + 1], whole)
    .add(shapeOf(op.operands[1]!)[rows]!, [undefined, rows], [], whole)
    .build();
}
/** Inputs and positions, then an initial value of each. */
function approximateTopK(op: Call): ShardingRule {
  const builder = new RuleBuilder(op);
  const kept = shapeOf(op.results[0]!);
  shapeOf(op.operands[0]!).forEach((size, dim) => {
    if (size === kept[dim]) builder.addToAll(size, dim);
    else builder.addToOperands(size, dim).addToResults(kept[dim]!, dim, { ...whole, isBlocked: true });
  });
  return builder.build();
}
/** Elementwise, if all tensors but scalars have one shape. */
function elementwise(op: Call): ShardingRule | undefined {
  const shapes = [...op.operands, ...op.results].map(v => shapeOf(v).join());
  const [result] = op.results.map(v => shapeOf(v).join());
  return shapes.every(shape => shape === '' || shape === result) ? sameDims(op) : undefined;
}

interface KnownCall {
  /** The least number of operands and results. */
  readonly arity: readonly [operands: number, results: number];
  rule(op: Call): ShardingRule | undefined;
}
const known: { readonly [target: string]: KnownCall | undefined } = {
  ...Object.fromEntries(
    [
      'annotate_device_placement',
      'InspectSharding',
      'LayoutConstraint',
      'MoveToDevice',
      'MoveToHost',
      'Sharding',
      'X64Combine',
      'X64SplitHigh',
      'X64SplitLow',
      'xla.megascale.provide_metadata',
      stageBorderTarget,
    ].map(target => [target, { arity: [1, 1], rule: elementwise }]),
  ),
  Cholesky: { arity: [1, 1], rule: batched(2) },
  Eigh: { arity: [1, 2], rule: eigh },
  Qr: { arity: [1, 2], rule: qr },
  QrDecompositionBlock: { arity: [1, 2], rule: qr },
  ProductOfElementaryHouseholderReflectors: { arity: [2, 1], rule: householderProduct },
  'mhlo.topk': { arity: [1, 2], rule: topK },
  TopK: { arity: [1, 2], rule: topK },
  ApproxTopK: { arity: [4, 2], rule: approximateTopK },
  PartialReduce: { arity: [4, 2], rule: approximateTopK },
};

/** `mhlo.erf`, `chlo.tan` … are elementwise, as the ops of these names. */
export function customCall(op: Call): ShardingRule | undefined {
  const { callTargetName: target } = op.attributes;
  const call = Object.hasOwn(known, target) ? known[target] : undefined;
  const areTensors = [...op.operands, ...op.results].every(({ type }) => type.kind === 'tensor');
  if (!areTensors || op.operands.length < (call?.arity[0] ?? 1) || op.results.length < (call?.arity[1] ?? 1))
    return undefined;
  return call === undefined ? (isElementwiseCall(op) ? elementwise(op) : undefined) : call.rule(op);
}
