// Each key of GGUF's metadata that the format's specification names (gguf/constants.py of llama.cpp, without the keys of other
// kinds of files) is read, refused unless its value changes nothing, or has no effect on the result.
// `{arch}` stands for the architecture, `{id}` and `{name}` for any text without a dot.
import type { TrenioError } from '../../base/errors.ts';
import { type GgufFile, GgufMetadata } from './gguf-file.ts';
import type { GgufValue } from './gguf-header.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const under = (prefix: string, names: string): readonly string[] => words(names).map(name => `${prefix}.${name}`);

const read: readonly string[] = [
  ...under('general', 'alignment architecture'),
  ...under('general.sampling', 'temp top_k top_p min_p'),
  ...under('{arch}', 'context_length embedding_length block_count feed_forward_length'),
  ...under('{arch}', 'attn_logit_softcapping final_logit_softcapping'),
  ...under('{arch}.attention', 'head_count head_count_kv key_length layer_norm_rms_epsilon scale'),
  ...under('{arch}.attention', 'sliding_window sliding_window_pattern'),
  ...under('{arch}.rope', 'dimension_count freq_base freq_base_swa'),
  ...under('{arch}.rope.scaling', 'type factor attn_factor original_context_length yarn_beta_fast yarn_beta_slow'),
  ...under('tokenizer.ggml', 'model pre tokens token_type scores merges add_bos_token add_eos_token add_space_prefix'),
  ...['bos', 'eos', 'eot', 'eom', 'unknown', 'seperator', 'padding', 'mask', 'fim_pad', 'fim_rep', 'fim_sep'].map(
    name => `tokenizer.ggml.${name}_token_id`,
  ),
  ...['tokenizer.chat_template', 'tokenizer.chat_templates', 'tokenizer.chat_template.{name}'],
];

/** Descriptions of the file, hints for samplers of llama.cpp, and parts of tokenizers of other kinds. */
const ignored: readonly string[] = [
  ...under('general', 'author basename description doi file_type finetune languages license license.link license.name'),
  ...under('general', 'name organization quantization_version quantized_by repo_url size_label source.doi tags url'),
  ...under('general', 'source.repo_url source.url source.uuid uuid version base_model.count dataset.count'),
  ...['general.base_model.{id}', 'general.dataset.{id}'].flatMap(prefix =>
    under(prefix, 'author description doi name organization repo_url url uuid version'),
  ),
  ...under('general.sampling', 'mirostat mirostat_eta mirostat_tau penalty_last_n penalty_repeat sequence'),
  ...under('general.sampling', 'xtc_probability xtc_threshold'),
  ...under('{arch}', 'classifier.output_labels pooling_type tensor_data_layout rope.scaling.finetuned vocab_size'),
  ...under('{arch}.attention', 'layer_norm_epsilon group_norm_epsilon group_norm_groups'),
  ...under('tokenizer.ggml', 'fim_pre_token_id fim_suf_token_id fim_mid_token_id prefix_token_id suffix_token_id'),
  ...under('tokenizer.ggml', 'middle_token_id token_type_count remove_extra_whitespaces precompiled_charsmap'),
  ...['tokenizer.huggingface.json', 'tokenizer.rwkv.world', 'split.no', 'split.tensors.count'],
];

/** The values that change nothing. Keys that are not listed with any are refused with each value. */
const harmless: Readonly<Record<string, readonly GgufValue[]>> = {
  'general.type': ['model'],
  'split.count': [0, 1],
  'tokenizer.ggml.add_sep_token': [false],
  '{arch}.attention.causal': [true],
  '{arch}.attention.clamp_kqv': [0],
  '{arch}.attention.max_alibi_bias': [0],
  '{arch}.attention.output_scale': [0, 1],
  '{arch}.embedding_scale': [0, 1],
  '{arch}.logit_scale': [0, 1],
  '{arch}.residual_scale': [0, 1],
  '{arch}.router_logit_softcapping': [0],
  '{arch}.rope.scaling.alpha': [0],
  '{arch}.rope.scaling.yarn_attn_factor': [1],
  '{arch}.rope.scaling.yarn_ext_factor': [1],
  '{arch}.rope.scaling.yarn_log_multiplier': [0],
  '{arch}.swin_norm': [false],
  '{arch}.use_parallel_residual': [false],
};
/** Counts of parts that these models do not have, and sizes of such parts. */
const refused: readonly string[] = [
  ...under('{arch}', 'decoder_block_count decoder_start_token_id {name}_feat_in {name}_feat_out experts_per_group'),
  ...under(
    '{arch}',
    'embedding_length_out embedding_length_per_layer_input activation_sparsity_scale n_deepstack_layers',
  ),
  ...under('{arch}', 'altup.active_idx altup.num_inputs expert_count expert_used_count expert_feed_forward_length'),
  ...under('{arch}', 'expert_chunk_feed_forward_length expert_gating_func expert_group_count expert_group_scale'),
  ...under('{arch}', 'expert_group_used_count expert_shared_count expert_shared_feed_forward_length'),
  ...under('{arch}', 'expert_weights_norm expert_weights_scale features_length full_attention_interval'),
  ...under('{arch}', 'interleave_moe_layer_step leading_dense_block_count moe_every_n_layers moe_latent_size'),
  ...under('{arch}', 'nextn_predict_layers rescale_every_n_layers swiglu_clamp_exp swiglu_clamp_shexp'),
  ...under('{arch}', 'time_decay_extra_dim time_mix_extra_dim token_shift_count wkv.head_size kda.head_dim'),
  ...under('{arch}', 'convnext.block_count convnext.embedding_length posnet.block_count posnet.embedding_length'),
  ...under('{arch}.ssm', 'conv_kernel dt_b_c_rms group_count inner_size state_size time_step_rank'),
  ...under('{arch}', 'shortconv.l_cache rope.dimension_sections attention.shared_kv_layers'),
  ...under('{arch}.attention', 'decay_lora_rank gate_lora_rank iclr_lora_rank kv_lora_rank q_lora_rank'),
  ...under('{arch}.attention', 'value_residual_mix_lora_rank relative_buckets_count temperature_length'),
  ...under('{arch}.attention', 'temperature_scale indexer.head_count indexer.key_length indexer.top_k'),
  ...under('adapter', 'type lora.alpha lora.prompt_prefix lora.task_name alora.invocation_tokens'),
  ...['diffusion.shift_logits', 'xielu.alpha_n', 'xielu.alpha_p', 'xielu.beta', 'xielu.eps'],
];
/** Sizes that must equal another one. */
const equal: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['value_length', 'key_length_mla', 'value_length_mla', 'key_length_swa', 'value_length_swa'].map(name => [
      `{arch}.attention.${name}`,
      '{arch}.attention.key_length',
    ]),
  ),
  '{arch}.rope.dimension_count_swa': '{arch}.rope.dimension_count',
};

/** All keys, for the test that compares them with the specification. */
export const ggufKeys = {
  read,
  ignored,
  refused: [...Object.keys(harmless), ...refused, ...Object.keys(equal)],
};

const patterns = ggufKeys.refused.map(key => {
  const source = key.split(/\{\w+\}/).map(part => RegExp.escape(part));
  return { key, pattern: new RegExp(`^${source.join('([\\w-]+)')}$`) };
});

/** @throws {GGUF_INVALID} naming a key whose value would change the result, and which is not supported */
export function refuseUnsupportedKeys(file: GgufFile): void {
  const metadata = new GgufMetadata(file);
  for (const [key, value] of file.metadata) {
    const found = patterns.find(({ pattern }) => pattern.test(key));
    if (found === undefined) continue;
    const arch = found.pattern.exec(key)?.[1];
    const other = equal[found.key]?.replace('{arch}', arch ?? '');
    const accepted = other === undefined ? (harmless[found.key] ?? [0, false]) : [file.metadata.get(other) ?? value];
    if (!accepted.includes(value)) throw refusal(metadata, key, value, other ?? accepted.join(' or '));
  }
}

const refusal = (metadata: GgufMetadata, key: string, value: GgufValue, expected: string): TrenioError =>
  metadata.invalid(
    `${key} is ${Array.isArray(value) ? 'a list' : JSON.stringify(String(value))}, which is not supported; expected ${expected}`,
  );
