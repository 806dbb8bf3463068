// Rows of the collectives that move data among the processes of a group, and of those that have a root.
import { zip } from '../../base/zip.ts';
import type { Collective, Rooted } from '../attributes.ts';
import type { Literal } from '../literal.ts';
import { splat, zeros } from '../literal.ts';
import { type Rows, tensors } from '../op-row.ts';
import { movingStrategy, reducingStrategy } from '../process-groups.ts';
import { tensorTypeOf } from '../program.ts';
import { literalsOf, type RuntimeValue } from '../steps.ts';
import { dynamicDim, formatType, stridesOf, type TensorType, type Type } from '../types.ts';
import { boundedType } from './bounds.ts';
import { countOf, regionOps, streaming } from './costs.ts';
import { affineIndices, put, take } from './indices.ts';
import { checkIds, reduced, scaled } from './reducing-collectives.ts';
import { columnOf, rendezvous, rendezvousIfIn } from './rendezvous.ts';
import { type Checker, checkerOf, checkReducer, isUnique, withShape } from './shape-checks.ts';

const allToAllChecks: Checker = checkerOf('all_to_all');
const permuteChecks: Checker = checkerOf('collective_permute');
const broadcastChecks: Checker = checkerOf('collective_broadcast');
const reduceChecks: Checker = checkerOf('collective_reduce');
const sumChecks: Checker = checkerOf('cross-replica-sum');

type Groups = readonly (readonly number[])[];
const show = (groups: Groups): string => JSON.stringify(groups);

/** The operands that carry data, given that the last one holds the roots if `hasDynamicRoot`. */
function dataTypes(
  require: Checker,
  constraints: readonly [number, number],
  operands: readonly Type[],
  rooted: Rooted,
) {
  const types = tensors('a rooted collective', operands);
  if (rooted.hasDynamicRoot !== true) {
    require(types.length >= 1, constraints[0], () => 'takes at least one operand');
    return types;
  }
  require(types.length >= 2, constraints[1], () => 'takes at least one operand besides the roots');
  const [roots, count] = [types.at(-1)!, types.length - 1];
  require(roots.elementType === 'i32' && roots.shape.length === 1 && roots.shape[0] === count, constraints[1], () =>
    `the roots must be tensor<${count}xi32>, got ${formatType(roots)}`);
  return types.slice(0, -1);
}

/** The result of a process that receives nothing. */
const nothing = (type: TensorType): Literal =>
  type.quantization === undefined ? zeros(type) : splat(type, type.quantization.zeroPoints[0]!);

/** For each data operand, the member of the group that is its root. */
function rootsOf(require: Checker, rooted: Rooted, operands: readonly RuntimeValue[], members: number): number[] {
  if (rooted.hasDynamicRoot !== true) return operands.map(() => 0);
  const roots = Array.from((operands.at(-1) as Literal).data, Number);
  require(roots.every(root => root >= 0 && root < members), 6, () =>
    `the roots ${show([roots])} are not all among the ${members} members of the group`);
  return roots;
}

export const movingCollectiveRows: Rows<
  'all_to_all' | 'collective_permute' | 'collective_broadcast' | 'collective_reduce' | 'cross-replica-sum'
> = {
  all_to_all: {
    name: 'all_to_all',
    kind: 'collective',
    pure: false,
    infer(operands, { splitDimension, concatDimension, splitCount, replicaGroups, meshAxes }) {
      const types = tensors('all_to_all', operands);
      allToAllChecks(splitCount > 0, 4, () => `the split count must be above 0, got ${splitCount}`);
      if (meshAxes === undefined) {
        checkIds(allToAllChecks, replicaGroups, { unique: 5, range: 7 }, false);
        allToAllChecks(
          replicaGroups.length > 0 && replicaGroups.every(group => group.length === splitCount),
          8,
          () => `groups must have ${splitCount} members each, the split count; got ${show(replicaGroups)}`,
        );
      }
      return types.map(type => {
        const { shape } = type;
        allToAllChecks(
          splitDimension >= 0 && splitDimension < shape.length,
          1,
          () => `dim ${splitDimension} is not one of ${formatType(type)}`,
        );
        allToAllChecks(
          concatDimension >= 0 && concatDimension < shape.length,
          3,
          () => `dim ${concatDimension} is not one of ${formatType(type)}`,
        );
        const size = shape[splitDimension]!;
        allToAllChecks(
          size === dynamicDim || size % splitCount === 0,
          2,
          () => `dim ${splitDimension} of ${formatType(type)} is not divisible by the split count ${splitCount}`,
        );
        const split = scaled(type, splitDimension, d => d / splitCount);
        return scaled(split, concatDimension, d => d * splitCount);
      });
    },
    *execute(op, operands, process) {
      const { splitDimension, concatDimension, splitCount } = op.attributes;
      const { members, mine } = yield* rendezvous(op, movingStrategy(op.attributes), operands, process);
      return members[0]!.map((operand, i) => {
        const part = scaled(operand.type, splitDimension, d => d / splitCount);
        const out = zeros(scaled(part, concatDimension, d => d * splitCount));
        const [from, to] = [stridesOf(operand.type.shape), stridesOf(out.type.shape)];
        columnOf(members, i).forEach((sent, sender) => {
          const start = mine * part.shape[splitDimension]! * from[splitDimension]!;
          const received = take(part, sent, affineIndices(part.shape, from, start));
          put(
            out,
            received,
            affineIndices(part.shape, to, sender * part.shape[concatDimension]! * to[concatDimension]!),
          );
        });
        return out;
      });
    },
    cost: op => streaming(op),
  },
  collective_permute: {
    name: 'collective_permute',
    kind: 'collective',
    pure: false,
    infer(operands, { sourceTargetPairs }) {
      const [type] = tensors('collective_permute', operands);
      permuteChecks(
        sourceTargetPairs.every(pair => pair.length === 2),
        1,
        () => `takes pairs of a source and a target, got ${show(sourceTargetPairs)}`,
      );
      for (const [at, constraint] of [
        [0, 2],
        [1, 3],
      ] as const) {
        permuteChecks(
          isUnique(sourceTargetPairs.map(pair => pair[at]!)),
          constraint,
          () => `a ${at === 0 ? 'source' : 'target'} is in two pairs: ${show(sourceTargetPairs)}`,
        );
      }
      permuteChecks(
        sourceTargetPairs.flat().every(id => id >= 0),
        4,
        () => `ids must not be below 0, got ${show(sourceTargetPairs)}`,
      );
      return [type];
    },
    *execute(op, operands, process) {
      const { sourceTargetPairs } = op.attributes;
      const group = [...new Set(sourceTargetPairs.flat())];
      const strategy = movingStrategy(op.attributes);
      const meeting = group.length === 0 ? undefined : yield* rendezvousIfIn(op, [group], strategy, operands, process);
      const me = meeting === undefined ? -1 : group[meeting.mine]!;
      const source = sourceTargetPairs.find(([, target]) => target === me)?.[0];
      if (meeting === undefined || source === undefined) return literalsOf(operands).map(({ type }) => nothing(type));
      return meeting.members[group.indexOf(source)]!;
    },
    cost: op => streaming(op),
  },
  collective_broadcast: {
    name: 'collective_broadcast',
    kind: 'collective',
    pure: false,
    infer(operands, { replicaGroups, ...attributes }) {
      const ids = replicaGroups.flat();
      broadcastChecks(isUnique(ids), 1, () => `an id is in the groups twice: ${show(replicaGroups)}`);
      broadcastChecks(
        ids.every(id => id >= 0),
        2,
        () => `ids must not be below 0, got ${show(replicaGroups)}`,
      );
      return dataTypes(broadcastChecks, [3, 4], operands, attributes);
    },
    *execute(op, operands, process) {
      const groups = process.groupsOf(op.attributes);
      const meeting = yield* rendezvousIfIn(op, groups, movingStrategy(op.attributes), operands, process);
      const data = literalsOf(operands).slice(0, op.results.length);
      if (meeting === undefined) return data.map(({ type }) => nothing(type));
      const roots = rootsOf(broadcastChecks, op.attributes, operands, meeting.members.length);
      return op.results.map((_, i) => meeting.members[roots[i]!]![i]!);
    },
    cost: op => streaming(op),
  },
  collective_reduce: {
    name: 'collective_reduce',
    kind: 'collective',
    pure: false,
    infer(operands, attributes, [region]) {
      const { replicaGroups, meshAxes, useGlobalDeviceIds, channelId = 0 }: Collective = attributes;
      if (meshAxes === undefined) {
        checkIds(reduceChecks, replicaGroups, { unique: 1, range: 2 }, true);
        reduceChecks(!useGlobalDeviceIds || replicaGroups.flat().length > 0, 2, () => 'global device ids need groups');
      }
      reduceChecks(
        !useGlobalDeviceIds || channelId > 0,
        'channel',
        () => 'global device ids need a channel id above 0',
      );
      const types = dataTypes(reduceChecks, [3, 3], operands, attributes);
      return types.map(type => boundedType(checkReducer(reduceChecks, 4, region, [type])[0]!, type.shape, type.bounds));
    },
    *execute(op, operands, process) {
      const groups = process.groupsOf(op.attributes);
      const meeting = yield* rendezvousIfIn(op, groups, reducingStrategy(op.attributes), operands, process);
      const roots = meeting && rootsOf(reduceChecks, op.attributes, operands, meeting.members.length);
      const data = literalsOf(operands).slice(0, op.results.length);
      return zip(op.results, data).map(([v, { type }], i) =>
        meeting !== undefined && roots?.[i] === meeting.mine
          ? reduced(columnOf(meeting.members, i), op.regions[0], process)
          : nothing(withShape(tensorTypeOf(v), type.shape)),
      );
    },
    cost: op => streaming(op, countOf(op.operands[0].type) * regionOps(op.regions[0])),
  },
  'cross-replica-sum': {
    name: 'cross-replica-sum',
    kind: 'collective',
    pure: false,
    infer(operands, { replicaGroups }) {
      checkIds(sumChecks, replicaGroups, { unique: 1, range: 3 }, true);
      return tensors('cross-replica-sum', operands);
    },
    decompose(builder, { attributes: { replicaGroups } }, operands) {
      const { elementType } = operands[0].type as TensorType;
      return builder.emit('all_reduce', operands, { replicaGroups }, [builder.combiner('add', elementType)]);
    },
    cost: op => streaming(op, countOf(op.operands[0].type)),
  },
};
