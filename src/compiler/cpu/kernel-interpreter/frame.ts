// Evaluates the nodes of a kernel for given loop indices: a declaration in a scope of the printed C is a value of a frame.
import { elementAt } from '../../../base/element-at.ts';
import { assertNever, invariant } from '../../../base/errors.ts';
import { rounderOf } from '../../../hlo/element-codec.ts';
import { type ElementType, elementBytes } from '../../../hlo/types.ts';
import { philoxWords } from '../../../numerics/philox.ts';
import type { Extent } from '../../ir/extent.ts';
import type { Index, Loop, Term } from '../../ir/index-expr.ts';
import { type Output, sizeOf } from '../../ir/nest.ts';
import type { Guard, Node, NodeOf, Reduction } from '../../ir/node.ts';
import { type ScalarValue, zeroOf } from '../../ir/scalar-value.ts';
import type { CpuTarget } from '../target/target.ts';
import { targetFunction } from './math.ts';
import type { ElementMemory } from './memory.ts';
import { type ScalarFunction, valueOfWord } from './scalar.ts';

/** A value of the current element; indices likewise. Each node becomes one function, once. */
type Compute<T> = (frame: Frame) => T;

const computes = new WeakMap<Node, Compute<ScalarValue>>();
const indices = new WeakMap<Index, Compute<number>>();
const lists = new WeakMap<
  readonly Node[],
  readonly { readonly id: number; readonly compute: Compute<ScalarValue> }[]
>();

/** The values of sizes. */
export type Sizes = (size: Extent) => number;

/** The sums of a multiply whose epilogue a kernel is. */
export type Products = (position: number) => number;

export class Frame {
  readonly memory: readonly ElementMemory[];
  readonly target: CpuTarget;
  readonly sizes: Sizes;
  readonly #products: Products | undefined;
  /** By a loop's id. */
  readonly #indices: number[] = [];
  /** By a node's id. */
  readonly #values: ScalarValue[] = [];
  /** By a node's id: replacements for values kept by earlier stages: a row of scratch, or an output in memory. */
  #kept: (() => ScalarValue)[] = [];
  readonly #reduced = new Map<Reduction, readonly ScalarValue[]>();

  constructor(memory: readonly ElementMemory[], target: CpuTarget, sizes: Sizes, products?: Products) {
    this.memory = memory;
    this.target = target;
    this.sizes = sizes;
    this.#products = products;
  }

  setLoop(loop: Loop, index: number): void {
    this.#indices[loop.id] = index;
  }
  /** Indices of loops from a flat position over them. */
  decode(loops: readonly Loop[], position: number): void {
    let below = this.sizes(sizeOf(loops));
    for (const loop of loops) {
      const size = this.sizes(loop.size);
      below /= size;
      this.setLoop(loop, Math.floor(position / below) % size);
    }
  }
  loop(loop: Loop): number {
    return this.#indices[loop.id]!;
  }
  set(node: Node, value: ScalarValue): void {
    this.#values[node.id] = value;
  }
  setReduced(reduction: Reduction, results: readonly ScalarValue[]): void {
    this.#reduced.set(reduction, results);
  }
  reduced({ reduction, which }: NodeOf<'reduced'>): ScalarValue {
    return this.#reduced.get(reduction)![which]!;
  }
  product(position: number): number {
    invariant(this.#products !== undefined, 'a product in a kernel that is not an epilogue');
    return this.#products(position);
  }
  /** From now on the value of `node` is the result of `read`. */
  keep(node: Node, read: () => ScalarValue): void {
    this.#kept[node.id] = read;
  }
  forgetKept(): void {
    if (this.#kept.length > 0) this.#kept = [];
  }

  evaluate(nodes: readonly Node[]): void {
    for (const { id, compute } of listOf(nodes)) this.#values[id] = compute(this);
  }
  value(node: Node): ScalarValue {
    if (node.kind === 'literal') return node.value;
    const kept = this.#kept[node.id];
    if (kept !== undefined) return kept();
    const value = this.#values[node.id];
    invariant(value !== undefined, `a value of a ${node.kind} that is used before it is computed`);
    return value;
  }
  store(o: Output): void {
    this.memory[o.slot]!.set(this.index(o.index), this.value(o.node));
  }
  index(index: Index): number {
    return indexOf(index)(this);
  }
}

function listOf(nodes: readonly Node[]): readonly { readonly id: number; readonly compute: Compute<ScalarValue> }[] {
  let list = lists.get(nodes);
  if (list === undefined) {
    list = nodes.filter(n => n.kind !== 'literal').map(n => ({ id: n.id, compute: computeOf(n) }));
    lists.set(nodes, list);
  }
  return list;
}

function indexOf(index: Index): Compute<number> {
  let compute = indices.get(index);
  if (compute === undefined) {
    const { constant } = index;
    const terms = index.terms.map(([c, t]) => ({ c, of: termOf(t) }));
    const [first] = terms;
    compute =
      first === undefined
        ? () => constant
        : terms.length === 1
          ? frame => constant + first.c * first.of(frame)
          : frame => terms.reduce((sum, { c, of }) => sum + c * of(frame), constant);
    indices.set(index, compute);
  }
  return compute;
}
function termOf(t: Term): Compute<number> {
  switch (t.kind) {
    case 'loop':
      return frame => frame.loop(t.loop);
    case 'data':
      return frame => Number(frame.value(t.node));
    case 'div': {
      const of = indexOf(t.of);
      return frame => Math.trunc(of(frame) / frame.sizes(t.by));
    }
    case 'mod': {
      const of = indexOf(t.of);
      return frame => of(frame) % frame.sizes(t.by);
    }
    case 'scaled': {
      const of = t.of === undefined ? () => 1 : termOf(t.of);
      return frame => frame.sizes(t.by) * of(frame);
    }
    default:
      return assertNever(t);
  }
}
function holdOf(guards: readonly Guard[]): Compute<boolean> {
  const all = guards.map(g => {
    const index = indexOf(g.index);
    return (frame: Frame): boolean => {
      const at = index(frame);
      return (
        at >= g.low &&
        at < frame.sizes(g.high) &&
        (g.modulus === undefined || at % frame.sizes(g.modulus) === g.remainder)
      );
    };
  });
  return frame => all.every(holds => holds(frame));
}

/** Nodes belong to a program that was planned for one target. */
function computeOf(node: Node): Compute<ScalarValue> {
  let compute = computes.get(node);
  if (compute === undefined) {
    compute = compiled(node);
    computes.set(node, compute);
  }
  return compute;
}
function compiled(node: Node): Compute<ScalarValue> {
  switch (node.kind) {
    case 'load': {
      const [at, { slot }] = [indexOf(node.index), node];
      if (node.guards.length === 0) return frame => frame.memory[slot]!.get(at(frame));
      const [holds, zero] = [holdOf(node.guards), zeroOf(node.type)];
      return frame => (holds(frame) ? frame.memory[slot]!.get(at(frame)) : zero);
    }
    case 'literal':
      return () => node.value;
    case 'index': {
      const at = indexOf(node.index);
      return frame => BigInt(at(frame));
    }
    case 'expression':
      return expressionOf(node);
    case 'guarded': {
      const holds = holdOf(node.guards);
      return frame => frame.value(holds(frame) ? node.onTrue : node.onFalse);
    }
    case 'product': {
      const round = rounderOf(node.type);
      return frame => round(frame.product(Number(frame.value(node.position))));
    }
    case 'random':
      return randomOf(node);
    case 'reduced':
      return frame => frame.reduced(node);
    default:
      return assertNever(node);
  }
}
function expressionOf(node: NodeOf<'expression'>): Compute<ScalarValue> {
  const { op, args, type } = node;
  let f: ScalarFunction | undefined;
  // The target is that of the first frame.
  const functionFor = (frame: Frame): ScalarFunction => {
    f ??= targetFunction(
      op,
      args.map(a => a.type),
      type,
      frame.target,
      'node',
    );
    return f;
  };
  const [a, b] = args;
  if (args.length === 1) return frame => functionFor(frame)([frame.value(a!)]);
  if (args.length === 2) return frame => functionFor(frame)([frame.value(a!), frame.value(b!)]);
  return frame => functionFor(frame)(args.map(arg => frame.value(arg)));
}
function randomOf(node: NodeOf<'random'>): Compute<ScalarValue> {
  const place = indexOf(node.index);
  return frame => {
    const part = (i: number): bigint => frame.value(elementAt(node.state, i)) as bigint;
    const [key, low, high] = [part(0), part(1), part(2)];
    const at = place(frame);
    const word = (i: number): bigint => BigInt(wordOf(key, low | (high << 64n), i));
    if (elementBytes(node.type) < 8) return valueOfWord(node.type as ElementType, word(at));
    return valueOfWord(node.type, word(2 * at) | (word(2 * at + 1) << 32n));
  };
}

/** The last generated block: words are usually read in order. */
const last: { key: bigint; counter: bigint; words: Uint32Array } = { key: 0n, counter: -1n, words: new Uint32Array(4) };
function wordOf(key: bigint, counter: bigint, word: number): number {
  const block = BigInt.asUintN(128, counter + BigInt(Math.floor(word / 4)));
  if (last.key !== key || last.counter !== block) {
    last.words = philoxWords(key, block, 4);
    last.key = key;
    last.counter = block;
  }
  return last.words[word % 4]!;
}
