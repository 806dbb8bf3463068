// Sequences divided over ranks, and how attention then gets the keys and values of other ranks.
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { setContextAttention } from '../../nn/functional/context-attention.ts';
import type { ContextAttentionKind, Module } from '../../nn/index.ts';
import { checkAxis, checkWord, type Device, device, wrongArgument } from '../../tensor/index.ts';
import { checkModel, checkOptions, divideInputs } from './batch.ts';
import { checkSamePlan } from './same-plan.ts';

/** Options of `contextParallel`. */
export interface ContextParallelOptions {
  /** The axis of the mesh: `cp` by default. */
  readonly axis?: string;
  /**
   * How self-attention gets the keys and values of other ranks, where they can share the sequence evenly:
   * - `all_gather` (the default): each rank gathers all of them; results have the bits of one rank.
   * - `ring`: they go around the ring of ranks in blocks, and softmax is computed in a stream, so that no rank has all of them at
   *   once. Blocks that causal attention does not see are left out, if there is no mask.
   * - `ulysses`: each rank exchanges its part of the sequence for all of it, for some of the heads. The number of heads must be a
   *   multiple of the ranks along this axis and `tp` together; otherwise keys and values are gathered.
   */
  readonly attention?: ContextAttentionKind;
  /**
   * `headtail`, with `ring`: decoders of this library reorder sequences between embedding and last norm, so that causal attention
   * is equal work for all ranks. PyTorch: `context_parallel_load_balancer`. By default, sequences stay in their order.
   */
  readonly loadBalancer?: 'headtail' | 'none' | null;
}

/**
 * Divides sequences, dim 1 of what a model is called with, over the ranks along an axis, and chooses how attention on the device
 * of the model sends. Given a mesh alone, it only chooses, for `device()`: after `parallelize`, which divides sequences. PyTorch:
 * `torch.distributed.tensor.experimental.context_parallel`.
 * @throws {UNKNOWN_MESH_AXIS} if the mesh lacks the axis
 * @throws {WRONG_ARGUMENT} for anything other than a module or a mesh, unknown words, and a balancer without ring attention
 * @throws {NO_SUCH_OPTION}
 * @throws {PLANS_DIFFER} if ranks give different options
 * @throws {UNSUPPORTED} later, for ring attention with dropout of attention weights
 * @example
 * const mesh = initDeviceMesh({ cp: 1 });
 * contextParallel(new nn.Linear(4, 2), mesh, { attention: 'ring' })(ones([2, 8, 4])).shape // [2, 8, 2]
 */
export function contextParallel<M extends Module>(model: M, mesh: DeviceMesh, options?: ContextParallelOptions): M;
export function contextParallel(mesh: DeviceMesh, options?: ContextParallelOptions): DeviceMesh;
export function contextParallel<M extends Module>(
  first: M | DeviceMesh,
  second?: DeviceMesh | ContextParallelOptions,
  third?: ContextParallelOptions,
): M | DeviceMesh {
  const call = 'contextParallel';
  if (first instanceof DeviceMesh) {
    choose(device(), first, (second ?? {}) as ContextParallelOptions);
    return first;
  }
  checkModel(call, first);
  if (!(second instanceof DeviceMesh)) throw wrongArgument({ call, argument: 'the mesh' }, second, 'a DeviceMesh');
  const options = third ?? {};
  const { axis = 'cp' } = options;
  choose(deviceOf(first), second, options);
  divideInputs(first, [], [axis]);
  return first;
}

const deviceOf = (model: Module): Device => model.parameters()[0]?.device ?? device();

function choose(target: Device, mesh: DeviceMesh, options: ContextParallelOptions): void {
  const call = 'contextParallel';
  checkOptions(call, options, ['axis', 'attention', 'loadBalancer']);
  const { axis = 'cp', attention = 'all_gather', loadBalancer } = options;
  checkAxis(axis, mesh);
  checkWord(call, 'attention', attention, ['all_gather', 'ring', 'ulysses']);
  const isBalanced = loadBalancer === 'headtail';
  if (!isBalanced && loadBalancer !== undefined && loadBalancer !== null)
    checkWord(call, 'loadBalancer', loadBalancer, ['none']);
  if (isBalanced && attention !== 'ring')
    throw wrongArgument({ call, argument: 'loadBalancer' }, loadBalancer, "a balancer with attention: 'ring' only");
  checkSamePlan(call, mesh, { axis, attention, isBalanced });
  setContextAttention(target, { mesh, axis, attention, isBalanced });
}
