// Rows of the collectives. Each evaluates from what `context.exchange` gives it: the operands of every process of its
// group, in the order of the group; so that all compute the same result, to the bit.
import type { Collective } from '../attributes.ts';
import type { Literal } from '../literal.ts';
import { zeros } from '../literal.ts';
import { check, type EvaluationContext, type Rows, tensors } from '../op-row.ts';
import type { Region } from '../program.ts';
import { dynamicDim, elementCount, formatType, stridesOf, type TensorType, tensorType } from '../types.ts';
import { countOf, regionOps, streaming } from './costs.ts';
import { affineIndices, put, take } from './indices.ts';
import { accumulatorOf, accumulatorTypes, finished, foldOf, sourceOf } from './reducers.ts';
import { type Checker, checkerOf, checkReducer, isUnique, withShape } from './shape-checks.ts';

const allReduceChecks: Checker = checkerOf('all_reduce');
const allGatherChecks: Checker = checkerOf('all_gather');
const reduceScatterChecks: Checker = checkerOf('reduce_scatter');

function checkGroups(
  require: Checker,
  constraints: { unique: number; range: number; global: number },
  { replicaGroups, useGlobalDeviceIds, channelId }: Collective,
): void {
  const ids = replicaGroups.flat();
  require(isUnique(ids), constraints.unique, () =>
    `a process is in two replica groups: ${JSON.stringify(replicaGroups)}`);
  require(ids.every(id => Number.isInteger(id) && id >= 0), constraints.range, () =>
    `replica groups hold process ids, got ${JSON.stringify(replicaGroups)}`);
  require(!useGlobalDeviceIds || (channelId ?? 0) > 0, constraints.global, () =>
    'global device ids need a channel id above 0');
}
function groupSize(op: string, { replicaGroups }: Collective): number {
  const size = replicaGroups[0]?.length ?? 0;
  check(
    size > 0 && replicaGroups.every(g => g.length === size),
    op,
    `trenio_${op}_groups`,
    () => `replica groups must be given and have one size, got ${JSON.stringify(replicaGroups)}`,
  );
  return size;
}

/** The element-wise reduction of one operand over the members of a group, in group order, floats summed in f64. */
function reduced(members: readonly Literal[], region: Region, context: EvaluationContext): Literal {
  const [type] = accumulatorTypes(region);
  const { shape } = members[0]!.type;
  const fold = foldOf(region, context);
  const accumulator = accumulatorOf(type!, elementCount(shape));
  (accumulator as Float64Array).set(sourceOf(members[0]!, type!) as Float64Array);
  for (const member of members.slice(1)) {
    const sources = [sourceOf(member, type!)];
    for (let i = 0; i < accumulator.length; i++) fold([accumulator], i, sources, i);
  }
  return finished(tensorType(type!, shape), accumulator);
}

export const collectiveRows: Rows<'all_reduce' | 'all_gather' | 'reduce_scatter'> = {
  all_reduce: {
    name: 'all_reduce',
    kind: 'collective',
    pure: false,
    infer(operands, attributes, regions) {
      const types = tensors('all_reduce', operands);
      checkGroups(allReduceChecks, { unique: 1, range: 3, global: 4 }, attributes);
      return types.map(type => tensorType(checkReducer(allReduceChecks, 5, regions, [type])[0]!, type.shape));
    },
    evaluate(op, operands, context) {
      const members = context.exchange(op.attributes.replicaGroups, operands);
      return operands.map((_, i) =>
        reduced(
          members.map(m => m[i]!),
          op.regions[0]!,
          context,
        ),
      );
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
      checkGroups(allGatherChecks, { unique: 2, range: 4, global: 5 }, attributes);
      const size = groupSize('all_gather', attributes);
      return types.map(t =>
        withShape(
          t,
          t.shape.map((d, i) => (i === allGatherDim && d !== dynamicDim ? d * size : d)),
        ),
      );
    },
    evaluate(op, operands, context) {
      const { allGatherDim, replicaGroups } = op.attributes;
      const members = context.exchange(replicaGroups, operands);
      return operands.map((operand, i) => {
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
    infer(operands, attributes, regions) {
      const [x] = tensors('reduce_scatter', operands, 1);
      const { scatterDimension } = attributes;
      reduceScatterChecks(
        scatterDimension >= 0 && scatterDimension < x!.shape.length,
        2,
        () => `dim ${scatterDimension} is not one of ${formatType(x!)}`,
      );
      checkGroups(reduceScatterChecks, { unique: 3, range: 5, global: 6 }, attributes);
      const size = groupSize('reduce_scatter', attributes);
      const dim = x!.shape[scatterDimension]!;
      reduceScatterChecks(
        dim === dynamicDim || dim % size === 0,
        1,
        () => `dim ${scatterDimension} of ${formatType(x!)} is not divisible by the group's size ${size}`,
      );
      const [type] = checkReducer(reduceScatterChecks, 7, regions, [x!]);
      return [
        tensorType(
          type!,
          x!.shape.map((d, i) => (i === scatterDimension && d !== dynamicDim ? d / size : d)),
        ),
      ];
    },
    evaluate(op, operands, context) {
      const { scatterDimension, replicaGroups } = op.attributes;
      const members = context.exchange(replicaGroups, operands);
      const whole = reduced(
        members.map(m => m[0]!),
        op.regions[0]!,
        context,
      );
      const mine = Math.max(members.indexOf(operands), 0);
      const { shape } = whole.type;
      const part = shape.map((d, i) => (i === scatterDimension ? d / members.length : d));
      const strides = stridesOf(shape);
      const type: TensorType = tensorType(whole.type.elementType, part);
      return [
        take(type, whole, affineIndices(part, strides, mine * part[scatterDimension]! * strides[scatterDimension]!)),
      ];
    },
    cost: op => streaming(op, countOf(op.operands[0]!.type) * regionOps(op.regions[0])),
  },
};
