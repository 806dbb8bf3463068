// WordPiece: text ↔ token ids, as in BERT. Each word becomes the longest piece that is in the vocabulary, then
// the longest continuation, and so on (greedy, from the left):
//
//   "Unplayable!" → unplayable ! → un ##play ##able ! → [CLS] 4895 13068 3085 999 [SEP]
//
// Equal to Hugging Face's BertTokenizer, id by id (wordpiece.test.ts). docs/decisions/0004-tokenizer.md explains why this
// is our own code.
import { TrenioError } from '../../base/errors.ts';
import { readTextFile } from '../../base/read-file.ts';
import type { Literal } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import { bertWords } from './bert-text.ts';
import {
  bertTextOptions,
  readTokenizerDirectory,
  type TokenizerDescription,
  tokenizerJsonOf,
  writeTokenizerDirectory,
} from './tokenizer-files.ts';
import { parseVocabulary, type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** One encoded text; the three arrays have the same length. */
export interface Encoding {
  /** The token ids. */
  readonly inputIds: Int32Array;
  /** 1 for a token, 0 for padding. */
  readonly attentionMask: Int32Array;
  /** All 0: there is one segment. */
  readonly tokenTypeIds: Int32Array;
}

/** Several texts, padded to one length: three i32 tensors [batch, sequence]. */
export interface EncodedBatch {
  /** The token ids. */
  readonly inputIds: Literal;
  /** 1 for tokens, 0 for padding; same shape as `inputIds`. */
  readonly attentionMask: Literal;
  /** 0 for tokens of the first text, 1 for those of the second; same shape as `inputIds`. */
  readonly tokenTypeIds: Literal;
}

/** Options of `WordPieceTokenizer.encode`. */
export interface EncodeOptions {
  /** The maximum number of tokens of a text, [CLS] and [SEP] included; longer texts are truncated. Default: no limit. */
  readonly maxLength?: number | undefined;
}

/** Options for encoding a batch of texts. */
export interface PadOptions extends EncodeOptions {
  /** Pad to the longest text of the batch (the default), or always to `maxLength`. */
  readonly pad?: 'longest' | 'max' | undefined;
  /** Round the padded length up to a multiple of this, never above `maxLength`: fewer shapes to compile. Default 1. */
  readonly padToMultipleOf?: number | undefined;
}

/** How many words are cached with their pieces: a corpus repeats the same few thousand words. */
const rememberedWords = 1 << 16;

/**
 * BERT's tokenizer: splits text into words and words into pieces of a vocabulary. The ids equal those of Hugging Face's
 * tokenizers.
 * @example
 * const tokenizer = WordPieceTokenizer.fromTokens(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'good', '##ness']);
 * const { inputIds } = tokenizer.encode('Goodness');
 * inputIds // [2, 5, 6, 3]
 * tokenizer.decode(inputIds, { skipSpecialTokens: true }) // 'goodness'
 */
export class WordPieceTokenizer {
  /** The tokens and their ids. */
  readonly vocabulary: Vocabulary;
  readonly #description: TokenizerDescription;
  readonly #longestToken: number;
  readonly #special: RegExp;
  readonly #pieces = new Map<string, readonly number[]>();

  constructor(description: TokenizerDescription) {
    this.#description = description;
    this.vocabulary = description.vocabulary;
    this.#longestToken = this.vocabulary.tokens.reduce((longest, token) => Math.max(longest, token.length), 1);
    // Longest first, so that a token that starts with another one is matched completely.
    const special = [...this.vocabulary.specialTokens()].sort((a, b) => b.length - a.length);
    this.#special = new RegExp(`(${special.map(token => RegExp.escape(token)).join('|')})`, 'u');
  }

  /**
   * From a `vocab.txt`.
   * @throws {FILE_UNREADABLE}
   * @throws {VOCABULARY_INVALID}
   */
  static async fromVocabFile(
    path: string,
    options: { readonly lowercase?: boolean } = {},
  ): Promise<WordPieceTokenizer> {
    return new WordPieceTokenizer({
      vocabulary: parseVocabulary(await readTextFile(path), path),
      text: bertTextOptions(options.lowercase ?? true),
      continuingPrefix: '##',
      maxWordCharacters: 100,
    });
  }

  /**
   * From a Hugging Face model directory: `tokenizer.json`, else `vocab.txt` with an optional `tokenizer_config.json`.
   * @throws {FILE_UNREADABLE}
   * @throws {VOCABULARY_INVALID}
   * @throws {UNSUPPORTED} for another kind of tokenizer
   */
  static async fromDirectory(directory: string): Promise<WordPieceTokenizer> {
    return new WordPieceTokenizer(await readTokenizerDirectory(directory));
  }

  /**
   * From the tokens in the order of their ids, as returned by `trainWordPiece`.
   * @throws {VOCABULARY_INVALID}
   */
  static fromTokens(tokens: readonly string[], options: { readonly lowercase?: boolean } = {}): WordPieceTokenizer {
    return new WordPieceTokenizer({
      vocabulary: vocabularyOf(tokens, 'the list of tokens'),
      text: bertTextOptions(options.lowercase ?? true),
      continuingPrefix: '##',
      maxWordCharacters: 100,
    });
  }

  /**
   * Writes what `fromDirectory`, and Hugging Face's AutoTokenizer, read.
   * @throws {DISK_FULL}
   * @throws {WRITE_FAILED}
   */
  async save(directory: string): Promise<void> {
    await writeTokenizerDirectory(directory, this.#description);
  }

  /** @internal The content of its tokenizer.json. */
  toTokenizerJson(): ReturnType<typeof tokenizerJsonOf> {
    return tokenizerJsonOf(this.#description);
  }

  /** The number of tokens, special ones included. */
  get vocabularySize(): number {
    return this.vocabulary.size;
  }

  /** `text` as token ids between [CLS] and [SEP]. A special token written in the text is encoded as that token. */
  encode(text: string, options: EncodeOptions = {}): Encoding {
    const { maxLength = Number.POSITIVE_INFINITY } = options;
    if (maxLength < 2 || !(Number.isInteger(maxLength) || maxLength === Number.POSITIVE_INFINITY))
      throw invalid('maxLength', maxLength, 'an integer, 2 or more (for [CLS] and [SEP])');
    const { classifyId, separateId } = this.vocabulary;
    const ids = [classifyId];
    for (const id of this.#ids(text)) {
      if (ids.length + 1 >= maxLength) break;
      ids.push(id);
    }
    ids.push(separateId);
    const inputIds = Int32Array.from(ids);
    return {
      inputIds,
      attentionMask: new Int32Array(inputIds.length).fill(1),
      tokenTypeIds: new Int32Array(inputIds.length),
    };
  }

  /** The texts as three i32 tensors [texts.length, sequence]. */
  encodeBatch(texts: readonly string[], options: PadOptions = {}): EncodedBatch {
    return this.pad(
      texts.map(text => this.encode(text, options).inputIds),
      options,
    );
  }

  /**
   * Rows of token ids, each already with [CLS] and [SEP], padded to one length. A row above `maxLength` is an
   * error.
   */
  pad(rows: readonly Int32Array[], options: PadOptions = {}): EncodedBatch {
    const longest = rows.reduce((length, row) => Math.max(length, row.length), 0);
    const sequence = paddedLength(longest, options);
    const type = tensorType('i32', [rows.length, sequence]);
    const inputIds = new Int32Array(rows.length * sequence).fill(this.vocabulary.padId);
    const attentionMask = new Int32Array(rows.length * sequence);
    rows.forEach((row, i) => {
      inputIds.set(row, i * sequence);
      attentionMask.fill(1, i * sequence, i * sequence + row.length);
    });
    return {
      inputIds: { type, data: inputIds },
      attentionMask: { type, data: attentionMask },
      tokenTypeIds: { type, data: new Int32Array(rows.length * sequence) },
    };
  }

  /**
   * The text of token ids, as Hugging Face decodes it: pieces joined, no space before . , ! ? and inside
   * contractions.
   */
  decode(ids: Iterable<number>, options: { readonly skipSpecialTokens?: boolean } = {}): string {
    const special = new Set(options.skipSpecialTokens === false ? [] : this.vocabulary.specialTokens());
    const { continuingPrefix } = this.#description;
    let text = '';
    for (const id of ids) {
      const token = this.vocabulary.tokens[id];
      if (token === undefined)
        throw new TrenioError('TOKEN_ID_OUT_OF_RANGE', { id, vocabularySize: this.vocabulary.size });
      if (special.has(token)) continue;
      if (text === '') text = closeUp(token);
      else text += closeUp(token.startsWith(continuingPrefix) ? token.slice(continuingPrefix.length) : ` ${token}`);
    }
    return text;
  }

  #ids(text: string): readonly number[] {
    const { maxWordCharacters, text: textOptions } = this.#description;
    const ids: number[] = [];
    text.split(this.#special).forEach((section, i) => {
      // split() puts the matches of the capturing group, the special tokens, at the odd positions.
      if (i % 2 === 1) ids.push(this.vocabulary.idOf(section)!);
      else
        for (const word of bertWords(section, textOptions))
          for (const id of this.#piecesOf(word, maxWordCharacters)) ids.push(id);
    });
    return ids;
  }

  #piecesOf(word: string, maxCharacters: number): readonly number[] {
    const known = this.#pieces.get(word);
    if (known !== undefined) return known;
    const pieces = this.#cut(word, maxCharacters);
    if (this.#pieces.size >= rememberedWords) this.#pieces.clear();
    this.#pieces.set(word, pieces);
    return pieces;
  }

  #cut(word: string, maxCharacters: number): readonly number[] {
    const unknown = [this.vocabulary.unknownId];
    // Characters are code points; there are never more of them than UTF-16 units.
    if (word.length > maxCharacters && [...word].length > maxCharacters) return unknown;
    const pieces: number[] = [];
    for (let start = 0; start < word.length; ) {
      const prefix = start === 0 ? '' : this.#description.continuingPrefix;
      let end = Math.min(word.length, start + this.#longestToken - prefix.length);
      let id: number | undefined;
      for (; end > start; end--) {
        id = this.vocabulary.idOf(prefix + word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return unknown;
      pieces.push(id);
      start = end;
    }
    return pieces;
  }
}

function paddedLength(longest: number, options: PadOptions): number {
  const { maxLength = Number.POSITIVE_INFINITY, pad = 'longest', padToMultipleOf = 1 } = options;
  if (longest > maxLength) throw invalid('maxLength', maxLength, `at least the ${longest} tokens of the longest row`);
  if (!Number.isInteger(padToMultipleOf) || padToMultipleOf < 1) {
    throw invalid('padToMultipleOf', padToMultipleOf, 'an integer, 1 or more');
  }
  if (pad === 'longest') return Math.min(maxLength, Math.ceil(longest / padToMultipleOf) * padToMultipleOf);
  if (maxLength === Number.POSITIVE_INFINITY) throw invalid('maxLength', 'not set', "a number where pad is 'max'");
  return maxLength;
}

function invalid(option: string, got: number | string, expected: string): TrenioError<'INVALID_OPTION'> {
  return new TrenioError('INVALID_OPTION', { what: 'tokenizer', option, got: String(got), expected });
}

/** Hugging Face's clean-up of one decoded token. */
function closeUp(token: string): string {
  return token.replace(/ (?=[.?!,])/g, '').replace(/ (?='(?:m|s|ve|re)|n't)/g, '');
}
