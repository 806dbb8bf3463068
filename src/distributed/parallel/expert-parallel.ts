// Experts on different ranks.
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import type { Module } from '../../nn/index.ts';
import { checkAxis } from '../../tensor/index.ts';
import { checkModel, divideInputs } from './batch.ts';
import { divideExperts, limitExperts } from './plans.ts';

/** Options of `expertParallel`. */
export interface ExpertParallelOptions {
  /** The axis of the mesh: `ep` by default. */
  readonly axis?: string;
  /**
   * Experts compute at most this factor times their even share of the tokens of each sequence (1.25, say), the first ones; for
   * others they add nothing. The same tokens are dropped in every layout. By default, none is: all experts compute all tokens,
   * and results are those of one rank.
   */
  readonly capacityFactor?: number;
}
/**
 * Divides the experts of a model, and its batch, over the ranks along an axis.
 * @throws {UNKNOWN_MESH_AXIS} if the mesh lacks the axis
 * @throws {WRONG_ARGUMENT} for anything other than a module, and a factor that is not positive
 * @example
 * const mesh = initDeviceMesh({ ep: 1 });
 * const sizes = { hidden_size: 8, num_attention_heads: 2, intermediate_size: 16, num_hidden_layers: 1, vocab_size: 10 };
 * const model = new DecoderForCausalLM({ model_type: 'mixtral', num_key_value_heads: 2, num_local_experts: 2, ...sizes });
 * expertParallel(model, mesh)(randint(0, 10, [2, 5])).shape // [2, 5, 10]
 */
export function expertParallel<M extends Module>(
  model: M,
  mesh: DeviceMesh,
  { axis = 'ep', capacityFactor }: ExpertParallelOptions = {},
): M {
  checkModel('expertParallel', model);
  checkAxis(axis, mesh);
  limitExperts('expertParallel', model, capacityFactor);
  divideExperts(model, axis);
  divideInputs(model, [axis], []);
  return model;
}
