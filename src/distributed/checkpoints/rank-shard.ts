// The file of this rank in a checkpoint: which pieces of which tensors it has, their positions in the file, and their copy.
import { bytesOf, type Literal } from '../../hlo/literal.ts';
import { localBox, localShape, type Placement, paddedBox, replicas } from '../../hlo/sharding/placement.ts';
import { commonRuns, copyCommon } from '../../hlo/sharding/tensor-box.ts';
import { byteSize, elementCount, type TensorType, tensorType } from '../../hlo/types.ts';
import { layOut } from '../../models/safetensors-header.ts';
import { defaultRuntime } from '../../runtime/device.ts';
import { HostBuffer } from '../../runtime/execution/buffer.ts';
import { type BufferCopy, copyBuffers } from '../../runtime/execution/copies.ts';
import { addressOf } from '../../runtime/execution/native-library.ts';
import { Tensor } from '../../tensor/index.ts';
import { homeOfBuffer, partOfBuffer, shardingOfBuffer } from '../../tensor/placement/sharded-buffer.ts';
import { stageAxisOf } from '../../tensor/placement/stage-axis.ts';
import { rank, worldSize } from '../process-group.ts';
import { blockBytes, shardName } from './save-plan.ts';
import { shardMetadata } from './shard-metadata.ts';
import { type Piece, shareOut } from './share.ts';

interface Placed extends Placement {
  /** The ranks that have a part, along a pipeline; all by default. */
  readonly holders?: readonly number[] | undefined;
}
/** How a tensor is divided among ranks; undefined if each has all of it. */
function placementOf(tensor: Tensor | Literal): Placed | undefined {
  if (!(tensor instanceof Tensor)) return undefined;
  const { type, device } = tensor;
  const buffer = device.read(tensor.shown);
  const sharding = shardingOfBuffer(buffer);
  if (sharding === undefined) return undefined;
  const home = homeOfBuffer(buffer);
  const groups = device.mesh.groups(stageAxisOf(device.mesh));
  const placement = { type, sharding, mesh: device.mesh };
  if (home !== undefined) return { ...placement, holders: groups.map(group => group[home]!) };
  return elementCount(localShape(placement)) === elementCount(type.shape) ? undefined : placement;
}
/** The pieces that this rank writes: its share of the state that all ranks have, and its part of divided state. */
function shareOf(tensors: ReadonlyMap<string, Tensor | Literal>): readonly Piece[] {
  const common = new Map<string, TensorType>();
  const own: Piece[] = [];
  /** For groups of ranks with the same parts, the bytes that each of them writes so far. */
  const loads = new Map<string, number[]>();
  for (const [name, tensor] of tensors) {
    const { type } = tensor;
    const placement = placementOf(tensor);
    if (placement === undefined) {
      common.set(name, type);
      continue;
    }
    const { holders } = placement;
    const ranks = replicas(placement).filter(one => holders === undefined || holders.includes(one));
    const bytes = loads.get(ranks.join()) ?? ranks.map(() => 0);
    loads.set(ranks.join(), bytes);
    const writer = bytes.indexOf(Math.min(...bytes));
    bytes[writer]! += byteSize(tensorType(type.elementType, localShape(placement)));
    const box = localBox(placement);
    if (ranks[writer] === rank() && elementCount(box.shape) > 0)
      own.push({ name, type, ...box, held: paddedBox(placement) });
  }
  return [...shareOut(common, worldSize())[rank()]!, ...own];
}
/** The file of this rank: its header, up to whole blocks, and the position of each piece in the data after it. */
export function rankShard(tensors: ReadonlyMap<string, Tensor | Literal>) {
  const share = shareOf(tensors);
  const types = share.map(({ name, type, shape }) => [name, { type: tensorType(type.elementType, shape) }] as const);
  const { entries, prefix } = layOut(new Map(types), shardMetadata(share), shardName(rank()), blockBytes);
  const bytes = prefix.byteLength + (entries.at(-1)?.end ?? 0);
  return { entries, prefix, pieces: new Map(share.map(piece => [piece.name, piece])), bytes };
}
/** Copies the pieces of a shard to its data: those of the process's own memory by all threads. */
export function copyShard(
  tensors: ReadonlyMap<string, Tensor | Literal>,
  { entries, pieces }: ReturnType<typeof rankShard>,
  data: Uint8Array<ArrayBuffer>,
): void {
  const runtime = defaultRuntime();
  const address = addressOf(data.buffer) + BigInt(data.byteOffset);
  const copies: BufferCopy[] = [];
  for (const { name, start, end } of entries) {
    const tensor = tensors.get(name)!;
    const { type, held, ...box } = pieces.get(name)!;
    const into = data.subarray(start, end);
    if (!(tensor instanceof Tensor)) {
      copyCommon(type, { box: held, bytes: bytesOf(tensor) }, { box, bytes: into });
      continue;
    }
    const buffer = partOfBuffer(tensor.device.read(tensor.shown));
    const { count, runBytes: bytes, from, to } = commonRuns(type, held, box);
    for (let i = 0; i < count; i++)
      if (runtime.isEngineStarted && buffer instanceof HostBuffer)
        copies.push({ buffer, from: from(i), bytes, to: address + BigInt(start + to(i)) });
      else buffer.copyToHost(into.subarray(to(i), to(i) + bytes), from(i));
  }
  if (copies.length > 0) copyBuffers(runtime.engine, copies).wait();
}
