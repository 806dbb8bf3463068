// The tokens that the files of a directory add to the vocabulary of tokenizer.json, as transformers adds them: those of
// `added_tokens_decoder`, or else of added_tokens.json; then special tokens that are named elsewhere and not added yet.
import type { TokenizerFiles, TokenizerJson } from './tokenizer-directory.ts';

type Flags = Partial<Record<'single_word' | 'lstrip' | 'rstrip' | 'normalized' | 'special', boolean | undefined>>;
const plain = { single_word: false, lstrip: false, rstrip: false };

/** The tokenizer with all of them. A token of the vocabulary keeps its id; others follow the largest id. */
export function withAddedTokens(
  json: TokenizerJson,
  { added, special, otherSpecial }: Pick<TokenizerFiles, 'added' | 'special' | 'otherSpecial'>,
): TokenizerJson {
  const { vocab } = json.model;
  const ids = Array.isArray(vocab)
    ? new Map(vocab.map(([token], id) => [token, id] as const))
    : new Map(Object.entries(vocab));
  const tokens = new Map(json.added_tokens.map(token => [token.content, token]));
  const add = (content: string, flags: Flags): void => {
    if (content === '') return;
    const largest = [...tokens.values()].reduce((most, { id }) => Math.max(most, id), -1);
    const id = tokens.get(content)?.id ?? ids.get(content) ?? Math.max(ids.size, largest + 1);
    tokens.set(content, { ...flags, id, content });
  };
  const names = new Set([...Object.values(special), ...otherSpecial]);
  for (const token of added) {
    const { content, lstrip, rstrip, single_word, normalized } = token;
    const isSpecial = token.special === true || Object.values(special).includes(content);
    add(content, { lstrip, rstrip, single_word, normalized: normalized ?? !isSpecial, special: isSpecial });
  }
  for (const content of names)
    if (content !== undefined && !tokens.has(content)) add(content, { ...plain, normalized: false, special: true });
  return { ...json, added_tokens: [...tokens.values()].sort((a, b) => a.id - b.id) };
}
