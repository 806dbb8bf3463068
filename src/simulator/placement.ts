// The placement of the ranks of a layout: tensor-parallel ranks next to each other, then copies of the model, then pipeline
// stages outermost, as Megatron-LM and NxD place them.
import type { Machine } from '../hardware/machine.ts';
import type { Group } from './collectives/collective.ts';
import type { Layout } from './layout.ts';

export interface Placement {
  readonly tensor: Group;
  readonly data: Group;
  /** The copies that share the state of the optimizer, and the devices that have the same part of it. */
  readonly shards: Group;
  readonly replicas: Group;
  /** The copies that share the experts. */
  readonly expert: Group;
  /** A stage and its successor. */
  readonly neighbors: Group;
}

export function placementOf(layout: Layout, { devices }: Machine): Placement {
  const { tensor, data, pipeline, expert, replicas = 1 } = layout;
  const group = (size: number, stride: number): Group => {
    const ranksPerNode = Math.max(1, Math.min(size, Math.floor(devices / stride)));
    const inUse = Math.min(devices, tensor * data * pipeline);
    return {
      size,
      stride,
      ranksPerNode,
      nodes: Math.ceil(size / ranksPerNode),
      groupsPerNode: Math.max(1, Math.floor(inUse / ranksPerNode)),
    };
  };
  return {
    tensor: group(tensor, 1),
    data: group(data, tensor),
    shards: group(data / replicas, tensor),
    replicas: group(replicas, tensor * (data / replicas)),
    expert: group(expert, tensor),
    neighbors: group(Math.min(2, pipeline), tensor * data),
  };
}
