// Replaces parts of a tokenizer of `@huggingface/tokenizers`, so that its tokens equal those of the Python library.
import type { Tokenizer } from '@huggingface/tokenizers';
import {
  ByteFallbackDecoder,
  ByteLevelDecoder,
  type ChainDecoder,
  partsOf,
  type StepConfig,
  Unigram,
  type UnigramModel,
} from './library-parts.ts';
import { bytesOfVisible, normalizerOf, preTokenizerOf } from './text-steps.ts';
import type { TokenizerJson } from './tokenizer-directory.ts';

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
