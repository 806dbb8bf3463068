// Which variable a name means. Jinja decides it before rendering, by visiting the tree: a port of its `idtracking`.
import { childrenOf, type Node, type Target } from './nodes.ts';

/** A function of the compiled template, whose calls have their own variables. */
export class FunctionScope {
  readonly depth: number;
  readonly #slots = new Map<string, Variable>();
  constructor(parent?: FunctionScope) {
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }
  variable(key: string): Variable {
    let known = this.#slots.get(key);
    if (known === undefined) {
      known = { scope: this, slot: this.#slots.size };
      this.#slots.set(key, known);
    }
    return known;
  }
}
export interface Variable {
  readonly scope: FunctionScope;
  readonly slot: number;
}
/** Where a variable's value comes from when its scope is entered. */
export type Load =
  | { readonly from: 'parameter' }
  | { readonly from: 'nothing' }
  | { readonly from: 'context'; readonly name: string }
  | { readonly from: 'outer'; readonly variable: Variable };

/** The names of one scope: the template, a macro, a loop's body and so on. */
export class Scope {
  readonly level: number;
  readonly parent: Scope | undefined;
  readonly fn: FunctionScope;
  #refs = new Map<string, Variable>();
  #loads = new Map<Variable, Load>();
  #stores = new Set<string>();
  constructor(fn: FunctionScope, parent?: Scope) {
    this.fn = fn;
    this.parent = parent;
    this.level = parent === undefined ? 0 : parent.level + 1;
  }
  get stored(): ReadonlySet<string> {
    return this.#stores;
  }
  get loads(): ReadonlyMap<Variable, Load> {
    return this.#loads;
  }
  find(name: string): Variable | undefined {
    return this.#refs.get(name) ?? this.parent?.find(name);
  }
  #define(name: string, load: Load): Variable {
    const variable = this.fn.variable(`${this.level}_${name}`);
    this.#refs.set(name, variable);
    this.#loads.set(variable, load);
    return variable;
  }
  declare(name: string): Variable {
    this.#stores.add(name);
    return this.#define(name, { from: 'parameter' });
  }
  store(name: string): void {
    this.#stores.add(name);
    if (this.#refs.has(name)) return;
    const outer = this.parent?.find(name);
    this.#define(name, outer === undefined ? { from: 'nothing' } : { from: 'outer', variable: outer });
  }
  load(name: string): void {
    if (this.find(name) === undefined) this.#define(name, { from: 'context', name });
  }
  #copy(): Scope {
    const copy = new Scope(this.fn, this.parent);
    copy.#refs = new Map(this.#refs);
    copy.#loads = new Map(this.#loads);
    copy.#stores = new Set(this.#stores);
    return copy;
  }
  /** Visits the branches of an `if`: a name that only some of them set has its outer value before. */
  branches(visits: readonly ((scope: Scope) => void)[]): void {
    const copies = visits.map(visit => {
      const copy = this.#copy();
      visit(copy);
      return copy;
    });
    const stored = new Set(copies.flatMap(copy => [...copy.#stores]).filter(name => !this.#stores.has(name)));
    for (const copy of copies) {
      for (const [name, variable] of copy.#refs) this.#refs.set(name, variable);
      for (const [variable, load] of copy.#loads) this.#loads.set(variable, load);
      for (const name of copy.#stores) this.#stores.add(name);
    }
    for (const name of stored) {
      const outer = this.parent?.find(name);
      this.#loads.set(
        this.find(name)!,
        outer === undefined ? { from: 'context', name } : { from: 'outer', variable: outer },
      );
    }
  }
}

/** Records the names that a node uses in the scope around it. */
export function visit(scope: Scope, node: Node): void {
  switch (node.kind) {
    case 'name':
      if (node.use === 'param') scope.declare(node.name);
      else if (node.use === 'store') scope.store(node.name);
      else scope.load(node.name);
      return;
    case 'namespaceField':
      scope.load(node.name);
      return;
    case 'if': {
      const [first, ...others] = node.branches;
      visit(scope, first!.test);
      scope.branches([
        inner => visitAll(inner, first!.body),
        // As in Jinja, the other conditions are one branch.
        inner => {
          for (const branch of others) {
            visit(inner, branch.test);
            inner.branches([deeper => visitAll(deeper, branch.body)]);
          }
        },
        inner => visitAll(inner, node.otherwise),
      ]);
      return;
    }
    case 'macro':
      scope.store(node.name);
      return;
    case 'set':
      visit(scope, node.value);
      visit(scope, node.target);
      return;
    case 'for':
      visit(scope, node.iter);
      return;
    case 'callBlock':
      visit(scope, node.call);
      return;
    case 'filterBlock':
      visit(scope, node.filter);
      return;
    case 'with':
      visitAll(scope, node.values);
      return;
    case 'setBlock':
      visit(scope, node.target);
      return;
    case 'block':
    case 'generation':
      return;
    default:
      visitAll(scope, childrenOf(node));
  }
}
export function visitAll(scope: Scope, nodes: readonly Node[]): void {
  for (const node of nodes) visit(scope, node);
}
/** The variables of a loop's target. */
export function visitLoopTarget(scope: Scope, target: Target): void {
  if (target.kind === 'name') scope.declare(target.name);
  else if (target.kind === 'tuple') for (const item of target.items) visitLoopTarget(scope, item as Target);
  else scope.load(target.name);
}

/** Which of these names the nodes read without having set them. */
export function undeclared(nodes: readonly Node[], names: readonly string[]): Set<string> {
  const open = new Set(names);
  const found = new Set<string>();
  const walk = (node: Node): void => {
    if (node.kind === 'block') return;
    if (node.kind === 'name') {
      if (node.use === 'load' && open.has(node.name)) found.add(node.name);
      else if (node.use !== 'load') open.delete(node.name);
      return;
    }
    childrenOf(node).forEach(walk);
  };
  nodes.forEach(walk);
  return found;
}
/** All nodes of a kind below some nodes. */
export function findAll<K extends Node['kind']>(
  nodes: readonly Node[],
  kind: K,
): Extract<Node, { readonly kind: K }>[] {
  return nodes.flatMap(node => [
    ...(node.kind === kind ? [node as Extract<Node, { readonly kind: K }>] : []),
    ...findAll(childrenOf(node), kind),
  ]);
}
