// Ops whose result has terms if operands have: (a₀ + a₁) + (b₀ + b₁) = (a₀ + b₀) + (a₁ + b₁), combined once instead of twice.
import { type Op, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { byteSize, isFloat, numberKind } from '../../hlo/types.ts';
import { reducerOf } from '../../hlo/walk.ts';
import { overlaps, sameAxis } from './axes.ts';
import { isFilledWith } from './constant-elements.ts';
import { type Layout, sameTerms, type Terms } from './layout.ts';
import type { Parts } from './parts.ts';

/** Operands that an op takes as terms of the same kind. */
export interface LinearOperands {
  readonly operands: readonly number[];
  readonly terms: Terms;
}

/**
 * The operands that an op takes as terms. It does not if their sums have other users, if its result is larger, or if it is
 * divided along these axes anyway.
 */
export function linearOperands(
  op: Op,
  parts: Parts,
  stated: Layout,
  useCounts: ReadonlyMap<Value, number>,
): LinearOperands | undefined {
  for (const operands of linearIn(op)) {
    const given = operands.map(i => parts.terms(op.operands[i]!)?.terms);
    const terms = isSumOfScalars(op)
      ? joined(given)
      : given.every(each => sameTerms(each, given[0]))
        ? given[0]
        : undefined;
    if (terms?.combiner !== 'add') continue;
    const { axes } = terms;
    const isAlong = (layout: Layout): boolean => layout.some(dim => dim.some(a => axes.some(b => overlaps(a, b))));
    const covers = axes.every(axis => stated.some(dim => dim.some(other => overlaps(axis, other))));
    const areFree = op.operands.every((value, i) => operands.includes(i) || !isAlong(parts.stated(value)));
    const isOnlyUser = (value: Value): boolean =>
      useCounts.get(value)! === op.operands.filter(other => other === value).length;
    const bytes = operands.reduce((sum, i) => sum + byteSize(tensorTypeOf(op.operands[i]!)), 0);
    if (
      areFree &&
      operands.every((i, k) => given[k] === undefined || isOnlyUser(op.operands[i]!)) &&
      byteSize(tensorTypeOf(op.results[0]!)) <= bytes &&
      !(operands.length === 1 && covers)
    )
      return { operands, terms };
  }
  return undefined;
}

/** A norm over many gradients: the numbers that one device adds, and those along other axes, cost no bytes worth mentioning. */
const isSumOfScalars = (op: Op): boolean => op.name === 'add' && tensorTypeOf(op.results[0]).shape.length === 0;

/** Terms along the axes of all; undefined if these are parts of one another. */
function joined(given: readonly (Terms | undefined)[]): Terms | undefined {
  const all = given.filter(terms => terms !== undefined);
  const axes = all.flatMap(terms => terms.axes).filter((axis, i, list) => list.findIndex(a => sameAxis(a, axis)) === i);
  const areApart = axes.every((a, i) => axes.every((b, k) => i === k || !overlaps(a, b)));
  return areApart && all.every(({ combiner }) => combiner === 'add') && axes.length > 0
    ? { axes, combiner: 'add' }
    : undefined;
}

/** Lists of operands in which an op is linear, if it has terms of all of them. */
function linearIn(op: Op): readonly (readonly number[])[] {
  const [result] = op.results;
  if (result?.type.kind !== 'tensor' || numberKind(result.type.elementType) === 'boolean') return [];
  const isContinuous = isFloat(result.type.elementType);
  switch (op.name) {
    case 'add':
    case 'subtract':
      return [[0, 1]];
    case 'negate':
    case 'reshape':
    case 'transpose':
    case 'slice':
    case 'broadcast_in_dim':
      return [[0]];
    case 'multiply':
      return [[0], [1]];
    case 'divide':
      return isContinuous ? [[0]] : [];
    case 'convert': {
      const from = tensorTypeOf(op.operands[0]);
      return isContinuous && isFloat(from.elementType) && byteSize(from) <= byteSize(result.type) ? [[0]] : [];
    }
    case 'reduce': {
      const isSum = op.results.length === 1 && reducerOf(op.regions[0]) === 'add';
      return isSum && isFilledWith(op.operands[1]!, 0) ? [[0]] : [];
    }
    case 'dynamic_update_slice':
      return [[0, 1]];
    case 'concatenate':
      return [op.operands.map((_, i) => i)];
    default:
      return [];
  }
}
