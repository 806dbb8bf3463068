// The plan of a model along the axis of tensor parallelism, by the names that layers have in Hugging Face's models: a column of
// projections, then a row (Megatron-LM, arXiv:1909.08053).
import { DecoderExperts } from '../../models/index.ts';
import { Embedding, LayerNorm, Linear, type Module, RMSNorm } from '../../nn/index.ts';
import { divide, Shard, wrongArgument } from '../../tensor/index.ts';
import { ColwiseParallel, type ParallelStyle, RowwiseParallel, SequenceParallel } from './styles.ts';

/** Layers whose outputs are divided. */
const columns =
  /(^|\.)(q_proj|k_proj|v_proj|gate_proj|up_proj|query|key|value|q_lin|k_lin|v_lin|lin1|intermediate\.dense|c_attn|c_fc|fc1|fc_in|wi|wi_0|wi_1|q|k|v|query_key_value|dense_h_to_4h|lm_head|intermediate\.gate|layers\.\d+\.gate)$/;
/** Layers whose inputs are divided. */
const rows =
  /(^|\.)(o_proj|down_proj|out_proj|output\.dense|out_lin|lin2|c_proj|fc2|fc_out|wo|o|attention\.dense|dense_4h_to_h)$/;
/** The table of token embeddings: its rows are divided. */
const tables = /(^|\.)(embed_tokens|word_embeddings|wte|shared)$/;
/** Lists of blocks. */
const inBlock = /(^|\.)(layers|layer|h|block)\.\d+\./;

export interface PlanOptions {
  /** Divides the sequence between blocks. */
  readonly sequenceParallel: boolean;
}

/** For each module that is divided, by its name. */
export function planOf(model: Module, { sequenceParallel }: PlanOptions): ReadonlyMap<string, ParallelStyle> {
  const plan = new Map<string, ParallelStyle>();
  const between = sequenceParallel ? { outputLayouts: Shard(1) } : {};
  for (const [name, module] of model.namedModules()) {
    if (module instanceof Linear && columns.test(name)) plan.set(name, ColwiseParallel());
    else if (module instanceof Linear && rows.test(name)) plan.set(name, RowwiseParallel(between));
    else if (module instanceof Embedding && tables.test(name)) plan.set(name, RowwiseParallel(between));
    else if (
      sequenceParallel &&
      (module instanceof LayerNorm || module instanceof RMSNorm) &&
      inBlock.test(name) &&
      !/(q|k)_norm$/.test(name)
    )
      plan.set(name, SequenceParallel());
  }
  return plan;
}

/** Divides the inner width of all experts along an axis: columns of the first weights, rows of the last. */
export function divideExpertWidths(model: Module, axis: string): void {
  const parameters = new Map(model.namedParameters());
  for (const [name, parameter] of parameters) {
    const [, weight] = widths.exec(name) ?? [];
    if (weight === undefined) continue;
    // Of experts with joined weights, the last ones are transposed.
    const isJoined = parameters.has(name.replace(/[^.]+$/, 'gate_up_proj'));
    divide(parameter, weight === 'gate_up_proj' || (weight === 'down_proj' && !isJoined) ? 2 : 1, axis, 'parts');
  }
}
const widths = /(?:^|\.)experts\.(gate_proj|up_proj|gate_up_proj|gate_up_proj_bias|down_proj)$/;

/** Bounds the tokens of each expert. @throws {WRONG_ARGUMENT} for a factor that is not positive */
export function limitExperts(call: string, model: Module, factor: number | undefined): void {
  if (factor === undefined) return;
  if (typeof factor !== 'number' || !(factor > 0))
    throw wrongArgument({ call, argument: 'capacityFactor' }, factor, 'a number above 0, such as 1.25');
  for (const module of model.modules()) if (module instanceof DecoderExperts) module.capacityFactor = factor;
}
