// Collectives along an axis, and the place of a device in a mesh.
import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import { type CollectiveGroups, collectiveAlong, type Mesh } from '../../hlo/sharding/mesh.ts';

/** Sends a value along the groups. */
export function permuted(
  b: Builder,
  value: Value,
  { replicaGroups }: CollectiveGroups,
  pairs: readonly (readonly [from: number, to: number])[],
): Value {
  const sourceTargetPairs = replicaGroups.flatMap(group =>
    pairs.map(([from, to]) => [group[from]!, group[to]!] as const),
  );
  return b.emit1('collective_permute', [value], { sourceTargetPairs, channelId: 1, channelType: 1 });
}

/** The index of a device along some axes, from its number. A scalar i32. */
export function indexAlong(b: Builder, mesh: Mesh, axes: readonly string[]): Value {
  const groups = collectiveAlong(mesh, axes).replicaGroups;
  const indices: number[] = [];
  for (const group of groups) for (const [index, device] of group.entries()) indices[device] = index;
  const table = b.constant(literal('i32', [indices.length], indices));
  // In a pipeline, the number counts micro-batches, too.
  const rank = b.convert(b.emit1('partition_id', [], {}), 'i32');
  const at = b.emit1('remainder', [rank, b.like(rank, indices.length)], {});
  return b.reshape(b.emit1('dynamic_slice', [table, at], { sliceSizes: [1] }), []);
}
