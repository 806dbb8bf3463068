// torch.distributed's names: `distributed.getRank()`. The launcher (`trenio run`) creates the group of ranks, so there is
// nothing to initialize. Gradients need none of this: optimizerStep all-reduces them within the compiled step.
import { bytesOf, literalOfBytes } from '../hlo/literal.ts';
import { defaultRuntime } from '../runtime/device.ts';
import { type DTypeName, type Tensor, tensor, wrongArgument } from '../tensor/index.ts';
import { rank, worldSize } from './process-group.ts';

export { barrier, rank as getRank, worldSize as getWorldSize } from './process-group.ts';

/** How elements are combined. PyTorch: `torch.distributed.ReduceOp`. */
export const ReduceOp = {
  /** Adds them. */
  SUM: 'add',
  /** Multiplies them. */
  PRODUCT: 'multiply',
  /** The largest one. */
  MAX: 'maximum',
  /** The smallest one. */
  MIN: 'minimum',
} as const;
export type ReduceOp = (typeof ReduceOp)[keyof typeof ReduceOp];

/** The element types and operations that the runtime combines. */
const reducible: readonly DTypeName[] = ['float32', 'float64', 'int32', 'int64', 'bfloat16', 'float16'];

/**
 * True: ranks are part of the runtime. PyTorch: `torch.distributed.is_available`.
 * @example
 * distributed.isAvailable() // true
 */
export const isAvailable = (): boolean => true;
/**
 * Whether there are several ranks. PyTorch: `torch.distributed.is_initialized`.
 * @example
 * // true with more than one rank
 * distributed.isInitialized() // false
 */
export const isInitialized = (): boolean => worldSize() > 1;
/**
 * Does nothing: the launcher has created the group. PyTorch: `torch.distributed.init_process_group`.
 * @example
 * distributed.initProcessGroup();
 * distributed.getWorldSize() // 1
 */
export function initProcessGroup(_backend?: string): void {}
/**
 * Does nothing: the group ends with its processes. PyTorch: `torch.distributed.destroy_process_group`.
 * @example
 * distributed.destroyProcessGroup();
 */
export function destroyProcessGroup(): void {}

/**
 * Combines the elements of a tensor with those of all other ranks, in place. Reads the tensor, so the step ends. Every rank
 * must call it, in the same order. PyTorch: `torch.distributed.all_reduce`.
 * @throws {PEER_LOST} if another rank has ended
 * @throws {WRONG_ARGUMENT}
 * @example
 * const x = tensor([1, 2]);
 * // the sum over all ranks
 * distributed.allReduce(x);
 * x // [1, 2]
 */
export function allReduce(x: Tensor, options: ReduceOp | { readonly op?: ReduceOp | undefined } = {}): void {
  const op = typeof options === 'string' ? options : (options.op ?? ReduceOp.SUM);
  if (!Object.values(ReduceOp).includes(op))
    throw wrongArgument({ call: 'allReduce', argument: 'op' }, op, 'one of ReduceOp');
  if (!reducible.includes(x.dtype))
    throw wrongArgument({ call: 'allReduce', argument: 'the tensor' }, x.dtype, `a tensor of ${reducible.join(', ')}`);
  x.copy_(tensor(defaultRuntime().allReduce(x.literal(), op), { device: x.device }));
}
/**
 * The name of the library that connects the ranks. There is one, which uses shared memory, the network or MPI. PyTorch:
 * `torch.distributed.get_backend`.
 * @example
 * distributed.getBackend() // 'trenio'
 */
export const getBackend = (): string => 'trenio';
/**
 * The tensors of all ranks, by rank; all must have the same shape and data type. Reads the tensor. Given a list first, fills
 * it, as PyTorch's `torch.distributed.all_gather` does.
 * @throws {PEER_LOST} if another rank has ended
 * @throws {WRONG_ARGUMENT}
 * @example
 * distributed.allGather(tensor([1, 2])).length // 1
 * const list = [tensor([0, 0])];
 * distributed.allGather(list, tensor([1, 2]));
 * list // [[1, 2]]
 */
export function allGather(x: Tensor): readonly Tensor[];
export function allGather(list: readonly Tensor[], x: Tensor): readonly Tensor[];
export function allGather(first: Tensor | readonly Tensor[], second?: Tensor): readonly Tensor[] {
  const x = second ?? (first as Tensor);
  if (second !== undefined && (!Array.isArray(first) || first.length !== worldSize()))
    throw wrongArgument(
      { call: 'allGather', argument: 'the list' },
      first,
      `${worldSize()} tensors, one for each rank`,
    );
  const mine = x.literal();
  const all = defaultRuntime()
    .allGather(bytesOf(mine))
    .map(bytes => tensor(literalOfBytes(mine.type, bytes), { device: x.device }));
  if (second !== undefined) for (const [i, one] of (first as readonly Tensor[]).entries()) one.copy_(all[i]!);
  return all;
}
/**
 * Replaces the elements of a tensor with those on rank `src`, in place. Reads the tensor. PyTorch:
 * `torch.distributed.broadcast`.
 * @throws {PEER_LOST} if another rank has ended
 * @throws {WRONG_ARGUMENT}
 * @example
 * const x = tensor([1, 2]);
 * distributed.broadcast(x, 0);
 * x // [1, 2]
 */
export function broadcast(x: Tensor, src: number): void {
  if (!Number.isInteger(src) || src < 0 || src >= worldSize())
    throw wrongArgument({ call: 'broadcast', argument: 'src' }, src, `a rank from 0 to ${worldSize() - 1}`);
  const from = allGather(x)[src]!;
  if (src !== rank()) x.copy_(from);
}
