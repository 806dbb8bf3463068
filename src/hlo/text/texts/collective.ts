// Collectives, and transfers between processes and hosts.
import type { Channel, Collective } from '../../attributes.ts';
import { meshAxesPrefix, printMeshAxes, readMeshAxes } from '../../sharding/mesh-axes.ts';
import { boolean, fromText, groups, integer, pairs } from '../codecs.ts';
import { flag, given, type OpTexts, optional, type Part, unless, withResultTypes } from '../op-text.ts';
import { channel } from '../struct-codecs.ts';

type Groups = Pick<Collective, 'replicaGroups' | 'meshAxes'>;
const writeGroups = ({ replicaGroups, meshAxes }: Groups): string =>
  meshAxes === undefined ? groups.write(replicaGroups) : printMeshAxes(meshAxes);
/** Lists of processes, or axes of a mesh. */
const replicaGroups: Part<Groups> = {
  name: 'replica_groups',
  read(node, op, source) {
    if (node === undefined) return source.refuse(op.at, `the attribute 'replica_groups' of ${op.name}`, 'none');
    const isMesh = node.kind === 'opaque' && source.textOf(node).startsWith(meshAxesPrefix);
    return isMesh
      ? { replicaGroups: [], meshAxes: fromText(node, source, readMeshAxes) }
      : { replicaGroups: groups.read(node, source) };
  },
  write: writeGroups,
  bare: writeGroups,
};

const writeChannel = (attributes: Channel): string | undefined =>
  attributes.channelId === undefined && attributes.channelType === undefined ? undefined : channel.write(attributes);
const channelHandle: Part<Channel> = {
  name: 'channel_handle',
  read: (node, _op, source) => (node === undefined ? {} : channel.read(node, source)),
  write: writeChannel,
  bare: writeChannel,
};
/** The same, but required. */
const neededChannel: Part<Channel> = {
  ...channelHandle,
  read: (node, op, source) =>
    node === undefined
      ? source.refuse(op.at, `the attribute 'channel_handle' of ${op.name}`, 'none')
      : channel.read(node, source),
};
const globalIds = flag('use_global_device_ids', 'useGlobalDeviceIds');
const dynamicRoot = flag('has_dynamic_root', 'hasDynamicRoot');
const transfer = [
  neededChannel,
  unless('is_host_transfer', 'isHostTransfer', boolean, false),
  optional('source_target_pairs', 'sourceTargetPairs', pairs),
] as const;

type Names =
  | 'all_reduce'
  | 'all_gather'
  | 'reduce_scatter'
  | 'all_to_all'
  | 'collective_permute'
  | 'collective_broadcast'
  | 'collective_reduce'
  | 'cross-replica-sum'
  | 'send'
  | 'recv';

export const collectiveTexts: OpTexts<Names> = {
  all_reduce: { parts: [replicaGroups, channelHandle, globalIds] },
  all_gather: {
    parts: [replicaGroups, channelHandle, globalIds, given('all_gather_dim', 'allGatherDim', integer('i64'))],
  },
  reduce_scatter: {
    parts: [replicaGroups, channelHandle, globalIds, given('scatter_dimension', 'scatterDimension', integer('i64'))],
  },
  all_to_all: {
    parts: [
      replicaGroups,
      channelHandle,
      given('concat_dimension', 'concatDimension', integer('i64')),
      given('split_count', 'splitCount', integer('i64')),
      given('split_dimension', 'splitDimension', integer('i64')),
    ],
  },
  collective_permute: { parts: [channelHandle, given('source_target_pairs', 'sourceTargetPairs', pairs)] },
  collective_broadcast: { parts: [replicaGroups, channelHandle, dynamicRoot] },
  collective_reduce: { parts: [replicaGroups, channelHandle, globalIds, dynamicRoot] },
  'cross-replica-sum': { parts: [given('replica_groups', 'replicaGroups', groups)] },
  send: { parts: transfer },
  recv: { parts: transfer, derive: withResultTypes },
};
