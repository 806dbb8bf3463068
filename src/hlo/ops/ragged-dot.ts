// The row of chlo.ragged_dot: a dot_general in which one dim of the left side is divided into consecutive groups, whose
// sizes are an operand. With batch b, rows m, terms k, columns n and groups g there are three modes, by the divided dim:
//
//   m   [b,m,k] · [g,b,k,n] → [b,m,n]     each row is multiplied by the matrix of its group
//   k   [b,m,k] · [b,k,n]   → [g,b,m,n]   each group sums its own terms
//   b   [b,m,k] · [b,k,n]   → [b,m,n]     groups have no effect
import type { OpAttributes } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { type OpRow, tensors } from '../op-row.ts';
import { shapeOf, tensorTypeOf, type Value } from '../program.ts';
import { formatType, sameShape, type TensorType, tensorType } from '../types.ts';
import { dotRows, freeDimensions } from './contraction.ts';
import { countOf, streaming } from './costs.ts';
import { checkElements, integers, isStatic } from './operand-checks.ts';
import { type Checker, checkerOf, dimsAgree, inRange, list, otherDims } from './shape-checks.ts';

type Attributes = OpAttributes['chlo.ragged_dot'];
const require: Checker = checkerOf('chlo.ragged_dot');

function dotAttributes(a: Attributes): OpAttributes['dot_general'] {
  const { lhsRaggedDimensions: _, rhsGroupDimensions: __, ...dot } = a;
  return dot;
}

type Mode = 'rows' | 'terms' | 'batch';
function modeOf(a: Attributes): Mode {
  const [ragged] = a.lhsRaggedDimensions;
  if (a.lhsBatchingDimensions.includes(ragged!)) return 'batch';
  return a.lhsContractingDimensions.includes(ragged!) ? 'terms' : 'rows';
}

/** Dims of the left side for which group sizes may be given individually: the dims of the same kind before the divided one. */
function prefixOf(a: Attributes, rank: number): readonly number[] {
  const [ragged] = a.lhsRaggedDimensions;
  const before = (dims: readonly number[]): readonly number[] => dims.slice(0, dims.indexOf(ragged!));
  switch (modeOf(a)) {
    case 'batch':
      return before(a.lhsBatchingDimensions);
    case 'terms':
      return [...a.lhsBatchingDimensions, ...before(a.lhsContractingDimensions)];
    default:
      return [...a.lhsBatchingDimensions, ...before(freeDimensions(a, rank, 0).lhs)];
  }
}

function checkGroups(lhs: TensorType, rhs: TensorType, sizes: TensorType, a: Attributes): void {
  const { lhsRaggedDimensions: ragged, rhsGroupDimensions: groups } = a;
  require(ragged.length === 1 && inRange(ragged, lhs.shape.length), 'ragged_dimension', () =>
    `one dim of ${formatType(lhs)} must be divided, got ${list(ragged)}`);
  require(sizes.shape.length > 0, 'group_sizes', () => 'group sizes must have at least one dim');
  const prefix = prefixOf(a, lhs.shape.length).map(d => lhs.shape[d]!);
  const given = sizes.shape.slice(0, -1);
  require(given.length === 0 || sameShape(given, prefix), 'group_sizes', () =>
    `group sizes must have the shape ${list([...prefix, sizes.shape.at(-1)!])}, got ${list(sizes.shape)}`);
  require(inRange(groups, rhs.shape.length), 'group_dimension', () =>
    `${list(groups)} is not a dim of ${formatType(rhs)}`);
  const taken = [...a.rhsBatchingDimensions, ...a.rhsContractingDimensions];
  require(!groups.some(d => taken.includes(d)), 'group_dimension', () =>
    `the group dim ${list(groups)} is a batching or contracting dim as well`);
  const needed = modeOf(a) === 'rows' ? 1 : 0;
  require(groups.length === needed, 'group_dimension', () =>
    `the right side must have ${needed} group dims, got ${groups.length}`);
  require(groups.every(d => dimsAgree(rhs.shape[d]!, sizes.shape.at(-1)!)), 'group_dimension', () =>
    `${formatType(rhs)} must have ${sizes.shape.at(-1)} groups along dim ${list(groups)}`);
}

/** start ≤ position along `dimension` < limit. `positions` are the dims with individual bounds. */
function withinGroup(
  b: BaseBuilder,
  [start, limit]: readonly [Value, Value],
  shape: readonly number[],
  dimension: number,
  positions: readonly number[],
): Value {
  const position = b.iota(tensorType(tensorTypeOf(start).elementType, shape), dimension);
  return b.binary(
    'and',
    b.compare('GE', position, b.broadcastInDim(start, positions, shape)),
    b.compare('LT', position, b.broadcastInDim(limit, positions, shape)),
  );
}
/** The start and end of each group. */
function groupBounds(b: BaseBuilder, sizes: Value): readonly (readonly [Value, Value])[] {
  const { elementType, shape } = tensorTypeOf(sizes);
  const last = shape.length - 1;
  const bounds: (readonly [Value, Value])[] = [];
  let start: Value = b.fill(elementType, shape.slice(0, last), 0);
  for (let g = 0; g < shape[last]!; g++) {
    const starts = shape.map((_, d) => (d === last ? g : 0));
    const size = b.reshape(b.slice(sizes, starts, shape.with(last, g + 1)), shape.slice(0, last));
    const limit = b.add(start, size);
    bounds.push([start, limit]);
    start = limit;
  }
  return bounds;
}

/** Each row of the result is taken from the product with the matrix of its group; zeros beyond the last group. */
function byRows(b: BaseBuilder, a: Attributes, [lhs, rhs, sizes]: readonly Value[], type: TensorType): Value {
  const [group] = a.rhsGroupDimensions as readonly [number];
  const shape = shapeOf(rhs!);
  const moved = (dims: readonly number[]): number[] => dims.map(d => (d > group ? d - 1 : d));
  const dot = {
    ...dotAttributes(a),
    rhsBatchingDimensions: moved(a.rhsBatchingDimensions),
    rhsContractingDimensions: moved(a.rhsContractingDimensions),
  };
  const kept = [...a.lhsBatchingDimensions, ...freeDimensions(a, shapeOf(lhs!).length, 0).lhs];
  const row = kept.indexOf(a.lhsRaggedDimensions[0]!);
  const positions = shapeOf(sizes!).length === 1 ? [] : prefixOf(a, shapeOf(lhs!).length).map(d => kept.indexOf(d));
  return groupBounds(b, sizes!).reduce<Value>(
    (result, bounds, g) => {
      const starts = shape.map((_, d) => (d === group ? g : 0));
      const matrix = b.reshape(b.slice(rhs!, starts, shape.with(group, g + 1)), shape.toSpliced(group, 1));
      const product = b.emit1('dot_general', [lhs!, matrix], dot);
      return b.select(withinGroup(b, bounds, type.shape, row, positions), product, result);
    },
    b.fill(type.elementType, type.shape, 0),
  );
}

/** One product per group, of both sides with zeros for the terms of other groups. */
function byTerms(b: BaseBuilder, a: Attributes, [lhs, rhs, sizes]: readonly Value[], type: TensorType): Value {
  const [ragged] = a.lhsRaggedDimensions as readonly [number];
  const prefix = shapeOf(sizes!).length === 1 ? [] : prefixOf(a, shapeOf(lhs!).length);
  const lhsDims = [...a.lhsBatchingDimensions, ...a.lhsContractingDimensions];
  const rhsDims = [...a.rhsBatchingDimensions, ...a.rhsContractingDimensions];
  const opposite = (d: number): number => rhsDims[lhsDims.indexOf(d)]!;
  const masked = (x: Value, bounds: readonly [Value, Value], dimension: number, positions: readonly number[]): Value =>
    b.select(withinGroup(b, bounds, shapeOf(x), dimension, positions), x, b.like(x, 0));
  const products = groupBounds(b, sizes!).map(bounds => {
    const left = masked(lhs!, bounds, ragged, prefix);
    const right = masked(rhs!, bounds, opposite(ragged), prefix.map(opposite));
    return b.reshape(b.emit1('dot_general', [left, right], dotAttributes(a)), [1, ...type.shape.slice(1)]);
  });
  return products.length === 0 ? b.fill(type.elementType, type.shape, 0) : b.concatenate(products, 0);
}

export const raggedDotRow: OpRow<'chlo.ragged_dot'> = {
  name: 'chlo.ragged_dot',
  kind: 'contraction',
  pure: true,
  infer(operands, a) {
    const [lhs, rhs, sizes] = tensors('chlo.ragged_dot', operands);
    checkElements(require, 'group_sizes', [sizes], integers);
    dotRows.dot_general.infer([lhs, rhs], dotAttributes(a), []);
    checkGroups(lhs, rhs, sizes, a);
    const columns = otherDims(
      rhs.shape.length,
      a.rhsBatchingDimensions,
      a.rhsContractingDimensions,
      a.rhsGroupDimensions,
    );
    const rows = [...a.lhsBatchingDimensions, ...freeDimensions(a, lhs.shape.length, 0).lhs];
    const shape = [...rows.map(d => lhs.shape[d]!), ...columns.map(d => rhs.shape[d]!)];
    if (modeOf(a) === 'terms') shape.unshift(sizes.shape.at(-1)!);
    return [tensorType(a.elementType ?? lhs.elementType, shape)];
  },
  decompose(b, op, operands) {
    const a = op.attributes;
    const [lhs, rhs, sizes] = operands;
    const types = [tensorTypeOf(lhs), tensorTypeOf(rhs), tensorTypeOf(sizes)] as const;
    if (!types.every(isStatic)) return undefined;
    if (modeOf(a) === 'batch') return b.emit('dot_general', [lhs, rhs], dotAttributes(a));
    const [type] = raggedDotRow.infer(types, a, []) as readonly [TensorType];
    return [modeOf(a) === 'rows' ? byRows(b, a, operands, type) : byTerms(b, a, operands, type)];
  },
  cost(op) {
    const { lhsContractingDimensions } = op.attributes;
    const { shape } = tensorTypeOf(op.operands[0]);
    const terms = countOf(
      tensorType(
        'f32',
        lhsContractingDimensions.map(d => shape[d]!),
      ),
    );
    const groups = modeOf(op.attributes) === 'terms' ? shapeOf(op.results[0])[0]! : 1;
    return streaming(op, (2 * terms * countOf(op.results[0].type)) / Math.max(groups, 1));
  },
};
