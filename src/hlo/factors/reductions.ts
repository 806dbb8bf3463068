// The factors of contractions, reductions and windows.
import { type OpOf, shapeOf } from '../program.ts';
import { combinerOf, type FactorKind, RuleBuilder, type ShardingRule } from './rule.ts';

export function dotGeneral(op: OpOf<'dot_general'>): ShardingRule {
  const { attributes: a } = op;
  const [lhs, rhs] = op.operands.map(shapeOf) as [number[], number[]];
  const builder = new RuleBuilder(op);
  let result = 0;
  a.lhsBatchingDimensions.forEach((dim, i) => {
    builder.add(lhs[dim]!, [dim, a.rhsBatchingDimensions[i]], [result++]);
  });
  lhs.forEach((size, dim) => {
    if (!a.lhsBatchingDimensions.includes(dim) && !a.lhsContractingDimensions.includes(dim))
      builder.add(size, [dim], [result++]);
  });
  rhs.forEach((size, dim) => {
    if (!a.rhsBatchingDimensions.includes(dim) && !a.rhsContractingDimensions.includes(dim))
      builder.add(size, [undefined, dim], [result++]);
  });
  a.lhsContractingDimensions.forEach((dim, i) => {
    builder.add(lhs[dim]!, [dim, a.rhsContractingDimensions[i]], [], { kind: 'reduction' });
  });
  return builder.build('add');
}

export function dot(op: OpOf<'dot'>): ShardingRule {
  const [lhs, rhs] = op.operands.map(shapeOf) as [number[], number[]];
  const last = lhs.length - 1;
  const builder = new RuleBuilder(op);
  if (last === 1) builder.add(lhs[0]!, [0], [0]);
  if (rhs.length === 2) builder.add(rhs[1]!, [undefined, 1], [last]);
  return builder.add(rhs[0]!, [last, 0], [], { kind: 'reduction' }).build('add');
}

/** The spatial dims of the input are windows times positions within a window; the larger of the two is the major one. */
export function convolution(op: OpOf<'convolution'>): ShardingRule {
  const { dimensionNumbers: d, featureGroupCount, batchGroupCount } = op.attributes;
  const [lhs, rhs, out] = [...op.operands, ...op.results].map(shapeOf) as [number[], number[], number[]];
  const [batch, feature] = [d.inputBatchDimension, d.inputFeatureDimension];
  const [kernelInput, kernelOutput] = [d.kernelInputFeatureDimension, d.kernelOutputFeatureDimension];
  const [outBatch, outFeature] = [d.outputBatchDimension, d.outputFeatureDimension];
  const builder = new RuleBuilder(op);
  if (batchGroupCount > 1) builder.add(batchGroupCount, [batch, kernelOutput], [outFeature]);
  builder.add(out[outBatch]!, [batch], [outBatch]);
  d.inputSpatialDimensions.forEach((lhsDim, i) => {
    const [rhsDim, outDim] = [d.kernelSpatialDimensions[i]!, d.outputSpatialDimensions[i]!];
    const [windows, positions] = [out[outDim]!, rhs[rhsDim]!];
    let rest = lhs[lhsDim]!;
    const add = (size: number, isPosition: boolean): void => {
      const part = Math.min(rest, size);
      if (part <= 1) return;
      if (isPosition) builder.add(part, [lhsDim, rhsDim], [], { kind: 'reduction' });
      else builder.add(part, [lhsDim], [outDim], { kind: 'permutation' });
      rest = Math.floor(rest / part);
    };
    const positionsFirst = positions > windows;
    add(positionsFirst ? positions : windows, positionsFirst);
    add(positionsFirst ? windows : positions, !positionsFirst);
  });
  if (featureGroupCount > 1) builder.add(featureGroupCount, [feature, kernelOutput], [outFeature]);
  builder.add(rhs[kernelInput]!, [feature, kernelInput], [], { kind: 'reduction' });
  const features = out[outFeature]! / (batchGroupCount * featureGroupCount);
  if (features > 1) builder.add(features, [undefined, kernelOutput], [outFeature]);
  return builder.build('add');
}

export function reduce(op: OpOf<'reduce'>): ShardingRule {
  const count = op.results.length;
  const builder = new RuleBuilder(op);
  const repeated = (dim: number): readonly number[] => new Array<number>(count).fill(dim);
  let result = 0;
  shapeOf(op.operands[0]).forEach((size, dim) => {
    if (op.attributes.dimensions.includes(dim)) builder.add(size, repeated(dim), [], { kind: 'reduction' });
    else builder.add(size, repeated(dim), repeated(result++));
  });
  return builder.build(combinerOf(op.regions[0]));
}

/** Whether each window along a dim is one element. */
const isSingle = (
  dim: number,
  size: readonly number[],
  strides: readonly number[],
  padding: readonly (readonly [number, number])[],
): boolean => size[dim] === 1 && strides[dim] === 1 && padding[dim]![0] === 0 && padding[dim]![1] === 0;

export function reduceWindow(op: OpOf<'reduce_window'>): ShardingRule {
  const { windowDimensions, windowStrides, padding, baseDilations } = op.attributes;
  const builder = new RuleBuilder(op);
  shapeOf(op.results[0]).forEach((size, dim) => {
    const isPlain = isSingle(dim, windowDimensions, windowStrides, padding) && baseDilations[dim] === 1;
    const kind: FactorKind = isPlain ? 'passThrough' : 'permutation';
    builder.addToAll(size, dim, { kind });
  });
  return builder.build();
}

export function selectAndScatter(op: OpOf<'select_and_scatter'>): ShardingRule {
  const { windowDimensions, windowStrides, padding } = op.attributes;
  const source = shapeOf(op.operands[1]);
  const builder = new RuleBuilder(op);
  shapeOf(op.results[0]).forEach((size, dim) => {
    if (isSingle(dim, windowDimensions, windowStrides, padding)) builder.addToAll(size, dim);
    else
      builder
        .add(source[dim]!, [undefined, dim], [], { kind: 'replication' })
        .add(size, [dim], [dim], { kind: 'permutation' });
  });
  return builder.build();
}
