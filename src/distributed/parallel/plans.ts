// The plan of a model along the axis of tensor parallelism, by the names that layers have in Hugging Face's models: a column of
// projections, then a row (Megatron-LM, arXiv:1909.08053).
import { Embedding, LayerNorm, Linear, type Module, RMSNorm } from '../../nn/index.ts';
import { divide, Shard } from '../../tensor/index.ts';
import { ColwiseParallel, type ParallelStyle, RowwiseParallel, SequenceParallel } from './styles.ts';

/** Layers whose outputs are divided. */
const columns =
  /(^|\.)(q_proj|k_proj|v_proj|gate_proj|up_proj|query|key|value|q_lin|k_lin|v_lin|lin1|intermediate\.dense|c_attn|c_fc|fc1|fc_in|wi|wi_0|wi_1|q|k|v|query_key_value|dense_h_to_4h|lm_head|intermediate\.gate|layers\.\d+\.gate)$/;
/** Layers whose inputs are divided. */
const rows =
  /(^|\.)(o_proj|down_proj|out_proj|output\.dense|out_lin|lin2|c_proj|fc2|fc_out|wo|o|attention\.dense|dense_4h_to_h)$/;
/** The table of token embeddings: its rows are divided. */
const tables = /(^|\.)(embed_tokens|word_embeddings|wte|shared)$/;
/** The weights of all experts. */
const experts = /(^|\.)experts\.(gate_proj|up_proj|gate_up_proj|down_proj)(_bias)?$/;
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

/** Divides experts, whose weights [experts, …] are parameters of one module, along an axis. */
export function divideExperts(model: Module, axis: string): void {
  for (const [name, parameter] of model.namedParameters()) if (experts.test(name)) divide(parameter, 0, axis, 'parts');
}
