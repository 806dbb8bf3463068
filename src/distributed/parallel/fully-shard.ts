// Parameters in parts (ZeRO-2 and 3, FSDP, HSDP): each rank keeps its part of the parameters, their gradients and the optimizer's
// state. A program gathers a parameter where it is used; its gradient is reduced to parts.
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { Module } from '../../nn/index.ts';
import { Optimizer } from '../../optim/index.ts';
import { checkAxis, divide, divideState, wrongArgument } from '../../tensor/index.ts';
import { axesAmong, batchAxes, checkOptions, divideInputs } from './batch.ts';
import { checkSamePlan } from './same-plan.ts';

/** Options of `fullyShard`. */
export interface FullyShardOptions {
  /** The axis whose ranks have parts: `dp_shard` by default. */
  readonly axis?: string;
  /**
   * True, the default: the backward pass gathers parameters again, so that they are whole for a short time only (ZeRO-3). False:
   * they stay whole from their first use to the end of the step (ZeRO-2).
   */
  readonly reshardAfterForward?: boolean;
}

/**
 * Divides the parameters of a module, with their gradients and the state of their optimizer, over the ranks along the axis
 * `dp_shard`, and the batch over those along `dp_replicate` and `dp_shard`. The program stays that of the whole batch, which all
 * ranks give. Call it before the optimizer is made, after a plan of other axes, for a model at once or for its layers first.
 * PyTorch: `torch.distributed.fsdp.fully_shard`.
 * @throws {UNKNOWN_MESH_AXIS} if the mesh lacks the axis
 * @throws {WRONG_ARGUMENT} for anything other than a module
 * @throws {NO_SUCH_OPTION}
 * @throws {PLANS_DIFFER} if ranks give different options
 * @example
 * const mesh = initDeviceMesh({ dp_shard: 1 });
 * const model = fullyShard(new nn.Linear(4, 2), mesh);
 * model(ones([8, 4])).shape // [8, 2]
 */
export function fullyShard<M extends Module>(module: M, mesh: DeviceMesh, options: FullyShardOptions = {}): M {
  const call = 'fullyShard';
  const { axis = 'dp_shard', reshardAfterForward = true } = options;
  if (!(module instanceof Module)) throw wrongArgument({ call, argument: 'the module' }, module, 'a module');
  checkOptions(call, options, ['axis', 'reshardAfterForward']);
  checkAxis(axis, mesh);
  checkSamePlan(call, mesh, { axis, reshardAfterForward });
  for (const parameter of module.parameters()) {
    if (parameter.ndim > 0) divide(parameter, 0, axis, reshardAfterForward ? 'gathered again' : 'gathered');
  }
  divideInputs(module, axesAmong(mesh, [...batchAxes, axis]), []);
  return module;
}

/** Options of `zero1`. */
export interface Zero1Options {
  /** The axis whose ranks have parts: `dp_shard` by default. */
  readonly axis?: string;
}
/**
 * Divides the state of an optimizer over the ranks along an axis (ZeRO-1): gradients are reduced to parts, each rank updates its
 * part of a parameter, and the parts are gathered. Call it before the first step, on an optimizer of a model that is divided
 * along other axes or none; `parallelize(model, mesh, { fullyShard: false })` divides the batch. NxD:
 * `zero_one_enabled`.
 * @throws {UNKNOWN_MESH_AXIS} if the mesh lacks the axis
 * @throws {WRONG_ARGUMENT} for anything other than an optimizer
 * @throws {NO_SUCH_OPTION}
 * @throws {PLANS_DIFFER} if ranks give different options
 * @example
 * const mesh = initDeviceMesh({ dp_shard: 1 });
 * const optimizer = zero1(new AdamW(new nn.Linear(4, 2).parameters()), mesh);
 */
export function zero1<O extends Optimizer>(optimizer: O, mesh: DeviceMesh, options: Zero1Options = {}): O {
  const call = 'zero1';
  const { axis = 'dp_shard' } = options;
  checkOptions(call, options, ['axis']);
  if (!(optimizer instanceof Optimizer))
    throw wrongArgument({ call, argument: 'the optimizer' }, optimizer, 'an optimizer, such as AdamW');
  checkAxis(axis, mesh);
  checkSamePlan(call, mesh, { axis });
  for (const parameter of optimizer.parameters()) if (parameter.ndim > 0) divideState(parameter, 0, axis);
  return optimizer;
}
