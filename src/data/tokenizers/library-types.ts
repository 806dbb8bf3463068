// Types of the parts of `@huggingface/tokenizers` that are used separately; the library declares only the whole tokenizer.
import * as library from '@huggingface/tokenizers';
import { afterTranslation, translatable } from './oniguruma.ts';

type Tokenizer = library.Tokenizer;
const { Tokenizer } = library;

/** The description of a step in tokenizer.json. */
export interface StepConfig {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A decoder; a `Sequence` has several. */
export interface ChainDecoder {
  decode_chain(tokens: readonly string[]): readonly string[];
  readonly decoders?: readonly ChainDecoder[];
}
interface CtcDecoder extends ChainDecoder {
  readonly pad_token: string;
  readonly word_delimiter_token: string;
  readonly cleanup: boolean | undefined;
}
export interface UnigramModel {
  encode(tokens: readonly string[]): readonly string[];
  fuse_unk: boolean;
  readonly tokens_to_ids: ReadonlyMap<string, number>;
}
/** The steps of a tokenizer. */
export interface TokenizerParts {
  normalizer: ((text: string) => string) | null;
  pre_tokenizer: ((text: string, options: { readonly section_index: number }) => readonly string[]) | null;
  readonly model: object;
  readonly decoder: ChainDecoder | null;
  /** By their texts, and by their normalized texts. */
  readonly added_tokens_map: Map<string, object>;
  splitter_unnormalized: Splitter;
  splitter_normalized: Splitter;
}
/** Splits a text at added tokens, which are parts of the result. */
export interface Splitter {
  split(text: string): string[];
}
/** A model that splits words. */
export interface WordModel {
  encode(words: readonly string[]): readonly string[];
  readonly tokens_to_ids: ReadonlyMap<string, number>;
}
type Class<T> = abstract new (...args: never) => T;

const { ByteFallbackDecoder, ByteLevelDecoder, CTCDecoder, Unigram, SplitPreTokenizer } = library as unknown as {
  readonly ByteFallbackDecoder: Class<ChainDecoder>;
  readonly ByteLevelDecoder: Class<ChainDecoder>;
  readonly CTCDecoder: Class<CtcDecoder>;
  readonly Unigram: Class<UnigramModel>;
  readonly SplitPreTokenizer: new (config: StepConfig) => { readonly pattern: RegExp };
};

export { ByteFallbackDecoder, ByteLevelDecoder, CTCDecoder, Unigram };

export const partsOf = (tokenizer: Tokenizer): TokenizerParts => tokenizer as unknown as TokenizerParts;

const empty = { decoder: null, post_processor: null, model: { type: 'BPE', vocab: {}, merges: [] }, added_tokens: [] };

/** Creates steps from their configurations. */
export const create = {
  normalizer: (config: StepConfig): ((text: string) => string) =>
    partsOf(new Tokenizer({ ...empty, normalizer: config, pre_tokenizer: null }, {})).normalizer!,
  preTokenizer: (config: StepConfig): ((text: string) => readonly string[]) => {
    const step = partsOf(new Tokenizer({ ...empty, normalizer: null, pre_tokenizer: config }, {})).pre_tokenizer!;
    return text => step(text, { section_index: 0 });
  },
  /** The pattern of a `Split` or a `Replace`, translated from the syntax of Oniguruma. */
  pattern(config: StepConfig): RegExp {
    const { Regex: source } = config.pattern as { readonly Regex?: string };
    if (source === undefined) return new SplitPreTokenizer(config).pattern;
    const { pattern } = new SplitPreTokenizer({ ...config, pattern: { Regex: translatable(source) } });
    return new RegExp(afterTranslation(pattern.source), pattern.flags);
  },
};
