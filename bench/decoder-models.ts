// Models for the benchmarks of decoding, and how many weights a token reads.
import type { DecoderConfigInput } from 'trenio';

const common = { max_position_embeddings: 8192, rms_norm_eps: 1e-5, tie_word_embeddings: true };
/** Llama-shaped, by the number of parameters; the second has the sizes of Qwen2.5-0.5B. */
export const decoderConfigs: Readonly<Record<string, DecoderConfigInput>> = {
  '135m': {
    ...common,
    model_type: 'llama',
    vocab_size: 49_152,
    hidden_size: 576,
    intermediate_size: 1536,
    num_hidden_layers: 30,
    num_attention_heads: 9,
    num_key_value_heads: 3,
  },
  '500m': {
    ...common,
    model_type: 'qwen2',
    vocab_size: 151_936,
    hidden_size: 896,
    intermediate_size: 4864,
    num_hidden_layers: 24,
    num_attention_heads: 14,
    num_key_value_heads: 2,
  },
};

/** The elements of all matrices, each of which takes part in every token. */
export function weightsOf(config: DecoderConfigInput): number {
  const [width, inner] = [config.hidden_size!, config.intermediate_size!];
  const shared = (config.num_key_value_heads ?? config.num_attention_heads!) / config.num_attention_heads!;
  const block = width * (2 * width + 2 * width * shared + 3 * inner);
  return config.vocab_size! * width + config.num_hidden_layers! * block;
}
