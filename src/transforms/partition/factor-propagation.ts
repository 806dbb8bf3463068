// Which axes an op's tensors take from each other, factor by factor. Conflicts are resolved in favor of the larger tensor
// (Shardy's aggressive strategy, which its pipeline uses).
import type { ShardingRule } from '../../hlo/factors/rule.ts';
import { type AxisRef, axisRefSize, type Mesh } from '../../hlo/sharding/mesh.ts';
import { type Axes, contains, isPrefix, prefixStatus, prefixWithoutAll, sameAxis, sizeOfAxes } from './axes.ts';
import { expand, type FactorSharding, gcd, type Projection, type TensorProjection } from './projection.ts';

/** From operands to results, from results to operands: a set of two bits. */
export type Direction = 0 | 1 | 2 | 3;
export const directions = { none: 0, forward: 1, backward: 2, both: 3 } as const satisfies Record<string, Direction>;

/** The op whose tensors are projected. */
interface Subject {
  readonly rule: ShardingRule;
  readonly mesh: Mesh;
  readonly isElementwise: boolean;
  direction(factor: number): Direction;
}

/** The tensors that changed, by their index. */
interface Changed {
  readonly operands: ReadonlySet<number>;
  readonly results: ReadonlySet<number>;
}

/** Expands the shardings of a projection. */
export function propagateFactors(projection: Projection, subject: Subject): Changed {
  const { rule, mesh, isElementwise } = subject;
  const changed = { operands: new Set<number>(), results: new Set<number>() };
  const axesOf = rule.factors.map((_, factor) => compatibleAxes(projection, factor, subject.direction(factor)));
  if (axesOf.every(axes => axes.length === 0)) return changed;
  const order = preferredOrder(projection, rule, axesOf, isElementwise ? mesh : undefined);
  for (const side of ['results', 'operands'] as const)
    projection[side].forEach((tensor, i) => {
      for (const factor of order) {
        const own = tensor.factors.get(factor);
        if (own === undefined) continue;
        const { size } = rule.factors[factor]!;
        let axes = truncated(axesOf[factor]!, mesh, (axis, before) =>
          withinFactor(axis, tensor, own, before, size, mesh),
        );
        if (prefixStatus(own.axes, axes) !== 'strict') continue;
        axes = truncated(axes, mesh, axis => withoutOtherFactors(axis, tensor, factor));
        if (axes.length === 0) continue;
        // An operand is not divided further than the result that an elementwise op computes from it.
        if (side === 'operands' && isElementwise)
          for (const result of projection.results) {
            const known = result.factors.get(factor);
            if (known !== undefined && prefixStatus(known.axes, axes) === 'strict') axes = known.axes;
          }
        if (expand(tensor, factor, axes)) changed[side].add(i);
      }
    });
  return changed;
}

/** Factors in the order in which they get their axes: those of larger tensors first, then of earlier ones. */
function preferredOrder(
  { operands, results }: Projection,
  { factors }: ShardingRule,
  axesOf: readonly Axes[],
  mesh: Mesh | undefined,
): readonly number[] {
  const sources = factors.map(() => ({ index: -1, size: -1 }));
  [...operands, ...results].forEach((tensor, index) => {
    const size = [...tensor.factors.keys()].reduce((product, factor) => product * factors[factor]!.size, 1);
    for (const [factor, { axes }] of tensor.factors) {
      const wanted = axesOf[factor]!;
      const isSource = wanted.length > 0 && prefixStatus(wanted, axes) !== 'none';
      if (isSource && size > sources[factor]!.size) sources[factor] = { index, size };
    }
  });
  const parts = axesOf.map(axes => (mesh === undefined ? 0 : sizeOfAxes(axes, mesh)));
  return factors
    .map((_, factor) => factor)
    .sort(
      (a, b) =>
        sources[b]!.size - sources[a]!.size || parts[b]! - parts[a]! || sources[a]!.index - sources[b]!.index || a - b,
    );
}

/** The axes that all tensors agree on, from the major one. */
function compatibleAxes({ operands, results }: Projection, factor: number, direction: Direction): Axes {
  if (direction === directions.none) return [];
  let state: { readonly axes: Axes; readonly canExpand: boolean } = { axes: [], canExpand: true };
  const meet = (tensors: readonly TensorProjection[]): void => {
    for (const { factors } of tensors) {
      const own = factors.get(factor);
      if (own !== undefined) state = commonAxes(state.axes, own.axes, state.canExpand);
    }
  };
  meet(direction === directions.backward ? results : operands);
  if (direction !== directions.both) state = { ...state, canExpand: false };
  meet(direction === directions.backward ? operands : results);
  return state.axes;
}

/** ["a"] and ["a", "b"] give ["a", "b"] if it may expand, ["a", "b"] and ["a", "c"] give ["a"]. */
function commonAxes(old: Axes, more: Axes, canExpand: boolean): { readonly axes: Axes; readonly canExpand: boolean } {
  const axes: AxisRef[] = [];
  const shared = Math.min(old.length, more.length);
  for (let i = 0; i < shared; i++) {
    const [a, b] = [old[i]!, more[i]!];
    if (a.name !== b.name) return { axes, canExpand: false };
    if (sameAxis(a, b)) axes.push(b);
    else if (isPrefix(b, a)) {
      if (i + 1 < more.length) return { axes: [...axes, b], canExpand: false };
      axes.push(a);
    } else if (isPrefix(a, b)) {
      if (!canExpand || i + 1 < old.length) return { axes: [...axes, a], canExpand: false };
      axes.push(b);
    } else return { axes, canExpand: false };
  }
  return { axes: [...axes, ...old.slice(shared), ...(canExpand ? more.slice(shared) : [])], canExpand };
}

/** The axes up to the first that must be shorter. `shorten` gets the number of parts that the axes before it make. */
function truncated(axes: Axes, mesh: Mesh, shorten: (axis: AxisRef, before: number) => AxisRef | undefined): Axes {
  let before = 1;
  for (const [i, axis] of axes.entries()) {
    const kept = shorten(axis, before);
    if (kept === undefined) return axes.slice(0, i);
    if (!sameAxis(kept, axis)) return [...axes.slice(0, i), kept];
    before *= axisRefSize(mesh, kept);
  }
  return axes;
}

function withoutOtherFactors(axis: AxisRef, { factors }: TensorProjection, factor: number): AxisRef | undefined {
  let result: AxisRef | undefined = axis;
  for (const [other, { axes, overflow }] of factors)
    if (other !== factor) result = result && prefixWithoutAll(result, [...overflow, ...axes]);
  return result;
}

function withinFactor(
  axis: AxisRef,
  { replicated, unreduced }: TensorProjection,
  own: FactorSharding,
  before: number,
  size: number,
  mesh: Mesh,
): AxisRef | undefined {
  const result = prefixWithoutAll(axis, [...replicated, ...unreduced]);
  if (result === undefined || own.axes.some(known => contains(known, result))) return result;
  if (!own.isClosed && own.overflow.length === 0) {
    if (own.isMinorMost) return result;
    if (size % before === 0) {
      const parts = axisRefSize(mesh, result);
      const common = gcd(size / before, parts);
      if (common === parts) return result;
      if (common !== 1) return { name: result.name, subAxis: { preSize: result.subAxis?.preSize ?? 1, size: common } };
    }
  }
  const last = own.axes.at(-1);
  return last !== undefined && isPrefix(last, result) ? last : undefined;
}
