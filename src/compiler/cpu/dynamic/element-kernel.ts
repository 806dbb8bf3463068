// Elements within a kernel of a dynamic program: the nodes of values, and the quantities that correspond to names of the step
// function.

import type { Op, Value } from '../../../hlo/program.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { capturesOf } from '../../../hlo/walk.ts';
import type { SpaceLoop } from '../../ir/computation.ts';
import { type Extent, isAtLeast, type Quantity, QuantityGraph, sameExtent, times } from '../../ir/extent.ts';
import { delinearize, type Index, linearize, quantityIndex, scale, zeroIndex } from '../../ir/index-expr.ts';
import { canonicalIndex } from '../../ir/nest.ts';
import { type Guard, guardKey, maskOf, type Node, NodeGraph } from '../../ir/node.ts';
import { Operands } from '../../ir/operands.ts';
import { zeroOf } from '../../ir/scalar-value.ts';
import { indexBeforeReduce } from '../../lowering/computation.ts';
import { literalNode } from '../../lowering/evaluator.ts';
import type { SizedSpace } from '../kernels/sized-plan.ts';
import type { KnownSizes, Size, Sizes } from './sizes.ts';

/** The location of elements: the text of a pointer, and the block that holds them if the program owns it. */
export interface Memory {
  readonly pointer: string;
  readonly block: string | undefined;
}
/** A value whose elements are computed where they are used. */
export interface Lazy {
  at(kernel: ElementKernel, index: readonly Index[]): Node;
}
/** The sizes of an op's result, and how its elements are computed. */
export interface Elements {
  readonly sizes: Sizes;
  readonly lazy: Lazy;
}
/** The known facts about a value: one of `atoms`, `memory` and `lazy`, or atoms and memory. */
export interface Held {
  readonly type: ElementType;
  readonly sizes: Sizes;
  readonly atoms?: readonly string[];
  readonly memory?: Memory;
  readonly lazy?: Lazy;
}

/** The step function's knowledge of values and sizes. */
export interface Surroundings {
  held(value: Value): Held;
  sizes(value: Value): Sizes;
  known(sizes: Sizes): KnownSizes;
  canonical(size: number | string): number | string;
}

/** The names of the step function that a kernel is passed as sizes, in order. */
export class SizeNames {
  readonly graph = new QuantityGraph();
  readonly list: string[] = [];
  readonly #step: Surroundings;

  constructor(step: Surroundings) {
    this.#step = step;
  }
  extent(size: Size): Extent {
    const [known] = this.#step.known([size]);
    const name = this.#step.canonical(known!);
    if (typeof name === 'number') return name;
    let position = this.list.indexOf(name);
    if (position < 0) position = this.list.push(name) - 1;
    return this.graph.size(position);
  }
  /**
   * Steps of operands that may be broadcast at run time: 0 if an operand's only element is broadcast, usually 1. There is one
   * kernel for steps that are all 1, and a general one.
   */
  readonly #steps = new Set<Quantity>();
  /** Whether all steps are 1, so that the operands of broadcasts are read like other operands. */
  areOne(step: Quantity): boolean {
    if (this.graph.decide === undefined) this.#steps.add(step);
    else return isAtLeast([...this.#steps].reduce<Extent>(times, 1), 1);
    return false;
  }
  extents(value: Value): Extent[] {
    return this.#step.sizes(value).map(size => this.extent(size));
  }
}

export class ElementKernel {
  readonly graph = new NodeGraph();
  readonly operands: Operands;
  readonly names: SizeNames;
  /** Values that cannot be computed in these loops, so they must be in memory. */
  readonly unreachable = new Set<Value>();
  readonly #step: Surroundings;
  readonly #space: SizedSpace;
  readonly #loops: readonly SpaceLoop[];
  readonly #memo = new Map<string, Node>();
  /** Memory is read only where these hold. */
  #guards: readonly Guard[] = [];

  constructor(
    step: Surroundings,
    names: SizeNames,
    space: SizedSpace,
    loops: readonly SpaceLoop[],
    before: Operands | undefined,
  ) {
    this.#step = step;
    this.names = names;
    this.#space = space;
    this.#loops = loops;
    this.operands = new Operands(before);
  }

  extent(size: Size): Extent {
    return this.names.extent(size);
  }
  /** An integer of the step function as an index. */
  integer(size: Size): Index {
    return quantityIndex(this.extent(size));
  }

  /** The index of an operand of a broadcast: `step` is 0 if its only element is broadcast. */
  spread(index: Index, step: Size): Index {
    const by = this.extent(step);
    return typeof by !== 'number' && this.names.areOne(by) ? index : scale(index, by);
  }

  /** The index of the current element of the loops; for results of reductions, only in the kept dims. */
  here(isKept: boolean): Index[] {
    const { sizes, reduced } = this.#space;
    const loops = this.#loops.filter(l => !(isKept && l.reduced)).map(l => l.loop);
    const shape = sizes.filter((_, d) => !(isKept && reduced[d]));
    return delinearize(shape, canonicalIndex(loops));
  }

  at(value: Value, index: readonly Index[]): Node {
    const key = `${value.id} ${index.map(i => i.key).join(' ')} ? ${this.#guards.map(guardKey).join()}`;
    let node = this.#memo.get(key);
    if (node === undefined) {
      node = this.#make(value, index);
      this.#memo.set(key, node);
    }
    return node;
  }
  /** Runs `make` with its reads restricted to where the guards hold. */
  within<T>(guards: readonly Guard[], make: () => T): T {
    const outer = this.#guards;
    this.#guards = guards;
    const made = make();
    this.#guards = outer;
    return made;
  }
  #make(value: Value, index: readonly Index[]): Node {
    const { type, lazy, memory, atoms } = this.#step.held(value);
    const constant = literalNode(this.graph, value);
    if (constant !== undefined) return constant;
    if (lazy !== undefined && memory === undefined) return lazy.at(this, index);
    const isSingle = atoms?.length === 1 && memory === undefined;
    const shape = this.names.extents(value);
    // no loop reads this element, but an index that uses no loop would be read before the loops
    if (shape.includes(0)) return this.graph.literal(type, zeroOf(type));
    const position = isSingle ? zeroIndex : linearize(shape, index);
    return this.graph.load(type, this.operands.slot(value, 'read'), position, isSingle ? [] : this.#guards);
  }

  /** A result of a reduce over the reduced loops, at the index of the kept ones. */
  reduced(op: Op<'reduce'>, which: number, index: readonly Index[]): Node {
    const n = op.operands.length / 2;
    const [x] = op.operands;
    const { dimensions } = op.attributes;
    const shape = this.names.extents(x);
    const { sizes, reduced } = this.#space;
    const fits =
      shape.length === sizes.length &&
      shape.every((s, d) => sameExtent(s, sizes[d]!) && reduced[d] === dimensions.includes(d));
    const here = this.here(true);
    if (!fits || this.#guards.length > 0 || index.some((i, d) => i.key !== here[d]!.key)) {
      this.unreachable.add(op.results[which]!);
      return this.at(op.operands[n]!, []);
    }
    const loops = this.#loops.filter(l => l.reduced).map(l => l.loop);
    const inner = indexBeforeReduce(shape, dimensions, index, canonicalIndex(loops));
    const inputs = op.operands.slice(0, n).map(v => this.at(v, inner));
    const inits = op.operands.slice(n).map(v => this.at(v, []));
    const captured = [...capturesOf(op)].map(v => [v, this.at(v, [])] as const);
    return this.graph.reduce(op, inputs, inits, captured, maskOf(loops))[which]!;
  }
}
