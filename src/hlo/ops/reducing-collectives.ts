// Rows of the collectives that combine data. Each process of a group computes from the operands of all of them, in the
// order of the group; so that all get bit-identical results.
import type { Collective } from '../attributes.ts';
import type { Literal } from '../literal.ts';
import { zeros } from '../literal.ts';
import { type EvaluationContext, type Rows, tensors } from '../op-row.ts';
import { reducingStrategy } from '../process-groups.ts';
import type { Region } from '../program.ts';
import { dynamicDim, elementCount, formatType, stridesOf, type TensorType, tensorType } from '../types.ts';
import { boundedType, mapExtents } from './bounds.ts';
import { countOf, regionOps, streaming } from './costs.ts';
import { affineIndices, put, take } from './indices.ts';
import { accumulatorOf, accumulatorTypes, finished, foldOf, sourceOf } from './reducers.ts';
import { columnOf, rendezvous } from './rendezvous.ts';
import { type Checker, checkerOf, checkReducer, dimsAgree, isUnique, sameElements, withShape } from './shape-checks.ts';

const allReduceChecks: Checker = checkerOf('all_reduce');
const allGatherChecks: Checker = checkerOf('all_gather');
const reduceScatterChecks: Checker = checkerOf('reduce_scatter');

/** Checks that ids are unique and are 0 … n - 1. With `ragged`, shorter groups are padded with -1. */
export function checkIds(
  require: Checker,
  groups: Collective['replicaGroups'],
  constraints: { unique: number; range: number },
  ragged: boolean,
): void {
  const ids = groups.flat().filter(id => id !== -1 || !ragged);
  require(isUnique(ids), constraints.unique, () => `an id is in the groups twice: ${JSON.stringify(groups)}`);
  require(ids.every(id => id >= 0 && id < ids.length), constraints.range, () =>
    `the groups must hold each id from 0 up once, got ${JSON.stringify(groups)}`);
}
function checkGroups(
  require: Checker,
  constraints: { unique: number; range: number; global: number },
  { replicaGroups, meshAxes, useGlobalDeviceIds, channelId = 0 }: Collective,
  ragged: boolean,
): void {
  require(!useGlobalDeviceIds || channelId > 0, constraints.global, () =>
    'global device ids need a channel id above 0');
  if (meshAxes !== undefined) return;
  checkIds(require, replicaGroups, constraints, ragged);
  require(ragged || replicaGroups.every(g => g.length === replicaGroups[0]!.length), constraints.range, () =>
    `groups must have one size, got ${JSON.stringify(replicaGroups)}`);
  require(!useGlobalDeviceIds || replicaGroups.some(g => g.length > 0), constraints.range, () =>
    'global device ids need groups');
}
/** The number of processes of a group; undefined if it depends on the grid, as for groups that span partitions. */
function groupSize({ replicaGroups, meshAxes, useGlobalDeviceIds, channelId = 0 }: Collective): number | undefined {
  const size = replicaGroups[0]?.length ?? 0;
  if (size === 0 || meshAxes !== undefined || (channelId > 0 && !useGlobalDeviceIds)) return undefined;
  return size;
}

/** A type with another size and bound along one dim; unknown if `scale` is undefined. */
export function scaled(type: TensorType, dim: number, scale: (sizeOrBound: number) => number | undefined): TensorType {
  return mapExtents(type, (size, d) => (d === dim ? (scale(size) ?? dynamicDim) : size));
}

/** Whether two shapes agree in all dims but one. */
const agreeBut = (dim: number, a: TensorType, b: TensorType): boolean =>
  a.shape.length === b.shape.length && a.shape.every((size, d) => d === dim || dimsAgree(size, b.shape[d]!));

/** The element-wise reduction of one operand over the members of a group, in group order, floats summed in f64. */
export function reduced(members: readonly Literal[], region: Region, context: EvaluationContext): Literal {
  const [type] = accumulatorTypes(region);
  const { shape } = members[0]!.type;
  const fold = foldOf(region, context);
  const count = elementCount(shape); // of complex numbers the accumulator has two entries each
  const accumulator = accumulatorOf(type!, count, members[0]!);
  for (const member of members.slice(1)) {
    const sources = [sourceOf(member, type!)];
    for (let i = 0; i < count; i++) fold([accumulator], i, sources, i);
  }
  return finished(tensorType(type!, shape), accumulator);
}

export const collectiveRows: Rows<'all_reduce' | 'all_gather' | 'reduce_scatter'> = {
  all_reduce: {
    name: 'all_reduce',
    kind: 'collective',
    pure: false,
    infer(operands, attributes, [region]) {
      const types = tensors('all_reduce', operands);
      checkGroups(allReduceChecks, { unique: 1, range: 3, global: 4 }, attributes, true);
      return types.map(type =>
        boundedType(checkReducer(allReduceChecks, 5, region, [type])[0]!, type.shape, type.bounds),
      );
    },
    *execute(op, operands, process) {
      const { members } = yield* rendezvous(op, reducingStrategy(op.attributes), operands, process);
      return operands.map((_, i) => reduced(columnOf(members, i), op.regions[0], process));
    },
    cost: op => streaming(op, op.operands.reduce((sum, v) => sum + countOf(v.type), 0) * regionOps(op.regions[0])),
  },
  all_gather: {
    name: 'all_gather',
    kind: 'collective',
    pure: false,
    infer(operands, attributes) {
      const types = tensors('all_gather', operands);
      const { allGatherDim } = attributes;
      allGatherChecks(
        types.every(t => allGatherDim >= 0 && allGatherDim < t.shape.length),
        1,
        () => `dim ${allGatherDim} is not one of ${types.map(formatType).join(', ')}`,
      );
      checkGroups(allGatherChecks, { unique: 2, range: 4, global: 5 }, attributes, false);
      allGatherChecks(
        types.every(t => t.shape[allGatherDim] !== 0),
        6,
        () => `dim ${allGatherDim} of ${types.map(formatType).join(', ')} must not be empty`,
      );
      const size = groupSize(attributes);
      return types.map(t => scaled(t, allGatherDim, d => (size === undefined ? undefined : d * size)));
    },
    // With fewer processes than the groups list, less is gathered.
    stated: 'sizes',
    verify({ operands, attributes: { allGatherDim }, results }) {
      operands.forEach((operand, i) => {
        const [from, to] = [operand.type, results[i]!.type] as [TensorType, TensorType];
        const [part, whole] = [from.shape[allGatherDim]!, to.shape[allGatherDim]!];
        allGatherChecks(
          sameElements(from, to) &&
            agreeBut(allGatherDim, from, to) &&
            (part === dynamicDim || whole === dynamicDim || whole % part === 0),
          6,
          () => `${formatType(to)} is not a concatenation of ${formatType(from)} along dim ${allGatherDim}`,
        );
      });
    },
    *execute(op, operands, process) {
      const { allGatherDim } = op.attributes;
      const { members } = yield* rendezvous(op, reducingStrategy(op.attributes), operands, process);
      return members[0]!.map((operand, i) => {
        const { shape } = operand.type;
        const out = zeros(
          withShape(
            operand.type,
            shape.map((d, k) => (k === allGatherDim ? d * members.length : d)),
          ),
        );
        const strides = stridesOf(out.type.shape);
        members.forEach((member, m) => {
          put(out, member[i]!, affineIndices(shape, strides, m * shape[allGatherDim]! * strides[allGatherDim]!));
        });
        return out;
      });
    },
    cost: op => streaming(op),
  },
  reduce_scatter: {
    name: 'reduce_scatter',
    kind: 'collective',
    pure: false,
    infer(operands, attributes, [region]) {
      const [x] = tensors('reduce_scatter', operands);
      const { scatterDimension } = attributes;
      reduceScatterChecks(
        scatterDimension >= 0 && scatterDimension < x.shape.length,
        2,
        () => `dim ${scatterDimension} is not one of ${formatType(x)}`,
      );
      checkGroups(reduceScatterChecks, { unique: 3, range: 5, global: 6 }, attributes, false);
      const size = groupSize(attributes);
      const dim = x.shape[scatterDimension]!;
      reduceScatterChecks(
        dim === dynamicDim || (dim > 0 && (size === undefined || dim % size === 0)),
        1,
        () => `dim ${scatterDimension} of ${formatType(x)} is not divisible by the group's size ${size}`,
      );
      const [type] = checkReducer(reduceScatterChecks, 7, region, [x]);
      const whole = boundedType(type!, x.shape, x!.bounds);
      return [scaled(whole, scatterDimension, d => (size === undefined ? undefined : d / size))];
    },
    stated: 'sizes',
    verify({ operands, attributes: { scatterDimension }, regions, results }) {
      const [from, to] = [operands[0].type, results[0].type] as [TensorType, TensorType];
      const [whole, part] = [from.shape[scatterDimension]!, to.shape[scatterDimension]!];
      reduceScatterChecks(
        agreeBut(scatterDimension, from, to) &&
          (whole === dynamicDim || part === dynamicDim || (part > 0 && whole % part === 0)),
        8,
        () => `${formatType(to)} is not a part of ${formatType(from)} along dim ${scatterDimension}`,
      );
      const sum = regions[0].results[0]!.type as TensorType;
      reduceScatterChecks(
        sameElements(sum, to),
        9,
        () => `the region returns ${formatType(sum)}, the result is ${formatType(to)}`,
      );
    },
    *execute(op, operands, process) {
      const { scatterDimension } = op.attributes;
      const { members, mine } = yield* rendezvous(op, reducingStrategy(op.attributes), operands, process);
      const whole = reduced(columnOf(members, 0), op.regions[0], process);
      const { shape } = whole.type;
      const part = shape.map((d, i) => (i === scatterDimension ? d / members.length : d));
      const strides = stridesOf(shape);
      const type: TensorType = tensorType(whole.type.elementType, part);
      return [
        take(type, whole, affineIndices(part, strides, mine * part[scatterDimension]! * strides[scatterDimension]!)),
      ];
    },
    cost: op => streaming(op, countOf(op.operands[0].type) * regionOps(op.regions[0])),
  },
};
