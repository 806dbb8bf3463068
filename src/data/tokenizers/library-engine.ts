// Runs all tokenizers except BERT's with the library `@huggingface/tokenizers`, corrected where it differs from Hugging Face's
// Python library (docs/decisions/0015-tokenizers-and-chat-templates.md).
import { Tokenizer } from '@huggingface/tokenizers';
import { TrenioError } from '../../base/errors.ts';
import { correct } from './corrections.ts';
import type { TokenizerEngine } from './engine.ts';
import { patternGuard } from './pattern-guard.ts';
import { templateOf } from './post-processor.ts';
import type { TokenizerJson, TokenizerSettings } from './tokenizer-directory.ts';

/** @throws {TOKENIZER_INVALID} */
export function libraryEngine(json: TokenizerJson, settings: TokenizerSettings, file: string): TokenizerEngine {
  const invalid = (problem: string, cause?: unknown): TrenioError =>
    new TrenioError('TOKENIZER_INVALID', { file, problem }, { cause });
  let tokenizer: Tokenizer;
  try {
    // As in transformers 5, spaces are cleaned up only if the settings ask for it, twice for BPE.
    const isForced = settings.clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output === true;
    const isCleaned = settings.clean_up_tokenization_spaces === true && (isForced || json.model.merges === undefined);
    const config = { clean_up_tokenization_spaces: isCleaned };
    // The library knows fewer kinds of steps than `correct` sets.
    tokenizer = new Tokenizer({ ...json, normalizer: null, pre_tokenizer: null, post_processor: null }, config);
    correct(tokenizer, json);
  } catch (cause) {
    if (cause instanceof TrenioError) throw cause;
    throw invalid((cause as Error).message, cause);
  }
  const idOf = (token: string): number | undefined => tokenizer.token_to_id(token);
  const known = (token: string): number => {
    const found = idOf(token);
    if (found === undefined) throw invalid(`post_processor: the token ${token} is not in the vocabulary`);
    return found;
  };
  const tokens = json.added_tokens.reduce((most, { id }) => Math.max(most, id), -1) + 1;
  const vocabularySize = Math.max(tokens, sizeOf(json.model.vocab));
  const templates = [false, true].map(pair => templateOf(json.post_processor, pair, known, file));
  // The library checks little of its configuration: what it then cannot do is an error of the file.
  const guard = patternGuard([json.normalizer, json.pre_tokenizer, json.decoder], invalid);
  const checked = <T>(what: string, characters: number, run: () => T): T => {
    try {
      return guard(characters, run);
    } catch (cause) {
      throw cause instanceof TrenioError ? cause : invalid(`${what} failed: ${(cause as Error).message}`, cause);
    }
  };
  return {
    vocabularySize,
    idsOf: text => checked('encoding', text.length, () => tokenizer.encode(text, { add_special_tokens: false }).ids),
    template: pair => templates[pair ? 1 : 0]!,
    decode: (ids, skipSpecialTokens) =>
      ids.length === 0
        ? ''
        : checked('decoding', ids.length, () => tokenizer.decode([...ids], { skip_special_tokens: skipSpecialTokens })),
    idOf,
    tokenOf: id => tokenizer.id_to_token(id),
  };
}

const sizeOf = (vocabulary: TokenizerJson['model']['vocab']): number =>
  Array.isArray(vocabulary)
    ? vocabulary.length
    : Object.values(vocabulary).reduce((most, id) => Math.max(most, id), -1) + 1;
