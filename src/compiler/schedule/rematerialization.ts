// The cost of recomputing a value instead of storing it: the large values that it depends on (its anchors), and the work per
// element. A value with at most one anchor and little work is cheaper to recompute in each kernel that uses it: the kernel
// reads the anchor instead of the value, and nothing is written.
import { opTable } from '../../hlo/op-table.ts';
import type { Op, Region, Value } from '../../hlo/program.ts';
import { byteSize, elementBytes, elementCount } from '../../hlo/types.ts';
import { scalarCost } from '../ir/scalar-op.ts';
import { isLoweredAs, loweringKindOf } from '../lowering/lowering-kinds.ts';

interface Recomputation {
  readonly anchors: readonly Value[];
  readonly cost: number;
}

/** The maximum work per byte of a value that is recomputed. An exp takes 12, random bits of Philox 20: a mask is stored. */
const workPerByte = 11;

export class Rematerialization {
  readonly #byValue = new Map<Value, Recomputation>();
  /** Values that are stored because they are too expensive to recompute. */
  readonly #expensive = new Set<Value>();

  /** Adds the values of a region. Those of the regions around it must have been added before. */
  add(region: Region): void {
    for (const op of region.ops) for (const v of op.results) this.#byValue.set(v, this.#recomputationOf(op, v));
  }

  #of(value: Value): Recomputation {
    return this.#byValue.get(value) ?? { anchors: [value], cost: 1 };
  }

  #recomputationOf(op: Op, value: Value): Recomputation {
    if (isLoweredAs(op, 'view')) return this.#of(op.operands[0]);
    switch (loweringKindOf(op)) {
      case 'source':
      case 'constant':
        return { anchors: [], cost: 0 };
      case 'element': {
        const bytes = bytesOf(value);
        const parts = op.operands.map(v => this.#of(v));
        // Operands much smaller than the result (a bias, a row's mean, a mask) count as work, not as anchors.
        const anchors = [...new Set(parts.flatMap(p => p.anchors))].filter(a => bytesOf(a) * 3 >= bytes);
        // The states of a generator form a chain through the whole program: each is stored.
        const isRandom = opTable[op.name].kind === 'random';
        if (isRandom && value.index === 0) return { anchors: [value], cost: 1 };
        const own = isRandom ? 20 : scalarCost(op);
        const cost = parts.reduce((sum, p) => sum + p.cost, own);
        // A value that is too expensive to recompute is stored, and values that depend on it start from there, or from a narrower
        // value derived from it, such as the upper half of its bits, which is stored instead.
        const [anchor] = anchors;
        const narrows = anchors.length === 1 && this.#expensive.has(anchor!) && 2 * bytes <= bytesOf(anchor!);
        if (anchors.length <= 1 && cost <= cheapUpTo(value) && !(narrows && countOf(value) === countOf(anchor!)))
          return { anchors, cost };
        this.#expensive.add(value);
        return { anchors: [value], cost: 1 };
      }
      default:
        return { anchors: [value], cost: 1 };
    }
  }

  /** Whether it is cheaper to recompute the value in each kernel that uses it than to store it. */
  isCheap(value: Value): boolean {
    const { anchors, cost } = this.#of(value);
    return cost <= cheapUpTo(value) && !anchors.includes(value);
  }
  /** The work for one element, from values in memory. */
  costOf(value: Value): number {
    return this.#of(value).cost;
  }
}

export const countOf = (value: Value): number => (value.type.kind === 'tensor' ? elementCount(value.type.shape) : 0);
const bytesOf = (value: Value): number => (value.type.kind === 'tensor' ? byteSize(value.type) : 0);
const cheapUpTo = (value: Value): number =>
  workPerByte * elementBytes(value.type.kind === 'tensor' ? value.type.elementType : 'f32');
