// Feed-forward networks of experts: a router sends each token to a few of them. All experts compute all tokens, with a factor
// of 0 for those that were not chosen: shapes do not depend on the routing, so one program serves every batch, at the cost of
// computing experts that were not chosen. With a capacity, each expert computes at most that many tokens of each sequence
// (GShard, arXiv:2006.16668). B batch, T time (tokens), H width, I inner width, X experts, C capacity. B and T
// stay separate dims, so that ranks can share either.
import { TrenioError } from '../../base/errors.ts';
import { init, type Linear, Module, Parameter } from '../../nn/index.ts';
import { arange, einsum, type Tensor, userLocation, zeros } from '../../tensor/index.ts';
import { activationOf } from '../activations.ts';
import { DecoderFeedForward, linear } from './block.ts';
import type { DecoderLayout, ExpertsLayout } from './layout.ts';

/** 1 for the experts that a token goes to, else 0: probabilities [.., X] → [.., X]. */
function chosen(probabilities: Tensor, perToken: number): Tensor {
  const experts = arange(0, probabilities.shape.at(-1)!, 1, { dtype: 'i64' });
  const { indices } = probabilities.detach().topk(perToken, -1); // [.., perToken]
  return indices.unsqueeze(-1).eq(experts).any(-2).to(probabilities.dtype);
}

/** The weights of all experts. */
class Experts extends Module {
  /** [X, I, H] */
  gate_proj: Parameter;
  /** [X, I, H] */
  up_proj: Parameter;
  /** [X, H, I] */
  down_proj: Parameter;
  readonly #activation: (x: Tensor) => Tensor;
  constructor({ width, initializerRange: std, activation }: DecoderLayout, { count, innerWidth }: ExpertsLayout) {
    super();
    const weights = (rows: number, columns: number): Parameter =>
      new Parameter(init.normal([count, rows, columns], 0, std), { fresh: true });
    this.gate_proj = weights(innerWidth, width);
    this.up_proj = weights(innerWidth, width);
    this.down_proj = weights(width, innerWidth);
    this.#activation = activationOf(activation);
  }
  /** Tokens [B, T, H] and the share of each expert in each token [B, T, X] → [B, T, H]; without shares, as `ofSlots`. */
  override forward(x: Tensor, shares?: Tensor): Tensor {
    if (shares === undefined) return this.#ofSlots(x);
    const gate = einsum('bth,xih->btxi', x, this.gate_proj);
    const active = this.#activation(gate).mul(einsum('bth,xih->btxi', x, this.up_proj));
    return einsum('btxi,xhi->bth', active.mul(shares.unsqueeze(-1)), this.down_proj);
  }
  /** The tokens of each expert [B, X, C, H] → the same. */
  #ofSlots(x: Tensor): Tensor {
    const gate = einsum('bxch,xih->bxci', x, this.gate_proj);
    const active = this.#activation(gate).mul(einsum('bxch,xih->bxci', x, this.up_proj));
    return einsum('bxci,xhi->bxch', active, this.down_proj);
  }
}

/** The limit of the inputs of gpt-oss' activation, and the factor in its sigmoid. */
const [limit, alpha] = [7, 1.702];

/** The weights of gpt-oss' experts: transposed, with biases, and with the columns of gates and values alternating. */
class ClampedExperts extends Module {
  /** [X, H, 2 I] */
  gate_up_proj: Parameter;
  /** [X, 2 I] */
  gate_up_proj_bias: Parameter;
  /** [X, I, H] */
  down_proj: Parameter;
  /** [X, H] */
  down_proj_bias: Parameter;
  constructor({ width, initializerRange: std }: DecoderLayout, { count, innerWidth }: ExpertsLayout) {
    super();
    const parameter = (value: Tensor): Parameter => new Parameter(value, { fresh: true });
    this.gate_up_proj = parameter(init.normal([count, width, 2 * innerWidth], 0, std));
    this.gate_up_proj_bias = parameter(zeros([count, 2 * innerWidth]));
    this.down_proj = parameter(init.normal([count, innerWidth, width], 0, std));
    this.down_proj_bias = parameter(zeros([count, width]));
  }
  /** Tokens [B, T, H] and the share of each expert in each token [B, T, X] → [B, T, H]; without shares, as `ofSlots`. */
  override forward(x: Tensor, shares?: Tensor): Tensor {
    if (shares === undefined) return this.#ofSlots(x);
    const both = einsum('bth,xhi->btxi', x, this.gate_up_proj).add(this.gate_up_proj_bias);
    const active = clampedGate(both.reshape(...both.shape.slice(0, -1), -1, 2)); // [B, T, X, I]
    const sum = einsum('btxi,xih->bth', active.mul(shares.unsqueeze(-1)), this.down_proj);
    return sum.add(shares.matmul(this.down_proj_bias));
  }
  /** The tokens of each expert [B, X, C, H] → the same. */
  #ofSlots(x: Tensor): Tensor {
    const [count, inner] = this.down_proj.shape as readonly [number, number, number];
    const both = einsum('bxch,xhi->bxci', x, this.gate_up_proj).add(this.gate_up_proj_bias.unsqueeze(1));
    const active = clampedGate(both.reshape(x.shape[0]!, count, -1, inner, 2));
    return einsum('bxci,xih->bxch', active, this.down_proj).add(this.down_proj_bias.unsqueeze(1));
  }
}
/** Pairs of gates and values [.., 2] → [..]. */
function clampedGate(pairs: Tensor): Tensor {
  const gate = pairs.select(-1, 0).clamp(undefined, limit);
  const up = pairs.select(-1, 1).clamp(-limit, limit);
  return gate.mul(gate.mul(alpha).sigmoid()).mul(up.add(1));
}

/**
 * Experts, and a router that weighs those with the highest probabilities; in some architectures one more that all tokens go to.
 * @example
 * const sizes = { hidden_size: 8, num_attention_heads: 2, intermediate_size: 16, num_local_experts: 4 };
 * const layout = decoderLayout(decoderConfig({ model_type: 'mixtral', num_key_value_heads: 2, ...sizes }));
 * new DecoderExperts(layout, layout.layers[0]!.experts!)(randn(2, 5, 8)).shape // [2, 5, 8]
 */
export class DecoderExperts extends Module {
  readonly #layout: ExpertsLayout;
  /** The router: logits of the experts. */
  gate: Linear;
  /** The weights of the experts. */
  experts: Experts | ClampedExperts;
  /** The network that all tokens go to. */
  shared_expert: DecoderFeedForward | undefined;
  /** Computes its share. */
  shared_expert_gate: Linear | undefined;
  /**
   * If set, an expert computes at most this factor times its even share of the tokens of each sequence, the first ones; to others
   * it adds nothing. By default, no token is dropped.
   */
  capacityFactor: number | undefined;
  constructor(layout: DecoderLayout, experts: ExpertsLayout) {
    super();
    this.#layout = experts;
    const { width } = layout;
    const { isClamped = false } = experts;
    this.gate = linear(layout, width, experts.count, isClamped);
    this.experts = isClamped ? new ClampedExperts(layout, experts) : new Experts(layout, experts);
    const { sharedWidth } = experts;
    this.shared_expert =
      sharedWidth === undefined ? undefined : new DecoderFeedForward({ ...layout, innerWidth: sharedWidth });
    this.shared_expert_gate = sharedWidth === undefined ? undefined : linear(layout, width, 1, false);
  }
  /** [B, T, H] → [B, T, H]. The logits of the router, [B · T, X], are added to `routerLogits`. */
  override forward(x: Tensor, routerLogits?: Tensor[]): Tensor {
    const { perToken, isNormalized } = this.#layout;
    const logits = this.gate.forward(x); // [B, T, X]
    routerLogits?.push(logits.reshape(-1, logits.shape.at(-1)!));
    const probabilities = logits.to('f32').softmax(-1);
    const sent = chosen(probabilities, perToken);
    const shares = probabilities.mul(sent);
    const normalized = isNormalized ? shares.div(shares.sum(-1, { keepDim: true })) : shares;
    const routed =
      this.capacityFactor === undefined
        ? this.experts.forward(x, normalized.to(x.dtype))
        : this.#withCapacity(this.capacityFactor, x, sent, normalized);
    const { shared_expert: shared, shared_expert_gate: gate } = this;
    return shared === undefined || gate === undefined
      ? routed
      : routed.add(gate.forward(x).sigmoid().mul(shared.forward(x)));
  }
  /** Tokens [B, T, H], which of them go to which experts [B, T, X], and the shares of experts → [B, T, H]. */
  #withCapacity(factor: number, x: Tensor, isSent: Tensor, share: Tensor): Tensor {
    const { count, perToken } = this.#layout;
    const time = x.shape[1]!;
    const capacity = Math.min(time, Math.ceil((factor * time * perToken) / count));
    const place = isSent.cumsum(1).sub(1); // [B, T, X], among the tokens of the expert
    const slots = place.unsqueeze(-1).eq(arange(0, capacity, 1, { dtype: place.dtype })); // [B, T, X, C]
    const dispatch = slots.to(isSent.dtype).mul(isSent.unsqueeze(-1));
    const computed = this.experts.forward(einsum('btxc,bth->bxch', dispatch.to(x.dtype), x));
    return einsum('btxc,bxch->bth', dispatch.mul(share.unsqueeze(-1)).to(x.dtype), computed);
  }
}

/**
 * The loss that keeps experts equally busy (Switch Transformers, arXiv:2101.03961, eq. 4 to 6, over all layers together): 1 when
 * each gets the same number of tokens, times the number of experts that a token goes to. Add it with `router_aux_loss_coef`.
 * @param routerLogits those that a forward with `routerLogits` has filled in
 * @param perToken the number of experts that a token goes to
 * @param attentionMask [B, T]; tokens with 0 do not count
 * @throws {SHAPE_MISMATCH} where there are no logits: the model has no experts, or its forward did not get the array
 * @example
 * routerLoss([zeros(6, 4)], 2) // 2
 */
export function routerLoss(routerLogits: readonly Tensor[], perToken: number, attentionMask?: Tensor): Tensor {
  const [first] = routerLogits;
  if (first === undefined) {
    const detail = 'forward({ inputIds, routerLogits }) of a model with experts fills the array';
    throw new TrenioError(
      'SHAPE_MISMATCH',
      { op: 'routerLoss', left: '0 layers', right: '[N, experts] of each layer', detail },
      { location: userLocation() },
    );
  }
  const experts = first.shape[1]!;
  const weights = attentionMask?.to('f32').reshape(-1, 1); // [N, 1]
  let [counts, sums, rows] = [zeros(experts), zeros(experts), zeros([])];
  for (const logits of routerLogits) {
    const probabilities = logits.to('f32').softmax(-1);
    const routed = chosen(probabilities, perToken);
    const counted = (x: Tensor): Tensor => (weights === undefined ? x : x.mul(weights)).sum(0);
    counts = counts.add(counted(routed));
    sums = sums.add(counted(probabilities));
    rows = rows.add(weights === undefined ? logits.shape[0]! : weights.sum());
  }
  return counts.div(rows).mul(sums.div(rows)).sum().mul(experts);
}
