// Constants have a copy for each use during propagation, as no device needs the same part of one for two uses; afterwards, equal
// copies are merged. Broadcasts of scalars likewise.
import { bytesOf } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import { formatType } from '../../hlo/types.ts';
import { isPure } from '../../hlo/walk.ts';
import { type Body, type Graph, isBody, type Node } from './graph.ts';
import { isElementwise } from './propagator.ts';
import type { Shardings } from './shardings.ts';

const isScalar = ({ type }: Value): boolean => type.kind === 'tensor' && type.shape.length === 0;
const isScalarExpansion = ({ op, operands }: Node): boolean => op.name === 'broadcast_in_dim' && isScalar(operands[0]!);
const isGroup = ({ op }: Node): boolean => op.name === 'sdy.sharding_group';
const sources: ReadonlySet<string> = new Set(['constant', 'iota']);
const views: ReadonlySet<string> = new Set(['broadcast_in_dim', 'reshape', 'slice']);

export function splitConstants(shardings: Shardings): void {
  for (const { body } of shardings.graph.roots) new Splitter(shardings).split(body);
}

class Splitter {
  readonly #shardings: Shardings;
  readonly #graph: Graph;
  readonly #constants = new Set<Node>();
  readonly #expansions = new Set<Node>();

  constructor(shardings: Shardings) {
    this.#shardings = shardings;
    this.#graph = shardings.graph;
  }

  split(body: Body): void {
    this.#enter(body);
    for (const node of [...this.#expansions, ...[...this.#constants].reverse()]) {
      const users = node.results.flatMap(result => this.#graph.usesOf(result).map(use => use.user));
      if (!users.every(user => !isBody(user) && isGroup(user))) continue;
      for (const user of users) this.#graph.remove(user as Node);
      this.#graph.remove(node);
    }
  }

  #enter(body: Body): void {
    for (const node of [...body.nodes]) {
      if (isGroup(node)) continue;
      if (this.#isConstant(node)) this.#constants.add(node);
      else if (isScalarExpansion(node)) this.#expansions.add(node);
      else this.#splitOperands(node, node.operands);
      for (const inner of node.bodies) this.#enter(inner);
    }
    this.#splitOperands(body, body.results);
  }
  #isConstant(node: Node): boolean {
    if (sources.has(node.op.name)) return true;
    const isPreserving = isPure(node.op) && (views.has(node.op.name) || isElementwise(node));
    return (
      isPreserving &&
      node.operands.every(value => {
        const definition = this.#graph.nodeOf(value);
        return definition !== undefined && this.#constants.has(definition);
      })
    );
  }
  #splitOperands(user: Node | Body, values: readonly Value[]): void {
    [...values].forEach((value, index) => {
      const node = this.#graph.nodeOf(value);
      if (node === undefined || !(this.#constants.has(node) || this.#expansions.has(node))) return;
      if (!isScalar(value)) this.#graph.replaceUse({ user, index }, this.#copy(value, new Map()));
    });
  }
  /** A copy of the op that defines a constant, and of those it is computed from, just before them. */
  #copy(value: Value, copies: Map<Node, Node>): Value {
    const node = this.#graph.nodeOf(value);
    if (node === undefined || isScalar(value)) return value;
    const known = copies.get(node);
    if (known !== undefined) return known.results[value.index]!;
    const operands = node.operands.map(operand => this.#copy(operand, copies));
    const copy = this.#graph.insert(node.within, node.within.nodes.indexOf(node), node.op, operands);
    copies.set(node, copy);
    node.results.forEach((result, i) => {
      const sharding = this.#shardings.get(result);
      if (sharding !== undefined) this.#shardings.set(copy.results[i]!, sharding);
      for (const { user } of this.#graph.usesOf(result))
        if (!isBody(user) && isGroup(user))
          this.#graph.insert(node.within, node.within.nodes.indexOf(node), user.op, [copy.results[i]!]);
    });
    return copy.results[value.index]!;
  }
}

/** Merges equal constants of one region, and equal broadcasts of a scalar, whose shardings are equal. */
export function mergeConstants(shardings: Shardings): void {
  const { graph } = shardings;
  for (const body of [...graph.allBodies()]) {
    const kept = new Map<string, Node>();
    for (const node of [...body.nodes]) {
      const key = keyOf(node, shardings);
      if (key === undefined) continue;
      const same = kept.get(key);
      if (same === undefined) kept.set(key, node);
      else {
        graph.replaceUses(node.results[0]!, same.results[0]!);
        graph.remove(node);
      }
    }
  }
}

const comparedBytes = 1024;
const ids = new WeakMap<object, number>();
let nextId = 0;

function keyOf(node: Node, shardings: Shardings): string | undefined {
  const { op, operands, results } = node;
  const sharding = shardings.get(results[0]!);
  const notes = JSON.stringify(op.discardable ?? {});
  const where = `${results.map(r => formatType(r.type)).join()} ${sharding === undefined ? '' : printSharding(sharding)} ${notes}`;
  if (op.name === 'constant') {
    const bytes = bytesOf(op.attributes.value);
    const value =
      bytes.length > comparedBytes ? `#${identityOf(op.attributes.value)}` : Buffer.from(bytes).toString('latin1');
    return `constant ${where} ${value}`;
  }
  if (op.name === 'broadcast_in_dim' && isScalarExpansion(node))
    return `broadcast ${where} #${identityOf(operands[0]!)}`;
  return undefined;
}
function identityOf(object: object): number {
  const known = ids.get(object);
  if (known !== undefined) return known;
  ids.set(object, nextId);
  return nextId++;
}
