// The shardings of the operands and results of an op in terms of its factors (Shardy's ShardingProjection).
//
//   tensor<4x32>, dims [ij, k] with i=2 j=2 k=32, sharded [{"a", "b"}, {"c"}]      i: "a"   j: "b"   k: "c"
import type { DimFactors, ShardingRule } from '../../hlo/factors/rule.ts';
import { type AxisRef, axisRefSize, type Mesh } from '../../hlo/sharding/mesh.ts';
import type { DimSharding, ReductionKind, Sharding } from '../../hlo/sharding/sharding.ts';
import { type Axes, appendAxis, partOf, prefixStatus, sizeOfAxes } from './axes.ts';

export interface FactorSharding {
  axes: Axes;
  /** The axes that divide the dim after `axes`, but do not fit the factor. */
  overflow: Axes;
  isClosed: boolean;
  readonly isMinorMost: boolean;
}
/** A tensor, by the numbers of its factors. */
export interface TensorProjection {
  readonly factors: ReadonlyMap<number, FactorSharding>;
  readonly replicated: Axes;
  readonly unreduced: Axes;
  readonly reduction: ReductionKind;
}
export interface Projection {
  readonly operands: readonly TensorProjection[];
  readonly results: readonly TensorProjection[];
}

export const projectionOf = (
  rule: ShardingRule,
  operands: readonly (Sharding | undefined)[],
  results: readonly (Sharding | undefined)[],
  mesh: Mesh,
): Projection => ({
  operands: rule.operands.map((dims, i) => project(dims, operands[i], rule, mesh)),
  results: rule.results.map((dims, i) => project(dims, results[i], rule, mesh)),
});

function project(
  dims: DimFactors,
  sharding: Sharding | undefined,
  { factors: all }: ShardingRule,
  mesh: Mesh,
): TensorProjection {
  const factors = new Map<number, FactorSharding>();
  dims.forEach((numbers, d) => {
    const dim = sharding?.dims[d];
    const rest = new Rest(dim?.axes ?? [], mesh);
    let overflows = false;
    numbers.forEach((number, k) => {
      const isMinorMost = k === numbers.length - 1;
      const isClosed = overflows || (dim !== undefined && !dim.isOpen);
      const axes = overflows ? [] : isMinorMost ? rest.all() : rest.upTo(all[number]!.size);
      const overflow = overflows || isMinorMost || rest.fits ? [] : rest.all();
      overflows ||= overflow.length > 0;
      factors.set(number, { axes, overflow, isClosed, isMinorMost });
    });
  });
  const { replicated = [], unreduced = [], reduction = 'sum' } = sharding ?? {};
  return { factors, replicated, unreduced, reduction };
}

/** The axes of a dim that are not yet assigned to its factors. */
class Rest {
  readonly #axes: Axes;
  readonly #mesh: Mesh;
  #next = 0;
  /** The part of the next axis that is left, if it was cut. */
  #cut: NonNullable<AxisRef['subAxis']> | undefined;
  /** Whether the last factor is divided completely, or all axes are assigned. */
  fits = true;

  constructor(axes: Axes, mesh: Mesh) {
    this.#axes = axes;
    this.#mesh = mesh;
  }

  upTo(size: number): Axes {
    const taken: AxisRef[] = [];
    let rest = size;
    while (this.#next < this.#axes.length) {
      const axis = this.#axes[this.#next]!;
      const left = this.#cut?.size ?? axisRefSize(this.#mesh, axis);
      const common = left === 1 ? 1 : gcd(rest, left);
      if (left !== 1 && common === 1) break;
      if (left > common) {
        const preSize = this.#cut?.preSize ?? axis.subAxis?.preSize ?? 1;
        taken.push(partOf(axis.name, preSize, common, this.#mesh));
        this.#cut = { preSize: preSize * common, size: left / common };
      } else {
        taken.push(this.#cut === undefined ? axis : partOf(axis.name, this.#cut.preSize, left, this.#mesh));
        this.#cut = undefined;
        this.#next++;
      }
      rest /= common;
    }
    this.fits = rest <= 1 || this.#next === this.#axes.length;
    return taken;
  }
  all(): Axes {
    const taken: AxisRef[] = [];
    for (; this.#next < this.#axes.length; this.#next++) {
      const axis = this.#axes[this.#next]!;
      const left = this.#cut === undefined ? axis : partOf(axis.name, this.#cut.preSize, this.#cut.size, this.#mesh);
      appendAxis(taken, left, this.#mesh);
      this.#cut = undefined;
    }
    return taken;
  }
}

/** Divides a factor of a tensor along longer axes; false if it has no such factor, or the axes do not continue its own. */
export function expand({ factors }: TensorProjection, factor: number, axes: Axes): boolean {
  const sharding = factors.get(factor);
  if (sharding === undefined || prefixStatus(sharding.axes, axes) !== 'strict') return false;
  sharding.axes = axes;
  return true;
}

/** The sharding of a tensor from that of its factors. A dim ends with the first factor that is not divided completely. */
export function shardingFrom(
  { factors, replicated, unreduced, reduction }: TensorProjection,
  dims: DimFactors,
  rule: ShardingRule,
  name: string,
  mesh: Mesh,
): Sharding {
  const dimShardings = dims.map((numbers): DimSharding => {
    const axes: AxisRef[] = [];
    const add = (list: Axes): void => {
      const [first, ...others] = list;
      if (first !== undefined) appendAxis(axes, first, mesh);
      axes.push(...others);
    };
    let isClosed = false;
    for (const number of numbers) {
      const sharding = factors.get(number)!;
      isClosed ||= sharding.isClosed;
      add(sharding.axes);
      add(sharding.overflow);
      if (sharding.overflow.length > 0 || sizeOfAxes(sharding.axes, mesh) < rule.factors[number]!.size) break;
    }
    return { axes, isOpen: !isClosed };
  });
  return { mesh: name, dims: dimShardings, replicated, unreduced, reduction };
}

export const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
