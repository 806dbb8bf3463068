// The values of a kernel's loops as variables of a function: indices, nodes of the current element, or of four elements of the
// innermost loop, and their memory.
import { assertNever, invariant } from '../../../base/errors.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { elementBytes } from '../../../hlo/types.ts';
import type { Extent } from '../../ir/extent.ts';
import { coefficientOf, type Index, type Loop, type Term } from '../../ir/index-expr.ts';
import { type Output, sizeOf } from '../../ir/nest.ts';
import { dataNodesOf, type Guard, type Node, type NodeOf, type Reduction, usesOf } from '../../ir/node.ts';
import type { ScalarOp } from '../../ir/scalar-op.ts';
import { zeroOf } from '../../ir/scalar-value.ts';
import { literal, load, NotPrinted, store, valueTypeOf } from './elements.ts';
import {
  access,
  addI32,
  andI32,
  apply,
  applyVector,
  choose,
  type Expr,
  type FunctionBuilder,
  f32x4Const,
  greaterOrEqual,
  i32Const,
  i32x4Const,
  lessThan,
  mulI32,
} from './encoder.ts';
import { scalarCode } from './scalar-code.ts';
import type { SharedFunctions } from './shared-functions.ts';
import { gathered, isLaneType, laneOf, splat, vectorCode } from './vector-code.ts';

/** The values of sizes. */
export type Sizes = (size: Extent) => number;
/** Four elements at a time, or one. */
export type Width = 'vector' | 'scalar';
interface Known {
  readonly value: Expr;
  readonly width: Width;
}
/** Ops whose operand may be an index, which is then computed in 32 bits. */
const takesIndices: { readonly [N in ScalarOp['name']]?: true } = { convert: true };
/** Memory that a kernel's function gets. */
export interface KernelMemory {
  /** For each slot, the type of its elements, and the address of the first. */
  readonly slots: readonly { readonly type: ElementType; readonly address: Expr }[];
  /** An address of this many bytes that the kernel has for itself. */
  scratch(bytes: number): Expr;
}

export class Scope {
  readonly f: FunctionBuilder;
  readonly shared: SharedFunctions;
  readonly sizes: Sizes;
  readonly memory: KernelMemory;
  /** The sums of the multiply whose epilogue this is. */
  readonly products: Expr | undefined;
  readonly #loops = new Map<number, Expr>();
  readonly #values = new Map<Node, Known>();
  readonly #splats = new Map<Node, Expr>();
  readonly #kept = new Map<Node, (width: Width) => Expr>();
  readonly #reduced = new Map<Reduction, readonly Expr[]>();
  /** Addresses of accesses at index 0 of the innermost loop, by slot and index. */
  readonly #bases = new Map<string, Expr>();
  #innermost: Loop | undefined;

  constructor(f: FunctionBuilder, shared: SharedFunctions, sizes: Sizes, memory: KernelMemory, products?: Expr) {
    this.f = f;
    this.shared = shared;
    this.sizes = sizes;
    this.memory = memory;
    this.products = products;
  }

  // loops

  setLoop(loop: Loop, at: Expr): void {
    this.#loops.set(loop.id, at);
  }
  loop(loop: Loop): Expr {
    return this.#loops.get(loop.id) ?? i32Const(0);
  }
  /** Indices of loops from a flat position over them. */
  decode(loops: readonly Loop[], position: Expr): void {
    const many = loops.filter(l => this.sizes(l.size) !== 1);
    let below = this.sizes(sizeOf(loops));
    for (const l of loops) if (!many.includes(l)) this.setLoop(l, i32Const(0));
    many.forEach((l, i) => {
      const size = this.sizes(l.size);
      below /= size;
      const outer = below === 1 ? position : apply('i32', [0x6d], position, i32Const(below));
      this.setLoop(
        l,
        many.length === 1 ? position : this.f.keep(i === 0 ? outer : apply('i32', [0x6f], outer, i32Const(size))),
      );
    });
  }

  // indices

  index(index: Index): Expr {
    let sum: Expr | undefined = index.constant === 0 ? undefined : i32Const(index.constant);
    for (const [c, t] of index.terms) {
      const term = this.#term(t);
      const scaled = c === 1 ? term : mulI32(term, i32Const(c));
      sum = sum === undefined ? scaled : addI32(sum, scaled);
    }
    return sum ?? i32Const(0);
  }
  #term(t: Term): Expr {
    switch (t.kind) {
      case 'loop':
        return this.loop(t.loop);
      case 'data': {
        const value = this.value(t.node, 'scalar');
        return value.type === 'i64' ? apply('i32', [0xa7], value) : value;
      }
      case 'div':
        return apply('i32', [0x6d], this.index(t.of), i32Const(this.sizes(t.by)));
      case 'mod':
        return apply('i32', [0x6f], this.index(t.of), i32Const(this.sizes(t.by)));
      case 'scaled': {
        const by = i32Const(this.sizes(t.by));
        return t.of === undefined ? by : mulI32(this.#term(t.of), by);
      }
      default:
        return assertNever(t);
    }
  }
  #holds(guards: readonly Guard[]): Expr {
    const all = guards.flatMap(({ index, low, high, modulus, remainder }) => {
      const at = this.f.keep(this.index(index));
      const inside = [greaterOrEqual(at, i32Const(low)), lessThan(at, i32Const(this.sizes(high)))];
      if (modulus === undefined) return inside;
      const rest = apply('i32', [0x6f], at, i32Const(this.sizes(modulus)));
      return [...inside, apply('i32', [0x46], rest, i32Const(remainder!))];
    });
    return all.reduce((a, b) => andI32(a, b));
  }
  /** The distance between elements for consecutive steps of the innermost loop, if it is always the same. */
  #step(index: Index): number | undefined {
    const loop = this.#innermost;
    if (loop === undefined || dataNodesOf(index).some(n => (n.deps >> loop.id) & 1)) return undefined;
    const found = coefficientOf(index, loop);
    return found === undefined ? undefined : this.sizes(found);
  }
  #address(key: string, start: Expr, bytes: number, index: Index): Expr {
    const step = this.#step(index);
    const base = this.#bases.get(key);
    if (step !== undefined && base !== undefined) {
      const at = this.loop(this.#innermost!);
      return step === 0 ? base : addI32(base, step * bytes === 1 ? at : mulI32(at, i32Const(step * bytes)));
    }
    return this.#addressOf(start, bytes, index);
  }
  #addressOf(start: Expr, bytes: number, index: Index): Expr {
    const at = this.index(index);
    return addI32(start, bytes === 1 ? at : mulI32(at, i32Const(bytes)));
  }

  /** Before the innermost loop: addresses, and vectors of values that do not change in it. */
  enter(loop: Loop, nodes: readonly Node[], outputs: readonly Output[], isVector: boolean): void {
    this.#bases.clear();
    this.#splats.clear();
    this.#innermost = loop;
    this.setLoop(loop, i32Const(0));
    const prepare = (slot: number, index: Index): void => {
      const key = `${slot} ${index.key}`;
      const { address, type } = this.memory.slots[slot]!;
      if (!this.#bases.has(key) && this.#step(index) !== undefined)
        this.#bases.set(key, this.f.keep(this.#addressOf(address, elementBytes(type), index)));
    };
    for (const n of nodes) if (n.kind === 'load' && this.#isKnownBefore(n.index, loop)) prepare(n.slot, n.index);
    for (const o of outputs) if (this.#isKnownBefore(o.index, loop)) prepare(o.slot, o.index);
    if (!isVector) return;
    const used = nodes.flatMap(n =>
      n.kind === 'expression' ? n.args : n.kind === 'guarded' ? [n.onTrue, n.onFalse] : [],
    );
    for (const n of used)
      if (n.kind !== 'literal' && ((n.deps >> loop.id) & 1) === 0 && isLaneType(n.type) && !this.#splats.has(n))
        this.#splats.set(n, this.f.keep(splat(n.type, this.value(n, 'scalar'))));
  }
  leave(): void {
    this.#bases.clear();
    this.#innermost = undefined;
  }
  leaveVectors(): void {
    this.#splats.clear();
  }
  /** Data in an index is computed in the loop itself unless it is the same for all of its steps. */
  #isKnownBefore(index: Index, loop: Loop): boolean {
    return dataNodesOf(index).every(n => ((n.deps >> loop.id) & 1) === 0 && this.#isKnown(n));
  }
  #isKnown(n: Node): boolean {
    return n.kind === 'literal' || this.#values.has(n) || this.#kept.has(n);
  }

  // nodes

  /** Whether these nodes of an innermost loop can be computed for four elements at a time. */
  canBeVectors(loop: Loop, nodes: readonly Node[]): boolean {
    const inner = (n: Node): boolean => ((n.deps >> loop.id) & 1) !== 0;
    const positions = new Set<Node>(nodes.flatMap(n => (n.kind === 'product' ? [n.position] : [])));
    const converted = (n: Node): boolean =>
      n.kind === 'expression' && Object.hasOwn(takesIndices, n.op.name) && n.args[0]!.kind === 'index';
    const indexUsers = new Set<Node>(nodes.flatMap(n => (n.kind === 'expression' && !converted(n) ? n.args : [])));
    return nodes.every(n => {
      if (n.kind === 'index') return !indexUsers.has(n) && dataNodesOf(n.index).every(d => !inner(d));
      if (positions.has(n)) return false;
      if (!isLaneType(n.type)) return false;
      switch (n.kind) {
        case 'load':
          return [n.index, ...n.guards.map(g => g.index)].every(i => dataNodesOf(i).every(d => !inner(d)));
        case 'guarded':
          return n.guards.every(g => dataNodesOf(g.index).every(d => !inner(d)));
        case 'expression':
          return converted(n) || n.args.every(a => isLaneType(a.type));
        case 'product':
          return n.position.kind === 'index';
        case 'random':
          return n.state.every(s => !inner(s)) && dataNodesOf(n.index).every(d => !inner(d));
        default:
          return true;
      }
    });
  }

  evaluate(nodes: readonly Node[], width: Width = 'scalar'): void {
    for (const n of nodes) {
      if (n.kind === 'literal' || this.#kept.has(n)) continue;
      if (width === 'vector' && n.kind === 'index') continue;
      this.#values.set(n, { value: this.f.keep(width === 'vector' ? this.#vector(n) : this.#scalar(n)), width });
    }
  }
  forget(nodes: readonly Node[]): void {
    for (const n of nodes) this.#values.delete(n);
  }
  value(node: Node, width: Width): Expr {
    if (node.kind === 'literal') return this.#constant(node, width);
    const kept = this.#kept.get(node);
    if (kept !== undefined) return kept(width);
    const known = this.#values.get(node);
    invariant(known !== undefined, `a value of a ${node.kind} that is used before it is computed`);
    if (known.width === width) return known.value;
    invariant(width === 'vector', 'a vector that is used as a scalar');
    return this.#splats.get(node) ?? this.f.keep(splat(node.type, known.value));
  }
  #constant({ type, value }: NodeOf<'literal'>, width: Width): Expr {
    if (width === 'scalar') return literal(type, value);
    if (type === 'f32' || type === 'bf16') return f32x4Const(Number(value));
    return i32x4Const(type === 'i1' ? -Number(value) : Number(value) | 0);
  }
  /** From now on the value of `node` is what `read` reads. */
  keep(node: Node, read: (width: Width) => Expr): void {
    this.#kept.set(node, read);
  }
  forgetKept(): void {
    this.#kept.clear();
  }
  setReduced(reduction: Reduction, results: readonly Expr[]): void {
    this.#reduced.set(reduction, results);
  }

  #scalar(node: Node): Expr {
    switch (node.kind) {
      case 'load': {
        const { address, type } = this.memory.slots[node.slot]!;
        const at = this.#address(`${node.slot} ${node.index.key}`, address, elementBytes(type), node.index);
        const element = load(type, at, this.shared);
        if (node.guards.length === 0) return element;
        return choose(this.#holds(node.guards), element, literal(node.type, zeroOf(node.type)));
      }
      case 'literal':
        return literal(node.type, node.value);
      case 'index':
        return apply('i64', [0xac], this.index(node.index));
      case 'expression': {
        const types = node.args.map(a => a.type);
        const args = node.args.map(a => this.value(a, 'scalar'));
        for (const t of [...types, node.type]) valueTypeOf(t);
        return scalarCode(node.op, types, node.type, args, this.f, this.shared, 'node');
      }
      case 'guarded':
        return choose(this.#holds(node.guards), this.value(node.onTrue, 'scalar'), this.value(node.onFalse, 'scalar'));
      case 'product': {
        const position = this.value(node.position, 'scalar');
        const at = position.type === 'i64' ? apply('i32', [0xa7], position) : position;
        return this.shared.rounded(
          node.type,
          load('f32', addI32(this.products!, mulI32(at, i32Const(4))), this.shared),
        );
      }
      case 'random':
        return this.#random(node);
      case 'reduced':
        return this.#reduced.get(node.reduction)![node.which]!;
      default:
        return assertNever(node);
    }
  }
  #random(node: NodeOf<'random'>): Expr {
    const [key, low, high] = [0, 1, 2].map(i => this.value(node.state[i]!, 'scalar')) as [Expr, Expr, Expr];
    const at = this.f.keep(this.index(node.index));
    const word = (i: Expr): Expr => this.shared.randomWord(key, low, high, i);
    switch (elementBytes(node.type)) {
      case 4: {
        const bits = word(at);
        return node.type === 'f32' ? apply('f32', [0xbe], bits) : bits;
      }
      case 8: {
        if (node.type === 'f64') throw new NotPrinted('random bits as f64');
        const first = mulI32(at, i32Const(2));
        const wide = (x: Expr): Expr => apply('i64', [0xad], x);
        const above = apply('i64', [0x86], wide(word(addI32(first, i32Const(1)))), { type: 'i64', code: [0x42, 32] });
        return apply('i64', [0x84], wide(word(first)), above);
      }
      default:
        throw new NotPrinted(`random bits as ${node.type}`);
    }
  }

  #vector(node: Node): Expr {
    switch (node.kind) {
      case 'load': {
        const { address, type } = this.memory.slots[node.slot]!;
        const key = `${node.slot} ${node.index.key}`;
        const isGuarded = node.guards.some(g => this.#changes(g.index));
        if (isGuarded || this.#step(node.index) !== 1) return this.#eachLane(node.type, () => this.#scalar(node));
        const elements = loadVector(type, this.#address(key, address, elementBytes(type), node.index));
        if (node.guards.length === 0) return elements;
        return choose(this.#holds(node.guards), elements, i32x4Const(0));
      }
      case 'expression': {
        const [first] = node.args;
        if (first!.kind === 'index') {
          const places = this.#eachLane('i32', () => this.index((first as NodeOf<'index'>).index));
          return vectorCode(node.op, ['i32'], node.type, [this.f.keep(places)], this.f, this.shared);
        }
        const args = node.args.map(a => this.value(a, 'vector'));
        return vectorCode(
          node.op,
          node.args.map(a => a.type),
          node.type,
          args,
          this.f,
          this.shared,
          'node',
        );
      }
      case 'guarded': {
        const [onTrue, onFalse] = [this.value(node.onTrue, 'vector'), this.value(node.onFalse, 'vector')];
        if (node.guards.some(g => this.#changes(g.index)))
          return applyVector('v128', 0x52, [onTrue, onFalse, this.#eachLane('i1', () => this.#holds(node.guards))]);
        return choose(this.#holds(node.guards), onTrue, onFalse);
      }
      case 'product': {
        const { index } = node.position as NodeOf<'index'>;
        const element = (): Expr => load('f32', this.#addressOf(this.products!, 4, index), this.shared);
        const sums =
          this.#step(index) === 1
            ? loadVector('f32', this.#addressOf(this.products!, 4, index))
            : this.#eachLane('f32', element);
        return this.shared.roundedVector(node.type, sums);
      }
      case 'random':
        return this.#eachLane(node.type, () => this.#random(node));
      case 'reduced':
        return splat(node.type, this.#scalar(node));
      default:
        throw new NotPrinted(`a vector of a ${node.kind}`);
    }
  }
  #changes(index: Index): boolean {
    return this.#innermost !== undefined && ((usesOf(index).deps >> this.#innermost.id) & 1) !== 0;
  }
  #eachLane(type: ElementType, of: () => Expr): Expr {
    const loop = this.#innermost!;
    const first = this.loop(loop);
    const out = gathered(type, this.f, lane => {
      this.setLoop(loop, lane === 0 ? first : this.f.keep(addI32(first, i32Const(lane))));
      return this.f.keep(of());
    });
    this.setLoop(loop, first);
    return out;
  }

  store(o: Output, width: Width): void {
    const { address, type } = this.memory.slots[o.slot]!;
    const at = (): Expr => this.#address(`${o.slot} ${o.index.key}`, address, elementBytes(type), o.index);
    const value = this.value(o.node, width);
    if (width === 'scalar') store(this.f, type, at(), value, this.shared);
    else if (this.#step(o.index) === 1) storeVector(this.f, type, at(), value);
    else {
      const loop = this.#innermost!;
      const first = this.loop(loop);
      for (let lane = 0; lane < 4; lane++) {
        this.setLoop(loop, this.f.keep(addI32(first, i32Const(lane))));
        store(this.f, type, at(), laneOf(type, value, lane), this.shared);
      }
      this.setLoop(loop, first);
    }
  }
  /** An element of an operand that was stored. */
  readBack(o: Output, width: Width): Expr {
    const { address, type } = this.memory.slots[o.slot]!;
    const at = (): Expr => this.#addressOf(address, elementBytes(type), o.index);
    if (width === 'scalar') return load(type, at(), this.shared);
    if (this.#step(o.index) === 1) return loadVector(type, at());
    return this.#eachLane(type, () => load(type, at(), this.shared));
  }
}

export function loadVector(type: ElementType, address: Expr): Expr {
  switch (type) {
    case 'f32':
    case 'i32':
    case 'ui32':
      return applyVector('v128', 0x00, [address], access(0));
    case 'bf16':
      return applyVector('v128', 0xab, [applyVector('v128', 0x04, [address], access(0)), i32Const(16)]);
    case 'i1': {
      const bytes = applyVector('v128', 0x5c, [address], access(0));
      return applyVector('v128', 0x38, [
        applyVector('v128', 0xa9, [applyVector('v128', 0x89, [bytes])]),
        i32x4Const(0),
      ]);
    }
    default:
      throw new NotPrinted(`vectors of ${type}`);
  }
}
export function storeVector(f: FunctionBuilder, type: ElementType, address: Expr, value: Expr): void {
  const shuffled = (...bytes: readonly number[]): Expr => {
    const kept = f.keep(value);
    return applyVector('v128', 0x0d, [kept, kept], [...bytes, ...new Array<number>(16 - bytes.length).fill(0)]);
  };
  switch (type) {
    case 'f32':
    case 'i32':
    case 'ui32':
      f.store([0xfd, 0x0b], address, value);
      return;
    case 'bf16':
      f.store([0xfd, 0x5b], address, shuffled(2, 3, 6, 7, 10, 11, 14, 15), 0, [0]);
      return;
    case 'i1': {
      const ones = applyVector('v128', 0x4e, [shuffled(0, 4, 8, 12), i32x4Const(0x01010101)]);
      f.store([0xfd, 0x5a], address, ones, 0, [0]);
      return;
    }
    default:
      throw new NotPrinted(`vectors of ${type}`);
  }
}
