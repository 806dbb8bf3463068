// Experts on different ranks. The ranks along their axis have different examples, and each routes its own: it sends their tokens
// and the shares that experts have in them, or the slots of experts with a capacity.
//
//   router [B/ep, T, X] ─▶ shares [B, T, X/ep] ┐
//   tokens [B/ep, T, H] ─▶        [B, T, H]    ┴▶ experts of a rank ─▶ a term of [B, T, H], summed ─▶ [B/ep, T, H]
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { DecoderExperts } from '../../models/index.ts';
import type { Module } from '../../nn/index.ts';
import { checkAxis, constrained, divide, meshName, type Tensor, wrongArgument } from '../../tensor/index.ts';
import { axesAmong, batchAxes, checkModel, checkOptions, divideInputs, sequenceAxes } from './batch.ts';
import { limitExperts } from './plans.ts';
import { checkSamePlan } from './same-plan.ts';

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
 * @throws {WRONG_ARGUMENT} for anything other than a module with experts, and a factor that is not positive
 * @throws {NO_SUCH_OPTION}
 * @throws {PLANS_DIFFER} if ranks give different options
 * @example
 * const mesh = initDeviceMesh({ ep: 1 });
 * const sizes = { hidden_size: 8, num_attention_heads: 2, intermediate_size: 16, num_hidden_layers: 1, vocab_size: 10 };
 * const model = new DecoderForCausalLM({ model_type: 'mixtral', num_key_value_heads: 2, num_local_experts: 2, ...sizes });
 * expertParallel(model, mesh)(randint(0, 10, [2, 5])).shape // [2, 5, 10]
 */
export function expertParallel<M extends Module>(model: M, mesh: DeviceMesh, options: ExpertParallelOptions = {}): M {
  const call = 'expertParallel';
  const { axis = 'ep', capacityFactor } = options;
  checkModel(call, model);
  checkOptions(call, options, ['axis', 'capacityFactor']);
  if (!Array.from(model.namedParameters()).some(([name]) => weights.test(name)))
    throw wrongArgument({ call, argument: 'the model' }, model, 'a model with experts, such as Mixtral');
  checkAxis(axis, mesh);
  checkSamePlan(call, mesh, { axis, capacityFactor });
  limitExperts(call, model, capacityFactor);
  divideExperts(model, mesh, axis);
  divideInputs(model, [axis], []);
  return model;
}

/** The weights of all experts [X, …], parameters of one module. */
const weights = /(^|\.)experts\.(gate_proj|up_proj|gate_up_proj|down_proj)(_bias)?$/;

/** Divides experts along an axis. */
export function divideExperts(model: Module, mesh: DeviceMesh, axis: string): void {
  for (const [name, parameter] of model.namedParameters()) if (weights.test(name)) divide(parameter, 0, axis, 'parts');
  const batch = axesAmong(mesh, [...batchAxes, axis]);
  const others = batch.filter(name => name !== axis);
  const sequence = axesAmong(mesh, sequenceAxes);
  for (const module of model.modules()) {
    if (!(module instanceof DecoderExperts)) continue;
    const experts: Module = module.experts;
    const [ofExamples, ofExperts] = [
      [batch, []],
      [others, [axis]],
    ];
    experts.registerForwardPreHook((_, args) => {
      const [x, shares] = args as readonly [Tensor, Tensor?];
      if (shares === undefined) return [placed(placed(x, ofExamples), ofExperts)];
      const own = placed(shares, [batch, sequence, []]);
      return [placed(x, [others, sequence], axis), placed(own, [others, sequence, [axis]])];
    });
    experts.registerForwardHook((_, [, shares], given) => {
      const result = given as Tensor;
      return shares === undefined ? placed(placed(result, ofExperts), ofExamples) : placed(result, [batch, sequence]);
    });
  }
}
/** The same tensor, its dims divided along these axes, others as the partitioner chooses, but none along `whole`. */
function placed(x: Tensor, axes: readonly (readonly string[])[], whole?: string): Tensor {
  const refs = (names: readonly string[]) => names.map(name => ({ name }));
  const dims = x.shape.map((_, d) => ({ axes: refs(axes[d] ?? []), isOpen: axes[d] === undefined }));
  const replicated = refs(whole === undefined ? [] : [whole]);
  return constrained(x, { mesh: meshName, dims, replicated, unreduced: [], reduction: 'sum' });
}
