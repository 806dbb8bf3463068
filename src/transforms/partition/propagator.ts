// Propagates shardings through ops and edges until nothing changes, in the order of Shardy's work list (MLIR's greedy driver):
// from the first op to the last, and after each change the ops that it affects.

import { RuleBuilder, type ShardingRule, sameDims } from '../../hlo/factors/rule.ts';
import { factorTable, shardingRuleOf } from '../../hlo/factors/table.ts';
import { opTable } from '../../hlo/op-table.ts';
import type { Value } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import { isPure } from '../../hlo/walk.ts';
import { asOwned, type Edge, edgesOf, isStatic, ownerOfSource, seenBySources, shardableValue } from './data-flow.ts';
import { type Direction, directions, propagateFactors } from './factor-propagation.ts';
import { type Body, type Graph, isBody, type Node } from './graph.ts';
import { projectionOf, shardingFrom } from './projection.ts';
import type { Shardings } from './shardings.ts';

export type Item = Node | Edge;
export const isEdge = (item: Item): item is Edge => 'owner' in item;

/** The direction in which a factor of an op, or of an edge, is propagated in a round. */
export type DirectionOf = (item: Item, rule: ShardingRule, factor: number) => Direction;

/** Values whose shardings must be equal, by each of them. */
export type Groups = ReadonlyMap<Value, readonly Value[]>;

interface Tensors {
  readonly values: readonly Value[];
  readonly shardings: readonly (Sharding | undefined)[];
  set(index: number, sharding: Sharding): void;
}

export class Propagator {
  readonly #shardings: Shardings;
  readonly #graph: Graph;
  readonly #groups: Groups;
  readonly #items: readonly Item[];
  readonly #edges = new Map<Value, Edge>();
  readonly #rules = new Map<Item, ShardingRule | undefined>();
  #stack: Item[] = [];
  readonly #waiting = new Set<Item>();
  readonly #removed = new Set<Item>();

  constructor(shardings: Shardings, groups: Groups) {
    this.#shardings = shardings;
    this.#graph = shardings.graph;
    this.#groups = groups;
    this.#items = this.#graph.roots.flatMap(({ body }) => this.#itemsOf(body));
  }

  run(direction: DirectionOf): void {
    this.#meetResults();
    this.#stack = [];
    this.#waiting.clear();
    for (const item of this.#items.toReversed()) if (!this.#removed.has(item)) this.#add(item);
    for (let item = this.#stack.pop(); item !== undefined; item = this.#stack.pop()) {
      this.#waiting.delete(item);
      this.#visit(item, direction);
    }
    this.#meetResults();
  }

  #itemsOf(body: Body): Item[] {
    return body.nodes.flatMap(node => {
      const { ofArguments, ofResults } = edgesOf(node);
      for (const edge of [...ofArguments, ...ofResults]) this.#edges.set(edge.owner, edge);
      return [node, ...ofArguments, ...node.bodies.flatMap(inner => this.#itemsOf(inner)), ...ofResults];
    });
  }

  #visit(item: Item, direction: DirectionOf): void {
    if (!isEdge(item) && this.#isDead(item)) {
      this.#remove(item);
      return;
    }
    const rule = this.#ruleOf(item);
    if (rule === undefined || rule.factors.length === 0) return;
    const [operands, results] = isEdge(item) ? this.#tensorsOfEdge(item) : this.#tensorsOfNode(item);
    this.#propagate(item, rule, operands, results, factor => direction(item, rule, factor));
  }

  /** Ops without effects and users are removed on the way, as by MLIR's driver; constraints stay, for what they say. */
  #isDead(node: Node): boolean {
    const { ofArguments, ofResults } = edgesOf(node);
    if (ofArguments.length + ofResults.length > 0 || node.results.length === 0) return false;
    if (node.op.name === 'sdy.sharding_constraint') return false;
    return node.results.every(result => this.#graph.usesOf(result).length === 0) && isPure(node.op);
  }
  #remove(node: Node): void {
    this.#removed.add(node);
    this.#graph.remove(node);
    for (const operand of node.operands) {
      const definition = this.#edges.get(operand) ?? this.#graph.nodeOf(operand);
      if (definition !== undefined) this.#add(definition);
    }
  }

  #tensorsOfNode({ operands, results }: Node): readonly [Tensors, Tensors] {
    return [this.#tensors(operands), this.#tensors(results)];
  }
  #tensors(values: readonly Value[]): Tensors {
    return {
      values,
      shardings: values.map(value => this.#shardings.get(value)),
      set: (i, sharding) => this.#shardings.set(values[i]!, sharding),
    };
  }
  #tensorsOfEdge(edge: Edge): readonly [Tensors, Tensors] {
    const owned = this.#shardings.get(edge.owner);
    const results: Tensors = {
      values: [edge.owner],
      shardings: [owned && seenBySources(edge, owned)],
      set: (_, sharding) => this.#shardings.set(edge.owner, asOwned(edge, sharding)),
    };
    return [this.#tensors(edge.sources), results];
  }

  #propagate(
    item: Item | undefined,
    rule: ShardingRule,
    operands: Tensors,
    results: Tensors,
    direction: (factor: number) => Direction,
  ): void {
    const common = this.#commonMesh([...operands.shardings, ...results.shardings]);
    if (common === undefined) return;
    const [name, mesh] = common;
    const projection = projectionOf(rule, operands.shardings, results.shardings, mesh);
    const changed = propagateFactors(projection, {
      rule,
      mesh,
      isElementwise: item !== undefined && !isEdge(item) && isElementwise(item),
      direction: factor => (rule.factors[factor]!.isBlocked ? directions.none : direction(factor)),
    });
    for (const [tensors, projected, dims, indices] of [
      [operands, projection.operands, rule.operands, changed.operands],
      [results, projection.results, rule.results, changed.results],
    ] as const)
      for (const i of [...indices].sort((a, b) => a - b)) {
        if (item !== undefined && shardableValue(this.#graph, tensors.values[i]!) === undefined) continue;
        const sharding = shardingFrom(projected[i]!, dims[i]!, rule, name, mesh);
        const before = tensors.shardings[i];
        const isSame =
          before === undefined
            ? sharding.dims.every(dim => dim.axes.length === 0)
            : printSharding(before) === printSharding(sharding);
        if (isSame) continue;
        tensors.set(i, sharding);
        if (item !== undefined || tensors === operands) this.#announce(tensors.values[i]!, item, sharding);
      }
  }

  /** The mesh of all that have a sharding; undefined if there is none, several, or one given device. */
  #commonMesh(shardings: readonly (Sharding | undefined)[]): readonly [string, Mesh] | undefined {
    let found: readonly [string, Mesh] | undefined;
    for (const sharding of shardings) {
      const mesh = sharding && this.#shardings.mesh(sharding.mesh);
      if (mesh === undefined || typeof sharding!.mesh !== 'string') continue;
      if (found === undefined || isEmpty(found[1])) found = [sharding!.mesh, mesh];
      else if (!isEmpty(mesh) && mesh !== found[1] && JSON.stringify(mesh) !== JSON.stringify(found[1]))
        return undefined;
    }
    return found === undefined || found[1].axes.length === 0 ? undefined : found;
  }

  /** The values that functions return, and what the functions say about their results. */
  #meetResults(): void {
    for (const { body } of this.#graph.roots)
      body.results.forEach((value, i) => {
        if (!isStatic(value)) return;
        const results: Tensors = {
          values: [value],
          shardings: [this.#shardings.result(body, i)],
          set: (_, sharding) => this.#shardings.setResult(body, i, sharding),
        };
        this.#propagate(undefined, identityRule(value, 1), this.#tensors([value]), results, () => directions.both);
      });
  }

  #ruleOf(item: Item): ShardingRule | undefined {
    if (!this.#rules.has(item))
      this.#rules.set(item, isEdge(item) ? identityRule(item.owner, item.sources.length) : shardingRuleOf(item.op));
    return this.#rules.get(item);
  }

  /** Queues what a new sharding affects, and gives it to the other values of its group. */
  #announce(value: Value, source: Item | undefined, sharding: Sharding): void {
    const holder = shardableValue(this.#graph, value)!;
    this.#affected(holder, source);
    for (const member of this.#groups.get(holder) ?? []) {
      if (member === holder) continue;
      this.#shardings.set(member, sharding);
      this.#affected(member, source);
    }
  }
  #affected(holder: Value, source: Item | undefined): void {
    const edge = this.#edges.get(holder);
    for (const target of edge?.targets ?? []) this.#addUsers(target, source);
    const definition = edge ?? this.#graph.nodeOf(holder);
    if (definition !== undefined && definition !== source) this.#add(definition);
    this.#addUsers(holder, source);
  }
  /** MLIR lists the last use of a value first; the uses of an edge are listed in program order. */
  #addUsers(value: Value, source: Item | undefined): void {
    const uses = this.#graph.usesOf(value);
    for (const use of this.#edges.has(value) ? uses : uses.toReversed()) {
      const owner = ownerOfSource(use);
      const edge = owner && this.#edges.get(owner);
      const affected = edge ?? (isBody(use.user) ? use.user.owner : use.user);
      if (affected !== undefined && affected !== source) this.#add(affected);
    }
  }
  #add(item: Item): void {
    if (this.#waiting.has(item)) return;
    this.#waiting.add(item);
    this.#stack.push(item);
  }
}

const isEmpty = ({ axes, deviceIds }: Mesh): boolean => axes.length === 0 && deviceIds === undefined;

/** All dims are shared by all operands and the result. */
function identityRule(value: Value, operands: number): ShardingRule {
  const values = Array.from({ length: operands }, () => value);
  const builder = new RuleBuilder({ operands: values, results: [value] } as never);
  if (value.type.kind === 'tensor') for (const [dim, size] of value.type.shape.entries()) builder.addToAll(size, dim);
  return builder.build();
}

export const isElementwise = ({ op }: Node): boolean => {
  const { kind } = opTable[op.name];
  return (
    (kind === 'elementwise' && factorTable[op.name] === sameDims) ||
    op.name === 'sdy.sharding_constraint' ||
    op.name === 'sdy.reshard' ||
    (op.name === 'bitcast_convert' && shapeText(op.operands[0]) === shapeText(op.results[0]))
  );
};
const shapeText = ({ type }: Value): string => (type.kind === 'tensor' ? type.shape.join() : '');
