// Ops whose result has terms if operands have: (a₀ + a₁) + (b₀ + b₁) = (a₀ + b₀) + (a₁ + b₁), combined once instead of twice.
import { type Op, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { byteSize, isFloat, numberKind } from '../../hlo/types.ts';
import { reducerOf } from '../../hlo/walk.ts';
import { overlaps, sameAxis } from './axes.ts';
import { isFilledWith } from './constant-elements.ts';
import type { Layout, Terms } from './layout.ts';
import type { Parts } from './parts.ts';

/** Operands whose terms an op can take, and that have the same ones. */
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
    const versions = operands.map(i => parts.terms(op.operands[i]!));
    const [first] = versions;
    if (first === undefined || first.terms.combiner !== 'add') continue;
    const { axes } = first.terms;
    const haveSame = versions.every(
      version =>
        version?.terms.combiner === 'add' &&
        version.terms.axes.length === axes.length &&
        version.terms.axes.every(axis => axes.some(other => sameAxis(axis, other))),
    );
    const covers = (layout: Layout): boolean =>
      axes.every(axis => layout.some(dim => dim.some(other => overlaps(axis, other))));
    const areFree = op.operands.every(
      (value, i) =>
        operands.includes(i) ||
        !parts
          .stated(value)
          .flat()
          .some(a => axes.some(b => overlaps(a, b))),
    );
    const bytes = operands.reduce((sum, i) => sum + byteSize(tensorTypeOf(op.operands[i]!)), 0);
    if (
      haveSame &&
      areFree &&
      operands.every(
        i => useCounts.get(op.operands[i]!) === operands.filter(k => op.operands[k] === op.operands[i]).length,
      ) &&
      byteSize(tensorTypeOf(op.results[0]!)) <= bytes &&
      !(operands.length === 1 && covers(stated))
    )
      return { operands, terms: first.terms };
  }
  return undefined;
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
    case 'concatenate':
      return [op.operands.map((_, i) => i)];
    default:
      return [];
  }
}
