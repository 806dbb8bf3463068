// Collectives among some of the processes, and those that hand parts around, said in the one that the runtime has for any
// bytes: every process gets what all of them bring (all_gather), and takes its part of it by tables of who is where.
import type { ComparisonDirection } from '../hlo/attributes.ts';
import { literal, splat } from '../hlo/literal.ts';
import { movingStrategy, processGroups, reducingStrategy } from '../hlo/process-groups.ts';
import type { Op, Region, Value } from '../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../hlo/program.ts';
import { meshGroups } from '../hlo/sharding/of-module.ts';
import { tensorType } from '../hlo/types.ts';
import type { Rewriter, Rule } from './rewriter.ts';

type Exchange = Op<
  | 'all_reduce'
  | 'all_gather'
  | 'reduce_scatter'
  | 'all_to_all'
  | 'collective_permute'
  | 'collective_broadcast'
  | 'collective_reduce'
>;
type Groups = readonly (readonly number[])[];

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

export const exchangeRule: Rule = (op, r) => {
  const processes = r.module.numReplicas * r.module.numPartitions;
  switch (op.name) {
    case 'all_reduce':
    case 'all_gather':
    case 'reduce_scatter': {
      const groups = groupsOf(op, r);
      // of all processes, in order: as the runtime has it
      const isAll = groups.length === 1 && groups[0]!.length === processes && groups[0]!.every((p, i) => p === i);
      if (isAll || processes === 1 || !isRegular(groups, processes)) return undefined;
      return op.operands.map((v, i) => new Meeting(r, processes).ofGroups(op, v, groups, shapeOf(op.results[i]!)));
    }
    case 'all_to_all': {
      const groups = groupsOf(op, r);
      if (!isRegular(groups, processes)) return undefined;
      if (processes === 1) return op.operands;
      return op.operands.map((v, i) => new Meeting(r, processes).ofGroups(op, v, groups, shapeOf(op.results[i]!)));
    }
    case 'collective_permute': {
      const group = [...new Set(op.attributes.sourceTargetPairs.flat())];
      const sent = group.length === 0 ? [] : processGroups([group], r.module, movingStrategy(op.attributes));
      if (sent.flat().some(p => p >= processes)) return undefined;
      const sources = upTo(processes).map(() => -1);
      // the pairs are of replicas or of partitions: what they are to processes, the groups of all of them in turn say
      for (const members of sent)
        for (const [from, to] of op.attributes.sourceTargetPairs)
          sources[members[group.indexOf(to)]!] = members[group.indexOf(from)]!;
      return [new Meeting(r, processes).from(sources, op.operands[0]!)];
    }
    case 'collective_broadcast': {
      const groups = groupsOf(op, r);
      if (groups.flat().some(p => p >= processes)) return undefined;
      return dataOf(op).map((v, i) => new Meeting(r, processes).ofRoot(v, groups, rootOf(op, i, r)));
    }
    case 'collective_reduce': {
      const groups = groupsOf(op, r);
      if (!isRegular(groups, processes)) return undefined;
      const { hasDynamicRoot: _, ...attributes } = op.attributes;
      return dataOf(op).map((v, i) => {
        const sum = r.emit1('all_reduce', [v], attributes, op.regions);
        return new Meeting(r, processes).atRoot(sum, groups, rootOf(op, i, r));
      });
    }
    default:
      return undefined;
  }
};

type Rooted = Op<'collective_broadcast' | 'collective_reduce'>;
const dataOf = (op: Rooted): readonly Value[] =>
  op.attributes.hasDynamicRoot ? op.operands.slice(0, -1) : op.operands;
/** Which member of the group an operand has as its root: a scalar where the program says it, else the first. */
function rootOf(op: Rooted, operand: number, r: Rewriter): Value | undefined {
  if (!op.attributes.hasDynamicRoot) return undefined;
  const one = { startIndices: [operand], limitIndices: [operand + 1], strides: [1] };
  return r.emit1('reshape', [r.emit1('slice', [op.operands.at(-1)!], one)], { shape: [] });
}

function groupsOf(op: Exclude<Exchange, Op<'collective_permute'>>, r: Rewriter): Groups {
  const { meshAxes, replicaGroups } = op.attributes;
  const reduces = op.name === 'all_to_all' || op.name === 'collective_broadcast' ? movingStrategy : reducingStrategy;
  return meshAxes === undefined
    ? processGroups(replicaGroups, r.module, reduces(op.attributes))
    : processGroups(meshGroups(meshAxes, r.module), r.module, 'flattened_ids');
}
/** Every process in one group, all of one size. */
const isRegular = (groups: Groups, processes: number): boolean =>
  groups.every(g => g.length === groups[0]!.length) && new Set(groups.flat()).size === processes;

class Meeting {
  readonly #r: Rewriter;
  readonly #processes: number;

  constructor(r: Rewriter, processes: number) {
    this.#r = r;
    this.#processes = processes;
  }

  /** What this process finds in a table with one row of numbers for each process. */
  #mine(table: Groups): Value {
    const r = this.#r;
    const width = table[0]!.length;
    const partitions = r.emit1('constant', [], { value: literal('ui32', [], [r.module.numPartitions]) });
    const row = r.emit1('multiply', [r.emit1('replica_id', [], {}), partitions], {});
    const rank = r.emit1('add', [row, r.emit1('partition_id', [], {})], {});
    const start = [r.emit1('convert', [rank], { elementType: 'i32' }), this.#number(0)];
    const rows = r.emit1('constant', [], { value: literal('i32', [table.length, width], table.flat()) });
    const found = r.emit1('dynamic_slice', [rows, ...start], { sliceSizes: [1, width] });
    return r.emit1('reshape', [found], { shape: [width] });
  }
  #number(value: number): Value {
    return this.#r.emit1('constant', [], { value: literal('i32', [], [value]) });
  }
  #scalar(of: readonly number[]): Value {
    return this.#r.emit1('reshape', [this.#mine(of.map(n => [n]))], { shape: [] });
  }

  /** What the processes of these ids (a vector) bring: one slice each, along a new first dim. */
  #gathered(value: Value, ids: Value): Value {
    const r = this.#r;
    const shape = shapeOf(value);
    const all = r.emit1('all_gather', [r.emit1('reshape', [value], { shape: [1, ...shape] })], {
      allGatherDim: 0,
      replicaGroups: [upTo(this.#processes)],
      useGlobalDeviceIds: true,
      channelId: 1,
    });
    const count = shapeOf(ids)[0]!;
    return r.emit1('gather', [all, r.emit1('reshape', [ids], { shape: [count, 1] })], {
      dimensionNumbers: {
        offsetDims: shape.map((_, d) => d + 1),
        collapsedSliceDims: [0],
        operandBatchingDims: [],
        startIndicesBatchingDims: [],
        startIndexMap: [0],
        indexVectorDim: 1,
      },
      sliceSizes: [1, ...shape],
      indicesAreSorted: false,
    });
  }

  ofGroups(
    op: Op<'all_reduce' | 'all_gather' | 'reduce_scatter' | 'all_to_all'>,
    value: Value,
    groups: Groups,
    shape: readonly number[],
  ): Value {
    const groupOf = (p: number): readonly number[] => groups.find(g => g.includes(p))!;
    const places = upTo(this.#processes).map(p => groupOf(p).indexOf(p));
    const members = this.#gathered(value, this.#mine(upTo(this.#processes).map(groupOf)));
    switch (op.name) {
      case 'all_gather':
        return this.#joined(members, op.attributes.allGatherDim, shape);
      case 'all_to_all': {
        const { splitDimension, concatDimension, splitCount } = op.attributes;
        return this.#joined(this.#part(members, splitDimension + 1, splitCount, places), concatDimension, shape);
      }
      case 'all_reduce':
        return this.#reduced(members, op.regions[0]!);
      case 'reduce_scatter':
        return this.#part(
          this.#reduced(members, op.regions[0]!),
          op.attributes.scatterDimension,
          groups[0]!.length,
          places,
        );
    }
  }

  /** The slices along the first dim, one after another along another dim. */
  #joined(members: Value, dim: number, shape: readonly number[]): Value {
    const rank = shapeOf(members).length;
    const permutation = [...upTo(rank).slice(1, dim + 1), 0, ...upTo(rank).slice(dim + 1)];
    return this.#r.emit1('reshape', [this.#r.emit1('transpose', [members], { permutation })], { shape });
  }
  /** Of `parts` parts along a dim, the one at this process's place. */
  #part(value: Value, dim: number, parts: number, places: readonly number[]): Value {
    const shape = shapeOf(value);
    const size = shape[dim]! / parts;
    const starts = shape.map((_, d) => (d === dim ? this.#scalar(places.map(p => p * size)) : this.#number(0)));
    return this.#r.emit1('dynamic_slice', [value, ...starts], { sliceSizes: shape.with(dim, size) });
  }
  /** The slices along the first dim, combined pairwise in order, as the runtime does it: (0 + 1) + (2 + 3). */
  #reduced(members: Value, region: Region): Value {
    const r = this.#r;
    const [count, ...shape] = shapeOf(members) as [number, ...number[]];
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

  /** For each process the id of the one it gets its value from; nothing, that is zeros, from -1. */
  from(sources: readonly number[], value: Value): Value {
    const ids = this.#mine(sources.map(s => [Math.max(s, 0)]));
    return this.#where(this.#holds('GE', sources, this.#number(0)), this.#from(ids, value));
  }
  #from(ids: Value, value: Value): Value {
    return this.#r.emit1('reshape', [this.#gathered(value, ids)], { shape: shapeOf(value) });
  }

  /** What the root of its group brings; nothing for processes of no group. */
  ofRoot(value: Value, groups: Groups, root: Value | undefined): Value {
    if (root === undefined) {
      const sources = upTo(this.#processes).map(p => groups.find(g => g.includes(p))?.[0] ?? -1);
      return this.from(sources, value);
    }
    const width = Math.max(1, ...groups.map(g => g.length));
    const members = upTo(this.#processes).map(p => groups.find(g => g.includes(p)));
    const rows = this.#mine(members.map(g => upTo(width).map(i => g?.[i] ?? 0)));
    const ids = this.#r.emit1('dynamic_slice', [rows, root], { sliceSizes: [1] });
    const grouped = members.map(g => (g === undefined ? -1 : 0));
    return this.#where(this.#holds('GE', grouped, this.#number(0)), this.#from(ids, value));
  }
  /** The value at the root of its group, nothing at the other processes. */
  atRoot(value: Value, groups: Groups, root: Value | undefined): Value {
    const places = upTo(this.#processes).map(p => groups.find(g => g.includes(p))!.indexOf(p));
    return this.#where(this.#holds('EQ', places, root ?? this.#number(0)), value);
  }
  #holds(comparisonDirection: ComparisonDirection, numbers: readonly number[], other: Value): Value {
    const attributes = { comparisonDirection, compareType: 'SIGNED' } as const;
    return this.#r.emit1('compare', [this.#scalar(numbers), other], attributes);
  }
  #where(holds: Value, value: Value): Value {
    const r = this.#r;
    const { elementType, shape, quantization } = tensorTypeOf(value);
    const stored = quantization?.zeroPoints[0] ?? 0;
    const zero = r.emit1('constant', [], {
      value: splat({ ...tensorType(elementType), ...(quantization && { quantization }) }, stored),
    });
    const none = r.emit1('broadcast_in_dim', [zero], { broadcastDimensions: [], shape });
    return r.emit1('select', [holds, value, none], {});
  }
}
