// Decomposes collectives that the runtime does not support: reductions with regions or types that it cannot combine are gathered
// within their group and folded in its order; a collective_reduce becomes an all_reduce whose result the root keeps. In a
// program for one process, no collectives remain.

import { elementAt } from '../../base/element-at.ts';
import { literal, splat } from '../../hlo/literal.ts';
import { type Groups, groupsOf } from '../../hlo/process-groups.ts';
import type { Op, Region, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { type Rewriter, type Rule, ruleFor } from '../../transforms/rewriter.ts';
import { isFloatRegister } from '../ir/registers.ts';
import { coversAll, haveOneSize, processCount, routesOf } from '../lowering/collective-groups.ts';
import { nativeReduction } from '../lowering/native-reduction.ts';

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const combined = (op: Op<'all_reduce' | 'reduce_scatter'>, r: Rewriter): readonly Value[] | undefined => {
  const processes = processCount(r.module);
  if (processes === 1 || isCombinedByRuntime(op)) return undefined;
  const groups = groupsOf(op, r.module);
  if (!coversAll(groups, processes) || !haveOneSize(groups)) return undefined;
  return op.operands.map(v => new Folding(r, groups).reduced(op, v));
};

export const collectiveFormsRule: Rule = ruleFor({
  all_reduce: combined,
  reduce_scatter: combined,
  all_to_all: (op, r) =>
    processCount(r.module) === 1 && coversAll(groupsOf(op, r.module), 1) ? op.operands : undefined,
  collective_permute: (op, r) => {
    if (processCount(r.module) > 1) return undefined;
    const routes = routesOf(op, r.module);
    if (routes === undefined) return undefined;
    return routes.sources[0] === 0 ? op.operands : [zerosLike(op.operands[0], r)];
  },
  collective_broadcast: (op, r) => {
    const groups = groupsOf(op, r.module);
    if (processCount(r.module) > 1 || groups.flat().some(p => p > 0)) return undefined;
    return dataOf(op).map(v => (groups.flat().length > 0 ? v : zerosLike(v, r)));
  },
  collective_reduce: (op, r) => {
    const processes = processCount(r.module);
    const groups = groupsOf(op, r.module);
    if (!coversAll(groups, processes)) return undefined;
    const { hasDynamicRoot: _, ...attributes } = op.attributes;
    return dataOf(op).map((v, i) => {
      const sum = r.emit1('all_reduce', [v], attributes, op.regions);
      const positions = upTo(processes).map(p => placeIn(groups, p));
      const isRoot = r.emit1('compare', [ofRank(r, positions), rootOf(op, i, r) ?? number(r, 0)], {
        comparisonDirection: 'EQ',
        compareType: 'SIGNED',
      });
      return r.emit1('select', [isRoot, sum, zerosLike(sum, r)], {});
    });
  },
});

/** Floats narrower than f32 are reduced in f32: see collectiveRule. */
function isCombinedByRuntime(op: Op<'all_reduce' | 'reduce_scatter'>): boolean {
  const region = op.regions[0];
  return region.results.every(v => {
    const { elementType } = tensorTypeOf(v);
    return nativeReduction(region, isFloatRegister(elementType) ? 'f32' : elementType) !== undefined;
  });
}

type Rooted = Op<'collective_broadcast' | 'collective_reduce'>;
const dataOf = (op: Rooted): readonly Value[] =>
  op.attributes.hasDynamicRoot ? op.operands.slice(0, -1) : op.operands;
/** The position of the operand's root in the group: a constant if the program states it, else the first. */
function rootOf(op: Rooted, operand: number, r: Rewriter): Value | undefined {
  if (!op.attributes.hasDynamicRoot) return undefined;
  const one = { startIndices: [operand], limitIndices: [operand + 1], strides: [1] };
  return r.emit1('reshape', [r.emit1('slice', [op.operands.at(-1)!], one)], { shape: [] });
}
const placeIn = (groups: Groups, process: number): number => groups.find(g => g.includes(process))!.indexOf(process);

const number = (r: Rewriter, value: number): Value => r.emit1('constant', [], { value: literal('i32', [], [value]) });
/** The entry of this process in a table of numbers. */
function ofRank(r: Rewriter, numbers: readonly number[]): Value {
  const partitions = r.emit1('constant', [], { value: literal('ui32', [], [r.module.numPartitions]) });
  const row = r.emit1('multiply', [r.emit1('replica_id', [], {}), partitions], {});
  const rank = r.emit1('add', [row, r.emit1('partition_id', [], {})], {});
  const all = r.emit1('constant', [], { value: literal('i32', [numbers.length], numbers) });
  const at = r.emit1('convert', [rank], { elementType: 'i32' });
  const found = r.emit1('dynamic_slice', [all, at], { sliceSizes: [1] });
  return r.emit1('reshape', [found], { shape: [] });
}
function zerosLike(value: Value, r: Rewriter): Value {
  const { elementType, shape, quantization } = tensorTypeOf(value);
  const type = { ...tensorType(elementType), ...(quantization && { quantization }) };
  const zero = r.emit1('constant', [], { value: splat(type, quantization?.zeroPoints[0] ?? 0) });
  return r.emit1('broadcast_in_dim', [zero], { broadcastDimensions: [], shape });
}

class Folding {
  readonly #r: Rewriter;
  readonly #groups: Groups;

  constructor(r: Rewriter, groups: Groups) {
    this.#r = r;
    this.#groups = groups;
  }

  reduced(op: Op<'all_reduce' | 'reduce_scatter'>, value: Value): Value {
    const r = this.#r;
    const shape = shapeOf(value);
    const members = r.emit1('all_gather', [r.emit1('reshape', [value], { shape: [1, ...shape] })], {
      allGatherDim: 0,
      replicaGroups: this.#groups,
      useGlobalDeviceIds: true,
      channelId: op.attributes.channelId || 1,
    });
    const whole = this.#folded(members, op.regions[0]);
    return 'scatterDimension' in op.attributes ? this.#part(whole, op.attributes.scatterDimension) : whole;
  }
  /** Splits a dim into one part per member of the group and returns this process's part. */
  #part(value: Value, dim: number): Value {
    const shape = shapeOf(value);
    const size = shape[dim]! / this.#groups[0]!.length;
    const starts = upTo(this.#groups.flat().length).map(p => placeIn(this.#groups, p) * size);
    const r = this.#r;
    const at = shape.map((_, d) => (d === dim ? ofRank(r, starts) : number(r, 0)));
    return r.emit1('dynamic_slice', [value, ...at], { sliceSizes: shape.with(dim, size) });
  }
  /** The slices along the first dim, combined pairwise in order, as the runtime does it: (0 + 1) + (2 + 3). */
  #folded(members: Value, region: Region): Value {
    const r = this.#r;
    const count = elementAt(shapeOf(members), 0);
    const shape = shapeOf(members).slice(1);
    const slice = (i: number): Value => {
      const startIndices = [i, ...shape.map(() => 0)];
      const one = r.emit1('slice', [members], {
        startIndices,
        limitIndices: [i + 1, ...shape],
        strides: startIndices.map(() => 1),
      });
      return r.emit1('reshape', [one], { shape });
    };
    const dimensions = upTo(shape.length);
    let level = upTo(count).map(slice);
    while (level.length > 1)
      level = level.flatMap((left, i) => {
        if (i % 2 === 1) return [];
        const right = level[i + 1];
        return [right === undefined ? left : r.emit1('map', [left, right], { dimensions }, [region])];
      });
    return level[0]!;
  }
}
