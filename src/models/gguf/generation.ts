// Generation by the metadata of a GGUF file: the values that its authors recommend for sampling, and the tokens that end a
// sequence. As in llama.cpp, these are those that the metadata names, and those whose texts end a turn of a chat.
import type { GgufMetadata } from '../../data/gguf/gguf-file.ts';

/** The names of ids in the metadata; the first one also pads. */
const named = ['eos', 'eot', 'eom', 'fim_pad', 'fim_rep', 'fim_sep'];
const texts = new Set([
  ...['</s>', '<eos>', '[EOS]', '[EOT]', '<EOT>', '_<EOT>', '<|eot_id|>', '<|eom_id|>', '<|im_end|>', '<|end|>'],
  ...['<|endoftext|>', '<|end_of_text|>', '<end_of_turn>', '<end_of_utterance>', '<｜end▁of▁sentence｜>'],
  ...['<|return|>', '<|call|>', '<|calls|>', '<|flush|>'],
]);

export function endTokens(metadata: GgufMetadata, tokens: readonly string[]): readonly number[] {
  const ids = named.flatMap(name => metadata.number(`tokenizer.ggml.${name}_token_id`) ?? []);
  const byText = tokens.flatMap((token, id) => (texts.has(token) ? [id] : []));
  // In the format of gpt-oss, <|end|> ends a message, but not the turn.
  const isHarmony = ['<|return|>', '<|call|>', '<|end|>'].every(token => tokens.includes(token));
  return [...new Set([...ids, ...byText])].filter(id => !isHarmony || tokens[id] !== '<|end|>');
}

/** As fields of generation_config.json. */
export function recommendedSampling(metadata: GgufMetadata): Readonly<Record<string, number>> {
  const names = { temperature: 'temp', top_k: 'top_k', top_p: 'top_p', min_p: 'min_p' };
  return Object.fromEntries(
    Object.entries(names).flatMap(([field, name]) => {
      const value = metadata.number(`general.sampling.${name}`);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}
