// The picture of a program. To reduce clutter, some values are folded into labels: constants and values computed from them alone,
// broadcasts, and values that are used far away or in many places.
//
//   %0 = constant 0, %1 = broadcast %0, %2 = maximum %arg, %1        ⟶        [arg 0] → [maximum(·, 0)]
import type { OpName } from '../../../hlo/attributes.ts';
import { opTable } from '../../../hlo/op-table.ts';
import type { Func, Module, Op, Region, Value } from '../../../hlo/program.ts';
import { printOp } from '../../../hlo/text/printer.ts';
import { capturesOf } from '../../../hlo/walk.ts';
import { chained } from './chains.ts';
import { keyAttributes, literalLabel, typeLabel } from './labels.ts';
import type { GraphBox, GraphEdge, GraphNode } from './picture.ts';

/** Above this many users a value is named where it is used, instead of having an edge to each of them. */
const mostEdges = 8;

/** Ops whose regions are shown; the regions of other ops only combine scalars. */
const shownRegions: { readonly [N in OpName]?: readonly string[] } = {
  while: ['condition', 'body'],
  if: ['true', 'false'],
  case: [],
  async_start: ['started'],
  'chlo.scan': ['step'],
  'sdy.manual_computation': ['on each device'],
};

export function graphOf(module: Module): readonly GraphBox[] {
  return module.functions
    .filter(func => func.declaredResults === undefined)
    .map(func => new BoxBuilder(`@${func.name}`, func.name).build(func.body, argumentNames(func)));
}

const argumentNames = (func: Func): readonly string[] => func.body.args.map((_, i) => `argument ${i}`);

/** Where a value comes from, as far as the picture goes. */
type Source =
  | { readonly kind: 'node'; readonly node: number; readonly label: string }
  | { readonly kind: 'text'; readonly text: string };

class BoxBuilder {
  readonly #title: string;
  /** Ids of values are unique within a function only. */
  readonly #prefix: string;
  readonly #nodes: GraphNode[] = [];
  readonly #edges: GraphEdge[] = [];
  readonly #sources = new Map<Value, Source>();

  constructor(title: string, prefix: string) {
    this.#title = title;
    this.#prefix = prefix;
  }

  build(region: Region, argNames: readonly string[]): GraphBox {
    region.args.forEach((arg, i) => {
      this.#add(this.#valueNode(arg, 'argument', argNames[i] ?? `argument ${i}`), [arg]);
    });
    for (const op of region.ops) this.#op(op);
    region.results.forEach((value, i) => {
      const source = this.#sourceOf(value);
      const title = region.results.length === 1 ? 'result' : `result ${i}`;
      const shown = source.kind === 'text' ? `${title}: ${source.text}` : title;
      const node = this.#add({ ...this.#valueNode(value, 'result', shown), name: `${this.#prefix} result ${i}` }, []);
      if (source.kind === 'node') this.#edges.push({ from: source.node, to: node, label: source.label });
    });
    return chained({ title: this.#title, ...this.#shortened() });
  }

  #valueNode(value: Value, kind: 'argument' | 'result', title: string): GraphNode {
    return {
      name: this.#nameOf(value),
      kind,
      titles: [title],
      lines: [typeLabel(value.type)],
      details: `%${value.id}: ${title}`,
      boxes: [],
    };
  }
  #nameOf = (value: Value): string => `${this.#prefix} %${value.id}`;

  #add(node: GraphNode, results: readonly Value[]): number {
    const index = this.#nodes.push(node) - 1;
    results.forEach((value, i) => {
      this.#sources.set(value, { kind: 'node', node: index, label: results.length > 1 ? `#${i}` : '' });
    });
    return index;
  }
  /** A value of the surroundings is named. */
  #sourceOf = (value: Value): Source => this.#sources.get(value) ?? { kind: 'text', text: `%${value.id}` };

  #op(op: Op): void {
    const operands = op.operands.map(this.#sourceOf);
    const folded = this.#folded(op, operands);
    if (folded !== undefined) {
      this.#sources.set(op.results[0]!, folded);
      return;
    }
    const boxes = this.#boxes(op);
    const hasText = operands.some(source => source.kind === 'text');
    const list = hasText ? `(${operands.map(source => (source.kind === 'text' ? source.text : '·')).join(', ')})` : '';
    const name = op.name === 'unregistered' ? op.attributes.name : op.name;
    const node = this.#add(
      {
        name: op.results[0] === undefined ? `${this.#prefix} ${this.#nodes.length}` : this.#nameOf(op.results[0]),
        kind: opTable[op.name].kind,
        titles: [`${name}${list.length > 60 ? `${list.slice(0, 59)}…` : list}`],
        lines: [...typeLines(op), ...keyAttributes(op)],
        details: op.regions.length === 0 ? printOp(op) : printOp(op).split('\n')[0]!,
        boxes,
      },
      op.results,
    );
    const captured = boxes.length === 0 ? [] : [...capturesOf(op)].map(this.#sourceOf);
    const seen = new Set<string>();
    for (const source of [...operands, ...captured]) {
      if (source.kind === 'text' || seen.has(`${source.node} ${source.label}`)) continue;
      seen.add(`${source.node} ${source.label}`);
      this.#edges.push({ from: source.node, to: node, label: source.label });
    }
  }

  /** The label for the op's result in its users, if it needs no node. */
  #folded(op: Op, operands: readonly Source[]): Source | undefined {
    if (op.name === 'constant') return { kind: 'text', text: literalLabel(op.attributes.value) };
    if (op.name === 'iota') return { kind: 'text', text: `iota ${typeLabel(op.results[0].type)}` };
    const [operand] = operands;
    if (op.name === 'broadcast_in_dim' && operand !== undefined)
      return operand.kind === 'text' ? operand : { ...operand, label: join(operand.label, 'broadcast') };
    const moves = op.name === 'reshape' || op.name === 'convert';
    // A constant is still the same one in another shape or type; a value of the surroundings is not.
    return moves && operand?.kind === 'text' && !operand.text.startsWith('%') ? operand : undefined;
  }

  #boxes(op: Op): readonly GraphBox[] {
    const titles = shownRegions[op.name];
    if (titles === undefined) return [];
    const label = op.name === 'while' ? 'loop variable' : 'argument';
    return op.regions.map((region, i) =>
      new BoxBuilder(titles[i] ?? `branch ${i}`, this.#prefix).build(
        region,
        region.args.map((_, k) => `${label} ${k}`),
      ),
    );
  }

  /** Values with many users are named instead. */
  #shortened(): Pick<GraphBox, 'nodes' | 'edges'> {
    const users = new Map<number, number>();
    for (const { from } of this.#edges) users.set(from, (users.get(from) ?? 0) + 1);
    const [kept, named]: [GraphEdge[], GraphEdge[]] = [[], []];
    for (const edge of this.#edges) (users.get(edge.from)! > mostEdges ? named : kept).push(edge);
    return { edges: kept, nodes: withReferences(this.#nodes, named) };
  }
}

/** The nodes, with lines for named inputs in place of edges. */
export function withReferences(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): readonly GraphNode[] {
  if (edges.length === 0) return nodes;
  const uses = new Map<number, string[]>();
  for (const { from, to, label } of edges) {
    const name = referenceTo(nodes[from]!);
    uses.set(to, [...(uses.get(to) ?? []), join(name, label)]);
  }
  const referred = new Set(edges.map(edge => edge.from));
  return nodes.map((node, i) => {
    const from = uses.get(i);
    const name = referred.has(i) && node.kind !== 'argument' ? [`${referenceTo(node)} =`] : [];
    return {
      ...node,
      titles: [...name, ...node.titles],
      lines: from === undefined ? node.lines : [...node.lines, `uses ${from.join(', ')}`],
    };
  });
}

/** Arguments are called by name, other values by number. */
const referenceTo = (node: GraphNode): string =>
  node.kind === 'argument' ? node.titles[0]! : node.name.replace(/^.* %/, '%');

const join = (...labels: readonly string[]): string => [...new Set(labels.filter(label => label !== ''))].join(' ');

function typeLines(op: Op): readonly string[] {
  const types = op.results.map(v => typeLabel(v.type));
  if (types.length <= 3) return types;
  return [...types.slice(0, 2), `and ${types.length - 2} more`];
}
