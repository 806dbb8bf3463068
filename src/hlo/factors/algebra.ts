// The factors of ops that work on whole vectors or matrices of a batch: sorting, factorizations, transforms, random bits.
import { type Op, type OpOf, shapeOf } from '../program.ts';
import { RuleBuilder, type ShardingRule, sameDims } from './rule.ts';

const whole = { kind: 'replication' } as const;

/** All but the last `count` dims are batch dims. */
export const batched =
  (count: number) =>
  (op: Op): ShardingRule =>
    sameDims(op, dim => (dim < shapeOf(op.results[0]!).length - count ? 'passThrough' : 'replication'));

export function sort(op: OpOf<'sort'>): ShardingRule {
  const shape = shapeOf(op.operands[0]);
  const { dimension } = op.attributes;
  // A sharding of the only dim cannot move to another one.
  const isBlocked = shape.every((size, dim) => dim === dimension || size === 1);
  const builder = new RuleBuilder(op);
  shape.forEach((size, dim) => {
    builder.addToAll(size, dim, dim === dimension ? { ...whole, isBlocked } : {});
  });
  return builder.build();
}

/** The greatest elements along the last dim. */
export function topK(op: Op): ShardingRule {
  const shape = shapeOf(op.operands[0]!);
  const builder = new RuleBuilder(op);
  shape.forEach((size, dim) => {
    builder.addToAll(size, dim, dim === shape.length - 1 ? { ...whole, isBlocked: true } : {});
  });
  return builder.build();
}

export function fft(op: OpOf<'fft'>): ShardingRule {
  const [from, to] = [shapeOf(op.operands[0]), shapeOf(op.results[0])];
  const batch = from.length - op.attributes.fftLength.length;
  const builder = new RuleBuilder(op);
  from.forEach((size, dim) => {
    const isBlocked = dim === from.length - 1 && from.at(-1) !== to.at(-1);
    builder.addToAll(size, dim, dim < batch ? {} : { ...whole, isBlocked });
  });
  return builder.build();
}

/** op(a) · x = b, or x · op(a) = b. */
export function triangularSolve(op: OpOf<'triangular_solve'>): ShardingRule {
  const { leftSide, transposeA } = op.attributes;
  const [a, b] = op.operands.map(shapeOf) as [number[], number[]];
  const [rows, columns] = [a.length - 2, a.length - 1];
  const builder = new RuleBuilder(op);
  a.slice(0, rows).forEach((size, dim) => {
    builder.addToAll(size, dim);
  });
  const isTransposed = transposeA !== 'NO_TRANSPOSE';
  const contracted = isTransposed === leftSide ? rows : columns;
  const free = contracted === rows ? columns : rows;
  if (leftSide)
    builder
      .add(a[free]!, [free, rows], [], whole)
      .add(b[columns]!, [undefined, columns], [columns], whole)
      .add(a[contracted]!, [contracted], [rows], whole);
  else
    builder
      .add(b[rows]!, [undefined, rows], [rows], whole)
      .add(a[free]!, [free, columns], [], whole)
      .add(a[contracted]!, [contracted], [columns], whole);
  return builder.build();
}

/** All dims are batch dims, but that of the features, whose parameters are vectors. */
export function batchNormInference(op: OpOf<'batch_norm_inference'>): ShardingRule {
  const builder = new RuleBuilder(op);
  shapeOf(op.results[0]).forEach((size, dim) => {
    const parameter = dim === op.attributes.featureIndex ? 0 : undefined;
    builder.add(size, [dim, parameter, parameter, parameter, parameter], [dim]);
  });
  return builder.build();
}

/** Bits depend on their position only. The state is the same everywhere. */
export function rngBitGenerator(op: OpOf<'rng_bit_generator'>): ShardingRule {
  const builder = new RuleBuilder(op);
  const [state, bits] = op.results.map(shapeOf) as [number[], number[]];
  state.forEach((size, dim) => {
    builder.add(size, [dim], [dim], { ...whole, isBlocked: true });
  });
  bits.forEach((size, dim) => {
    builder.add(size, [], [undefined, dim]);
  });
  return builder.build();
}

export function rng(op: OpOf<'rng'>): ShardingRule {
  const builder = new RuleBuilder(op);
  shapeOf(op.results[0]).forEach((size, dim) => {
    builder.addToResults(size, dim);
  });
  return builder.build();
}
