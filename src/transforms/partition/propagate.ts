// Propagation: the shardings that are stated spread to all other values. Algorithm and order are Shardy's, so that both give
// the same result:
//
//   priorities of the user (p0, p1, …) ─▶ priorities of ops (five rounds) ─▶ factors of each op, aggressively, to a fixed point
//
// Documentation: https://openxla.org/shardy/propagation
import type { ShardingRule } from '../../hlo/factors/rule.ts';
import type { Module } from '../../hlo/program.ts';
import type { DimSharding, Sharding } from '../../hlo/sharding/sharding.ts';
import { type Axes, inMeshOrder, sameAxis } from './axes.ts';
import { mergeConstants } from './constants.ts';
import { applyConstraints } from './constraints.ts';
import { divideBordersEvenly } from './even-borders.ts';
import { type Direction, directions } from './factor-propagation.ts';
import type { Node } from './graph.ts';
import { readGroups, removeGroups } from './groups.ts';
import { type Item, isEdge, isElementwise, Propagator } from './propagator.ts';
import { Shardings } from './shardings.ts';

/**
 * The module with a sharding for every value that has one: all closed, constraints as `sdy.reshard`. `borders`: whether parts of
 * arguments and results may be padded, or must be equal.
 */
export function propagate(module: Module, borders: 'even' | 'padded' = 'even'): Module {
  const shardings = new Shardings(module);
  applyConstraints(shardings);
  spread(shardings);
  mergeConstants(shardings);
  removeGroups(shardings.graph);
  if (borders === 'even') divideBordersEvenly(shardings);
  shardings.transform(closed);
  return shardings.write('sdy.reshard');
}

const closed = (sharding: Sharding): Sharding => ({
  ...sharding,
  dims: sharding.dims.map(dim => ({ ...dim, isOpen: false })),
  replicated: [],
});

function spread(shardings: Shardings): void {
  const propagator = new Propagator(shardings, readGroups(shardings));
  const later = postpone(shardings);
  for (const restore of [() => {}, ...later]) {
    restore();
    for (const direction of opPriorityRounds)
      propagator.run((item, rule, factor) => direction(item, rule, factor, shardings));
  }
}

type PriorityOf = (item: Item, rule: ShardingRule, factor: number, shardings: Shardings) => Direction;

const passThroughOps: ReadonlySet<string> = new Set(['reshape', 'transpose']);
const updates: ReadonlySet<string> = new Set(['dynamic_slice', 'dynamic_update_slice']);
const offloads: ReadonlySet<string> = new Set(['MoveToDevice', 'MoveToHost']);

/** Values that have several uses could be needed in several shardings. */
const hasSharedOperand = ({ operands }: Node, { graph }: Shardings): boolean =>
  operands.some(v => graph.usesOf(v).length > 1 && !(v.type.kind === 'tensor' && v.type.shape.length === 0));

const passThrough =
  (allowsSharing: boolean): PriorityOf =>
  (item, _rule, _factor, shardings) => {
    if (isEdge(item)) return directions.both;
    const { op } = item;
    const isOffload = op.name === 'custom_call' && offloads.has(op.attributes.callTargetName);
    const direction =
      isElementwise(item) || isOffload || passThroughOps.has(op.name)
        ? directions.both
        : updates.has(op.name)
          ? directions.forward
          : directions.none;
    return allowsSharing || !hasSharedOperand(item, shardings) ? direction : directions.none;
  };
const backwardThroughBroadcasts = (item: Item): Direction =>
  !isEdge(item) && item.op.name === 'broadcast_in_dim' ? directions.backward : directions.both;
const everything: PriorityOf = () => directions.both;

/** The directions that each round adds to the ones before it. */
const opPriorities: readonly PriorityOf[] = [
  passThrough(false),
  passThrough(true),
  (item, rule, factor) =>
    isEdge(item) || rule.factors[factor]!.kind === 'passThrough' ? backwardThroughBroadcasts(item) : directions.none,
  backwardThroughBroadcasts,
  everything,
];
const opPriorityRounds: readonly PriorityOf[] = opPriorities.map(
  (_, round): PriorityOf =>
    (...args) =>
      opPriorities.slice(0, round + 1).reduce<number>((all, of) => all | of(...args), 0) as Direction,
);

/**
 * Leaves dims of a priority above 0 whole, and keeps their axes from other dims; returns how to restore them, in order.
 */
function postpone(shardings: Shardings): readonly (() => void)[] {
  const later = new Map<number, (() => void)[]>();
  const withoutPriority = ({ axes, isOpen }: DimSharding): DimSharding => ({ axes, isOpen });
  const priorityOf = ({ priority = 0 }: DimSharding): number => priority;
  const postponed = (original: Sharding, get: () => Sharding, set: (sharding: Sharding) => void): Sharding => {
    for (const priority of new Set(original.dims.map(priorityOf).filter(p => p > 0))) {
      const restore = (): void => {
        const current = get();
        const isNow = original.dims.map(dim => priorityOf(dim) === priority);
        const restored = original.dims.flatMap((dim, d) => (isNow[d] ? dim.axes : []));
        set({
          ...current,
          dims: current.dims.map((dim, d) => (isNow[d] ? withoutPriority(original.dims[d]!) : dim)),
          replicated: current.replicated.filter(axis => !restored.some(other => sameAxis(axis, other))),
        });
      };
      later.set(priority, [...(later.get(priority) ?? []), restore]);
    }
    const mesh = shardings.mesh(original.mesh)!;
    const hidden: Axes = original.dims.flatMap(dim => (priorityOf(dim) > 0 ? dim.axes : []));
    return {
      ...original,
      dims: original.dims.map(dim => (priorityOf(dim) > 0 ? { axes: [], isOpen: false } : withoutPriority(dim))),
      replicated: hidden.length === 0 ? original.replicated : inMeshOrder([...original.replicated, ...hidden], mesh),
    };
  };
  for (const [value, sharding] of [...shardings.values()])
    shardings.set(
      value,
      postponed(
        sharding,
        () => shardings.get(value)!,
        changed => shardings.set(value, changed),
      ),
    );
  for (const { body } of shardings.graph.roots)
    body.results.forEach((_, i) => {
      const sharding = shardings.result(body, i);
      if (sharding !== undefined)
        shardings.setResult(
          body,
          i,
          postponed(
            sharding,
            () => shardings.result(body, i)!,
            changed => shardings.setResult(body, i, changed),
          ),
        );
    });
  return [...later]
    .sort(([a], [b]) => a - b)
    .map(([, all]) => () => {
      for (const restore of all) restore();
    });
}
