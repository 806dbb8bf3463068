// Runs all tokenizers except BERT's with the library `@huggingface/tokenizers`, corrected where it differs from Hugging Face's
// Python library (docs/decisions/0015-tokenizers-and-chat-templates.md).
import { Tokenizer } from '@huggingface/tokenizers';
import { TrenioError } from '../../base/errors.ts';
import { correct } from './corrections.ts';
import type { TemplatePart, TokenizerEngine } from './engine.ts';
import type { TokenizerJson, TokenizerSettings } from './tokenizer-directory.ts';

/** The library's post-processor, which its types do not declare. */
type PostProcessor = (
  tokens: readonly string[],
  pair: readonly string[] | null,
  addSpecialTokens: boolean,
) => { readonly tokens: readonly string[]; readonly token_type_ids?: readonly number[] };

/** @throws {TOKENIZER_INVALID} */
export function libraryEngine(json: TokenizerJson, settings: TokenizerSettings, file: string): TokenizerEngine {
  const invalid = (problem: string, cause?: unknown): TrenioError =>
    new TrenioError('TOKENIZER_INVALID', { file, problem }, { cause });
  let tokenizer: Tokenizer;
  try {
    // As in transformers 5, spaces are cleaned up only if the settings ask for it, twice for BPE.
    const isForced = settings.clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output === true;
    const isCleaned = settings.clean_up_tokenization_spaces === true && (isForced || json.model.merges === undefined);
    const config = { ...settings, clean_up_tokenization_spaces: isCleaned };
    tokenizer = new Tokenizer(json, config);
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
  const templates = [false, true].map(pair => templateOf(tokenizer, pair, known));
  return {
    vocabularySize,
    idsOf: text => tokenizer.encode(text, { add_special_tokens: false }).ids,
    template: pair => templates[pair ? 1 : 0]!,
    decode: (ids, skipSpecialTokens) =>
      ids.length === 0 ? '' : tokenizer.decode([...ids], { skip_special_tokens: skipSpecialTokens }),
    idOf,
    tokenOf: id => tokenizer.id_to_token(id),
  };
}

const sizeOf = (vocabulary: TokenizerJson['model']['vocab']): number =>
  Array.isArray(vocabulary)
    ? vocabulary.length
    : Object.values(vocabulary).reduce((most, id) => Math.max(most, id), -1) + 1;

/** Stand in for the two texts, to find the special tokens that the post-processor adds around them. They are in no vocabulary. */
const marks = ['\uFFFF first text', '\uFFFF second text'] as const;

function templateOf(tokenizer: Tokenizer, pair: boolean, idOf: (token: string) => number): readonly TemplatePart[] {
  const post = tokenizer.post_processor as unknown as PostProcessor | null;
  const made = post?.([marks[0]], pair ? [marks[1]] : null, true);
  const tokens = made?.tokens ?? [marks[0]];
  const parts = tokens.map((token, i): TemplatePart => {
    const typeId = made?.token_type_ids?.[i] ?? 0;
    const index = marks.indexOf(token as (typeof marks)[number]);
    return index >= 0 ? { kind: 'text', index: index as 0 | 1, typeId } : { kind: 'special', id: idOf(token), typeId };
  });
  // A post-processor that adds nothing ignores the second text.
  const isComplete = !pair || parts.some(part => part.kind === 'text' && part.index === 1);
  return isComplete ? parts : [...parts, { kind: 'text', index: 1, typeId: 1 }];
}
