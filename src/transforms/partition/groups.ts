// Sharding groups: values that `sdy.sharding_group` (jax.shard_alike) gives one sharding.
import type { Op, Value } from '../../hlo/program.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import { shardableValue } from './data-flow.ts';
import type { Graph, Node } from './graph.ts';
import type { Groups } from './propagator.ts';
import { type Shardings, undivided } from './shardings.ts';

/** The members of each group, after they got one sharding. Groups with a common member are one. */
export function readGroups(shardings: Shardings): Groups {
  const groups: { readonly ids: Set<number>; readonly members: Set<Value> }[] = [];
  for (const { op, operands } of [...shardings.graph.nodes()]) {
    if (op.name !== 'sdy.sharding_group') continue;
    const id = op.attributes.groupId;
    const member = shardableValue(shardings.graph, operands[0]!);
    if (member === undefined) continue;
    const joined = { ids: new Set([id]), members: new Set<Value>() };
    for (const group of groups.filter(({ ids, members }) => ids.has(id) || members.has(member))) {
      for (const other of group.ids) joined.ids.add(other);
      for (const other of group.members) joined.members.add(other);
      groups.splice(groups.indexOf(group), 1);
    }
    joined.members.add(member);
    groups.push(joined);
  }
  const result = new Map<Value, readonly Value[]>();
  for (const { members } of groups) {
    const agreed = agree([...members], shardings);
    for (const member of agreed) result.set(member, agreed);
  }
  return result;
}

/** Gives the members the sharding that one of them has; if they differ, constraints that are open are members instead. */
function agree(members: readonly Value[], shardings: Shardings): readonly Value[] {
  const stated = members.flatMap(member => {
    const sharding = shardings.get(member);
    return sharding === undefined || saysNothing(sharding) ? [] : [sharding];
  });
  const [first] = stated;
  if (first === undefined || members.length === 1) return members;
  if (stated.every(other => printSharding(other) === printSharding(first))) {
    for (const member of members) shardings.set(member, first);
    return members;
  }
  return members.map(member => {
    const constraint = insertConstraint(shardings, member, undivided(first.mesh, first.dims.length, true));
    shardings.graph.replaceUses(member, constraint.results[0]!, use => use.user !== constraint);
    return constraint.results[0]!;
  });
}
const saysNothing = ({ dims, replicated, unreduced }: Sharding): boolean =>
  replicated.length + unreduced.length === 0 && dims.every(dim => dim.isOpen && dim.axes.length === 0);

export function removeGroups(graph: Graph): void {
  for (const node of [...graph.nodes()]) if (node.op.name === 'sdy.sharding_group') graph.remove(node);
}

/** A constraint on a value, just after it. */
export function insertConstraint(shardings: Shardings, value: Value, sharding: Sharding): Node {
  const { graph } = shardings;
  const definition = graph.nodeOf(value);
  const within = definition?.within ?? graph.bodyOf(value)!;
  const op: Op<'sdy.sharding_constraint'> = {
    name: 'sdy.sharding_constraint',
    operands: [value],
    attributes: { sharding },
    regions: [],
    results: [{ ...value, index: 0 }],
    location: value.op?.location,
  };
  const node = graph.insert(within, definition === undefined ? 0 : within.nodes.indexOf(definition) + 1, op, [value]);
  shardings.set(node.results[0]!, sharding);
  return node;
}
