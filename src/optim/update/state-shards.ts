// Optimizer state divided among the ranks along the mesh axis `data`: ZeRO, stage 1 (Rajbhandari et al., "ZeRO: Memory
// Optimizations Toward Training Trillion Parameter Models", 2020).
//
//   gradients of all ranks ── reduce-scatter ──▶ mean of this rank's shard ── update ──▶ shard ── all-gather ──▶ parameters
//
// A parameter is flattened and divided: each rank has ⌈n ÷ ranks⌉ of its n elements, padded with zeros at the end. Optimizers
// whose update of an element depends on that element alone compute the same bits on shards, and elements are added in the order
// of the ranks, as by an all-reduce. Small parameters are not sharded: padding them would cost more than it saves.
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { localBox, localShape, type Placement } from '../../hlo/sharding/placement.ts';
import { shardingOf } from '../../hlo/sharding/sharding.ts';
import { elementBytes, elementCount, tensorType } from '../../hlo/types.ts';
import { defaultRuntime } from '../../runtime/device.ts';
import { type Device, type Tensor, userLocation } from '../../tensor/index.ts';
import { averageFactor, isAveraged } from '../gradients/average-gradients.ts';
import { unrounded } from '../gradients/unrounded.ts';

/** With at least this many elements per rank, padding is below 3 %. */
const leastPerRank = 32;
/** The maximum size of a bucket; tensors of fewer bytes are reduced and gathered in buckets. */
const smallBytes = 128 << 10;
const bucketBytes = 25 << 20;

/** The placement of the flat elements of a parameter, or of its state. */
export interface FlatPlacement extends Placement {
  /** The shape of the parameter. */
  readonly parameterShape: readonly number[];
}

/** How a parameter's state is divided; undefined if it is not sharded. */
export function shardOf({ device: { mesh }, type: { elementType, shape } }: Tensor): FlatPlacement | undefined {
  const ranks = mesh.size('data');
  const whole = elementCount(shape);
  if (ranks === 1 || whole < leastPerRank * ranks) return undefined;
  const type = tensorType(elementType, [whole]);
  return { type, sharding: shardingOf(mesh, [['data']]), mesh, parameterShape: shape };
}

/** State tensors that are shards, for checkpoints. */
const shards = new WeakMap<Tensor | Literal, FlatPlacement>();
export const noteShard = (tensor: Tensor, shard: FlatPlacement): void => {
  shards.set(tensor, { ...shard, type: tensorType(tensor.type.elementType, shard.type.shape) });
};
export const shardOfState = (tensor: Tensor | Literal): FlatPlacement | undefined => shards.get(tensor);

/** This rank's shard of a whole state, padded with zeros. */
export function shardLiteral(whole: Literal, shard: FlatPlacement): Literal {
  const width = elementBytes(whole.type.elementType);
  const bytes = new Uint8Array(sizeOf(shard) * width);
  const { offset, shape } = localBox(shard);
  const from = offset[0]! * width;
  bytes.set(bytesOf(whole).subarray(from, from + shape[0]! * width));
  return literalOfBytes(tensorType(whole.type.elementType, localShape(shard)), bytes);
}
/** A whole state from the shards of all ranks, which must all call it. */
export function wholeLiteral(mine: Literal, { type, parameterShape }: FlatPlacement): Literal {
  const { elementType } = mine.type;
  const all = Buffer.concat(defaultRuntime().allGather(bytesOf(mine)));
  const bytes = new Uint8Array(all.subarray(0, type.shape[0]! * elementBytes(elementType)));
  return literalOfBytes(tensorType(elementType, parameterShape), bytes);
}

/** Elements of a shard, with padding. */
const sizeOf = (shard: FlatPlacement): number => localShape(shard)[0]!;

/** The value as [ranks, size]: each row is a shard. */
function rows(device: Device, value: Value, shard: FlatPlacement): Value {
  const b = device.trace.builder;
  const [ranks, whole, size] = [device.mesh.size('data'), shard.type.shape[0]!, sizeOf(shard)];
  const flat = b.reshape(value, [whole]);
  const missing = ranks * size - whole;
  const zero = b.fill(tensorTypeOf(value).elementType, [], 0);
  return b.reshape(missing === 0 ? flat : b.pad(flat, zero, [0], [missing]), [ranks, size]);
}

/** This rank's shard of a whole value. */
export function sliceOf(device: Device, value: Value, shard: FlatPlacement): Value {
  const b = device.trace.builder;
  b.location = userLocation();
  const index = b.emit1('replica_id', [], {});
  const first = b.like(index, 0);
  const row = b.emit1('dynamic_slice', [rows(device, value, shard), index, first], { sliceSizes: [1, sizeOf(shard)] });
  return b.reshape(row, localShape(shard));
}

/**
 * The shards of gradients: means over ranks and micro-batches. Gradients that were already averaged, for example to clip them,
 * are sliced; the others are reduce-scattered.
 */
export function gradientShards(parameters: readonly Tensor[]): ReadonlyMap<Tensor, Value> {
  const made = new Map<Tensor, Value>();
  for (const [device, mine] of Map.groupBy(parameters, parameter => parameter.device)) {
    const b = device.trace.builder;
    b.location = userLocation();
    const open: Piece[] = [];
    // The backward pass computes the gradients of the last layers first.
    for (const parameter of mine.toReversed()) {
      const shard = shardOf(parameter);
      if (shard === undefined || parameter.grad === undefined) continue;
      if (isAveraged(parameter)) made.set(parameter, sliceOf(device, unrounded(device.valueOf(parameter.grad)), shard));
      else open.push({ parameter, shard, value: parameter.gradientSum() });
    }
    for (const bucket of bucketsOf(open)) {
      const type = tensorTypeOf(bucket[0]!.value).elementType;
      const parts = bucket.map(({ value, shard }) => rows(device, value, shard));
      const joined = parts.length === 1 ? parts[0]! : b.concatenate(parts, 1);
      const attributes = { replicaGroups: device.mesh.groups('data'), scatterDimension: 0 };
      const sum = b.emit1('reduce_scatter', [joined], attributes, [b.combiner('add', type)]);
      const mean = b.multiply(sum, b.like(sum, averageFactor(device)));
      let at = 0;
      for (const { parameter, shard } of bucket) {
        const size = sizeOf(shard);
        made.set(parameter, b.reshape(b.slice(mean, [0, at], [1, at + size]), [size]));
        at += size;
      }
    }
  }
  return made;
}

/** Assembles parameters from the shards that the ranks have updated. */
export function gatherShards(updated: readonly { readonly parameter: Tensor; readonly value: Value }[]): void {
  for (const [device, mine] of Map.groupBy(updated, ({ parameter }) => parameter.device)) {
    const b = device.trace.builder;
    b.location = userLocation();
    const pieces = mine.map(({ parameter, value }): Piece => ({ parameter, shard: shardOf(parameter)!, value }));
    for (const bucket of bucketsOf(pieces)) {
      const ranks = device.mesh.size('data');
      const parts = bucket.map(({ value, shard }) => b.reshape(value, [1, sizeOf(shard)]));
      const joined = parts.length === 1 ? parts[0]! : b.concatenate(parts, 1);
      const all = b.emit1('all_gather', [joined], { replicaGroups: device.mesh.groups('data'), allGatherDim: 0 });
      let at = 0;
      for (const { parameter, shard } of bucket) {
        const size = sizeOf(shard);
        const part = b.reshape(b.slice(all, [0, at], [ranks, at + size]), [ranks * size]);
        parameter.bind(b.reshape(b.slice(part, [0], shard.type.shape), parameter.shape));
        at += size;
      }
    }
  }
}

interface Piece {
  readonly parameter: Tensor;
  readonly shard: FlatPlacement;
  readonly value: Value;
}
/**
 * Large tensors are gathered alone; small ones together with others of the same element type and size, which are joined in memory
 * by plain copies.
 */
function bucketsOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const buckets: (readonly Piece[])[] = [];
  const open = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const type = tensorTypeOf(piece.value).elementType;
    const bytes = piece.shard.type.shape[0]! * elementBytes(type);
    const key = `${type} ${sizeOf(piece.shard)}`;
    const bucket = bytes < smallBytes ? open.get(key) : undefined;
    if (bucket !== undefined && bucket.length * bytes < bucketBytes) {
      bucket.push(piece);
      continue;
    }
    const opened = [piece];
    buckets.push(opened);
    open.set(key, opened);
  }
  return buckets;
}
