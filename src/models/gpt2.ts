// GPT-2 (Radford et al., 2019): the `gpt2` row of the table of decoders (decoder/), with Hugging Face's class name.
import { DecoderForCausalLM, type DecoderFromPretrainedOptions, loadCausalLM } from './decoder/decoder.ts';
import type { DecoderConfigInput } from './decoder/fields.ts';

/**
 * GPT-2 with the head that predicts the next token. Fields have the names of the file, such as `n_embd`, or those of other
 * decoders, such as `hidden_size`.
 * @example
 * const model = new GPT2LMHeadModel({ n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 10, n_positions: 16 });
 * model(randint(0, 10, [2, 5])).shape // [2, 5, 10]
 */
export class GPT2LMHeadModel extends DecoderForCausalLM {
  constructor(config: Partial<DecoderConfigInput> = {}) {
    super({ model_type: 'gpt2', ...config });
  }
  /** Like `DecoderForCausalLM.fromPretrained`. */
  static override fromPretrained(
    directory: string,
    options: DecoderFromPretrainedOptions = {},
  ): Promise<GPT2LMHeadModel> {
    return loadCausalLM(config => new GPT2LMHeadModel(config), directory, options);
  }
}
