// The shardings of the values of a graph, read from its typed fields and written to them.
import type { Func, Module, Op, Value, ValueAttributes } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import { meshOf } from '../../hlo/sharding/of-module.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import type { StatedSharding } from '../../hlo/sharding/stated.ts';
import { printFunc } from '../../hlo/text/printer.ts';
import { edgesOf, isCallee, type Manual, manualOf, shardableValue, withManualAxes, withoutAxes } from './data-flow.ts';
import { type Body, type Changes, Graph, type Node } from './graph.ts';

export class Shardings {
  readonly graph: Graph;
  readonly #ofValues = new Map<Value, Sharding>();
  /** Those of the results of functions, which a program states besides those of the values they return. */
  readonly #ofResults = new Map<Body, (Sharding | undefined)[]>();

  constructor(module: Module) {
    this.graph = new Graph(module);
    for (const { func, body } of this.graph.roots) this.#readFunc(func, body);
    for (const node of this.graph.nodes()) this.#readNode(node);
  }

  /** That of a value; undefined if it is not stated, or cannot be. */
  get(value: Value): Sharding | undefined {
    const holder = shardableValue(this.graph, value);
    return holder && this.#ofValues.get(holder);
  }
  set(value: Value, sharding: Sharding): void {
    const holder = shardableValue(this.graph, value);
    if (holder !== undefined) this.#ofValues.set(holder, sharding);
  }
  result(body: Body, index: number): Sharding | undefined {
    return this.#ofResults.get(body)?.[index];
  }
  setResult(body: Body, index: number, sharding: Sharding): void {
    this.#ofResults.get(body)![index] = sharding;
  }
  values(): IterableIterator<[Value, Sharding]> {
    return this.#ofValues.entries();
  }
  /** Changes each, those of results of functions included. */
  transform(change: (sharding: Sharding) => Sharding): void {
    for (const [value, sharding] of this.#ofValues) this.#ofValues.set(value, change(sharding));
    for (const list of this.#ofResults.values())
      list.forEach((sharding, i) => {
        if (sharding !== undefined) list[i] = change(sharding);
      });
    for (const node of this.graph.nodes()) {
      const manual = manualOf(node);
      if (manual === undefined) continue;
      const { attributes } = manual;
      const [inShardings, outShardings] = [attributes.inShardings.map(change), attributes.outShardings.map(change)];
      node.op = { ...manual, attributes: { ...attributes, inShardings, outShardings } };
    }
  }

  /** Changes the attributes of manual computations. */
  changeManual(change: (attributes: Manual['attributes']) => Manual['attributes']): void {
    for (const node of this.graph.nodes()) {
      const manual = manualOf(node);
      if (manual === undefined) continue;
      node.op = { ...manual, attributes: change(manual.attributes) };
      this.#readNode(node);
    }
  }

  mesh(name: string | Mesh): Mesh | undefined {
    return meshOf(name, this.graph.module);
  }

  /** The module; when it is propagated, constraints are `sdy.reshard`, and results of ops with other results are closed. */
  write(constraint: Constraint = 'sdy.sharding_constraint'): Module {
    return this.graph.write(new Statements(this, constraint), func => printFunc(func));
  }

  #readFunc(func: Func, body: Body): void {
    for (const [i, arg] of body.args.entries()) this.#read(arg, func.argAttributes?.[i]?.sharding);
    this.#ofResults.set(
      body,
      body.results.map((_, i) => func.resultAttributes?.[i]?.sharding?.named?.[0]),
    );
  }
  #read(value: Value, stated: StatedSharding | undefined, i = 0): void {
    const sharding = stated?.named?.[i];
    if (sharding !== undefined) this.#ofValues.set(value, sharding);
  }
  #readNode(node: Node): void {
    const { op, results, bodies } = node;
    const manual = manualOf(node);
    if (op.name === 'sdy.sharding_constraint' || op.name === 'sdy.reshard')
      this.#ofValues.set(results[0]!, op.attributes.sharding);
    else if (manual !== undefined) {
      const { inShardings, outShardings, manualAxes } = manual.attributes;
      for (const [i, arg] of bodies[0]!.args.entries())
        this.#ofValues.set(arg, withoutAxes(inShardings[i]!, manualAxes));
      for (const [i, result] of results.entries()) this.#ofValues.set(result, outShardings[i]!);
    } else for (const [i, result] of results.entries()) this.#read(result, op.sharding, i);
    if (op.name === 'func.call' && bodies.length > 0) {
      const func = this.graph.functionOf(op.attributes.callee);
      for (const [i, arg] of bodies[0]!.args.entries()) this.#read(arg, func.argAttributes?.[i]?.sharding);
      // A call has the shardings of the results of its function, unless it states others.
      if (op.sharding?.named === undefined)
        for (const [i, result] of results.entries()) this.#read(result, func.resultAttributes?.[i]?.sharding);
    }
  }
}

type Constraint = 'sdy.sharding_constraint' | 'sdy.reshard';

/** A sharding that divides no dim. */
export const undivided = (mesh: string | Mesh, rank: number, isOpen: boolean): Sharding => ({
  mesh,
  dims: Array.from({ length: rank }, () => ({ axes: [], isOpen })),
  replicated: [],
  unreduced: [],
  reduction: 'sum',
});
const rankOf = ({ type }: Value): number => (type.kind === 'tensor' ? type.shape.length : 0);

/** Shardings as the typed fields of ops and functions. */
class Statements implements Changes {
  readonly #shardings: Shardings;
  readonly #constraint: Constraint;
  constructor(shardings: Shardings, constraint: Constraint) {
    this.#shardings = shardings;
    this.#constraint = constraint;
  }

  op(node: Node): Partial<Op> | undefined {
    const { op, results, bodies } = node;
    const manual = manualOf(node);
    if (manual !== undefined) {
      const { inShardings, outShardings } = manual.attributes;
      const attributes = {
        ...manual.attributes,
        inShardings: inShardings.map((outer, i) => {
          const inner = this.#shardings.get(bodies[0]!.args[i]!);
          return inner === undefined ? outer : withManualAxes(outer, inner, manual);
        }),
        outShardings: outShardings.map((stated, i) => this.#shardings.get(results[i]!) ?? stated),
      };
      return { attributes } as Partial<Op>;
    }
    if (op.name === 'sdy.sharding_constraint' || op.name === 'sdy.reshard') {
      const sharding = this.#shardings.get(results[0]!)!;
      return { name: op.name === 'sdy.reshard' ? op.name : this.#constraint, attributes: { sharding } } as Partial<Op>;
    }
    const named = this.#all(results);
    return named === undefined ? undefined : { sharding: { named } };
  }

  func(func: Func, body: Body): Partial<Func> {
    const results = body.results.map((value, i) =>
      isCallee(body) ? this.#shardings.get(value) : this.#shardings.result(body, i),
    );
    const args = isCallee(body) ? (this.#all(body.args) ?? []) : body.args.map(arg => this.#shardings.get(arg));
    const [argAttributes, resultAttributes] = [
      stating(func.argAttributes, args),
      stating(func.resultAttributes, results),
    ];
    return {
      ...(argAttributes === undefined ? {} : { argAttributes }),
      ...(resultAttributes === undefined ? {} : { resultAttributes }),
    };
  }

  /** Those of several values of one op, if one of them has any. */
  #all(values: readonly Value[]): readonly Sharding[] | undefined {
    const stated = values.map(value => this.#shardings.get(value));
    const mesh = stated.find(sharding => sharding !== undefined)?.mesh;
    if (mesh === undefined) return undefined;
    const isOpen = this.#constraint === 'sdy.sharding_constraint';
    return stated.map((sharding, i) => sharding ?? undivided(mesh, rankOf(values[i]!), isOpen));
  }
}

function stating(
  before: readonly (ValueAttributes | undefined)[] | undefined,
  shardings: readonly (Sharding | undefined)[],
): readonly (ValueAttributes | undefined)[] | undefined {
  if (before === undefined && shardings.every(sharding => sharding === undefined)) return undefined;
  const count = Math.max(before?.length ?? 0, shardings.length);
  return Array.from({ length: count }, (_, i) => {
    const { sharding: _before, ...others } = before?.[i] ?? {};
    const sharding = shardings[i];
    if (sharding !== undefined) return { ...others, sharding: { named: [sharding] } };
    return Object.keys(others).length === 0 ? undefined : others;
  });
}

/** Whether the value is the owner of an edge, or one of its other targets. */
export const hasEdge = (graph: Graph, value: Value): boolean => {
  const node = graph.nodeOf(value) ?? graph.bodyOf(value)?.owner;
  if (node === undefined) return false;
  const { ofArguments, ofResults } = edgesOf(node);
  return [...ofArguments, ...ofResults].some(({ owner, targets }) => owner === value || targets.includes(value));
};
