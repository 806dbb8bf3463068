// A module whose ops can be moved, copied and given other operands, until it is written as a module again.
//
//   Module ─▶ Graph ─ roots: Root… ─ body: Body ─ nodes: Node… ─ bodies: of regions, and of functions at their calls
//
// Each call has a copy of its function, so that calls may differ in their shardings.
import type { Func, IdSource, Module, Op, Region, Value } from '../../hlo/program.ts';
import { calleeOf, callsOf } from '../../hlo/walk.ts';

/** An op. Its name, attributes and location are those of `op`, its operands may differ. */
export interface Node {
  op: Op;
  readonly operands: Value[];
  readonly results: readonly Value[];
  readonly bodies: readonly Body[];
  /** The list of nodes that has it. */
  readonly within: Body;
}
/** A region whose ops are nodes. */
export interface Body {
  readonly args: readonly Value[];
  readonly nodes: Node[];
  readonly results: Value[];
  /** The op that has it; undefined for a function that is not called. */
  readonly owner: Node | undefined;
}
/** A function that no other calls. */
interface Root {
  readonly func: Func;
  readonly body: Body;
}
/** An operand, or a result of a body. */
export interface Use {
  readonly user: Node | Body;
  readonly index: number;
}
export const isBody = (user: Node | Body): user is Body => 'nodes' in user;

/** Fields of an op, or of the arguments and results of a function, that differ from those that were read. */
export interface Changes {
  op(node: Node): Partial<Op> | undefined;
  func(func: Func, body: Body): Partial<Func>;
}

export class Graph {
  /** Its declarations may be changed; its functions are those that were read. */
  module: Module;
  readonly roots: readonly Root[];
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #uses = new Map<Value, Use[]>();
  readonly #nodes = new Map<Value, Node>();
  readonly #bodies = new Map<Value, Body>();

  constructor(module: Module) {
    this.module = module;
    this.#functions = new Map(module.functions.map(func => [func.name, func]));
    const called = new Set(module.functions.flatMap(func => func.body.ops.flatMap(calledWithin)));
    this.roots = module.functions.flatMap(func =>
      called.has(func.name) || func.declaredResults !== undefined
        ? []
        : [{ func, body: this.#read(func.body, undefined, new Map(), new Set([func.name])) }],
    );
  }

  functionOf(name: string): Func {
    return this.#functions.get(name)!;
  }
  /** The node that defines a value; undefined for an argument. */
  nodeOf(value: Value): Node | undefined {
    return this.#nodes.get(value);
  }
  /** The body that has an argument. */
  bodyOf(argument: Value): Body | undefined {
    return this.#bodies.get(argument);
  }
  /** In program order. */
  usesOf(value: Value): readonly Use[] {
    return this.#uses.get(value) ?? [];
  }
  /** All nodes, each before those of its bodies. */
  *nodes(body?: Body): Generator<Node> {
    for (const node of body?.nodes ?? this.roots.flatMap(root => root.body.nodes)) {
      yield node;
      for (const inner of node.bodies) yield* this.nodes(inner);
    }
  }
  *allBodies(): Generator<Body> {
    for (const { body } of this.roots) {
      yield body;
      for (const node of this.nodes(body)) yield* node.bodies;
    }
  }

  /** Uses `to` instead of `from` where `accepts`. */
  replaceUses(from: Value, to: Value, accepts: (use: Use) => boolean = () => true): void {
    for (const use of [...this.usesOf(from)]) {
      if (!accepts(use)) continue;
      const list = isBody(use.user) ? use.user.results : use.user.operands;
      list[use.index] = to;
      this.#drop(from, use);
      this.#addUse(to, use);
    }
  }
  replaceUse(use: Use, to: Value): void {
    const from = (isBody(use.user) ? use.user.results : use.user.operands)[use.index]!;
    this.replaceUses(from, to, other => other.user === use.user && other.index === use.index);
  }

  /** Adds a node with the results of `like`, and returns it. */
  insert(within: Body, at: number, op: Op, operands: readonly Value[]): Node {
    const node = this.#node(op, [...operands], within, []);
    within.nodes.splice(at, 0, node);
    return node;
  }
  remove(node: Node): void {
    node.within.nodes.splice(node.within.nodes.indexOf(node), 1);
    for (const [index, value] of node.operands.entries()) this.#drop(value, { user: node, index });
  }
  /** Moves a node to just after the definition of a value in the same body, or to the start for an argument. */
  moveAfter(node: Node, value: Value): void {
    const { nodes } = node.within;
    const definition = this.#nodes.get(value);
    nodes.splice(nodes.indexOf(node), 1);
    nodes.splice(definition === undefined ? 0 : nodes.indexOf(definition) + 1, 0, node);
  }

  /** The module, with changes. A function gets one copy for all its calls that have equal text. */
  write(changes: Changes, textOf: (func: Func) => string): Module {
    const writer = new Writer(changes, this.module, textOf);
    for (const { func, body } of this.roots) writer.write(func, body);
    return { ...this.module, functions: writer.functions };
  }

  #read(region: Region, owner: Node | undefined, map: Map<Value, Value>, callers: ReadonlySet<string>): Body {
    const isCopy = owner !== undefined && calleeOf(owner.op) !== undefined;
    const args = region.args.map(arg => {
      const copy: Value = isCopy ? { ...arg } : arg;
      map.set(arg, copy);
      return copy;
    });
    const body: Body = { args, nodes: [], results: [], owner };
    for (const arg of args) this.#bodies.set(arg, body);
    for (const op of region.ops) {
      const node = this.#node(
        op,
        op.operands.map(v => map.get(v) ?? v),
        body,
        [],
      );
      for (const [i, result] of op.results.entries()) map.set(result, node.results[i]!);
      body.nodes.push(node);
      (node.bodies as Body[]).push(...this.#bodiesOf(node, map, callers));
    }
    body.results.push(...region.results.map(v => map.get(v) ?? v));
    for (const [index, value] of body.results.entries()) this.#addUse(value, { user: body, index });
    return body;
  }

  #bodiesOf(node: Node, map: Map<Value, Value>, callers: ReadonlySet<string>): readonly Body[] {
    const { op } = node;
    const callee = op.name === 'func.call' ? calleeOf(op) : undefined;
    const func = callee === undefined ? undefined : this.#functions.get(callee);
    if (callee !== undefined)
      return func === undefined || func.declaredResults !== undefined || callers.has(callee)
        ? []
        : [this.#read(func.body, node, new Map(), new Set([...callers, callee]))];
    return op.regions.map(region => this.#read(region, node, map, callers));
  }

  #node(op: Op, operands: Value[], within: Body, bodies: readonly Body[]): Node {
    const results = op.results.map(result => ({ ...result }));
    const node: Node = { op, operands, results, bodies, within };
    for (const result of results) this.#nodes.set(result, node);
    for (const [index, value] of operands.entries()) this.#addUse(value, { user: node, index });
    return node;
  }
  #addUse(value: Value, use: Use): void {
    const uses = this.#uses.get(value);
    if (uses === undefined) this.#uses.set(value, [use]);
    else uses.push(use);
  }
  #drop(value: Value, { user, index }: Use): void {
    const uses = this.#uses.get(value)!;
    uses.splice(
      uses.findIndex(use => use.user === user && use.index === index),
      1,
    );
  }
}

const calledWithin = (op: Op): readonly string[] => [
  ...callsOf(op),
  ...op.regions.flatMap(region => region.ops.flatMap(calledWithin)),
];

/** Writes functions, those that are called after their callers. */
class Writer {
  readonly functions: Func[] = [];
  readonly #changes: Changes;
  readonly #module: Module;
  readonly #textOf: (func: Func) => string;
  /** Functions by their text without their name. */
  readonly #written = new Map<string, string>();
  readonly #names: Set<string>;

  constructor(changes: Changes, module: Module, textOf: (func: Func) => string) {
    this.#changes = changes;
    this.#module = module;
    this.#textOf = textOf;
    this.#names = new Set(module.functions.map(func => func.name));
  }

  write(func: Func, body: Body): void {
    const at = this.functions.length;
    const written = this.#func(func, body);
    this.functions.splice(at, 0, written);
  }

  #func(func: Func, body: Body): Func {
    return { ...func, body: this.#region(body, new Map(), { next: 0 }), ...this.#changes.func(func, body) };
  }

  #region(body: Body, map: Map<Value, Value>, ids: IdSource): Region {
    const args = body.args.map(arg => {
      const fresh: Value = { id: ids.next++, type: arg.type, op: undefined, index: arg.index };
      map.set(arg, fresh);
      return fresh;
    });
    const ops = body.nodes.map(node => this.#op(node, map, ids));
    return { args, ops, results: body.results.map(v => map.get(v) ?? v) };
  }

  #op(node: Node, map: Map<Value, Value>, ids: IdSource): Op {
    const { op } = node;
    const callee = op.name === 'func.call' && node.bodies.length > 0 ? this.#callee(node) : undefined;
    const regions = op.name === 'func.call' ? [] : node.bodies.map(body => this.#region(body, map, ids));
    const results: Value[] = [];
    const written = {
      ...op,
      operands: node.operands.map(v => map.get(v) ?? v),
      regions,
      results,
      ...this.#changes.op(node),
    } as unknown as Op;
    if (callee !== undefined) (written as { attributes: unknown }).attributes = { ...op.attributes, callee };
    for (const result of node.results) {
      const fresh: Value = { id: ids.next++, type: result.type, op: written, index: result.index };
      results.push(fresh);
      map.set(result, fresh);
    }
    return written;
  }

  /** The name of the function of a call, which is written unless an equal one is. */
  #callee(call: Node): string {
    const name = calleeOf(call.op)!;
    const original = this.#module.functions.find(func => func.name === name)!;
    const at = this.functions.length;
    const func = this.#func(original, call.bodies[0]!);
    const text = `${name} ${this.#textOf({ ...func, name: '' })}`;
    const known = this.#written.get(text);
    if (known !== undefined) return known;
    const isFirst = ![...this.#written.values()].includes(name);
    const unique = isFirst ? name : this.#unusedName(name);
    this.#written.set(text, unique);
    this.functions.splice(at, 0, { ...func, name: unique });
    return unique;
  }
  #unusedName(name: string): string {
    let i = 0;
    while (this.#names.has(`${name}_${i}`)) i++;
    this.#names.add(`${name}_${i}`);
    return `${name}_${i}`;
  }
}
