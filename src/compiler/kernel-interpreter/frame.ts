// Evaluates the nodes of a kernel for given loop indices: a declaration in a scope of the printed C is a value of a frame.
import { elementAt } from '../../base/element-at.ts';
import { assertNever, invariant } from '../../base/errors.ts';
import { rounderOf } from '../../hlo/element-codec.ts';
import { type ElementType, elementBytes } from '../../hlo/types.ts';
import { philoxWords } from '../../numerics/philox.ts';
import type { Extent } from '../ir/extent.ts';
import type { Index, Loop, Term } from '../ir/index-expr.ts';
import { type Output, sizeOf } from '../ir/nest.ts';
import type { Guard, Node, NodeOf, Reduction } from '../ir/node.ts';
import { type ScalarValue, zeroOf } from '../ir/scalar-value.ts';
import type { Target } from '../target/target.ts';
import { targetFunction } from './math.ts';
import type { ElementMemory } from './memory.ts';
import { type ScalarFunction, valueOfWord } from './scalar.ts';

const functions = new WeakMap<Node, ScalarFunction>();
/** Nodes belong to a program that was planned for one target. */
function functionOf(node: NodeOf<'expression'>, target: Target): ScalarFunction {
  let f = functions.get(node);
  if (f === undefined) {
    const { op, type } = node;
    f = targetFunction(
      op,
      node.args.map(a => a.type),
      type,
      target,
      'node',
    );
    functions.set(node, f);
  }
  return f;
}

/** The values of sizes. */
export type Sizes = (size: Extent) => number;

/** The sums of a multiply whose epilogue a kernel is. */
export type Products = (position: number) => number;

export class Frame {
  readonly memory: readonly ElementMemory[];
  readonly target: Target;
  readonly sizes: Sizes;
  readonly #products: Products | undefined;
  /** By a loop's id. */
  readonly #indices: number[] = [];
  readonly #values = new Map<Node, ScalarValue>();
  /** Replacements for values kept by earlier stages: a row of scratch, or an output in memory. */
  readonly #kept = new Map<Node, () => ScalarValue>();
  readonly #reduced = new Map<Reduction, readonly ScalarValue[]>();

  constructor(memory: readonly ElementMemory[], target: Target, sizes: Sizes, products?: Products) {
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
    this.#values.set(node, value);
  }
  setReduced(reduction: Reduction, results: readonly ScalarValue[]): void {
    this.#reduced.set(reduction, results);
  }
  /** From now on the value of `node` is the result of `read`. */
  keep(node: Node, read: () => ScalarValue): void {
    this.#kept.set(node, read);
  }
  forgetKept(): void {
    this.#kept.clear();
  }

  evaluate(nodes: readonly Node[]): void {
    for (const n of nodes) if (n.kind !== 'literal') this.#values.set(n, this.#compute(n));
  }
  value(node: Node): ScalarValue {
    if (node.kind === 'literal') return node.value;
    const kept = this.#kept.get(node);
    if (kept !== undefined) return kept();
    const value = this.#values.get(node);
    invariant(value !== undefined, `a value of a ${node.kind} that is used before it is computed`);
    return value;
  }
  store(o: Output): void {
    this.memory[o.slot]!.set(this.index(o.index), this.value(o.node));
  }

  index(index: Index): number {
    let sum = index.constant;
    for (const [c, t] of index.terms) sum += c * this.#term(t);
    return sum;
  }
  #term(t: Term): number {
    switch (t.kind) {
      case 'loop':
        return this.#indices[t.loop.id]!;
      case 'data':
        return Number(this.value(t.node));
      case 'div':
        return Math.trunc(this.index(t.of) / this.sizes(t.by));
      case 'mod':
        return this.index(t.of) % this.sizes(t.by);
      case 'scaled':
        return this.sizes(t.by) * (t.of === undefined ? 1 : this.#term(t.of));
      default:
        return assertNever(t);
    }
  }
  #holds(guards: readonly Guard[]): boolean {
    return guards.every(g => {
      const at = this.index(g.index);
      return (
        at >= g.low &&
        at < this.sizes(g.high) &&
        (g.modulus === undefined || at % this.sizes(g.modulus) === g.remainder)
      );
    });
  }

  #compute(node: Node): ScalarValue {
    switch (node.kind) {
      case 'load':
        return this.#holds(node.guards) ? this.memory[node.slot]!.get(this.index(node.index)) : zeroOf(node.type);
      case 'literal':
        return node.value;
      case 'index':
        return BigInt(this.index(node.index));
      case 'expression':
        return functionOf(node, this.target)(node.args.map(a => this.value(a)));
      case 'guarded':
        return this.value(this.#holds(node.guards) ? node.onTrue : node.onFalse);
      case 'product': {
        invariant(this.#products !== undefined, 'a product in a kernel that is not an epilogue');
        return rounderOf(node.type)(this.#products(Number(this.value(node.position))));
      }
      case 'random':
        return this.#random(node);
      case 'reduced':
        return this.#reduced.get(node.reduction)![node.which]!;
      default:
        return assertNever(node);
    }
  }

  #random(node: NodeOf<'random'>): ScalarValue {
    const part = (i: number): bigint => this.value(elementAt(node.state, i)) as bigint;
    const [key, low, high] = [part(0), part(1), part(2)];
    const at = this.index(node.index);
    const word = (i: number): bigint => BigInt(wordOf(key, low | (high << 64n), i));
    if (elementBytes(node.type) < 8) return valueOfWord(node.type as ElementType, word(at));
    return valueOfWord(node.type, word(2 * at) | (word(2 * at + 1) << 32n));
  }
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
