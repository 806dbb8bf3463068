// Along which axes an op is divided, when its operands and results disagree: each factor has the axes that operands or results
// have as candidates, and the combination that moves the fewest bytes wins. A contraction is divided along as many axes as
// possible, and its operands stay where they are if they agree, even if other layouts would move fewer bytes. What cannot be
// divided without moving elements between parts is whole.
import type { ShardingRule } from '../../hlo/factors/rule.ts';
import type { Op } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { elementCount, type Type } from '../../hlo/types.ts';
import { type Axes, joinedAxes, overlaps, prefixWithoutAll, sameAxis, sizeOfAxes } from './axes.ts';
import { divisible, withoutStrides } from './divisible.ts';
import type { Layout, OpLayouts } from './layout.ts';
import { projectionOf } from './projection.ts';

/** The layouts that the choice depends on, and its price. */
export interface Given {
  /** The layouts that each operand has, the preferred one first. */
  readonly operands: readonly (readonly Layout[])[];
  readonly results: readonly Layout[];
  /** Axes that cannot divide anything, since operands have terms along them. */
  readonly reserved: Axes;
  readonly mesh: Mesh;
  price(layouts: OpLayouts): Price;
}
interface Price {
  /** The bytes that move to and from these layouts. */
  readonly bytes: number;
  /** Whether no operand moves from a layout that it has. */
  readonly stays: boolean;
}
interface Candidate {
  readonly axes: Axes;
  /** The number of elements of the operands and results that are divided so. */
  weight: number;
}

const maxCombinations = 128;
const contractions: ReadonlySet<string> = new Set(['dot', 'dot_general', 'convolution']);

export function layoutsOfOp(op: Op, rule: ShardingRule, given: Given): OpLayouts {
  const candidates = candidatesOf(op, rule, given);
  const first = combine(
    candidates.map(list => list[0]),
    op,
    rule,
    given,
  );
  if (first.price.bytes === 0) return first.layouts;
  const seen = new Map<string, Combination>();
  for (const selection of selectionsOf(candidates)) {
    const combination = combine(selection, op, rule, given);
    const key = JSON.stringify(combination.axes);
    if (!seen.has(key)) seen.set(key, combination);
  }
  const ranked = [first, ...seen.values()].sort(contractions.has(op.name) ? byWork : byBytes);
  return ranked[0]!.layouts;
}

const byBytes = (a: Combination, b: Combination): number =>
  a.price.bytes - b.price.bytes || b.parts - a.parts || b.weight - a.weight;
const byWork = (a: Combination, b: Combination): number =>
  b.parts - a.parts || Number(b.price.stays) - Number(a.price.stays) || byBytes(a, b);

interface Combination {
  readonly axes: readonly Axes[];
  readonly layouts: OpLayouts;
  readonly price: Price;
  /** The number of devices that work is divided between. */
  readonly parts: number;
  readonly weight: number;
}

/** The axes of each factor; where candidates overlap, the one with more elements has them. */
function combine(selection: readonly (Candidate | undefined)[], op: Op, rule: ShardingRule, given: Given): Combination {
  const { mesh } = given;
  const chosen: Axes[] = rule.factors.map(() => []);
  const weightOf = (factor: number): number => selection[factor]?.weight ?? -1;
  const order = [...selection.keys()].sort((a, b) => weightOf(b) - weightOf(a) || a - b);
  for (const factor of order)
    chosen[factor] = divisible(freePrefix(selection[factor]?.axes ?? [], chosen.flat()), factor, op, rule, mesh);
  const axes = withoutStrides(chosen, rule, mesh);
  const layouts = layoutsAlong(axes, rule, mesh);
  const weight = axes.reduce((sum, list, factor) => sum + (list.length === 0 ? 0 : weightOf(factor)), 0);
  return { axes, layouts, price: given.price(layouts), parts: sizeOfAxes(axes.flat(), mesh), weight };
}
function freePrefix(axes: Axes, used: Axes): Axes {
  const end = axes.findIndex(axis => {
    const free = prefixWithoutAll(axis, used);
    return free === undefined || !sameAxis(free, axis);
  });
  return end < 0 ? axes : axes.slice(0, end);
}

function layoutsAlong(axes: readonly Axes[], rule: ShardingRule, mesh: Mesh): OpLayouts {
  const layouts = (tensors: ShardingRule['operands']): readonly Layout[] =>
    tensors.map(dims =>
      dims.map(factors =>
        joinedAxes(
          factors.map(factor => axes[factor]!),
          mesh,
        ),
      ),
    );
  const reduced = rule.factors.flatMap(({ kind }, factor) => (kind === 'reduction' ? axes[factor]! : []));
  return { operands: layouts(rule.operands), results: layouts(rule.results), reduced };
}
/** For each factor, the axes that it has in some operand or result, those with most elements first. */
function candidatesOf(op: Op, rule: ShardingRule, { operands, results, reserved, mesh }: Given): Candidate[][] {
  const sizes = [...op.operands, ...op.results].map(({ type }) => elementsOf(type));
  const candidates = rule.factors.map((): Candidate[] => []);
  const versions = Math.max(1, ...operands.map(layouts => layouts.length));
  for (let version = 0; version < versions; version++) {
    const at = operands.map(layouts => layouts[version] ?? layouts[0]!);
    const projection = projectionOf(rule, at.map(asSharding), results.map(asSharding), mesh);
    [...projection.operands, ...projection.results].forEach(({ factors }, tensor) => {
      const weight = version === 0 ? sizes[tensor]! : 0;
      for (const [factor, { axes: all }] of factors) {
        const free = all.findIndex(axis => reserved.some(other => overlaps(axis, other)));
        const axes = divisible(free < 0 ? all : all.slice(0, free), factor, op, rule, mesh);
        addCandidate(candidates[factor]!, axes, weight);
      }
    });
  }
  for (const list of candidates) list.sort((a, b) => b.weight - a.weight);
  // Where dims are merged, the first one can be divided along the axes of all, after they moved there.
  for (const [first, ...others] of [...rule.operands, ...rule.results].flat()) {
    const best = [first!, ...others].flatMap(factor => candidates[factor]![0]?.axes ?? []);
    const axes = best.filter((axis, i) => !best.slice(0, i).some(other => overlaps(axis, other)));
    if (others.length > 0) addCandidate(candidates[first!]!, divisible(axes, first!, op, rule, mesh), 0);
  }
  return candidates;
}
function addCandidate(list: Candidate[], axes: Axes, weight: number): void {
  if (axes.length === 0) return;
  const known = list.find(c => c.axes.length === axes.length && c.axes.every((axis, i) => sameAxis(axis, axes[i]!)));
  if (known === undefined) list.push({ axes, weight });
  else known.weight += weight;
}

/** All ways to divide each factor along one of its candidates, or not. */
function selectionsOf(candidates: readonly (readonly Candidate[])[]): readonly (readonly (Candidate | undefined)[])[] {
  let selections: (Candidate | undefined)[][] = [[]];
  for (const list of candidates) {
    const options = list.length === 0 ? [undefined] : [...list, undefined];
    const isMany = selections.length * options.length > maxCombinations;
    selections = selections.flatMap(chosen =>
      (isMany ? options.slice(0, 1) : options).map(option => [...chosen, option]),
    );
  }
  return selections;
}

const elementsOf = (type: Type): number => (type.kind === 'tensor' ? elementCount(type.shape) : 0);
const asSharding = (layout: Layout): Sharding => ({
  mesh: '',
  dims: layout.map(axes => ({ axes, isOpen: false })),
  replicated: [],
  unreduced: [],
  reduction: 'sum',
});
