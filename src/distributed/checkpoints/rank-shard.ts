// The file of this rank in a checkpoint: which pieces of which tensors it has, their positions in the file, and their copy.
import { bytesOf, type Literal } from '../../hlo/literal.ts';
import { localBox } from '../../hlo/sharding/placement.ts';
import { byteSize, type TensorType, tensorType } from '../../hlo/types.ts';
import { layOut } from '../../models/safetensors-header.ts';
import { shardOfState } from '../../optim/update/state-shards.ts';
import { defaultRuntime } from '../../runtime/device.ts';
import { HostBuffer } from '../../runtime/execution/buffer.ts';
import { type BufferCopy, copyBuffers } from '../../runtime/execution/copies.ts';
import { addressOf } from '../../runtime/execution/native-library.ts';
import { Tensor } from '../../tensor/index.ts';
import { rank, worldSize } from '../process-group.ts';
import { blockBytes, shardName } from './save-plan.ts';
import { shardMetadata } from './shard-metadata.ts';
import { type Piece, shareOut } from './share.ts';

/** The types of whole tensors; state that is divided among ranks is a list of elements. */
export const typesOf = (tensors: ReadonlyMap<string, Tensor | Literal>): ReadonlyMap<string, TensorType> =>
  new Map([...tensors].map(([name, tensor]) => [name, shardOfState(tensor)?.type ?? tensor.type]));
/** The pieces that this rank writes: its share of the state that all ranks have, and the state that only it has. */
function shareOf(tensors: ReadonlyMap<string, Tensor | Literal>): readonly Piece[] {
  const common = new Map<string, TensorType>();
  const own: Piece[] = [];
  for (const [name, type] of typesOf(tensors)) {
    const placement = shardOfState(tensors.get(name)!);
    if (placement === undefined) common.set(name, type);
    else {
      const box = localBox(placement);
      const bytes = byteSize(tensorType(type.elementType, box.shape));
      if (bytes > 0) own.push({ name, type, ...box, from: 0, bytes });
    }
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
    const { from, bytes } = pieces.get(name)!;
    const into = data.subarray(start, end);
    if (!(tensor instanceof Tensor)) {
      into.set(bytesOf(tensor).subarray(from, from + bytes));
      continue;
    }
    const buffer = tensor.device.read(tensor);
    if (runtime.isEngineStarted && buffer instanceof HostBuffer)
      copies.push({ buffer, from, bytes, to: address + BigInt(start) });
    else buffer.copyToHost(into, from);
  }
  if (copies.length > 0) copyBuffers(runtime.engine, copies).wait();
}
