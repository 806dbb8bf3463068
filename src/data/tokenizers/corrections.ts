// Replaces parts of a tokenizer of `@huggingface/tokenizers`, so that its tokens equal those of the Python library.
import type { Tokenizer } from '@huggingface/tokenizers';
import {
  ByteFallbackDecoder,
  ByteLevelDecoder,
  type ChainDecoder,
  CTCDecoder,
  partsOf,
  type Splitter,
  type StepConfig,
  type TokenizerParts,
  Unigram,
  type UnigramModel,
  type WordModel,
} from './library-types.ts';
import { bytesOfVisible, normalizerOf, preTokenizerOf, visible } from './text-steps.ts';
import type { AddedToken, TokenizerJson } from './tokenizer-directory.ts';

export function correct(tokenizer: Tokenizer, json: TokenizerJson): void {
  const parts = partsOf(tokenizer);
  if (json.normalizer !== null) parts.normalizer = normalizerOf(json.normalizer as StepConfig);
  if (json.pre_tokenizer !== null) {
    const split = preTokenizerOf(json.pre_tokenizer as StepConfig);
    parts.pre_tokenizer = (text, { section_index: section }) => split(text, section === 0);
  }
  const { model, decoder } = parts;
  if (model instanceof Unigram && (json.model as { byte_fallback?: unknown }).byte_fallback === true)
    addByteFallback(model);
  if (decoder !== null) correctDecoder(decoder);
  correctUnknown(model as WordModel, json);
  correctAddedTokens(parts, json);
}

/** Added tokens are found in the text before it is normalized, or after, then in normalized form. */
function correctAddedTokens(parts: TokenizerParts, { added_tokens: added }: TokenizerJson): void {
  const { normalizer } = parts;
  const isNormalized = (token: AddedToken): boolean =>
    normalizer !== null && (token.normalized ?? token.special !== true);
  const contents = new Map(added.filter(isNormalized).map(token => [normalizer!(token.content), token]));
  for (const [content, token] of contents) parts.added_tokens_map.set(content, token);
  parts.splitter_normalized = splitterAt(contents);
  const others = added.filter(token => !isNormalized(token));
  parts.splitter_unnormalized = splitterAt(new Map(others.map(token => [token.content, token])));
}

/** Unknown words become the unknown token of WordLevel; BPE without one leaves unknown characters out. */
function correctUnknown(model: WordModel, { model: config, pre_tokenizer: split }: TokenizerJson): void {
  const { tokens_to_ids: ids } = model;
  const plain = model.encode.bind(model);
  const { unk_token: unknown, byte_fallback: hasBytes, end_of_word_suffix: suffix } = config as ModelFields;
  if (config.type === 'WordLevel')
    model.encode = words => words.flatMap(word => (ids.has(word) ? word : ids.has(unknown ?? '') ? unknown! : []));
  const hasOnlyBytes = /"type":"ByteLevel"/.test(JSON.stringify(split)) && visible.every(one => ids.has(one));
  if (config.merges === undefined || hasOnlyBytes || unknown || hasBytes || suffix) return;
  const known = (word: string): string => Array.from(word, one => (ids.has(one) ? one : '')).join('');
  model.encode = words => plain(words.map(known).filter(word => word !== ''));
}
interface ModelFields {
  readonly unk_token?: string | null;
  readonly byte_fallback?: boolean;
  readonly end_of_word_suffix?: string | null;
}

const wordBefore = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d]$/u;
const wordAfter = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\u200c\u200d]/u;
interface Node {
  readonly next: Map<string, Node>;
  token?: AddedToken;
}
/** Finds the longest token at each place; some only between characters that are not in words. */
function splitterAt(tokens: ReadonlyMap<string, AddedToken>): Splitter {
  const root: Node = { next: new Map() };
  for (const [content, token] of tokens) {
    let node = root;
    for (let i = 0; i < content.length; i++) {
      const next = node.next.get(content[i]!) ?? { next: new Map() };
      node.next.set(content[i]!, next);
      node = next;
    }
    if (node !== root) node.token = token;
  }
  const isInWord = (text: string, start: number, end: number): boolean =>
    wordBefore.test(text.slice(Math.max(0, start - 2), start)) || wordAfter.test(text.slice(end, end + 2));
  return {
    split(text) {
      const parts: string[] = [];
      let from = 0;
      for (let at = 0; at < text.length; ) {
        let [end, found]: [number, AddedToken | undefined] = [at, undefined];
        for (let node: Node | undefined = root, i = at; node !== undefined; node = node.next.get(text[i++] ?? ''))
          if (node.token !== undefined) [end, found] = [i, node.token];
        if (found !== undefined && (found.single_word !== true || !isInWord(text, at, end))) {
          if (at > from) parts.push(text.slice(from, at));
          parts.push(text.slice(at, end));
          from = end;
        }
        at = Math.max(end, at + 1);
      }
      if (from < text.length) parts.push(text.slice(from));
      return parts;
    },
  };
}

/** A piece that is not in the vocabulary is replaced by its byte tokens, if the vocabulary has them. */
function addByteFallback(model: UnigramModel): void {
  const plain = model.encode.bind(model);
  const encoder = new TextEncoder();
  model.fuse_unk = false;
  model.encode = tokens =>
    plain(tokens).flatMap(piece => {
      if (model.tokens_to_ids.has(piece)) return [piece];
      const bytes = Array.from(
        encoder.encode(piece),
        byte => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
      );
      return bytes.every(byte => model.tokens_to_ids.has(byte)) ? bytes : [piece];
    });
}

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
const exact = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

function correctDecoder(decoder: ChainDecoder): void {
  for (const one of decoder.decoders ?? []) correctDecoder(one);
  if (decoder instanceof ByteLevelDecoder) {
    // All tokens are decoded together: the bytes of a character may be on both sides of an added token.
    const bytes = (token: string): Iterable<number> => bytesOfVisible(token) ?? Buffer.from(token);
    decoder.decode_chain = tokens => [lossy.decode(Uint8Array.from(tokens.flatMap(token => [...bytes(token)])))];
  }
  if (decoder instanceof CTCDecoder) {
    const { pad_token: pad, word_delimiter_token: delimiter, cleanup } = decoder;
    decoder.decode_chain = tokens =>
      tokens
        .filter((token, i) => token !== tokens[i - 1])
        .map(token => (pad === '' ? token : token.replaceAll(pad, '')))
        .map(token => (cleanup === true && delimiter !== '' ? token.replaceAll(delimiter, ' ') : token))
        .filter(token => token !== '');
  }
  if (decoder instanceof ByteFallbackDecoder) decoder.decode_chain = tokens => bytesJoined(tokens);
}

/** Consecutive byte tokens become their text, or one replacement character for each byte if they are not valid UTF-8. */
function bytesJoined(tokens: readonly string[]): string[] {
  const joined: string[] = [];
  let bytes: number[] = [];
  const flush = (): void => {
    if (bytes.length === 0) return;
    try {
      joined.push(exact.decode(Uint8Array.from(bytes)));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      joined.push(...bytes.map(() => '\uFFFD'));
    }
    bytes = [];
  };
  for (const token of tokens) {
    const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token)?.[1];
    if (byte !== undefined) bytes.push(Number.parseInt(byte, 16));
    else {
      flush();
      joined.push(token);
    }
  }
  flush();
  return joined;
}
