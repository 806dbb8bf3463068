// A constraint says how a value is sharded where it is used; if nothing else does, it says so about the value itself, too.
import type { Value } from '../../hlo/program.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import { manualOf, shardableValue } from './data-flow.ts';
import { type Body, isBody, type Node } from './graph.ts';
import { insertConstraint } from './groups.ts';
import { hasEdge, type Shardings, undivided } from './shardings.ts';

export function applyConstraints(shardings: Shardings): void {
  for (const { body } of shardings.graph.roots)
    for (const node of innerFirst(body)) {
      const manual = manualOf(node);
      if (node.op.name === 'sdy.sharding_constraint') {
        skipChain(node, shardings);
        const sharding = shardings.get(node.results[0]!)!;
        const [input] = node.operands;
        apply(input!, sharding, shardings, () => {
          shardings.graph.moveAfter(node, input!);
          return node;
        });
      } else if (manual !== undefined)
        node.operands.forEach((input, i) => {
          const sharding = manual.attributes.inShardings[i]!;
          apply(input, sharding, shardings, () => insertConstraint(shardings, input, sharding));
        });
    }
}

function innerFirst(body: Body): readonly Node[] {
  return body.nodes.flatMap(node => [...node.bodies.flatMap(innerFirst), node]);
}

function apply(input: Value, sharding: Sharding, shardings: Shardings, constraintAfter: () => Node): void {
  const { graph } = shardings;
  if (!isApplicable(input, sharding, shardings)) return;
  if (!hasEdge(graph, input)) {
    shardings.set(input, sharding);
    return;
  }
  // The sharding of an edge would be that of all values on it.
  const constraint = constraintAfter();
  graph.replaceUses(input, constraint.results[0]!, use => use.user !== constraint);
  if (sharding.unreduced.length > 0) {
    const known = shardings.get(input) ?? undivided(sharding.mesh, sharding.dims.length, true);
    shardings.set(input, { ...known, unreduced: sharding.unreduced, reduction: sharding.reduction });
  }
}

function isApplicable(input: Value, sharding: Sharding, shardings: Shardings): boolean {
  const text = printSharding(sharding);
  return (
    shardableValue(shardings.graph, input) !== undefined &&
    shardings.get(input) === undefined &&
    sharding.dims.every(dim => !dim.isOpen) &&
    constraintsOf(input, shardings).every(([, other]) => printSharding(other) === text)
  );
}

/** The constraints on a value, and the manual computations that take it. */
function constraintsOf(value: Value, shardings: Shardings): readonly (readonly [Node, Sharding])[] {
  return shardings.graph.usesOf(value).flatMap(({ user, index }): (readonly [Node, Sharding])[] => {
    if (isBody(user)) return [];
    if (user.op.name === 'sdy.sharding_constraint') return [[user, shardings.get(user.results[0]!)!]];
    const manual = manualOf(user);
    return manual === undefined ? [] : [[user, manual.attributes.inShardings[index]!]];
  });
}

/** After a chain of constraints, uses of its input use its end. */
function skipChain(head: Node, shardings: Shardings): void {
  const { graph } = shardings;
  const [input] = head.operands as [Value];
  if (graph.nodeOf(input)?.op.name === 'sdy.sharding_constraint' || shardings.get(input) !== undefined) return;
  if (constraintsOf(input, shardings).some(([user]) => user !== head)) return;
  let tail = head;
  for (let next = onlyUser(tail, shardings); next !== undefined; next = onlyUser(tail, shardings)) tail = next;
  if (tail === head || constraintsOf(tail.results[0]!, shardings).length > 0) return;
  const { nodes } = tail.within;
  const end = nodes.indexOf(tail);
  graph.replaceUses(
    input,
    tail.results[0]!,
    ({ user }) => !isBody(user) && user !== head && user.within === tail.within && nodes.indexOf(user) > end,
  );
}
function onlyUser(node: Node, { graph }: Shardings): Node | undefined {
  const uses = graph.usesOf(node.results[0]!);
  const user = uses.length === 1 ? uses[0]!.user : undefined;
  return user !== undefined && !isBody(user) && user.op.name === 'sdy.sharding_constraint' ? user : undefined;
}
