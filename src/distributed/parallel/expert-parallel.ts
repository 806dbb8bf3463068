// Experts on different ranks.
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import type { Module } from '../../nn/index.ts';
import { checkAxis } from '../../tensor/index.ts';
import { checkModel, divideInputs } from './batch.ts';
import { divideExperts } from './plans.ts';

/** Options of `expertParallel`. */
export interface ExpertParallelOptions {
  /** The axis of the mesh: `ep` by default. */
  readonly axis?: string;
}
/**
 * Divides the experts of a model, and its batch, over the ranks along an axis.
 * @throws {UNKNOWN_MESH_AXIS} if the mesh lacks the axis
 * @throws {WRONG_ARGUMENT} for anything other than a module
 * @example
 * const mesh = initDeviceMesh({ ep: 1 });
 * const sizes = { hidden_size: 8, num_attention_heads: 2, intermediate_size: 16, num_hidden_layers: 1, vocab_size: 10 };
 * const model = new DecoderForCausalLM({ model_type: 'mixtral', num_key_value_heads: 2, num_local_experts: 2, ...sizes });
 * expertParallel(model, mesh)(randint(0, 10, [2, 5])).shape // [2, 5, 10]
 */
export function expertParallel<M extends Module>(
  model: M,
  mesh: DeviceMesh,
  { axis = 'ep' }: ExpertParallelOptions = {},
): M {
  checkModel('expertParallel', model);
  checkAxis(axis, mesh);
  divideExperts(model, axis);
  divideInputs(model, [axis], []);
  return model;
}
